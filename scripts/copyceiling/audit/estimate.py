"""What judging the audit's sample would ask, before there is a sample.

Which units are drawn depends on answers that may not be there yet, so they are counted with the
study's questions in turn and answers as long as the models may write: the most that judging can ask
and read, but for re-asks and for units audited beside the quotas (all n01, and raw hits).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.audit.units import judge_units, unit_rows
from copyceiling.completions import call_of
from copyceiling.judging.forms import FORMS
from copyceiling.judging.prompts import build_prompt
from copyceiling.judging.rubrics import Rubric
from copyceiling.models import ModelSpec
from copyceiling.questions import Question
from copyceiling.requests import Call
from copyceiling.scaffold import CHARS_PER_TOKEN


def audit_calls(
    judge: ModelSpec,
    answering: Sequence[ModelSpec],
    audit: Mapping[str, Any],
    questions: Sequence[Question],
    said: Mapping[str, Any],
    rubric: Rubric,
    seed: int,
) -> list[Call]:
    """Return the calls that a judge may be asked for the verdicts of the audit.

    Args:
        judge: The judge.
        answering: The models whose answers are audited.
        audit: The study's section ``audit``.
        questions: The study's questions.
        said: How relations are said, by type.
        rubric: Of kind ``relation``.
        seed: Study seed.
    """
    n = audit["units"] or sum(audit["quotas"].values())
    longest = max(spec.budgets[-1] for spec in answering) * CHARS_PER_TOKEN
    by_id = {q.id: q for q in questions}
    sample = [
        {
            "code": f"{i:016x}",
            "part": "sample",
            "model": "",
            "question_id": questions[i % len(questions)].id,
            "item_index": 0,
        }
        for i in range(n if questions else 0)
    ]
    answers = {("", q, "scaffold"): "x" * longest for q in by_id}
    shown = unit_rows(sample, (), by_id, {}, said, answers)
    prompts = [
        build_prompt(unit, rubric, FORMS[form], seed=seed)
        for form in audit["forms"]
        for unit in judge_units(shown, {row["code"]: () for row in shown})
    ]
    return [call_of(judge, p.messages, budget) for p in prompts for budget in judge.budgets]
