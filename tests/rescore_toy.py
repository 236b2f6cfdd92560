"""A small study of the re-score, through the same functions as its scripts."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.artefacts.rescore_schemas import RESCORE, RESCORE_CEILING
from copyceiling.artefacts.store import to_table
from copyceiling.embedding import Embedder
from copyceiling.questions import GoldItem, Question
from copyceiling.requests import Message
from copyceiling.rescore.cosines import measure
from copyceiling.rescore.items import exposure_rows, item_rows, lookup
from copyceiling.rescore.plan import Plan, plan_of
from copyceiling.rescore.study import ceiling_rows, rescore_rows, score_rows
from copyceiling.scoring import Gold, score_cell
from copyceiling.scoring import exposure_rows as lexical_exposure_rows
from copyceiling.sweep import Settings
from hypothesis import strategies as st

THRESHOLDS = [8000, 8500, 9000]
SETTINGS = Settings(seed=1, resamples=200, level=0.95)
WORDS = ["cell", "wall", "growth", "root", "hair", "of", "in", ";"]
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


def plan_for(*pairs: tuple[str, str]) -> Plan:
    plan = Plan()
    for text, title in pairs:
        plan.add(text, [title])
    return plan


def question(number: int, gold: Sequence[str], gold_type: str, domain: str) -> Question:
    items = tuple(GoldItem(t.replace(" ", "-"), t) for t in gold)
    return Question(
        id=f"q{number:04d}",
        key=f"k{number}",
        domain=domain,
        template="T-REL",
        class_slugs=("x",),
        prompt=f"What of {number}?",
        retrieval_text="",
        gold=items,
        gold_type=gold_type,  # type: ignore[arg-type]
        gold_extra=(),
    )


class Toy:
    """A small study through the same functions as the scripts."""

    def __init__(self, questions: Sequence[Question], blocks: Sequence[str]) -> None:
        self.questions = list(questions)
        self.shown = {
            q.id: {
                "raw": (Message("user", q.prompt),),
                "scaffold": (Message("system", block), Message("user", q.prompt)),
            }
            for q, block in zip(questions, blocks, strict=True)
        }

    def copy(self, question_id: str, arm: str) -> str:
        return " ".join(m.content for m in self.shown[question_id][arm])

    def run(self, answers: Mapping[str, Any], embedder: Embedder) -> tuple[Any, Any]:
        """Return rows of `RESCORE` by model and matcher, and of `RESCORE_CEILING` by matcher."""
        cells = [
            {"question_id": q.id, "model": m, "arm": arm, "status": "ok", "tries": 1, "answer": a}
            for m, answer in answers.items()
            for q in self.questions
            for arm in ("raw", "scaffold")
            for a in [answer(q.id, arm)]
        ]
        lexical = [
            row
            for q in self.questions
            for row in lexical_exposure_rows(Gold.of(q), self.shown[q.id]["scaffold"])
        ]
        exposed = {
            (q.id, arm): [
                {"paper": r[column], "strict": r[column]}
                for r in lexical
                if r["question_id"] == q.id
            ]
            for q in self.questions
            for arm, column in (("raw", "question_exposed"), ("scaffold", "exposed"))
        }
        gold = {q.id: Gold.of(q) for q in self.questions}
        scored = [
            score_cell(gold[c["question_id"]], exposed[c["question_id"], c["arm"]], c)
            for c in cells
        ]
        found = lookup(measure(plan_of(self.questions, self.shown, cells), embedder))
        shown = exposure_rows(self.questions, self.shown, lexical, found)
        items = item_rows(self.questions, cells, [i for s in scored for i in s.items], found)
        rescored = score_rows(
            self.questions, [r for s in scored for r in s.scores], items, shown, THRESHOLDS
        )
        study = rescore_rows(rescored, items, frozenset({"reader-copy"}), THRESHOLDS, SETTINGS)
        ceilings = ceiling_rows(self.questions, shown, THRESHOLDS, SETTINGS)
        to_table(study, RESCORE), to_table(ceilings, RESCORE_CEILING)
        kept = [r for r in study if r["policy"] == "as_received"]
        return (
            {(r["model"], r["matcher"]): r for r in kept},
            {r["matcher"]: r for r in ceilings},
        )
