"""Hybrid gates: when to leave lexical retrieval, and at which threshold (paper section 8).

A gate sees the retrievers' rankings, never the gold. Where it fires, its arm takes the seeds of
another; else it takes the lexical ones. ``absence`` is the shipped trigger: it fires only where
lexical retrieval finds nothing. ``disagreement`` fires where the first lexical seed stands low
among the semantic hits, ``confidence`` where its score on the query without the wording's words is
low.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from copyceiling.questions import Question
from copyceiling.stats import named_rng

Signal = Mapping[str, Any]
Half = Literal["chosen", "held_out"]
NEVER_RANK, NEVER_SCORE = float("inf"), 0.0


@dataclass(frozen=True)
class Gate:
    """A gate by name: the arm it turns to, its signal, and which side of a threshold fires.

    Attributes:
        name: Name of the gated arm.
        turns_to: Arm whose seeds it takes where it fires.
        signal: Column of the signals; a missing value always fires, unless the gate never does.
        above: Whether it fires above its threshold, or below.
    """

    name: str
    turns_to: str
    signal: str
    above: bool

    @property
    def never(self) -> float:
        """Threshold at which it never fires."""
        return NEVER_RANK if self.above else NEVER_SCORE

    def fires(self, seen: Signal, threshold: float) -> bool:
        """Say whether the gate fires on what it sees of a question."""
        if threshold == self.never:
            return False
        value = seen[self.signal]
        if value is None:
            return True
        return bool(value > threshold) if self.above else bool(value < threshold)

    def thresholds(self, seen: Sequence[Signal]) -> list[float]:
        """Return the thresholds that tell these questions apart, the one that never fires first."""
        values = sorted({float(s[self.signal]) for s in seen if s[self.signal] is not None})
        # Between observed values nothing changes; beyond the last one, every question fires.
        if self.above:
            return [self.never, *reversed(values), 0.0]
        return [self.never, *values, values[-1] + 1.0] if values else [self.never]


ABSENCE = Gate("absence", "semantic", "n_lexical", above=False)
ABSENCE_THRESHOLD = 1.0
CHOSEN = (
    Gate("hybrid_disagreement", "fused", "disagreement", above=True),
    Gate("hybrid_confidence", "fused", "stripped_score", above=False),
)


def choose(
    gate: Gate,
    seen: Sequence[Signal],
    lexical: Sequence[Fraction],
    other: Sequence[Fraction],
) -> float:
    """Return the threshold with the greatest mean score, of those the one that fires least.

    Args:
        gate: The gate.
        seen: What it sees of each question, originals and rewrites together.
        lexical: Score of each under lexical seeds.
        other: Score of each under the seeds the gate turns to.
    """

    def quality(threshold: float) -> tuple[Fraction, int]:
        fired = [gate.fires(s, threshold) for s in seen]
        scores = (o if f else x for f, x, o in zip(fired, lexical, other, strict=True))
        return sum(scores, Fraction(0)), -sum(fired)

    return max(gate.thresholds(seen), key=quality)


def halves(questions: Sequence[Question], seed: int) -> dict[str, Half]:
    """Split questions in two halves at random; questions that share a subject stay together.

    Groups linked by a question about two subjects form one. Groups are drawn in an order given by
    the seed, each into the smaller half, ties into the one that thresholds are chosen on.
    """
    root = {slug: slug for q in questions for slug in q.class_slugs}

    def find(slug: str) -> str:
        while root[slug] != slug:
            slug = root[slug]
        return slug

    for q in questions:
        first, *others = map(find, q.class_slugs)
        for other in others:
            root[find(other)] = find(first)
    groups: dict[str, list[str]] = {}
    for q in sorted(questions, key=lambda q: q.id):
        groups.setdefault(find(q.class_slugs[0]), []).append(q.id)
    listed = list(groups.values())
    order = named_rng(seed, "stress:halves").permutation(len(listed)).tolist()
    sizes: dict[Half, int] = {"chosen": 0, "held_out": 0}
    out: dict[str, Half] = {}
    for i in order:
        half: Half = "chosen" if sizes["chosen"] <= sizes["held_out"] else "held_out"
        sizes[half] += len(listed[i])
        out.update(dict.fromkeys(listed[i], half))
    return out
