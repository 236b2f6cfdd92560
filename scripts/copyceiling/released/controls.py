"""The released negative controls: two cohorts of answers under altered blocks, and their grades.

The first cohort (``controls_first``) ran four arms at one budget and was judged twice by the same
judge; the rerun (``controls``) ran five arms under a retry ladder. The arms ``served`` and ``raw``
of both are the production answers, graded again with them; their answers stand in the production
cohort alone. Source: paper section 10.7, STUDIES section 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.released.blocks import block_rows
from copyceiling.released.fields import COUNT, SECONDS, TEXT, Format, choice
from copyceiling.released.gates import check_gates
from copyceiling.released.judged import (
    ARCHIVED,
    CONTROL_ARMS,
    FIVE_ARMS,
    FOUR_ARMS,
    MAIN,
    SECOND,
    SETS,
    Cell,
    Judging,
    Text,
    check_judging,
    check_planned,
    grade_rows,
    read_judging,
)
from copyceiling.released.production import FIRST_BUDGET, NOT_KNOWN, Live, cell_of, read_live
from copyceiling.released.reading import Paths, Reader, Record
from copyceiling.released.rerun import Rerun, read_rerun, rerun_answers

FIRST, RERUN = "controls_first", "controls"
_SETS = SETS[:2]
_CELL = {"set": choice(*_SETS), "id": TEXT, "arm": choice(*CONTROL_ARMS)}
_SKIPPED = Format({**_CELL, "skipped": choice("no-scaffold")}, key=("set", "id", "arm"))
FIRST_LIVE = Format(
    {
        **_CELL,
        "n_seeds": COUNT,
        "attempt": COUNT,
        "content": TEXT,
        "latency_s": SECONDS,
        "completion_tokens": COUNT,
        "model": TEXT,
    },
    key=("set", "id", "arm"),
    variants={"skipped": _SKIPPED},
)
_PRODUCTION_ARMS = ("served", "raw")
_Question = tuple[str, str]


@dataclass(frozen=True)
class Imported:
    """Rows of `ANSWERS`, `GRADES` and `BLOCK_EXPOSURE`."""

    answers: list[dict[str, Any]]
    grades: list[dict[str, Any]]
    exposure: list[dict[str, Any]]


def import_controls(
    reader: Reader, files: Mapping[str, Paths], gates: Mapping[str, int]
) -> Imported:
    """Return the control cohorts' answers, grades and measured block exposure.

    Args:
        reader: Takes the faults.
        files: Slots of part ``controls`` to their file, or nothing.
        gates: Declared counts.
    """
    live = read_live(reader, files["live"])
    first = reader.first(files["first_live"], FIRST_LIVE)
    rerun = read_rerun(reader, files)
    model = _model(reader, live, first, rerun)
    counts: dict[str, int] = {}
    grades = _first_grades(reader, files, live, first, model, counts)
    rerun_grades, questions = _rerun_grades(reader, files, live, rerun, model, counts)
    answers = [_first_answer(reader, row, model) for row in first]
    answers += rerun_answers(reader, rerun, _graded(rerun_grades), questions, model)
    _check_seeds(reader, first, live)
    exposure = block_rows(reader, files["exposure_summary"], rerun)
    if first:
        counts["controls.first"] = len(first)
        counts["controls.first_asked"] = sum("skipped" not in row.values for row in first)
    if rerun.records:
        counts["controls.rerun"] = len(rerun.records)
    if exposure:
        counts["controls.blocks"] = sum(row["n"] for row in exposure)
    check_gates(reader, gates, counts)
    return Imported(answers, grades + rerun_grades, exposure)


def _model(reader: Reader, live: Live, first: Sequence[Record], rerun: Rerun) -> str:
    """Return one label for all arms: the production rows' model.

    Servers name one model in several ways; the rows' own name is kept as ``response_model``.
    """
    named = sorted({row["model"] for row in first if row.get("model")})
    if live.model and named and named != [live.model]:
        reader.note(first[0].where, f"answers of {', '.join(named)}, production of {live.model}")
    others = [*named, *sorted({row["model"] for row in rerun.records if row.get("model")})]
    return live.model or next(iter(others), "not stated")


def _first_answer(reader: Reader, row: Record, model: str) -> dict[str, Any]:
    name, question, arm = cell_of(row)
    cell = {"set": name, "question_id": question, "arm": arm, "model": model}
    known = {**NOT_KNOWN, "cohort": FIRST, **cell}
    if row.get("skipped"):
        return {**known, "attempted": False, "engaged": False}
    text, tokens = row["content"], row["completion_tokens"]
    if tokens > FIRST_BUDGET:
        reader.fault(row.where, "completion_tokens", f"{tokens} of a budget of {FIRST_BUDGET}")
    cut = tokens >= FIRST_BUDGET
    return {
        **known,
        "attempted": True,
        "status": "empty" if not text.strip() else "truncated" if cut else "ok",
        "budget": FIRST_BUDGET,
        "completion_tokens": tokens,
        "n_chars": len(text),
        "latency_s": float(row["latency_s"]),
        "rerun": False,
        "response_model": row["model"],
        "engaged": row["n_seeds"] > 0,
    }


def _check_seeds(reader: Reader, first: Sequence[Record], live: Live) -> None:
    """The blocks were fetched from the node that served the production answers."""
    seeds = {
        cell_of(row)[:2]: len((row["loom"]["grounding"] or {}).get("seeds", ()))
        for row in live.records
        if row["loom"]
    }
    for row in first:
        expected = seeds.get(cell_of(row)[:2])
        found = 0 if row.get("skipped") else row["n_seeds"]
        if expected is not None and found != expected:
            field = "skipped" if row.get("skipped") else "n_seeds"
            reader.fault(row.where, field, f"{found} seeds; the served answer had {expected}")


def _first_grades(
    reader: Reader,
    files: Mapping[str, Paths],
    live: Live,
    first: Sequence[Record],
    model: str,
    counts: dict[str, int],
) -> list[dict[str, Any]]:
    """Return all judgings of the first cohort."""
    archived = read_judging(reader, files["judged"])
    second = read_judging(reader, files["judged_second"])
    again = read_judging(reader, files["rejudged"], FOUR_ARMS)
    named = {cell_of(row)[:2]: row.where for row in first}
    questions = tuple(named) or again.questions
    planned = _plan(questions, (*_PRODUCTION_ARMS, *CONTROL_ARMS[:4]))
    texts = {cell_of(row): Text(row.get("content") or "", row.where) for row in first}
    texts |= {c: t for c, t in live.texts.items() if c[:2] in set(questions)}
    grades: list[dict[str, Any]] = []
    for label, judging in ((MAIN, again), (ARCHIVED, archived), (SECOND, second)):
        mine = _of(judging, planned) if judging is not again else judging
        if first:
            check_judging(reader, mine, texts)
        if judging is again:
            check_planned(reader, mine, planned)
            _check_questions(reader, mine, named)
        grades += grade_rows(FIRST, label, mine, planned, model)
    if again.at_hand and archived.at_hand:
        counts |= _agreement(reader, again, _of(archived, planned))
    return grades


def _of(judging: Judging, planned: Iterable[Cell]) -> Judging:
    """Return the grades of a plan's cells; the file holds others as well."""
    kept = {c: judging.cells[c] for c in planned if c in judging.cells}
    return Judging(judging.where, kept, judging.questions)


