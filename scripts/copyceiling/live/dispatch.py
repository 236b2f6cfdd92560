"""Workers that send calls, try again where that may help, and stop together."""

import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_exponential,
)

from copyceiling.errors import CopyCeilingError
from copyceiling.live.backend import Backend, BackendError, Response
from copyceiling.live.faults import FATAL, HttpError, may_be_billed
from copyceiling.live.limits import Limits
from copyceiling.live.pricing import cost, prompt_tokens, worst_cost
from copyceiling.live.progress import Progress
from copyceiling.live.settings import LiveSettings, Price
from copyceiling.live.shard import Shard, Stopped
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Outcome, classify

logger = logging.getLogger(__name__)

_UNREACHED = 3  # calls in a row whose every try found no server: it is not there


class ProviderStopped(CopyCeilingError):
    """The provider turns down every call of the run (key, quota, name), or is not there."""


class _TryFailed(Exception):
    def __init__(self, error: BackendError, outcome: Outcome) -> None:
        super().__init__(str(error))
        self.error, self.outcome = error, outcome


class Dispatch:
    """One run over the calls that have no answer yet.

    Attributes:
        found: Outcomes so far, by key.
        n_other_model: Answers that name another model than was asked.
    """

    def __init__(
        self,
        *,
        shard: Shard,
        backend: Backend,
        spec: ModelSpec,
        settings: LiveSettings,
        price: Price | None,
        progress: Progress,
    ) -> None:
        self.found: dict[str, Outcome] = {}
        self.n_other_model = 0
        self._shard, self._backend, self._spec = shard, backend, spec
        self._settings, self._price, self._progress = settings, price, progress
        self._limits = Limits(spec.rpm, spec.tpm)
        self._todo: deque[Call] = deque()
        self._stop = threading.Event()
        self._failure: BaseException | None = None
        self._unreached = 0  # calls in a row that reached no server
        self._lock = threading.Lock()
        self._backoff = wait_exponential(settings.backoff_s, max=settings.max_wait_s)

    def run(self, calls: Sequence[Call]) -> dict[str, Outcome]:
        """Answer the calls and return their outcomes by key.

        On the first failure of the whole run, and on Ctrl-C, nothing more is sent; calls in flight
        come to their end and are recorded before the failure is raised.
        """
        self._todo.extend(calls)
        # Local weights work on one call at a time.
        workers = 1 if self._spec.runner == "gguf" else min(self._spec.concurrency, len(calls))
        with ThreadPoolExecutor(workers) as pool:
            running = [pool.submit(self._work) for _ in range(workers)]
            try:
                for future in running:
                    future.result()
            except KeyboardInterrupt:
                logger.warning("stopping; waiting for the answers to calls in flight")
                raise
            finally:
                self._stop.set()
        if self._failure is not None:
            raise self._failure
        return self.found

    @property
    def n_answered(self) -> int:
        """Calls that have an answer now."""
        return sum(outcome.status != "error" for outcome in self.found.values())

    def _work(self) -> None:
        try:
            while self._todo and not self._stop.is_set():
                try:
                    call = self._todo.popleft()
                except IndexError:  # another worker took the last
                    return
                outcome = self._answer(call)
                if outcome is not None:
                    with self._lock:
                        self.found[call.key] = outcome
                        self._progress.step(self._shard.spend, failed=outcome.status == "error")
        except Stopped:
            pass
        except BaseException as e:
            with self._lock:
                self._failure = self._failure or e
            self._stop.set()
        finally:
            self._shard.close_thread()

    def _answer(self, call: Call) -> Outcome | None:
        """Return the outcome of a call, None if the run stopped between two tries."""
        most = self._settings.max_tries
        attempts = Retrying(
            stop=stop_after_attempt(most) | stop_when_event_set(self._stop),
            retry=retry_if_exception(lambda e: isinstance(e, _TryFailed) and e.error.retryable),
            wait=lambda state: self._wait(call, state),
            sleep=sleep_using_event(self._stop),
            reraise=True,
        )
        number = 0
        try:
            for attempt in attempts:
                number += 1
                with attempt:
                    return self._try(call, last=number == most)
        except _TryFailed as e:
            if number == most or not e.error.retryable:
                self._count_unreached(e.error)
                return e.outcome
        return None

    def _count_unreached(self, error: BackendError) -> None:
        """Stop the run where call after call, tried to the end, finds no server at all."""
        with self._lock:
            self._unreached = self._unreached + 1 if error.kind == "connect" else 0
            if self._unreached < _UNREACHED:
                return
        where = self._spec.base_url or f"the provider of '{self._spec.target}'"
        raise ProviderStopped(
            f"model '{self._spec.model}': {where} does not answer: {error}. The run stopped after "
            f"{_UNREACHED} calls in a row that reached no server; answers had so far are kept. "
            "Start the server, or correct base_url, and run again: it resumes."
        )

    def _wait(self, call: Call, state: RetryCallState) -> float:
        """Return the wait before the next try in seconds.

        The wait doubles from try to try and is spread over its upper half, by the call's key
        rather than by chance. A provider's own wish comes first.
        """
        failed = state.outcome.exception() if state.outcome else None
        wish = failed.error.retry_after_s if isinstance(failed, _TryFailed) else None
        mark = hashlib.sha256(f"{call.key} {state.attempt_number}".encode()).digest()
        spread = int.from_bytes(mark[:4]) / 2**32
        wait = self._backoff(state) * (0.5 + 0.5 * spread)
        return wait if wish is None else wish + 0.1 * spread

    def _try(self, call: Call, *, last: bool) -> Outcome:
        self._limits.acquire(prompt_tokens(call), self._stop)
        worst = None if self._price is None else worst_cost(self._price, call)
        number = self._shard.begin(call, worst, self._stop)
        started = time.monotonic()
        try:
            response = self._backend.send(call)
        except BackendError as e:
            error, response = e, Response("", None, None, None)
            outcome = self._outcome(call, number, started, response, str(e))
        else:
            outcome = self._outcome(call, number, started, response, None)
            if outcome.status != "error":
                return self._arrived(outcome)
            # The provider broke off; nothing says that it would do so again.
            error = BackendError("finish_error", "the provider ended in an error", retryable=True)
            outcome = replace(outcome, error=f"{error}: finish_reason {outcome.finish_reason}")
        self._failed(outcome, error, last=last)
        raise _TryFailed(error, outcome)

    def _outcome(
        self, call: Call, number: int, started: float, response: Response, error: str | None
    ) -> Outcome:
        prompt, completion = response.prompt_tokens, response.completion_tokens
        status = classify(
            response.text,
            "error" if error is not None else response.finish_reason,
            completion,
            call.max_tokens,
            refused=response.refused,
        )
        cost_usd = response.cost_usd
        declared = self._settings.prices.get(self._spec.model)
        if declared is not None and prompt is not None and completion is not None:
            cost_usd = cost(declared, prompt, completion)
        return Outcome(
            key=call.key,
            status=status,
            answer=response.text,
            finish_reason=response.finish_reason,
            prompt_tokens=prompt,
            completion_tokens=completion,
            tries=number,
            error=error,
            response_model=response.response_model,
            latency_ms=round((time.monotonic() - started) * 1000, 1),
            cost_usd=cost_usd,
        )

    def _arrived(self, outcome: Outcome) -> Outcome:
        provided = self._spec.runner == "litellm"
        other = provided and not _same_model(self._spec.target, outcome.response_model)
        self._shard.arrived(outcome, other_model=other)
        self._limits.owe(outcome.completion_tokens or 0)
        with self._lock:
            self._unreached = 0
            self.n_other_model += other
        return outcome

    def _failed(self, outcome: Outcome, error: BackendError, *, last: bool) -> None:
        """Record a failed try; hold back or stop the run if the failure is not this call's own."""
        self._shard.failed(
            outcome,
            error_kind=error.kind,
            http_status=error.status if isinstance(error, HttpError) else None,
            final=last or not error.retryable,
            billed=may_be_billed(error),
        )
        wish = error.retry_after_s or 0.0
        if error.kind in FATAL:
            raise ProviderStopped(self._why_fatal(error))
        if wish > self._settings.max_retry_after_s:
            raise ProviderStopped(
                f"model '{self._spec.model}': the provider asks to wait {wish:.0f} s ({error}). "
                "The run stopped; answers had so far are kept. Run again then: it resumes."
            )
        if wish:
            logger.info("%s: the provider asks to wait %.0f s", self._spec.model, wish)
            self._limits.pause(wish)

    def _why_fatal(self, error: BackendError) -> str:
        key = self._spec.key_env or "no key"
        what = {
            "auth": f"the provider turns down the key ({key})",
            "quota": f"the account behind the key ({key}) has no credit left",
            "not_found": f"the provider knows no model '{self._spec.target}' at this address",
            "unsupported": "the model cannot take a parameter of the column 'params'",
        }[error.kind]
        return (
            f"model '{self._spec.model}': {what}: {error}. The run stopped at once; answers had so "
            "far are kept. Correct it and run again: it resumes."
        )


def _same_model(asked: str, echoed: str | None) -> bool:
    """Return whether a response names the model asked for; a dated version of it does."""
    if echoed is None:
        return True
    want, got = asked.rpartition("/")[2].lower(), echoed.rpartition("/")[2].lower()
    return got == want or got.startswith((f"{want}-", f"{want}@", f"{want}:"))
