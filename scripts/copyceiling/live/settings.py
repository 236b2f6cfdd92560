"""Settings of a live run."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from copyceiling.errors import ConfigError
from copyceiling.models import ModelSpec


@dataclass(frozen=True)
class Price:
    """Price of a model in USD a million tokens, of the prompt and of the completion."""

    input: float
    output: float

    def __post_init__(self) -> None:
        """Refuse a price that no cost could be computed from."""
        if not all(math.isfinite(p) and p >= 0 for p in (self.input, self.output)):
            raise ConfigError(f"a price must be at least 0 USD a million tokens, found {self}")


@dataclass(frozen=True)
class LiveSettings:
    """How models are called.

    Attributes:
        cache: Folder with one folder a model: answers, ledger, lock.
        max_usd: Most to spend on one model over all runs that share its folder, None or infinity
            for no cap.
        timeout_s: Longest wait for one answer, from sending to the last byte, in seconds.
        max_tries: Most tries of one call in a run, at least 1.
        prices: Declared prices by model label; they come before LiteLLM's list.
        backoff_s: Wait after a first failed try, in seconds; it doubles from try to try.
        max_wait_s: Longest wait of the client's own choice between two tries, in seconds.
        max_retry_after_s: Longest wait a provider may ask for; beyond it the run stops.
        wait_for_folder: Wait while another run holds the folder, rather than stop.
    """

    cache: Path
    max_usd: float | None = None
    timeout_s: float = 600.0
    max_tries: int = 5
    prices: Mapping[str, Price] = field(default_factory=dict)
    backoff_s: float = 1.0
    max_wait_s: float = 60.0
    max_retry_after_s: float = 900.0
    wait_for_folder: bool = False

    def __post_init__(self) -> None:
        """Refuse settings that would ask nothing or never end."""
        if self.max_tries < 1 or self.timeout_s <= 0:
            raise ConfigError("live: max_tries must be at least 1 and timeout_s above 0")
        if self.max_usd is not None and not self.max_usd >= 0:
            raise ConfigError(f"live.max_usd: {self.max_usd} is no amount; it must be at least 0")

    def folder(self, spec: ModelSpec) -> Path:
        """Return the folder of one model."""
        return self.cache / spec.model
