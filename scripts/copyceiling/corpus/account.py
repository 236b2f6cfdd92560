"""Says what of a source was read and what was not, in words for people."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from copyceiling.corpus.model import Issue, Reading

_EXAMPLES = 3
_FIRST_FAULTS = 5
_LINE_CHARS = 160


def counted(n: int, one: str, many: str) -> str:
    """Return a number with its noun: ``1 record``, ``2,000 records``."""
    return f"{n:,} {one if n == 1 else many}"


def one_line(value: str, limit: int = _LINE_CHARS) -> str:
    """Return a source's text as one line that no terminal obeys, cut to a number of characters."""
    line = "".join(c if c.isprintable() else " " for c in value)
    return line if len(line) <= limit else f"{line[: limit - 3]}..."


def lost(n_read: int, n_lost: int) -> str:
    """Return how many classes were read, and how many records could not be."""
    classes = counted(n_read, "class was read", "classes were read")
    if not n_lost:
        return classes
    records = counted(n_lost, "record could not be read", "records could not be read")
    return f"{classes}, {records}; what refers to one that was lost counts as dangling"


def by_kind(issues: Sequence[Issue]) -> dict[str, list[Issue]]:
    """Return the faults by kind, kinds in alphabetical order."""
    found: dict[str, list[Issue]] = defaultdict(list)
    for issue in issues:
        found[issue.kind].append(issue)
    return dict(sorted(found.items()))


def fault_lines(issues: Sequence[Issue]) -> Iterator[str]:
    """Yield the faults of a source for a terminal: each kind, its number and the first few."""
    for kind, found in by_kind(issues).items():
        yield f"  {kind}: {len(found):,}"
        yield from (f"    {one_line(f'{i.where}: {i.detail}')}" for i in found[:_EXAMPLES])
        if len(found) > _EXAMPLES:
            yield f"    ... and {len(found) - _EXAMPLES:,} more"


def pages_read(n_classes: int, passed_over: Mapping[str, int]) -> str:
    """Return how many pages were read, and why some of them give no class."""
    n = n_classes + sum(passed_over.values())
    if not n:
        return "0 pages read: no file there ends in .md"
    reasons = [f"{count:,} {reason}" for reason, count in passed_over.items() if count]
    return ": ".join(filter(None, [counted(n, "page read", "pages read"), ", ".join(reasons)]))


def why_no_class(path: Path, form: str, read: Reading, issues: Sequence[Issue]) -> str:
    """Return the message for a source that gave no class: what was read, and the first faults.

    Args:
        path: Of the source.
        form: Its format.
        read: What the reader made of it.
        issues: Every fault met, by the reader or after.
    """
    lines = [f"corpus '{path}' holds no class of format '{form}'."]
    if form == "markdown":
        lines.append(f"  {pages_read(len(read.classes), read.passed_over)}.")
    lines += [f"  {one_line(f'{i.where}: {i.detail}')} [{i.kind}]" for i in issues[:_FIRST_FAULTS]]
    if len(issues) > _FIRST_FAULTS:
        lines.append(f"  ... and {len(issues) - _FIRST_FAULTS:,} more faults")
    return "\n".join(lines)
