"""Rates: requests and tokens a minute, by ``pyrate-limiter``.

Of the libraries kept up, ``aiolimiter`` works in one event loop only and ``limits`` has no waiting;
``pyrate-limiter`` blocks threads, tells how long a wait is, and keeps a constant state (GCRA).
"""

import threading
import time

from pyrate_limiter import GCRA, Duration, Limiter, Rate, SingleBucketFactory
from pyrate_limiter.buckets import StateBucket

from copyceiling.live.shard import Stopped

_BURST_SHARE = 50  # a fiftieth of a minute's allowance may go at once, to make up for late wake-ups
_MOST_UNITS = 100_000  # a minute's allowance in units; the limiter counts whole microseconds a unit
_POLL_S = 0.5  # how soon a waiting thread notes that the run stops


class Limits:
    """Holds back calls of all threads; never more requests than allowed in any minute.

    Tokens are counted as they become known: the estimated prompt before a call, the completion
    once it has arrived, at the expense of the calls that follow.
    """

    def __init__(self, rpm: int | None, tpm: int | None) -> None:
        self._requests = _limiter(rpm) if rpm else None
        self._tokens_a_unit = max(1, -(-(tpm or 0) // _MOST_UNITS))
        self._units = (tpm or 0) // self._tokens_a_unit
        self._tokens = _limiter(self._units) if self._units else None
        self._owed = 0
        self._paused_until = 0.0
        self._lock = threading.Lock()

    def acquire(self, tokens: int, stop: threading.Event) -> None:
        """Wait until a call with so many prompt tokens may be sent.

        Raises:
            Stopped: The run stopped meanwhile.
        """
        if self._tokens:
            with self._lock:
                self._owed += tokens
                units, self._owed = divmod(self._owed, self._tokens_a_unit)
            largest = _burst(self._units)
            while units > 0:
                _take(self._tokens, min(units, largest), stop)
                units -= largest
        if self._requests:
            _take(self._requests, 1, stop)
        while (left := self._paused_until - time.monotonic()) > 0:
            if stop.wait(min(left, _POLL_S)):
                raise Stopped

    def owe(self, tokens: int) -> None:
        """Count tokens that were used beyond what was acquired."""
        with self._lock:
            self._owed += tokens

    def pause(self, seconds: float) -> None:
        """Hold back every call for so long, because the provider asks for it."""
        with self._lock:
            self._paused_until = max(self._paused_until, time.monotonic() + seconds)


def _burst(limit: int) -> int:
    return max(1, limit // _BURST_SHARE)


def rate_of(limit: int) -> Rate:
    """Return the rate that lets through at most ``limit`` in any minute.

    GCRA lets through its rate and all but one of the burst, hence the difference.
    """
    return Rate(limit - _burst(limit) + 1, Duration.MINUTE, burst=_burst(limit))


def _limiter(limit: int) -> Limiter:
    bucket = StateBucket([rate_of(limit)], GCRA())
    return Limiter(SingleBucketFactory(bucket, schedule_leak=False), buffer_ms=1)


def _take(limiter: Limiter, weight: int, stop: threading.Event) -> None:
    while not limiter.try_acquire(weight=weight, timeout=_POLL_S):
        if stop.is_set():
            raise Stopped
    if stop.is_set():
        raise Stopped
