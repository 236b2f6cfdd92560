"""Turns the library's values into artefact rows and back."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CALLS, CLASSES, QUESTIONS, SCAFFOLDS
from copyceiling.artefacts.store import rows
from copyceiling.completions import Cell
from copyceiling.corpus.model import OntologyClass
from copyceiling.questions import GoldItem, Question
from copyceiling.requests import Message, Outcome, build_messages
from copyceiling.scaffold import Scaffold

Row = dict[str, Any]


def class_rows(classes: Iterable[OntologyClass]) -> list[Row]:
    """Return classes as rows of `CLASSES`."""
    return [
        {
            "slug": c.slug,
            "position": i,
            "id": c.id,
            "title": c.title,
            "definition": c.definition,
            "domain": c.domain,
            "quality": c.quality,
            "maturity": c.maturity,
            "synonyms": list(c.synonyms),
            "parents": list(c.parents),
            "ancestors": list(c.ancestors),
            "relations": [{"type": k, "targets": list(v)} for k, v in c.relations.items()],
        }
        for i, c in enumerate(classes)
    ]


def read_classes(path: Path) -> list[OntologyClass]:
    """Read a corpus artefact, in corpus order."""
    found = sorted(rows(path, CLASSES), key=lambda row: row["position"])
    return [
        OntologyClass(
            id=r["id"],
            slug=r["slug"],
            title=r["title"],
            definition=r["definition"],
            domain=r["domain"],
            quality=r["quality"],
            maturity=r["maturity"],
            synonyms=tuple(r["synonyms"]),
            parents=tuple(r["parents"]),
            ancestors=tuple(r["ancestors"]),
            relations={x["type"]: tuple(x["targets"]) for x in r["relations"]},
        )
        for r in found
    ]


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


def scaffold_row(question: Question, scaffold: Scaffold, preamble: str) -> Row:
    """Return one question's scaffold as a row of `SCAFFOLDS`."""
    return {
        "question_id": question.id,
        "seeds": [{"slug": s.slug, "score": s.score} for s in scaffold.seeds],
        "block": scaffold.block,
        "block_sha256": scaffold.sha256,
        "injected_tokens": scaffold.tokens,
        "n_sections": scaffold.n_sections,
        "engaged": bool(scaffold.block),
        "preamble": preamble,
        "prompt": question.prompt,
    }


def read_messages(path: Path) -> dict[str, dict[str, tuple[Message, ...]]]:
    """Read what each question shows a model: question id to arm to messages."""
    return {
        r["question_id"]: {
            "raw": build_messages("", "", r["prompt"]),
            "scaffold": build_messages(r["preamble"], r["block"], r["prompt"]),
        }
        for r in rows(path, SCAFFOLDS)
    }


def call_row(outcome: Outcome, **cell: Any) -> Row:
    """Return an outcome as a row of `CALLS`; ``cell`` gives model, question_id, arm, repeat, budget."""
    return {**{f: getattr(outcome, f) for f in Outcome.__dataclass_fields__}, **cell}


def read_outcomes(path: Path) -> dict[str, Outcome]:
    """Read frozen calls by key."""
    return {
        r["key"]: Outcome(**{f: r[f] for f in Outcome.__dataclass_fields__})
        for r in rows(path, CALLS)
    }


def completion_row(model: str, cell: Cell) -> Row:
    """Return one cell's end as a row of `COMPLETIONS`."""
    o = cell.outcome
    return {
        "question_id": cell.question_id,
        "model": model,
        "arm": cell.arm,
        "key": o.key,
        "status": o.status,
        "answer": o.answer,
        "finish_reason": o.finish_reason,
        "prompt_tokens": o.prompt_tokens,
        "completion_tokens": o.completion_tokens,
        "budget": cell.budget,
        "n_calls": cell.n_calls,
        "tries": cell.tries,
        "error": o.error,
    }
