"""What a live run would ask and cost. Sends nothing."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from copyceiling.live.entry import DATABASE, read_cache
from copyceiling.live.pricing import least_cost, price_of, prompt_tokens, worst_cost
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec
from copyceiling.rehearsal import Asks, Known
from copyceiling.requests import Call, Outcome


@dataclass(frozen=True)
class EstimateRow:
    """What a run asks of a model at one budget: what is neither frozen nor in the cache.

    Attributes:
        model: Label.
        budget: Completion budget in tokens.
        least_calls, most_calls: Calls that are asked, see `Asks`.
        n_cached: Calls of the plan that are not asked, for their answer is in the cache and not
            frozen; None where nobody can say yet.
        n_frozen: Calls of the plan that are not asked, for their answer is frozen; None likewise.
        least_prompt_tokens, most_prompt_tokens: Estimated prompt tokens (characters / 4).
        max_completion_tokens: Most completion tokens.
        least_usd, most_usd: Bounds of the cost in USD, None if no price is known; see
            `least_cost` and `worst_cost`.
    """

    model: str
    budget: int
    least_calls: int
    most_calls: int
    n_cached: int | None
    n_frozen: int | None
    least_prompt_tokens: int
    most_prompt_tokens: int
    max_completion_tokens: int
    least_usd: float | None
    most_usd: float | None


def cached(specs: Sequence[ModelSpec], settings: LiveSettings) -> dict[str, Outcome]:
    """Return the outcomes in the caches of these models by key.

    Raises:
        ArtefactError: A cache is damaged.
    """
    folders = dict.fromkeys(settings.folder(spec) for spec in specs)
    return {
        key: outcome
        for folder in folders
        if (folder / DATABASE).exists()
        for key, outcome in read_cache(folder)
    }


def estimate(
    asks: Asks, spec: ModelSpec, settings: LiveSettings, cache: Known, frozen: Known
) -> list[EstimateRow]:
    """Return what a run would ask and cost, a row a budget, ascending.

    Args:
        asks: What the model's part of the study takes, asked before or not.
        spec: The model.
        settings: Of the live run.
        cache: Answers in the cache.
        frozen: Answers that are frozen; no errors, for these are asked again.
    """
    price = price_of(spec, replace(settings, max_usd=None))  # unknown is a result here, no error
    rows = []
    for budget in sorted({call.max_tokens for call in (*asks.least, *asks.most)}):
        least, most = _at(asks.least, budget), _at(asks.most, budget)
        sure, maybe = (_todo(calls, cache.keys() | frozen.keys()) for calls in (least, most))
        n_frozen = len(most) - len(_todo(most, frozen.keys()))
        rows.append(
            EstimateRow(
                model=spec.model,
                budget=budget,
                least_calls=len(sure),
                most_calls=len(maybe),
                n_cached=len(most) - len(maybe) - n_frozen if asks.are_exact else None,
                n_frozen=n_frozen if asks.are_exact else None,
                least_prompt_tokens=sum(map(prompt_tokens, sure)),
                most_prompt_tokens=sum(map(prompt_tokens, maybe)),
                max_completion_tokens=budget * len(maybe),
                least_usd=None if price is None else sum(least_cost(price, c) for c in sure),
                most_usd=None if price is None else sum(worst_cost(price, c) for c in maybe),
            )
        )
    return rows


def _at(calls: Sequence[Call], budget: int) -> list[Call]:
    return [call for call in calls if call.max_tokens == budget]


def _todo(calls: Sequence[Call], had: Set[str]) -> list[Call]:
    return [call for call in calls if call.key not in had]
