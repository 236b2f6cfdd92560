"""From cosines of texts to what the re-score knows of each gold item: integers, no thresholds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.questions import Question
from copyceiling.rescore.plan import Shown, digest, gold_titles, shown_text

Row = Mapping[str, Any]
Cosines = Mapping[tuple[str, str], int]


def lookup(rows: Iterable[Row]) -> dict[tuple[str, str], int]:
    """Return cosines by the digests of text and title."""
    return {(row["text"], row["gold"]): row["cosine"] for row in rows}


def best(cosines: Cosines, text: str, titles: Sequence[str]) -> list[int | None]:
    """Return a text's best cosine with each normalised title.

    Missing where the text or the title has no word: nothing was planned, nothing can hit.
    """
    key = digest(text)
    return [cosines.get((key, digest(title))) for title in titles]


def exposure_rows(
    questions: Sequence[Question], shown: Shown, exposure: Iterable[Row], cosines: Cosines
) -> list[dict[str, Any]]:
    """Return the rows of `RESCORED_EXPOSURE`, one a gold item and arm.

    Args:
        questions: With their gold.
        shown: Question id to arm to messages.
        exposure: Rows of `EXPOSURE`.
        cosines: As of `lookup`.
    """
    lexical = {(row["question_id"], row["item"]): row for row in exposure}
    column = {"raw": "question_exposed", "scaffold": "exposed"}
    return [
        {
            "question_id": q.id,
            "arm": arm,
            "item": i,
            "slug": q.gold[i].slug,
            "cosine": cosine,
            "exposed": lexical[q.id, i][column[arm]],
        }
        for q in questions
        for arm in shown[q.id]
        for i, cosine in enumerate(best(cosines, shown_text(shown, q.id, arm), gold_titles(q)))
    ]


def item_rows(
    questions: Sequence[Question],
    completions: Iterable[Row],
    items: Iterable[Row],
    cosines: Cosines,
) -> list[dict[str, Any]]:
    """Return the rows of `RESCORED_ITEMS`, one a gold item and answer.

    Args:
        questions: With their gold.
        completions: Rows of `COMPLETIONS`.
        items: Rows of `ITEMS`, which say what the paper's matcher finds.
        cosines: As of `lookup`.
    """
    cell = ("question_id", "model", "arm")
    lexical = {(*(row[k] for k in cell), row["item"]): row["recovered"] for row in items}
    titles = {q.id: gold_titles(q) for q in questions}
    return [
        {
            **{k: row[k] for k in cell},
            "item": i,
            "cosine": cosine,
            "recovered": lexical[(*(row[k] for k in cell), i)],
        }
        for row in completions
        for i, cosine in enumerate(best(cosines, row["answer"], titles[row["question_id"]]))
    ]
