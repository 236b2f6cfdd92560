"""Scores answers against gold: integer counts a question, never rates (DESIGN section 9).

Each gold item is exposed or not by the visible input and recovered or not in the answer: n11, n10,
n01, n00. The copy ceiling of a question is the score of its visible input under the very scorer
that gives recall, any-collapse included.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.matching import MATCHERS, SIGNATURE, Text, Title, match_all
from copyceiling.questions import Question
from copyceiling.requests import Message, visible_input


@dataclass(frozen=True)
class Gold:
    """A question's gold prepared for matching."""

    question: Question
    titles: tuple[Title, ...]
    extra: tuple[Title, ...]

    @classmethod
    def of(cls, question: Question) -> "Gold":
        """Prepare a question's gold."""
        return cls(
            question,
            tuple(Title.of(item.title) for item in question.gold),
            tuple(Title.of(item.title) for item in question.gold_extra),
        )


@dataclass(frozen=True)
class Counts:
    """Accounting of one answer under one matcher; all integers.

    ``n11`` exposed and recovered, ``n10`` exposed and omitted, ``n01`` recovered without
    exposure, ``n00`` neither. They sum to the number of gold items and never collapse.
    """

    n11: int
    n10: int
    n01: int
    n00: int

    @property
    def n_gold(self) -> int:
        """Gold items."""
        return self.n11 + self.n10 + self.n01 + self.n00

    @property
    def n_exposed(self) -> int:
        """Exposed items, recovered or not."""
        return self.n11 + self.n10

    @property
    def n_hits(self) -> int:
        """Recovered items, exposed or not."""
        return self.n11 + self.n01


def count(exposed: Sequence[bool], recovered: Sequence[bool]) -> Counts:
    """Cross-tabulate exposure against recovery, item by item."""
    pairs = list(zip(exposed, recovered, strict=True))
    return Counts(
        n11=sum(e and r for e, r in pairs),
        n10=sum(e and not r for e, r in pairs),
        n01=sum(r and not e for e, r in pairs),
        n00=sum(not e and not r for e, r in pairs),
    )


def question_score(n_hits: int, n_gold: int, gold_type: str) -> tuple[int, int]:
    """Return a question's score as numerator and denominator.

    ``any``: 1/1 if at least one item hits, else 0/1. ``all``: hits over items. The same function
    gives recall from an answer and ceiling from a visible input. Source: STUDIES section 0.
    """
    if gold_type == "any":
        return (1 if n_hits else 0), 1
    return n_hits, n_gold


def exposure_rows(gold: Gold, messages: Sequence[Message]) -> list[dict[str, object]]:
    """Return one row a gold item: is it exposed by the visible input, and by the question alone?"""
    shown = match_all(gold.titles, Text.of(visible_input(messages)))
    alone = match_all(gold.titles, Text.of(gold.question.prompt))
    return [
        {
            "question_id": gold.question.id,
            "item": i,
            "slug": item.slug,
            "title": item.title,
            "path": s.path,
            "exposed": s.paper,
            "exposed_strict": s.strict,
            "question_path": a.path,
            "question_exposed": a.paper,
            "question_exposed_strict": a.strict,
        }
        for i, (item, s, a) in enumerate(zip(gold.question.gold, shown, alone, strict=True))
    ]


@dataclass(frozen=True)
class Scored:
    """The rows of one answer: a score row a matcher, and an item row a gold item."""

    scores: list[dict[str, object]]
    items: list[dict[str, object]]


def exposed_by_arm(
    exposure: Iterable[Mapping[str, Any]],
) -> dict[tuple[str, str], list[dict[str, bool]]]:
    """Return, for each question and arm, what each gold item's exposure is under each matcher.

    In the raw arm the visible input is the question alone.
    """
    found: dict[tuple[str, str], list[dict[str, bool]]] = {}
    for row in exposure:
        for arm, prefix in (("raw", "question_"), ("scaffold", "")):
            flags = {"paper": row[f"{prefix}exposed"], "strict": row[f"{prefix}exposed_strict"]}
            found.setdefault((row["question_id"], arm), []).append(flags)
    return found


def score_cell(
    gold: Gold, exposure: Sequence[Mapping[str, bool]], cell: Mapping[str, Any]
) -> Scored:
    """Score one answer.

    Args:
        gold: The question.
        exposure: For each gold item, matcher name to whether this arm's visible input exposes it.
        cell: The completion: model, arm, status, answer, tries.
    """
    answer = Text.of(cell["answer"])
    found = match_all(gold.titles, answer)
    extra = match_all(gold.extra, answer)
    which = {"question_id": gold.question.id, "model": cell["model"], "arm": cell["arm"]}
    items = [
        {
            **which,
            "item": i,
            "status": cell["status"],
            "path": m.path,
            "recovered": m.paper,
            "recovered_strict": m.strict,
        }
        for i, m in enumerate(found)
    ]
    scores = [
        {
            **which,
            "matcher": matcher,
            "status": cell["status"],
            **score_counts(
                gold.question,
                count([e[matcher] for e in exposure], [m.by(matcher) for m in found]),
            ),
            "n_extra": len(extra),
            "n_extra_hits": sum(m.by(matcher) for m in extra),
            "n_unmatchable": sum(m.path == "unmatchable" for m in found),
            "tries": cell["tries"],
            "signature": SIGNATURE,
        }
        for matcher in MATCHERS
    ]
    return Scored(scores, items)


def score_counts(question: Question, c: Counts) -> dict[str, object]:
    """Return the part of a score row that follows from the question and the four counts."""
    recall = question_score(c.n_hits, c.n_gold, question.gold_type)
    ceiling = question_score(c.n_exposed, c.n_gold, question.gold_type)
    return {
        "domain": question.domain,
        "template": question.template,
        "gold_type": question.gold_type,
        "n_gold": c.n_gold,
        "n_exposed": c.n_exposed,
        "n_hits": c.n_hits,
        "n11": c.n11,
        "n10": c.n10,
        "n01": c.n01,
        "n00": c.n00,
        "recall_num": recall[0],
        "recall_den": recall[1],
        "ceiling_num": ceiling[0],
        "ceiling_den": ceiling[1],
    }
