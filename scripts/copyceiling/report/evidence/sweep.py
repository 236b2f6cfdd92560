"""Evidence of the sweep: answers with and without the block, item by item."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.questions import Question
from copyceiling.report.evidence.records import SWEEP, Answer, Asked, Item, Piece, Row, Shown

Key = tuple[str, str, str]  # model, question, arm


def shown_of(scaffold: Row, arm: str) -> Shown:
    """Return what an arm shows a model of a row of `SCAFFOLDS`; see `requests.build_messages`."""
    question = (Piece("question", scaffold["prompt"]),)
    if arm == "raw" or not scaffold["block"]:
        return (question,)
    block = Piece("block", scaffold["block"])
    if not scaffold["preamble"]:
        return ((block,), question)
    return ((Piece("preamble", f"{scaffold['preamble']}\n\n"), block), question)


def asked_of(question: Question) -> Asked:
    """Return a question of the sweep."""
    return Asked(
        SWEEP,
        question.id,
        question.domain,
        question.template,
        question.gold_type,
        question.prompt,
        tuple(item.title for item in question.gold),
    )


def sweep_answers(
    questions: Sequence[Question],
    scaffolds: Iterable[Row],
    exposure: Iterable[Row],
    scores: Iterable[Row],
    items: Iterable[Row],
    completions: Iterable[Row],
) -> list[Answer]:
    """Return every answer of the sweep, by question, then in the order of the score rows.

    Args:
        questions: The study's questions.
        scaffolds: Rows of `SCAFFOLDS`.
        exposure: Rows of `EXPOSURE`.
        scores: Rows of `SCORES`, all models.
        items: Rows of `ITEMS`; none where score rows hold counts alone.
        completions: Rows of `COMPLETIONS`; none where a study has no answers.
    """
    asked = {q.id: asked_of(q) for q in questions}
    shown = {(s["question_id"], arm): shown_of(s, arm) for s in scaffolds for arm in _ARMS}
    exposed = _by(exposure, "question_id")
    found = _by(items, "model", "question_id", "arm")
    texts = {_key(r): r["answer"] for r in completions}
    paper = [r for r in scores if r["matcher"] == "paper"]
    ends = _by(paper, "model", "question_id")
    out = []
    for row in paper:
        pair = ends[row["model"], row["question_id"]]
        out.append(
            Answer(
                asked[row["question_id"]],
                shown[row["question_id"], row["arm"]],
                row["model"],
                row["arm"],
                row["status"],
                texts.get(_key(row)),
                n_hits=row["n_hits"],
                paired=all(r["status"] == "ok" for r in pair),
                cut_either=any(r["status"] == "truncated" for r in pair),
                retried=(row["tries"] or 1) > 1,
                items=_items(row, exposed[row["question_id"],], found.get(_key(row), [])),
            )
        )
    place = {q.id: i for i, q in enumerate(questions)}
    return sorted(out, key=lambda answer: place[answer.asked.id])


_ARMS = ("raw", "scaffold")


def _key(row: Row) -> Key:
    return row["model"], row["question_id"], row["arm"]


def _by(rows: Iterable[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    grouped: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[name] for name in names), []).append(row)
    return grouped


def _items(score: Row, exposure: Sequence[Row], found: Sequence[Row]) -> list[Item]:
    """Return an answer's gold items in order."""
    prefix = "question_" if score["arm"] == "raw" else ""
    recovered: Mapping[int, Row] = {row["item"]: row for row in found}
    return [
        Item(
            row[f"{prefix}path"],
            row[f"{prefix}exposed_strict"],
            *_found(recovered.get(row["item"]), score),
        )
        for row in sorted(exposure, key=lambda r: r["item"])
    ]


def _found(item: Row | None, score: Row) -> tuple[str | None, bool | None]:
    """Return how an item was recovered; from counts only where these leave no choice."""
    if item is not None:
        return item["path"], item["recovered_strict"]
    if score["n_hits"] == 0:
        return "none", False
    if score["n_hits"] == score["n_gold"]:
        return "stated", None
    return None, None
