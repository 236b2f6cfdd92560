"""In which order the page shows a study's tables, and under which headings Contents lists them.

The paper's tables come first, by number, each followed by the parts that belong to it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

PAPER = "The paper's tables"
# Heading to tables; a tuple is a table with its parts.
_GROUPS: Sequence[tuple[str, Sequence[tuple[str, ...]]]] = (
    (
        PAPER,
        (
            ("table1",),
            ("table2",),
            (
                "table3",
                "audit_rates",
                "audit_corrected",
                "audit_frame",
                "audit_mechanisms",
                "audit_judging",
                "audit_human",
            ),
            ("table4",),
            ("table5",),
            ("table6", "table6_flow", "table6_recall"),
            ("table7", "table7_flow", "table7_recall"),
            ("table8",),
        ),
    ),
    (
        "Matching, and names that the block lacks",
        (("confusion",), ("mechanisms", "run_together"), ("omitted", "omitted_hits")),
    ),
    ("Judges", (("calibration", "calibration_confusion"),)),
    (
        "Wrappers around the block",
        (("wrappers", "wrapper_contrasts", "wrapper_flow", "wrapper_texts"),),
    ),
    (
        "Other wordings, matchers and questions",
        (
            ("paraphrase",),
            ("stress", "rewriting"),
            ("rescore", "rescore_ceiling", "rescore_published", "neighbours"),
            ("contamination", "intruders"),
            ("seeds",),
        ),
    ),
    ("Diagnostics, and values as published", (("diagnostics",), ("published", "prose"))),
)
_OTHERS = "Other tables"


@dataclass(frozen=True)
class Entry:
    """A table in Contents, with the parts that belong to it."""

    name: str
    parts: tuple[str, ...]


def groups(names: Iterable[str]) -> list[tuple[str, list[Entry]]]:
    """Return the headings with their tables, those that there are; none is lost.

    Args:
        names: Tables of the study, in any order.
    """
    left = list(names)
    out = []
    for heading, chains in _GROUPS:
        entries = []
        for chain in chains:
            there = [name for name in chain if name in left]
            left = [name for name in left if name not in there]
            entries += [Entry(there[0], tuple(there[1:]))] if there else []
        if entries:
            out.append((heading, entries))
    return [*out, (_OTHERS, [Entry(name, ()) for name in left])] if left else out


def ordered(names: Iterable[str]) -> list[str]:
    """Return the tables in the order of the page."""
    return [n for _, entries in groups(names) for e in entries for n in (e.name, *e.parts)]
