"""Counts of the audited units before any reading: verdicts, roles, quote gate, sample.

Source: paper section 10.2 and Table 3, STUDIES section 5.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copyceiling.audit.labels import CATEGORIES, GATES, LABELS, ROLES, Row
from copyceiling.stats import wilson

PARTS = ("sample", "raw_hits")
# How a repaired quote stands in the answer.
REPAIRS = ("verbatim", "normalised")
NO_ROLE = "(none)"  # a label whose stated role is out of range


def repair(row: Row) -> str | None:
    """Return how a unit's repaired quote stands; None if none was repaired or rows do not say."""
    if row["gate"] != "repaired" or row["verbatim"] is None:
        return None
    return REPAIRS[0] if row["verbatim"] else REPAIRS[1]


# Field to its value for a unit (None counts nowhere) and to the values that are counted at 0 too.
_FIELDS: Mapping[str, tuple[Callable[[Row], str | None], Sequence[str]]] = {
    "label": (lambda r: label_of(r), LABELS),
    "role": (lambda r: role_of(r), ROLES),
    # Without a label there is no quote to check.
    "gate": (lambda r: r["gate"] if r["label"] else None, GATES),
    "repair": (repair, REPAIRS),
    "cell": (lambda r: cell(r), ()),
    "model": (lambda r: str(r["model"]), ()),
}


def cell(row: Row) -> str:
    """Return the sampling cell of a unit: ``template|gold_type``."""
    return f"{row['template']}|{row['gold_type']}"


def label_of(row: Row) -> str:
    """Return a unit's label, in brackets how its judging ended where it has none."""
    return row["label"] or f"({row['status']})"


def role_of(row: Row) -> str | None:
    """Return a unit's role, `NO_ROLE` if it stated none of the three; None without a label."""
    return row["role"] or (NO_ROLE if row["label"] else None)


def confusion_rows(verdicts: Sequence[Row], level: float) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_CONFUSION`: units by category and by each field's values.

    Args:
        verdicts: Rows of `VERDICTS` by one judge.
        level: Level of the Wilson intervals.
    """
    out = []
    for part in PARTS:
        for category in CATEGORIES:
            units = [r for r in verdicts if (r["part"], r["category"]) == (part, category)]
            for field, (value, always) in _FIELDS.items() if units else ():
                found = [v for v in map(value, units) if v is not None]
                for name in [*always, *sorted(set(found) - set(always))]:
                    k, n = found.count(name), len(units)
                    bounds = wilson(k, n, level)
                    out.append(
                        {
                            "part": part,
                            "category": category,
                            "field": field,
                            "value": name,
                            "n": k,
                            "of": n,
                            "share": k / n,
                            "wilson_low": bounds.low,
                            "wilson_high": bounds.high,
                        }
                    )
    return out
