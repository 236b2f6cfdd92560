"""Questions as artefact rows."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from copyceiling.artefacts.schemas import QUESTIONS
from copyceiling.artefacts.store import rows
from copyceiling.questions import GoldItem, Question
from copyceiling.rows import Row


def _gold_rows(items: Iterable[GoldItem]) -> list[Row]:
    return [{"slug": item.slug, "title": item.title} for item in items]


def _gold_items(found: Iterable[Mapping[str, str]]) -> tuple[GoldItem, ...]:
    return tuple(GoldItem(item["slug"], item["title"]) for item in found)


def question_rows(questions: Iterable[Question]) -> list[Row]:
    """Return questions as rows of `QUESTIONS`."""
    return [
        {
            "id": q.id,
            "key": q.key,
            "domain": q.domain,
            "template": q.template,
            "class_slugs": list(q.class_slugs),
            "prompt": q.prompt,
            "retrieval_text": q.retrieval_text,
            "gold": _gold_rows(q.gold),
            "gold_type": q.gold_type,
            "gold_extra": _gold_rows(q.gold_extra),
        }
        for q in questions
    ]


def read_questions(path: Path) -> list[Question]:
    """Read a question artefact, in order of id."""
    return [
        Question(
            id=r["id"],
            key=r["key"],
            domain=r["domain"],
            template=r["template"],
            class_slugs=tuple(r["class_slugs"]),
            prompt=r["prompt"],
            retrieval_text=r["retrieval_text"],
            gold=_gold_items(r["gold"]),
            gold_type=r["gold_type"],
            gold_extra=_gold_items(r["gold_extra"]),
        )
        for r in rows(path, QUESTIONS)
    ]