def _agreement(reader: Reader, again: Judging, archived: Judging) -> dict[str, int]:
    """Count where two judgings of the same answers agree; both grade the same cells."""
    for cell in sorted(again.cells.keys() ^ archived.cells.keys()):
        one, other = (again, archived) if cell in again.cells else (archived, again)
        where = one.cells[cell].where
        reader.fault(where, "score", f"{'/'.join(cell)} has no grade in {other.where}")
    gaps = [
        abs((grade.score or 0) - (archived.cells[cell].score or 0))
        for cell, grade in again.cells.items()
        if cell in archived.cells
    ]
    return {
        "controls.rejudged": len(gaps),
        "controls.rejudged_same": sum(gap == 0 for gap in gaps),
        "controls.rejudged_near": sum(gap <= 1 for gap in gaps),
    }


def _rerun_grades(
    reader: Reader,
    files: Mapping[str, Paths],
    live: Live,
    rerun: Rerun,
    model: str,
    counts: dict[str, int],
) -> tuple[list[dict[str, Any]], tuple[_Question, ...]]:
    """Return the judging of the rerun, and the questions of its plan."""
    judging = read_judging(reader, files["rerun_judged"], FIVE_ARMS)
    asked = {cell_of(row)[:2]: row.where for row in live.records if row["set"] in _SETS}
    questions = tuple(asked) or judging.questions
    planned = _plan(questions, (*_PRODUCTION_ARMS, *CONTROL_ARMS))
    check_judging(reader, judging, {c: t for c, t in live.texts.items() if c[:2] in set(questions)})
    check_judging(reader, judging, rerun.texts)
    check_planned(reader, judging, planned)
    _check_questions(reader, judging, asked)
    if judging.at_hand:
        counts["controls.graded"] = sum(g.score is not None for g in judging.cells.values())
    return grade_rows(RERUN, MAIN, judging, planned, model), questions


def _plan(questions: Iterable[_Question], arms: Sequence[str]) -> list[Cell]:
    return sorted((name, question, arm) for name, question in questions for arm in arms)


def _check_questions(reader: Reader, judging: Judging, asked: Mapping[_Question, str]) -> None:
    """A judging names every question that was asked; ``asked`` says where that stands."""
    named = set(judging.questions)
    for (name, question), where in asked.items():
        if judging.at_hand and (name, question) not in named and question not in reader.spoilt:
            reader.note(judging.where, f"no row of {name}/{question} ({where})")


def _graded(grades: Iterable[Mapping[str, Any]]) -> set[Cell]:
    return {
        (row["set"], row["question_id"], row["arm"]) for row in grades if row["status"] == "graded"
    }
