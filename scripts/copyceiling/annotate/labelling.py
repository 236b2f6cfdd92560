"""What may be said of a unit, and labels as rows.

The role follows from the question wherever it asks for all items, or has one alone; only where any
one of several suffices is there something to say. Source: STUDIES section 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from copyceiling.audit.labels import LABELS, Row

# Label to its key and what it means, in order of precedence: the first that fits.
MEANINGS: Mapping[str, tuple[str, str]] = {
    "negated": ("n", "the answer denies that the relation holds"),
    "reversed": ("r", "the relation is asserted the wrong way round"),
    "wrong_relation": ("w", "tied to the subject, but by another relation"),
    "correct_relation": ("c", "the relation asked for is asserted; a bare list asserts its items"),
    "name_only": ("o", "named or described only, without tying it to the subject"),
    "absent": ("a", "not referred to under any name"),
}
assert tuple(MEANINGS) == LABELS
REQUIRED, ALTERNATIVE, NEITHER = "required", "alternative", "n/a"


@dataclass(frozen=True)
class Label:
    """What a person says of one unit: one of the six labels, the item's role, a remark."""

    label: str
    role: str
    note: str = ""


def roles_of(unit: Row) -> tuple[str, ...]:
    """Return the roles that an item may have; one alone follows from the question.

    Args:
        unit: Row of `AUDIT_UNITS`.
    """
    if unit["gold_type"] == "all" or len(unit["gold"]) == 1:
        return (REQUIRED,)
    return (ALTERNATIVE, NEITHER)


def label_rows(annotator: str, labels: Mapping[str, Label]) -> list[dict[str, str]]:
    """Return a person's labels, by code, as rows of `AUDIT_LABELS`."""
    return [
        {"annotator": annotator, "code": code, "label": x.label, "role": x.role, "note": x.note}
        for code, x in sorted(labels.items())
    ]
