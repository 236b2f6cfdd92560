"""What the calibration of a judge would ask: its items are known before any call."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.calibration.plan import cases_of
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rubrics import Rubric
from copyceiling.rehearsal import Asks


def calibration_asks(
    sitting: Sitting,
    items: Sequence[Mapping[str, Any]],
    rubric: Rubric,
    forms: Sequence[str],
    *,
    repeats: int,
    subset: int | None,
) -> Asks:
    """Return what a judge is asked under one rubric, in every form.

    Args:
        sitting: The judge.
        items: Rows of `CALIBRATION_ITEMS`, of any rubric.
        rubric: Of kind ``relation`` or ``grade``.
        forms: Names of forms; those that ask the same thing ask it once.
        repeats, subset: See `cases_of`.
    """
    cases = cases_of([row for row in items if row["rubric"] == rubric.kind], repeats, subset)
    work = [(cases, rubric, form) for form in forms]
    return Asks(sitting.least(work), sitting.most(work))
