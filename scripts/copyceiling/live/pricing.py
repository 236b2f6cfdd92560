"""What a call may cost: estimates of tokens, prices, and bounds.

Three counts of prompt tokens stand here on purpose: the estimate (characters / 4) is for people and
rate limits, the upper bound (bytes) is for the budget, which must never be passed, and the lower
bound (words) is for an estimate that says what is spent in any case.
"""

import math
from collections.abc import Mapping
from typing import Any

from copyceiling.errors import ConfigError
from copyceiling.live.litellm_module import load_litellm
from copyceiling.live.settings import LiveSettings, Price
from copyceiling.models import ModelSpec
from copyceiling.requests import Call

_TEMPLATE_TOKENS = 16  # most a chat template adds to one message
_MILLION = 1_000_000


def prompt_tokens(call: Call) -> int:
    """Return the estimated prompt tokens of a call: characters / 4, rounded up."""
    return math.ceil(sum(len(m.content) for m in call.messages) / 4)


def cost(price: Price, prompt: int, completion: int) -> float:
    """Return the cost in USD of so many prompt and completion tokens."""
    return (price.input * prompt + price.output * completion) / _MILLION


def worst_cost(price: Price, call: Call) -> float:
    """Return the most a call can cost in USD.

    A token holds at least one byte, so the bytes of the prompt bound its tokens; the completion
    is bounded by its budget.
    """
    longest = sum(len(m.content.encode()) + _TEMPLATE_TOKENS for m in call.messages)
    return cost(price, longest, call.max_tokens)


def least_cost(price: Price, call: Call) -> float:
    """Return the least a call can cost in USD.

    A token holds a word at most, for tokenisers split text at white space first; the completion
    may be empty.
    """
    return cost(price, sum(len(m.content.split()) for m in call.messages), 0)


def price_of(spec: ModelSpec, settings: LiveSettings) -> Price | None:
    """Return a model's price, None if nobody knows it.

    A declared price comes first. Local weights are free. A server at a ``base_url`` has no price
    but a declared one: the name it answers to says nothing of what it charges.

    Raises:
        ConfigError: A budget is set and the price is unknown, so it could not be kept.
    """
    price = settings.prices.get(spec.model)
    if price is None and spec.runner != "litellm":
        price = Price(0.0, 0.0)
    elif price is None and not spec.base_url:
        price = _listed_price(spec.target)
    if price is None and settings.max_usd not in (None, math.inf):
        raise ConfigError(
            f"model '{spec.model}': a budget of ${settings.max_usd:g} is set, but the price of "
            f"'{spec.target}' is unknown, so it could not be kept. Declare it in USD a million "
            f"tokens, 0 for a server of your own: live: {{prices: {{{spec.model}: "
            "{input: 0, output: 0}}}"
        )
    return price


def _listed_price(target: str) -> Price | None:
    """Return the highest standard rate in LiteLLM's own price list, None if it lists none."""
    listed: Mapping[str, Mapping[str, Any]] = load_litellm().model_cost
    provider, _, rest = target.partition("/")
    entry = listed.get(target)
    if entry is None and listed.get(rest, {}).get("litellm_provider") == provider:
        entry = listed[rest]  # OpenAI's and Anthropic's own models are listed without a prefix
    if entry is None:
        return None
    read = _rates(entry, "input_cost_per_token", "input_cost_per_token_above_")
    write = _rates(entry, "output_cost_per_token", "output_cost_per_token_above_")
    thought = "output_cost_per_reasoning_token"
    write += _rates(entry, thought, f"{thought}_above_")
    if not read or not write:
        return None
    return Price(max(read) * _MILLION, max(write) * _MILLION)


def _rates(entry: Mapping[str, Any], name: str, tier: str) -> list[float]:
    service = ("_batches", "_flex", "_priority")  # kinds of service that are not asked for
    return [
        float(value)
        for field, value in entry.items()
        if (field == name or field.startswith(tier)) and not field.endswith(service)
        if isinstance(value, int | float)
    ]
