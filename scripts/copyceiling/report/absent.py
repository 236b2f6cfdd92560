"""What a study lacks, and what it would take to have it."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import did_you_mean
from copyceiling.tables import LAYOUTS, tables_of
from copyceiling.tables.parts import TAKES, has_part, what_it_takes

# Parts that follow from others.
_REASONS = {
    "stress": "set its section 'paraphrase' with source synonyms or model, so that it rewrites "
    "its questions itself",
    "released_rewrites": "released rewrites, by 'paraphrase: {source: release}'",
    "released_scores": "released score rows, by 'sweep: {source: release}'",
    "rescored_answers": "set its section 'rescore', in a study with 'sweep: {source: calls}'",
    "rescore_published": "set its section 'rescore', and point release.published at values",
    "answers": "answers to read, by 'sweep: {source: calls}'",
    "published": "published values to compare with: point release.published at a file of them",
}
_CALLS = "_calls"  # parts that judged studies have whose answers are calls of their own


def reason(part: str) -> str:
    """Return what it takes for a study to have a part that it lacks, for people."""
    if part in _REASONS:
        return _REASONS[part]
    if part.endswith(_CALLS):
        section = part.removesuffix(_CALLS)
        return f"answers of the study's own, by '{section}: {{source: calls, ...}}'"
    return what_it_takes(part) if part in TAKES else f"its section '{part}'"


def lacking(study: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return the tables that a study has not: name, what it would show, and why it is not there."""
    return [
        (name, layout.schema.doc, reason(layout.part))
        for name, layout in LAYOUTS.items()
        if layout.part is not None and not has_part(study, layout.part)
    ]


def no_table(
    name: str,
    study: Mapping[str, Any],
    folder: Path,
    built: Sequence[str],
    command: Callable[[str], str],
) -> str:
    """Return what to say of a table that was asked for and is not there: why, and what to do.

    Args:
        name: As typed.
        study: Its complete configuration.
        folder: Where its tables lie.
        built: Those that do.
        command: A target to the command that builds it.
    """
    known = tables_of(study)
    if name in known:
        # Only the paper's tables are targets; the file of any other is one as well.
        target = name if re.fullmatch(r"table\d", name) else f"{study['results']}/tables/{name}.md"
        return f"table '{name}' is not built. Build it: {command(target)}"
    if name in LAYOUTS:
        why = reason(LAYOUTS[name].part or "")
        return f"study '{study['study']}' has no table '{name}'. What it takes: {why}."
    rest = [other for other in known if other not in built]
    return (
        f"there is no table of the name '{name}'.{did_you_mean(name, [*built, *rest])}\n"
        f"Built, in {folder}: {', '.join(built) or 'none'}\n"
        f"Not built yet: {', '.join(rest) or 'none'}"
    )
