"""From a study's ``live`` block to a lookup that asks models."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.errors import ConfigError
from copyceiling.live.runner import run_calls
from copyceiling.live.settings import LiveSettings, Price
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Outcome


def settings_of(live: Mapping[str, Any]) -> LiveSettings:
    """Return the settings of a study's ``live`` block, which its schema has checked.

    Raises:
        ConfigError: A price or a limit makes no sense.
    """
    block = dict(live)
    prices = {model: Price(**price) for model, price in block.pop("prices", {}).items()}
    # Two jobs of one run may ask one model, as one that answers and judges: the second one waits.
    return LiveSettings(Path(block.pop("cache")), prices=prices, wait_for_folder=True, **block)


def live_lookup(
    spec: ModelSpec, live: Mapping[str, Any]
) -> Callable[[Sequence[Call]], Mapping[str, Outcome]]:
    """Return a lookup that answers calls live; see `run_calls` for what it raises.

    Raises:
        ConfigError: The model is a provider's and no cap is set: spending without end must be
            asked for in words.
    """
    settings = settings_of(live)
    if spec.runner == "litellm" and settings.max_usd is None:
        raise ConfigError(
            f"model '{spec.model}' is asked of a provider, and live.max_usd sets no cap. Say the "
            "most to spend on one model, in USD: --config mode=live 'live={max_usd: 5}' (.inf for "
            "no cap, as for a server of your own). `snakemake estimate` prints what it may cost."
        )
    return lambda calls: run_calls(calls, spec, settings)
