"""What a live run would ask and cost. Sends nothing."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from copyceiling.live.entry import DATABASE, read_cache
from copyceiling.live.pricing import cost, price_of, prompt_tokens, worst_cost
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec
from copyceiling.requests import Call


@dataclass(frozen=True)
class EstimateRow:
    """What is still to be asked of a model at one budget; a ladder climbs only where it must.

    Attributes:
        model: Label.
        budget: Completion budget in tokens.
        n_calls: Distinct calls.
        n_cached: Of those, the calls whose answer is in the cache.
        prompt_tokens: Estimated prompt tokens of the others (characters / 4).
        max_completion_tokens: Most completion tokens of the others.
        low_usd, high_usd: Least and most that the others cost in USD, None if no price is known.
            The least assumes empty answers, the most full budgets and a token a byte.
    """

    model: str
    budget: int
    n_calls: int
    n_cached: int
    prompt_tokens: int
    max_completion_tokens: int
    low_usd: float | None
    high_usd: float | None


def estimate(calls: Sequence[Call], spec: ModelSpec, settings: LiveSettings) -> list[EstimateRow]:
    """Return what a run of these calls would ask and cost, a row a budget, ascending.

    Raises:
        ArtefactError: The cache is damaged.
    """
    folder = settings.folder(spec)
    had = {key for key, _ in read_cache(folder)} if (folder / DATABASE).exists() else set()
    price = price_of(spec, replace(settings, max_usd=None))  # unknown is a result here, no error
    by_budget: dict[int, dict[str, Call]] = defaultdict(dict)
    for call in calls:
        by_budget[call.max_tokens][call.key] = call
    rows = []
    for budget, distinct in sorted(by_budget.items()):
        todo = [call for key, call in distinct.items() if key not in had]
        prompt = sum(map(prompt_tokens, todo))
        rows.append(
            EstimateRow(
                model=spec.model,
                budget=budget,
                n_calls=len(distinct),
                n_cached=len(distinct) - len(todo),
                prompt_tokens=prompt,
                max_completion_tokens=budget * len(todo),
                low_usd=None if price is None else cost(price, prompt, 0),
                high_usd=None if price is None else sum(worst_cost(price, c) for c in todo),
            )
        )
    return rows
