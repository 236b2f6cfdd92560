"""Evidence of the judged studies whose answers are calls of the study's own, arm by arm."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from copyceiling.arms.asking import QuestionKey, key_of
from copyceiling.arms.grading import is_gradable, unit_id
from copyceiling.matching import Text, Title, match_all
from copyceiling.report.evidence.records import (
    Answer,
    Asked,
    Item,
    Piece,
    Row,
    Shown,
    visible_text,
)

_SAID = ("status", "score", "reason", "fault", "quote")


@dataclass(frozen=True)
class Arms:
    """One part's rows: `ARM_PROMPTS`, `REFERENCES`, `ARM_COMPLETIONS` and `JUDGEMENTS`."""

    part: str
    prompts: Sequence[Row]
    references: Sequence[Row]
    completions: Sequence[Row]
    judgements: Sequence[Row]


def arm_answers(arms: Arms, form: str) -> list[Answer]:
    """Return every answer of a part, by question, arm and model.

    Args:
        arms: The part's rows.
        form: The form of judging that counts.
    """
    asked = {key_of(r): _asked(arms.part, r) for r in arms.references}
    questions = {key_of(r): r["user"] for r in arms.prompts}
    shown = {(key_of(r), r["arm"]): shown_of(r) for r in arms.prompts}
    said: dict[str, list[dict[str, Any]]] = {}
    for row in arms.judgements:
        if row["form"] == form:
            verdict = {"judge": row["judge"], "item": None, **{n: row[n] for n in _SAID}}
            said.setdefault(row["unit_id"], []).append(verdict)
    answer = partial(_answer, asked, questions, shown, said, arms.part)
    ordered = sorted(arms.completions, key=lambda r: (key_of(r), r["arm"], r["model"]))
    return [answer(row) for row in ordered]


def _answer(
    asked: Mapping[QuestionKey, Asked],
    questions: Mapping[QuestionKey, str],
    shown: Mapping[tuple[QuestionKey, str], Shown],
    said: Mapping[str, list[dict[str, Any]]],
    part: str,
    row: Row,
) -> Answer:
    key = key_of(row)
    question = asked.get(key) or _unreferenced(part, key, questions[key])
    messages = shown[key, row["arm"]]
    items = _items(question.gold, visible_text(messages), row["answer"])
    return Answer(
        question,
        messages,
        row["model"],
        row["arm"],
        row["status"],
        row["answer"],
        n_hits=sum(item.found in ("substring", "word_bag") for item in items),
        paired=row["status"] == "ok",
        cut_either=row["status"] == "truncated",
        retried=row["tries"] > 1,
        items=items,
        verdicts=list(said.get(unit_id(row), ())) if is_gradable(row) else [],
    )


def _asked(part: str, row: Row) -> Asked:
    return Asked(
        part,
        key_of(row).name,
        row["domain"] or "",
        row["template"] or "",
        row["gold_type"] or "",
        row["question"],
        tuple(row["gold"]),
        row["reference"],
        tuple(row["key_points"]),
    )


def _unreferenced(part: str, key: QuestionKey, prompt: str) -> Asked:
    return Asked(part, key.name, "", "", "", prompt, ())


def _items(gold: Sequence[str], visible: str, answer: str) -> list[Item]:
    titles = [Title.of(title) for title in gold]
    found = match_all(titles, Text.of(answer))
    return [
        Item(s.path, s.strict, f.path, f.strict)
        for s, f in zip(match_all(titles, Text.of(visible)), found, strict=True)
    ]


def shown_of(prompt: Row) -> Shown:
    """Return what a row of `ARM_PROMPTS` shows a model, its block told apart where there is one."""
    question = (Piece("question", prompt["user"]),)
    system = prompt["system"]
    if system is None:
        return (question,)
    block = prompt["block"]
    if not block or block not in system:
        return ((Piece("preamble", system),), question)
    before, _, after = system.partition(block)
    pieces = (Piece("preamble", before), Piece("block", block), Piece("after", after))
    return (tuple(piece for piece in pieces if piece.text), question)


def parts_of(rows: Iterable[tuple[str, str, Sequence[Row]]]) -> list[Arms]:
    """Put the rows of the parts together.

    Args:
        rows: Part, one of prompts, references, completions or judgements, and rows of it.
    """
    found: dict[str, dict[str, list[Row]]] = {}
    for part, what, some in rows:
        found.setdefault(part, {}).setdefault(what, []).extend(some)
    names = ("prompts", "references", "completions", "judgements")
    return [Arms(part, *(kinds.get(n, []) for n in names)) for part, kinds in found.items()]
