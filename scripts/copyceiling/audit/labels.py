"""The audit's labels, and what an unresolved verdict counts as.

A verdict whose quote does not stand in the answer, and that a second request could not repair, is
unresolved. It is read three ways: it *stands*, it is *withdrawn* (absent), or its unit is
*excluded*. Source: paper section 10.2, STUDIES section 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]

# In order of precedence: the first that fits.
LABELS = ("negated", "reversed", "wrong_relation", "correct_relation", "name_only", "absent")
ROLES = ("required", "alternative", "n/a")
CATEGORIES = ("n11", "n10", "n01", "n00")
GATES = ("not_needed", "verified", "repaired", "unresolved")
READINGS = ("stands", "withdrawn", "excluded")
RULES = ("as_run", "verbatim")


@dataclass(frozen=True)
class Judged:
    """One audited unit under one reading: its label and role, and the row they come from."""

    label: str
    role: str | None
    row: Row

    @property
    def correct(self) -> bool:
        """Whether the answer asserts the relation asked for."""
        return self.label == "correct_relation"


def unresolved(row: Row, rule: str) -> bool:
    """Whether the quote gate leaves a verdict unresolved.

    Args:
        row: Row of `VERDICTS`.
        rule: ``as_run`` accepts a repaired quote that stands in the normalised answer;
            ``verbatim`` asks for one that stands there but for white space.
    """
    if row["gate"] == "unresolved":
        return True
    return rule == "verbatim" and row["gate"] == "repaired" and row["verbatim"] is False


def rules_for(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the rules that rows can be read under: some do not say how a repaired quote stands."""
    gated = all(r["gate"] is not None for r in rows)
    stated = all(r["verbatim"] is not None for r in rows if r["gate"] == "repaired")
    return RULES if gated and stated else RULES[:1]


def readings_for(rows: Iterable[Row]) -> tuple[str, ...]:
    """Return the readings that rows allow: without the quote gate, nothing is known unresolved."""
    return READINGS if all(r["gate"] is not None for r in rows) else READINGS[:1]


def judge(rows: Iterable[Row], rule: str, reading: str) -> list[Judged]:
    """Return the units that count under a rule and a reading, in order.

    A unit whose reply did not parse has no label and counts in no reading.
    """
    out = []
    for row in rows:
        if row["label"] is None:
            continue
        if reading == "stands" or not unresolved(row, rule):
            out.append(Judged(row["label"], row["role"], row))
        elif reading == "withdrawn":
            out.append(Judged("absent", "n/a", row))
    return out
