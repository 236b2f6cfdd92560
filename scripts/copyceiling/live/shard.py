"""One model's folder: answers, ledger and budget, kept in step.

The order of writing is the promise: ``sent`` is on disk before the request leaves, and the answer
is in the cache before the ledger says ``done``. So whatever a crash leaves behind, an answer in the
cache was had, and a try without an end or an answer is unknown.
"""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from copyceiling.errors import ArtefactError, CopyCeilingError, listing
from copyceiling.live.cache import AnswerCache
from copyceiling.live.entry import forget_command
from copyceiling.live.ledger import NAME, Books, Ledger, Spend
from copyceiling.live.lock import only_writer
from copyceiling.requests import Call, Outcome

_ROUNDING = 1e-9  # relative; sums of prices are floats


class BudgetExceeded(CopyCeilingError):
    """The next call could pass the budget, so it was not sent; a rerun resumes.

    Attributes:
        remaining: Calls without an answer, None until the run has counted them.
    """

    def __init__(self, model: str, spend: Spend, cap_usd: float, worst_usd: float) -> None:
        super().__init__(model)
        self.remaining: int | None = None
        self._model, self._spend, self._cap, self._worst = model, spend, cap_usd, worst_usd

    def __str__(self) -> str:
        """Say what was spent, the cap, what remains, and how to go on."""
        upper = self._spend.upper_usd
        spent = f"at most ${upper:.6f}" if upper is not None else "an amount not bounded"
        left = "calls remain" if self.remaining is None else f"{self.remaining} call(s) remain"
        return (
            f"model '{self._model}': the budget of ${self._cap:.6f} does not hold the next call, "
            f"which may cost ${self._worst:.6f}; ${self._spend.known_usd:.6f} is known to be "
            f"spent, {spent}. {left}; answers had so far are kept. Raise live.max_usd, which counts"
            " all runs of this cache folder, and run again: it resumes."
        )


class Stopped(Exception):
    """The run is stopping; raised inside a worker that waits."""


@contextmanager
def open_shard(folder: Path, model: str, *, cap_usd: float | None, wait: bool) -> "Iterator[Shard]":
    """Open a model's folder as its only writer, checked whole.

    Raises:
        FolderInUse: Another run holds it.
        ArtefactError: An entry or a line of the ledger is damaged, foreign or gone.
    """
    with (
        only_writer(folder, wait=wait),
        closing(AnswerCache(folder)) as cache,
        closing(Ledger(folder, model)) as ledger,
    ):
        yield Shard(folder, model, cache, ledger, cap_usd)


class Shard:
    """A model's folder, open for writing by several threads of one process.

    Attributes:
        n_unknown: Tries of earlier runs that were sent and have no answer on record.
    """

    def __init__(
        self, folder: Path, model: str, cache: AnswerCache, ledger: Ledger, cap_usd: float | None
    ) -> None:
        """Settle what an interrupted run left open, and check cache and ledger by each other."""
        self._model, self._cache, self._ledger, self._cap = model, cache, ledger, cap_usd
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        _check_in_step(folder, cache.keys, ledger.books)
        self.n_unknown = self._settle()

    def _settle(self) -> int:
        """End the tries left open; return how many of them have no answer."""
        before = self._ledger.books.counts["unknown"]
        for key, number in sorted(self._ledger.books.in_flight):
            outcome = self._cache.get(key)
            if outcome is not None and outcome.tries == number:
                self._ledger.append(_end("done", number, outcome))
            else:
                self._ledger.append({"event": "unknown", "key": key, "try": number})
        return self._ledger.books.counts["unknown"] - before

    def get(self, key: str) -> Outcome | None:
        """Return the answer to a call, None if it was never had."""
        return self._cache.get(key)

    @property
    def spend(self) -> Spend:
        """Money spent over all runs of this folder."""
        with self._changed:
            return self._ledger.books.spend

    def begin(self, call: Call, worst_usd: float | None, stop: threading.Event) -> int:
        """Mark a call as sent, and return the number of the try, from 1.

        Where calls in flight leave no room in the budget, waits for them: most cost less than
        their worst, so the result does not hang on how many fly at once.

        Raises:
            BudgetExceeded: Nothing is in flight and the call could pass the budget.
            Stopped: The run stopped meanwhile.
        """
        with self._changed:
            while not self._holds(worst_usd):
                if not self._ledger.books.in_flight:
                    spend = self._ledger.books.spend
                    raise BudgetExceeded(self._model, spend, self._cap or 0.0, worst_usd or 0.0)
                self._changed.wait(1.0)
                if stop.is_set():
                    raise Stopped
            number = self._ledger.books.tries.get(call.key, 0) + 1
            self._ledger.append(
                {
                    "event": "sent",
                    "key": call.key,
                    "try": number,
                    "budget": call.max_tokens,
                    "worst_usd": worst_usd,
                    "at": time.time(),
                }
            )
            return number

    def _holds(self, worst_usd: float | None) -> bool:
        if self._cap in (None, math.inf):  # also where no price is known
            return True
        upper = self._ledger.books.spend.upper_usd
        if upper is None or worst_usd is None:
            return False
        return upper + worst_usd <= self._cap * (1 + _ROUNDING)

    def arrived(self, outcome: Outcome, *, other_model: bool) -> None:
        """Keep an answer that arrived."""
        with self._writing:  # apart from the ledger's lock, since each waits for the disk
            self._cache.put(outcome)
        with self._changed:
            record = _end("done", outcome.tries, outcome)
            self._ledger.append({**record, "other_model": other_model})
            self._changed.notify_all()

    def failed(self, outcome: Outcome, **how: Any) -> None:
        """Note a try without an answer: ``error_kind``, ``http_status``, ``final``, ``billed``."""
        with self._changed:
            record = _end("failed", outcome.tries, outcome)
            self._ledger.append({**record, "error": outcome.error, **how})
            self._changed.notify_all()

    def close_thread(self) -> None:
        """Close what the calling thread holds of the cache."""
        self._cache.close()


def _check_in_step(folder: Path, keys: set[str], books: Books) -> None:
    """Check that every answer had is there, and that every answer there was asked for."""
    vanished, foreign = sorted(books.answered - keys), sorted(keys - books.tries.keys())
    if vanished:
        raise ArtefactError(
            f"the cache in '{folder}' has lost {len(vanished)} answer(s) that '{NAME}' records:\n"
            f"{listing(vanished, 5)}\nNothing was asked. Restore the folder from a backup, or "
            "forget them, to be asked (and paid for) again:\n"
            f"  {forget_command(folder)} KEY ..."
        )
    if foreign:
        raise ArtefactError(
            f"the cache in '{folder}' has {len(foreign)} answer(s) that '{NAME}' does not know:\n"
            f"{listing(foreign, 5)}\nNothing was asked. Restore '{NAME}' from a backup, or "
            "forget them:\n"
            f"  {forget_command(folder)} KEY ..."
        )


def _end(event: str, number: int, outcome: Outcome) -> dict[str, Any]:
    return {
        "event": event,
        "key": outcome.key,
        "try": number,
        "status": outcome.status,
        "finish_reason": outcome.finish_reason,
        "prompt_tokens": outcome.prompt_tokens,
        "completion_tokens": outcome.completion_tokens,
        "response_model": outcome.response_model,
        "latency_ms": outcome.latency_ms,
        "cost_usd": outcome.cost_usd,
    }
