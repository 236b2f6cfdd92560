"""Planned cells that could not be made, as answers that were never asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS

MADE, INFEASIBLE = "made", "infeasible"
Row = Mapping[str, Any]
_CELL = ("cohort", "set", "question_id", "arm")


def unasked_rows(cells: Sequence[Row], answers: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the infeasible cells as rows of `ANSWERS`, one a model that was asked the others.

    Args:
        cells: Rows of `CONTROL_CELLS`.
        answers: Rows of `ANSWERS` of the cells that were asked.
    """
    models = sorted({row["model"] for row in answers})
    return [
        {
            **{column.name: None for column in ANSWERS.columns},
            **{name: cell[name] for name in _CELL},
            "model": model,
            "attempted": False,
            "engaged": False,
        }
        for cell in cells
        if cell["status"] == INFEASIBLE
        for model in models
    ]
