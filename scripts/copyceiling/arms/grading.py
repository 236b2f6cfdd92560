"""What judges are shown of the answers, and how their verdicts go back to the cells.

A unit is a question with an answer, whoever gave it: its id names neither arm nor model, and
equal answers to one question are one unit. So a judge cannot be partial to an arm, two arms that
say the same get the same verdict, and it is asked for once. Source: STUDIES sections 3 and 8.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import QuestionKey, key_of
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.judging.harness import Case
from copyceiling.judging.prompts import clean
from copyceiling.judging.units import Unit, grade_unit

Row = Mapping[str, Any]
# Ends that may leave text to grade; an answer cut at its budget is graded as it stands.
_WITH_TEXT = ("ok", "truncated")


def is_gradable(completion: Row) -> bool:
    """Return whether a row of `ARM_COMPLETIONS` holds an answer that a judge can be shown."""
    return completion["status"] in _WITH_TEXT and bool(completion["answer"].strip())


def unit_id(completion: Row) -> str:
    """Return the unit of a completion: its question and the sha256 of its answer."""
    digest = hashlib.sha256(clean(completion["answer"]).encode()).hexdigest()
    return f"{key_of(completion).name}/{digest[:32]}"


def grade_cases(references: Iterable[Row], completions: Iterable[Row]) -> list[Case]:
    """Return what a judge is asked: every distinct answer to every question, in order of units.

    Args:
        references: Rows of `REFERENCES`.
        completions: Rows of `ARM_COMPLETIONS`, of all models.

    Raises:
        CopyCeilingError: An answered question has no reference; lists them.
    """
    known = {key_of(row): row for row in references}
    gradable = [row for row in completions if is_gradable(row)]
    lacking = sorted({key_of(row).name for row in gradable if key_of(row) not in known})
    if lacking:
        raise CopyCeilingError(
            f"{len(lacking)} question(s) have answers and no reference:\n{listing(lacking)}"
        )
    units = {unit_id(row): _unit(known[key_of(row)], row["answer"]) for row in gradable}
    return [Case(units[name]) for name in sorted(units)]


def _unit(reference: Row, answer: str) -> Unit:
    made = {"answer": answer, **key_of(reference)._asdict()}
    return grade_unit(
        unit_id(made),
        question=reference["question"],
        reference=reference["reference"],
        key_points=reference["key_points"],
        answer=answer,
    )


def grade_rows(
    completions: Sequence[Row], judgements: Mapping[str, Iterable[Row]], form: str
) -> list[dict[str, Any]]:
    """Return rows of `GRADES`: every cell under every judge that judged.

    A cell without an answer is ``absent``. One whose judging did not end in a grade keeps the
    status of its end and has no score; each says whether the judge's cap cut its answer.

    Args:
        completions: Rows of `ARM_COMPLETIONS`.
        judgements: Judge to its rows of `JUDGEMENTS` of the rubric ``grade``; none where there
            was nothing to judge.
        form: The form that counts.

    Raises:
        CopyCeilingError: A judge has no verdict on an answer; lists units.
    """
    found = {
        judge: {row["unit_id"]: row for row in rows if row["form"] == form}
        for judge, rows in judgements.items()
    }
    lacking = [
        f"{judge}: {unit_id(row)}"
        for judge, by_unit in found.items()
        for row in completions
        if is_gradable(row) and unit_id(row) not in by_unit
    ]
    if lacking:
        raise CopyCeilingError(
            f"{len(lacking)} answer(s) have no verdict:\n{listing(lacking)}\nJudge them again."
        )
    return [
        {**cell_of(row), "judge": judge, **_graded(row, by_unit)}
        for judge, by_unit in found.items()
        for row in completions
    ]


def cell_of(row: Row) -> dict[str, str]:
    """Return the columns that say which cell a row is of."""
    return {name: row[name] for name in (*QuestionKey._fields, "arm", "model")}


def _graded(completion: Row, by_unit: Mapping[str, Row]) -> dict[str, Any]:
    if not is_gradable(completion):
        return {"status": "absent", "score": None, "cut": None}
    verdict = by_unit[unit_id(completion)]
    return {name: verdict[name] for name in ("status", "score", "cut")}
