"""What the audit's judges said of items of the sweep, beside their rows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.audit.confusion import cell, label_of, repair
from copyceiling.audit.units import arm_of
from copyceiling.errors import ArtefactError, listing
from copyceiling.report.evidence.records import SWEEP, Answer, Row

_COUNTED = ("judge", "form", "part", "category", "role", "confidence", "gate", "status")
_SAID = ("quote", "span", "reason", "fault")
_Unit = tuple[str, str, str, str]  # part, unit, judge, form


def add_verdicts(
    answers: Iterable[Answer],
    verdicts: Sequence[Row],
    sample: Iterable[Row],
    judgements: Iterable[Row],
) -> None:
    """Put each audited unit's verdicts to its answer.

    Args:
        answers: Of the sweep.
        verdicts: Rows of `VERDICTS`, what Table 3 counts.
        sample: Rows of `AUDIT_SAMPLE`, which say which unit a judge saw under which code; none
            where the verdicts are released.
        judgements: Rows of `JUDGEMENTS` on these units, which hold quotes; none likewise.

    Raises:
        ArtefactError: A verdict is on an item of no answer of the study; lists them.
    """
    known = {(a.model, a.asked.id, a.arm): a for a in answers if a.asked.part == SWEEP}
    quotes = _quotes(sample, judgements)
    lost = []
    for row in verdicts:
        answer = known.get((row["model"], row["question_id"], arm_of(row["part"])))
        if answer is None or not 0 <= row["item_index"] < len(answer.items):
            lost.append(f"{row['part']}: {row['unit_id']}")
            continue
        said = quotes.get((row["part"], row["unit_id"], row["judge"], row["form"]), {})
        answer.verdicts.append({**said, **_counted(row), "item": row["item_index"]})
    if lost:
        raise ArtefactError(
            f"{len(lost)} verdict(s) are on items of no answer of this study:\n{listing(lost)}\n"
            "Build the audit again: snakemake table3"
        )


def _counted(row: Row) -> dict[str, Any]:
    """Return a verdict's values as Table 3 counts them."""
    return {
        **{name: row[name] for name in _COUNTED},
        "label": label_of(row),
        "repair": repair(row),
        "cell": cell(row),
    }


def _quotes(sample: Iterable[Row], judgements: Iterable[Row]) -> Mapping[_Unit, dict[str, Any]]:
    """Return what a judge said of a unit when it was first asked."""
    units = {f"audit|{row['code']}": (row["part"], row["unit_id"]) for row in sample}
    found: dict[_Unit, dict[str, Any]] = {}
    for row in judgements:
        if row["unit_id"] in units and row["order"] == row["repeat"] == 0:
            key = (*units[row["unit_id"]], row["judge"], row["form"])
            found.setdefault(key, {name: row[name] for name in _SAID})
    return found
