"""What the judged studies would ask: the calls of every model and judge, before any is made.

A judge's calls depend on answers that are not there yet, so they are counted with answers as long
as the model may write, no two alike: the most that judging can ask and read, re-asks of the form
left out.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import prompts_of
from copyceiling.arms.grading import cell_of, grade_cases
from copyceiling.arms.settings import Part
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.completions import call_of
from copyceiling.judging.forms import FORMS
from copyceiling.judging.prompts import build_prompt
from copyceiling.judging.rubrics import Rubric
from copyceiling.models import ModelSpec
from copyceiling.requests import Call
from copyceiling.scaffold import CHARS_PER_TOKEN

Row = Mapping[str, Any]


def answering_calls(spec: ModelSpec, prompts: Sequence[Row]) -> list[Call]:
    """Return the calls that a model's plan may ask for, at every budget.

    Args:
        spec: The model.
        prompts: Rows of `ARM_PROMPTS`.
    """
    return [
        call_of(spec, messages, budget)
        for budget in spec.budgets
        for prompt in prompts_of(prompts)
        for messages in prompt.arms.values()
    ]


def judging_calls(
    judge: ModelSpec,
    part: Part,
    prompts: Sequence[Row],
    references: Sequence[Row],
    rubric: Rubric,
    seed: int,
) -> list[Call]:
    """Return the calls that a judge may be asked at most, with answers of full length.

    Args:
        judge: The judge.
        part: The part, for its models.
        prompts: Rows of `ARM_PROMPTS`.
        references: Rows of `REFERENCES`.
        rubric: Of kind ``grade``.
        seed: Study seed.
    """
    answers = [_longest(row, spec) for spec in part.models.values() for row in prompts]
    shown = [
        build_prompt(case.unit, rubric, FORMS[DEFAULT_FORM], seed=seed).messages
        for case in grade_cases(references, answers)
    ]
    return [call_of(judge, messages, budget) for budget in judge.budgets for messages in shown]


def _longest(prompt: Row, spec: ModelSpec) -> dict[str, Any]:
    cell = cell_of({**prompt, "model": spec.model})
    letters = spec.budgets[-1] * CHARS_PER_TOKEN
    return {**cell, "status": "ok", "answer": f"{prompt['arm']} {spec.model} ".ljust(letters, "x")}
