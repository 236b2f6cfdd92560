"""What the calibration of its judges says against the grades of a judged study."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import CALIBRATION
from copyceiling.artefacts.store import rows
from copyceiling.audit.panels import caution
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.cohorts import Row
from copyceiling.judging.rubrics import load_rubric


def grade_cautions(
    grades: Sequence[Row], rules: Collection[str], card: Any, rubric: Any
) -> dict[str, str | None]:
    """Return, for each judge of these grades, what must stand across every table of them.

    Args:
        grades: Rows of `GRADES`.
        rules: Labels of judges that are rules.
        card: Path of the calibration card; anything false where the study calibrates no judges.
        rubric: Path of the rubric that the grades were made under, so that a card of another one
            does not count; anything false where that is not known (released grades).
    """
    found = rows(Path(card), CALIBRATION) if card else []
    made_under = load_rubric(Path(rubric), "grade").sha256 if rubric else None
    return {
        judge: caution(
            judge,
            "rule" if judge in rules else "model",
            found,
            rubric="grade",
            form=DEFAULT_FORM,
            rubric_sha256=made_under,
        )
        for judge in sorted({row["judge"] for row in grades})
    }
