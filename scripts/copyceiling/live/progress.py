"""Progress on stderr: a bar for people at a terminal, a line now and then for logs."""

import os
import sys
import time
from types import TracebackType
from typing import Self

from tqdm import tqdm

from copyceiling.live.ledger import Spend

_LINE_EVERY_S = 30.0


class Progress:
    """Shows how many calls are done and failed, the rate, the money spent and the time left."""

    def __init__(self, model: str, total: int, had: int) -> None:
        """Start at ``had`` of ``total`` calls."""
        self._model, self._total, self._had, self._done = model, total, had, had
        self._failed = 0
        self._started = self._shown = time.monotonic()
        quiet = bool(os.environ.get("CI")) or not sys.stderr.isatty()
        self._bar = None if quiet else tqdm(total=total, initial=had, desc=model, unit="call")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def step(self, spend: Spend, *, failed: bool = False) -> None:
        """Count one call as done, or as failed for good in this run."""
        self._done += 1
        self._failed += failed
        errors = f"{self._failed} in error, " if self._failed else ""
        if self._bar is not None:
            self._bar.set_postfix_str(errors + spend_text(spend), refresh=False)
            self._bar.update()
            return
        now = time.monotonic()
        if now - self._shown < _LINE_EVERY_S:
            return
        self._shown = now
        rate = (self._done - self._had) / (now - self._started)
        left = round((self._total - self._done) / rate)
        print(
            f"{self._model}: {self._done}/{self._total} calls, {errors}{rate:.2f} a second, about "
            f"{left} s left, {spend_text(spend)}",
            file=sys.stderr,
        )


def spend_text(spend: Spend) -> str:
    """Return the money spent as text."""
    if spend.upper_usd is None:
        return f"${spend.known_usd:.4f} known, no bound: the price is unknown"
    return f"${spend.known_usd:.4f}, at most ${spend.upper_usd:.4f}"
