"""Rates: never above the allowance in any minute, and not much below it."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as checks
from hypothesis import strategies as st

from tests.live.playing import FakeBackend, calls, settings, spec

pytest.importorskip("pyrate_limiter", reason="the extra 'live' is not installed")
pytest.importorskip("diskcache", reason="the extra 'live' is not installed")

from copyceiling.live.dispatch import ProviderStopped
from copyceiling.live.faults import HttpError
from copyceiling.live.limits import Limits, rate_of
from copyceiling.live.runner import run_calls
from copyceiling.live.shard import Stopped
from pyrate_limiter import GCRA


@checks(deadline=None, max_examples=40)
@given(limit=st.integers(1, 3000), start=st.integers(0, 10**9))
def test_never_above_the_allowance(limit: int, start: int) -> None:
    """A client that asks as often as it can, on a clock of our own, over three minutes."""
    rate = rate_of(limit)
    state, now, let_through = GCRA().initial([rate]), start, []
    while now < start + 180_000:
        state, decision = GCRA().step([rate], state, now, 1)
        if decision.allowed:
            let_through.append(now)
        else:
            now += max(1, decision.retry_after_ms or 0)
    first = 0
    for last, when in enumerate(let_through):
        while when - let_through[first] >= 60_000:
            first += 1
        assert last - first + 1 <= limit
    assert len(let_through) >= 3 * 0.95 * limit - 3


def test_rate_is_sustained(tmp_path: Path) -> None:
    """20 calls a second allowed: after the burst, at least 90 % of that, and not more."""
    times: list[float] = []
    backend = FakeBackend(lambda *_: times.append(time.monotonic()))
    model = spec(rpm=1200, concurrency=4)
    run_calls(calls(84), model, settings(tmp_path), backend=backend)
    steady = times[24:]
    rate = (len(steady) - 1) / (steady[-1] - steady[0])
    assert 18.0 <= rate <= 20.4


def test_tokens_count_once_known(tmp_path: Path) -> None:
    """1000 tokens a second: ten calls of 500 take over three seconds after a burst of 1200."""
    started = time.monotonic()
    backend = FakeBackend(completion_tokens=500, prompt_tokens=4)
    model = spec(tpm=60_000, concurrency=1)
    run_calls(calls(10), model, settings(tmp_path), backend=backend)
    assert 3.0 <= time.monotonic() - started <= 6.0


def test_a_call_larger_than_the_allowance_still_goes() -> None:
    limits = Limits(None, 1000)
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(Stopped):
        limits.acquire(5000, stop)  # waits for minutes, but is not refused


def test_large_allowances() -> None:
    limits = Limits(100_000, 40_000_000)
    started = time.monotonic()
    for _ in range(100):
        limits.acquire(2000, threading.Event())
    assert time.monotonic() - started < 1.0


def test_waiting_ends_when_the_run_stops(tmp_path: Path) -> None:
    def refuse(*_: Any) -> None:
        raise HttpError(401, "auth", "wrong key")

    started = time.monotonic()
    with pytest.raises(ProviderStopped):
        run_calls(calls(4), spec(rpm=1), settings(tmp_path), backend=FakeBackend(refuse))
    assert time.monotonic() - started < 3.0
