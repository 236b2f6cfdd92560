"""What judging the audit's sample would ask.

Which units are drawn depends on the answers. Where all of them are known, the units are drawn from
them. Else what is exposed is known, and so is how many units each category can hold; so the number
of audited units is bounded from both sides. The least is counted with the units that show least and
empty answers, the most with those that show most and answers as long as the models may write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit.draw import Answered, Drawn
from copyceiling.audit.units import judge_units, unit_rows
from copyceiling.completions import Prompt
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import Case
from copyceiling.judging.rehearsal import Sitting, Work
from copyceiling.judging.rubrics import Rubric
from copyceiling.models import ModelSpec
from copyceiling.questions import Question
from copyceiling.rehearsal import Asks, Known, known_cells
from copyceiling.rows.completions import completion_row
from copyceiling.scaffold import CHARS_PER_TOKEN
from copyceiling.scoring import Gold, exposed_by_arm, score_cell

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """One unit that the frame will hold: a gold item of an answer to come.

    Attributes:
        spec: The model that answers.
        question_id, item: Which gold item.
        exposed: Whether what the model is shown exposes it.
    """

    spec: ModelSpec
    question_id: str
    item: int
    exposed: bool


def places_of(
    swept: Sequence[tuple[ModelSpec, Sequence[Prompt]]], exposure: Sequence[Row]
) -> list[Place]:
    """Return the frame that the answers of these models will make.

    Args:
        swept: Audited models, each with the questions that it is asked.
        exposure: Rows of `EXPOSURE`.
    """
    gold: dict[str, list[tuple[int, bool]]] = {}
    for row in exposure:
        gold.setdefault(row["question_id"], []).append((row["item"], row["exposed"]))
    return [
        Place(spec, prompt.question_id, item, exposed)
        for spec, prompts in swept
        for prompt in prompts
        for item, exposed in gold.get(prompt.question_id, ())
    ]


def audited(audit: Mapping[str, Any], places: Sequence[Place]) -> tuple[int, int, int]:
    """Return the least and the most units of the sample, and the most raw hits beside it.

    An exposed item is n11 or n10, another n01 or n00, whatever the answers. All n01 are audited,
    and up to ``raw_hits`` items that the raw arm names and the scaffold does not show. The least
    takes it that no answer ends in an error, which would leave the frame.

    Args:
        audit: The study's section ``audit``.
        places: The frame.
    """
    exposed = sum(place.exposed for place in places)
    hidden = len(places) - exposed
    n11, n10 = (audit["quotas"][name] for name in ("n11", "n10"))
    if audit["units"] is None:
        least = min(n11, n10, exposed)  # all exposed items may turn out to be of one category
        drawn = min(n11 + n10, exposed)
    else:
        least = min(audit["units"], exposed) if n11 and n10 else 0
        drawn = min(audit["units"], len(places))
    hits = hidden if audit["raw_hits"] is None else min(hidden, audit["raw_hits"])
    return least, min(drawn + hidden, len(places)), hits


def known_answers(
    swept: Sequence[tuple[ModelSpec, Sequence[Prompt]]],
    known: Known,
    questions: Sequence[Question],
    exposure: Sequence[Row],
) -> Answered | None:
    """Return the scored answers of the audited models, None unless all of them are known.

    Args:
        swept: Audited models, each with the questions that it is asked.
        known: Outcomes of calls that were made.
        questions: The study's questions.
        exposure: Rows of `EXPOSURE`.
    """
    gold, exposed = {q.id: Gold.of(q) for q in questions}, exposed_by_arm(exposure)
    items: list[Row] = []
    scores: list[Row] = []
    answers: dict[tuple[str, str, str], str] = {}
    for spec, prompts in swept:
        cells = known_cells(spec, prompts, known)
        if cells is None:
            return None
        for row in (completion_row(spec.model, cell) for cell in cells):
            name, arm = row["question_id"], row["arm"]
            scored = score_cell(gold[name], exposed[name, arm], row)
            items += scored.items
            scores += scored.scores
            answers[spec.model, name, arm] = row["answer"]
    return Answered(items, scores, answers)


def drawn_asks(sitting: Sitting, drawn: Drawn, forms: Sequence[str], rubric: Rubric) -> Asks:
    """Return what a judge is asked of units that are drawn.

    Args:
        sitting: The judge.
        drawn: The units.
        forms: Names of forms.
        rubric: Of kind ``relation``.
    """
    credited = {row["code"]: row["credited"] for row in drawn.sample}
    work = [
        ([Case(unit) for unit in judge_units(drawn.shown, hints)], rubric, form)
        for form in forms
        for hints in [credited if FORMS[form].matcher_hint else None]
    ]
    return Asks(sitting.least(work), sitting.most(work))


def audit_asks(
    sitting: Sitting,
    places: Sequence[Place],
    audit: Mapping[str, Any],
    questions: Sequence[Question],
    said: Mapping[str, Any],
    rubric: Rubric,
) -> Asks:
    """Return what a judge is asked for the verdicts of the audit, before its units are drawn.

    Args:
        sitting: The judge.
        places: The frame.
        audit: The study's section ``audit``.
        questions: The study's questions.
        said: How relations are said, by type.
        rubric: Of kind ``relation``.
    """
    least, most, hits = audited(audit, places)
    shown = sorted(_shown(places, questions, said), key=_size)
    short = [{**row, "answer": ""} for row in shown[:least]]
    by_size = shown[::-1]
    fullest = [*by_size[:most], *by_size[:hits]]
    return Asks(
        sitting.least(_work(short, rubric, audit["forms"], hints=False)),
        sitting.most(_work(fullest, rubric, audit["forms"], hints=True)),
        are_exact=False,
    )


def _shown(
    places: Sequence[Place], questions: Sequence[Question], said: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the frame as rows of `AUDIT_UNITS`, each with the longest answer of its model."""
    sample = [
        {
            "code": f"{i:016x}",
            "part": "sample",
            "model": place.spec.model,
            "question_id": place.question_id,
            "item_index": place.item,
        }
        for i, place in enumerate(places)
    ]
    answers = {
        (p.spec.model, p.question_id, "scaffold"): "x" * (p.spec.budgets[-1] * CHARS_PER_TOKEN)
        for p in places
    }
    return unit_rows(sample, (), {q.id: q for q in questions}, {}, said, answers)


def _size(row: Row) -> tuple[int, str]:
    texts = (row["question"], row["relation"], row["edge"], row["item"], row["answer"])
    return sum(map(len, (*texts, *row["gold"]))), row["code"]


def _work(rows: Sequence[Row], rubric: Rubric, forms: Sequence[str], *, hints: bool) -> list[Work]:
    """Return the cases of every form; a unit that stands twice gets a code of its own each time."""
    coded = [{**row, "code": f"{i:016x}"} for i, row in enumerate(rows)]
    credited = {
        row["code"]: [title for title in row["gold"] if hints and title != row["item"]]
        for row in coded
    }
    cases = [Case(unit) for unit in judge_units(coded, credited)]
    return [(cases, rubric, form) for form in forms]
