"""What the grading of a part's answers would ask, before all of them are there.

Answers that are known are judged as they are. Of the others none may come, at least; at most each
is as long as the model may write, and no two are alike.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import completion_rows, prompts_of
from copyceiling.arms.grading import grade_cases
from copyceiling.arms.settings import Part
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.judging.harness import Case
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rubrics import Rubric
from copyceiling.rehearsal import Asks, Known, imagined_cells

Row = Mapping[str, Any]


def grade_asks(
    sitting: Sitting,
    part: Part,
    prompts: Sequence[Row],
    references: Sequence[Row],
    rubric: Rubric,
) -> Asks:
    """Return what a judge is asked of a part's answers.

    Args:
        sitting: The judge; of the known calls, those of the models count as well.
        part: The part, for its models.
        prompts: Rows of `ARM_PROMPTS`.
        references: Rows of `REFERENCES`.
        rubric: Of kind ``grade``.
    """
    least, most = (
        _cases(part, prompts, references, sitting.known, full=full) for full in (False, True)
    )
    return Asks(
        sitting.least([(least, rubric, DEFAULT_FORM)]),
        sitting.most([(most, rubric, DEFAULT_FORM)]),
    )


def _cases(
    part: Part, prompts: Sequence[Row], references: Sequence[Row], known: Known, *, full: bool
) -> list[Case]:
    planned = prompts_of(prompts)
    answers = [
        row
        for spec in part.models.values()
        for row in completion_rows(spec.model, imagined_cells(spec, planned, known, full=full))
    ]
    return grade_cases(references, answers)
