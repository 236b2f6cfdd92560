"""The released sweep: one model's answers, its score rows, or both.

From answers every count follows by our own matchers. Score rows hold the titles of hits, from
which the four counts follow under the paper's matcher, or in the reduced layout their number only,
which bounds them: a count that the rows do not determine stays missing. Where answers and score
rows are at hand they must agree. Source: STUDIES section 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copyceiling.questions import Question
from copyceiling.released.fields import Format
from copyceiling.released.reading import Paths, Reader, Record
from copyceiling.released.sweep_formats import RESULTS, SCORES, STATUS, check_result, check_score
from copyceiling.requests import classify
from copyceiling.scoring import Gold, question_score, score_cell
from copyceiling.text import normalise

BUDGET = 2048  # completion tokens, DESIGN section 12
_SIGNATURE = "as released"  # scored by the release's own harness


@dataclass(frozen=True)
class ArmFiles:
    """The files of one arm; each slot holds a file or nothing."""

    results: Paths = ()
    scores: Paths = ()


@dataclass
class Imported:
    """Rows of `SCORES`, and of `ITEMS` where there are answers."""

    scores: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)


def count_rows(path: Path) -> int:
    """Return the number of rows of a JSONL file."""
    with open(path, "rb") as file:
        return sum(bool(line.strip()) for line in file)


def is_reduced(path: Path) -> bool:
    """Return whether score rows hold the number of hits alone, without their titles."""
    with open(path, "rb") as file:
        line = next((line for line in file if line.strip()), b"")
    return b'"answer"' not in line and b'"hits"' not in line and b'"error"' not in line


def import_sweep(
    files: Mapping[str, ArmFiles],
    model: str,
    questions: Sequence[Question],
    exposed: Mapping[tuple[str, str], Sequence[Mapping[str, bool]]],
) -> Imported:
    """Return one model's released rows.

    Args:
        files: Arm to its files.
        model: Our label of the model.
        questions: The released questions.
        exposed: Recomputed exposure by question and arm, to check the released counts against.

    Raises:
        ReleaseError: Lists every row that is unreadable, unknown, double, missing, or whose
            counts disagree with the question, the recomputed exposure or the answer.
    """
    reader = Reader(f"sweep, model {model}")
    known = {q.id: Gold.of(q) for q in questions}
    out = Imported()
    for arm, found in files.items():
        results = _read(reader, found.results, RESULTS, arm, known)
        scores = _read(reader, found.scores, SCORES, arm, known)
        for qid, gold in known.items():
            flags = exposed[qid, arm]
            shown = [flag["paper"] for flag in flags]
            score, result = scores.get(qid), results.get(qid)
            if score is not None:
                check_score(reader, score, gold.question, shown)
            if result is not None:
                check_result(reader, result, gold.question, shown)
                scored = score_cell(gold, flags, _cell(result, model, arm))
                out.scores += scored.scores
                out.items += scored.items
                if score is not None:
                    _compare(reader, score, result, gold.question, scored.items)
            elif score is not None:
                out.scores.append(_score_row(score, gold.question, model, arm, shown))
    reader.stop()
    return out


def _read(
    reader: Reader, paths: Paths, form: Format, arm: str, known: Mapping[str, Gold]
) -> dict[str, Record]:
    """Return the rows of one file by question; all questions must be there, of one model."""
    if not paths:
        return {}
    rows = {row["id"]: row for row in reader.first(paths, form)}
    where = f"{paths[0].parent.name}/{paths[0].name}"
    for qid in sorted(known.keys() - rows.keys() - reader.spoilt):
        reader.note(where, f"no row of question {qid}")
    for qid in sorted(rows.keys() - known.keys()):
        reader.fault(rows[qid].where, "id", f"'{qid}' is no question of the study")
    first = next(iter(rows.values()), None)
    for row in rows.values():
        if row["mode"] != arm:
            reader.fault(row.where, "mode", f"'{row['mode']}' in a file of arm '{arm}'")
        if first is not None and row["model"] != first["model"]:
            reader.fault(row.where, "model", f"'{row['model']}', '{first['model']}' before")
    return rows


def _cell(row: Record, model: str, arm: str) -> dict[str, Any]:
    """Return an answer as `score_cell` takes it.

    Status follows from the finish reason alone, as it must for score rows: the released tokens
    of some providers leave hidden reasoning out.
    """
    answer = row.get("answer") or ""
    failed = "error" in row.values
    return {
        "model": model,
        "arm": arm,
        "status": "error" if failed else classify(answer, row["finish_reason"], None, BUDGET),
        "answer": answer,
        "tries": row.get("attempts"),
    }


def _compare(
    reader: Reader,
    score: Record,
    result: Record,
    question: Question,
    items: Sequence[Mapping[str, Any]],
) -> None:
    """The released score of an answer is the one that our matcher gives it."""
    titles = [question.gold[item["item"]].title for item in items if item["recovered"]]
    if score["n_hits"] != len(titles):
        found = f"{score['n_hits']}, our matcher finds {len(titles)} in {result.where}"
        reader.fault(score.where, "n_hits", found)
    elif "hits" in score.values and sorted(score["hits"]) != sorted(titles):
        reader.fault(score.where, "hits", f"not those that our matcher finds in {result.where}")
    for name in ("finish_reason", "attempts", "n_gold_exposed", "model"):
        both = name in score.values and name in result.values
        if both and score[name] != result[name]:
            reader.fault(score.where, name, f"{score[name]}, {result.where} has {result[name]}")


def _score_row(
    row: Record, question: Question, model: str, arm: str, flags: Sequence[bool]
) -> dict[str, Any]:
    n_gold, n_exposed, n_hits = len(question.gold), sum(flags), row["n_hits"]
    recall = question_score(n_hits, n_gold, question.gold_type)
    ceiling = question_score(n_exposed, n_gold, question.gold_type)
    n11 = _n11(row, question, flags, n_hits)
    return {
        "question_id": question.id,
        "model": model,
        "arm": arm,
        "matcher": "paper",
        "status": STATUS[row["finish_reason"]],
        "domain": question.domain,
        "template": question.template,
        "gold_type": question.gold_type,
        "n_gold": n_gold,
        "n_exposed": n_exposed,
        "n_hits": n_hits,
        "n11": n11,
        "n10": None if n11 is None else n_exposed - n11,
        "n01": None if n11 is None else n_hits - n11,
        "n00": None if n11 is None else n_gold - n_exposed - n_hits + n11,
        "recall_num": recall[0],
        "recall_den": recall[1],
        "ceiling_num": ceiling[0],
        "ceiling_den": ceiling[1],
        "n_extra": len(question.gold_extra),
        "n_extra_hits": None if "extra_hits" not in row.values else len(row["extra_hits"]),
        "n_unmatchable": sum(not normalise(item.title) for item in question.gold),
        "tries": row.get("attempts"),
        "signature": _SIGNATURE,
    }


def _n11(row: Record, question: Question, flags: Sequence[bool], n_hits: int) -> int | None:
    """Return n11 from the titles of hits, else where the margins leave one value, else None."""
    if "hits" in row.values:
        hits = set(row["hits"])
        return sum(f and g.title in hits for f, g in zip(flags, question.gold, strict=True))
    low, high = max(0, n_hits + sum(flags) - len(flags)), min(n_hits, sum(flags))
    return low if low == high else None
