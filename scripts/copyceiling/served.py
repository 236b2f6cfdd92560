"""A served node in process: retrieval, confidence gate, budget scaling, wrapper, telemetry.

What a grounded model is served in production, apart from the frozen engine of the sweep: a weak
best match narrows the block or drops it, and the block joins whatever system message the request
has. Source: DESIGN section 8, STUDIES section 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.requests import Message
from copyceiling.retrieval import MIN_SCORE, Seed
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens

# How retrieval found a block, as nodes name it.
LEXICAL, SEMANTIC, NO_MATCH = "LexicalHit", "SemanticFallback", "NoMatch"
PATHS = (LEXICAL, SEMANTIC, NO_MATCH)


@dataclass(frozen=True)
class Confidence:
    """How a block depends on the score of the best match.

    Attributes:
        scaling: Whether the budget follows the score; without it only retrieval's own threshold
            gates.
        min_inject: Score below which no block is shown, at least 0.
        strong: Score from which the whole budget is given; 0 or less always gives it.
        floor: Least share of the budget, in (0, 1].
    """

    scaling: bool = True
    min_inject: float = MIN_SCORE
    strong: float = 8.0
    floor: float = 0.4

    def budget(self, requested: int, top_score: float) -> int | None:
        """Return the budget that a best match earns in tokens, None for no block at all.

        Args:
            requested: Budget in tokens, at least 1.
            top_score: Score of the best match.
        """
        if not self.scaling:
            return requested
        if top_score < self.min_inject:
            return None
        if self.strong <= 0:
            return requested
        share = min(1.0, max(self.floor, top_score / self.strong))
        return max(1, int(requested * share))


@dataclass(frozen=True)
class Generation:
    """Which corpus a block is of: its id, and how many classes it has, None
    where its source does not say."""

    id: str
    class_count: int | None


@dataclass(frozen=True)
class Served:
    """What a node serves for one query, with its telemetry.

    Attributes:
        block: Context block, "" where none is shown.
        seeds: Classes that retrieval found, best first.
        top_score: Score of the best one, None where there is none.
        effective_budget: Token budget of the block, None where none was sought.
        path: One of `PATHS`.
        generation: Which corpus it is of, None where the node does not say.
    """

    block: str
    seeds: tuple[str, ...]
    top_score: float | None
    effective_budget: int | None
    path: str
    generation: Generation | None

    @property
    def engaged(self) -> bool:
        """Whether a block is shown."""
        return bool(self.block)

    @property
    def block_tokens(self) -> int:
        """Estimated tokens of the block."""
        return estimate_tokens(self.block)

    def telemetry(self) -> dict[str, Any]:
        """Return the columns of `ARM_PROMPTS` that say what was served."""
        return {
            "block": self.block,
            "block_tokens": self.block_tokens,
            "engaged": self.engaged,
            "path": self.path,
            "top_score": self.top_score,
            "effective_budget": self.effective_budget,
            "seeds": list(self.seeds),
            "generation": self.generation.id if self.generation else None,
            "class_count": self.generation.class_count if self.generation else None,
        }


def serve(
    engine: ScaffoldEngine,
    query: str,
    requested: int,
    confidence: Confidence,
    generation: Generation | None = None,
) -> Served:
    """Return what is served for a query.

    Args:
        engine: The engine over the corpus; its own budget does not count.
        query: What retrieval sees.
        requested: Budget of the block in tokens.
        confidence: How the budget follows the best match.
        generation: Which corpus the engine is over.
    """
    seeds = engine.seeds(query)
    top = seeds[0].score if seeds else None
    budget = None if top is None else confidence.budget(requested, top)
    if budget is None:
        return Served("", _slugs(seeds), top, None, NO_MATCH, generation)
    block, _ = engine.with_budget(budget).block(_slugs(seeds))
    return Served(block, _slugs(seeds), top, budget, LEXICAL, generation)


def _slugs(seeds: Sequence[Seed]) -> tuple[str, ...]:
    return tuple(seed.slug for seed in seeds)


def wrap(messages: Sequence[Message], preamble: str, block: str) -> tuple[Message, ...]:
    """Return a request with the block in its system message, as it was where there is no block.

    Preamble and block follow the text of the first system message, its right end trimmed, after a
    blank line; without a system message they become one, ahead of all. Source: STUDIES section 6.
    """
    if not block:
        return tuple(messages)
    added = f"{preamble}\n\n{block}" if preamble else block
    first = next((i for i, m in enumerate(messages) if m.role == "system"), None)
    if first is None:
        return (Message("system", added), *messages)
    own = messages[first].content.rstrip()
    both = Message("system", f"{own}\n\n{added}" if own else added)
    return (*messages[:first], both, *messages[first + 1 :])


def confidence_of(settings: Mapping[str, Any]) -> Confidence:
    """Return the confidence policy of a study's settings."""
    return Confidence(**settings)
