"""The budget: checked before anything is sent, whatever is in flight."""

import math
import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.live.playing import FREE, FakeBackend, call, calls, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.errors import ConfigError
from copyceiling.live.backend import BackendError
from copyceiling.live.client import live_lookup
from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_books
from copyceiling.live.pricing import cost, price_of, worst_cost
from copyceiling.live.runner import run_calls
from copyceiling.live.settings import Price
from copyceiling.live.shard import BudgetExceeded
from copyceiling.requests import Call, Message

PRICE = Price(input=1000.0, output=2000.0)  # so that a call costs cents
CALLS = calls(20)
COST = cost(PRICE, 10, 5)  # what the fake backend reports
WORST = max(worst_cost(PRICE, c) for c in CALLS)


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_stops_before_it_is_passed(concurrency: int, tmp_path: Path) -> None:
    """Calls in flight count at their worst; as many calls go through at any concurrency."""
    cap = 7 * COST + WORST
    live = settings(tmp_path, max_usd=cap, prices={"played": PRICE})
    backend = FakeBackend(lambda *_: time.sleep(0.01))
    with pytest.raises(BudgetExceeded) as caught:
        run_calls(CALLS, spec(concurrency=concurrency), live, backend=backend)
    assert sum(backend.asked.values()) == 8
    assert caught.value.remaining == 12
    message = str(caught.value)
    assert f"budget of ${cap:.6f}" in message
    assert f"${8 * COST:.6f} is known to be spent" in message
    assert "12 call(s) remain" in message
    assert "it resumes" in message
    spend = read_books(tmp_path / "played").spend
    assert spend.upper_usd == pytest.approx(8 * COST)
    assert spend.upper_usd is not None and spend.upper_usd <= cap
    assert len(list(read_cache(tmp_path / "played"))) == 8
    # The same budget sends nothing more; a higher one asks the rest, and only the rest.
    with pytest.raises(BudgetExceeded):
        run_calls(CALLS, spec(), live, backend=backend)
    assert sum(backend.asked.values()) == 8
    found = run_calls(
        CALLS, spec(), settings(tmp_path, max_usd=10.0, prices={"played": PRICE}), backend=backend
    )
    assert set(backend.asked.values()) == {1}
    assert len(found) == 20


def test_retries_count(tmp_path: Path) -> None:
    """A try that timed out may be paid for, so it counts at its worst."""

    def late(*_: Any) -> None:
        raise BackendError("timeout", "too late", retryable=True)

    live = settings(tmp_path, max_usd=2.5 * WORST, prices={"played": PRICE}, max_tries=9)
    backend = FakeBackend(late)
    with pytest.raises(BudgetExceeded):
        run_calls(CALLS[:1], spec(), live, backend=backend)
    assert sum(backend.asked.values()) == 2
    spend = read_books(tmp_path / "played").spend
    assert spend.known_usd == 0.0
    assert spend.upper_usd == pytest.approx(2 * WORST)


def test_unknown_price(tmp_path: Path) -> None:
    backend = FakeBackend()
    with pytest.raises(ConfigError, match=r"price of 'openai/played-model' is unknown.*\{played: "):
        run_calls(CALLS, spec(), settings(tmp_path, max_usd=1.0), backend=backend)
    assert not backend.asked
    free = settings(tmp_path, max_usd=1.0, prices={"played": FREE})
    assert len(run_calls(CALLS, spec(), free, backend=backend)) == 20


def test_absurd_price() -> None:
    for price in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigError, match="a price must be at least 0"):
            Price(price, 1.0)


def test_worst_cost_bounds_tokens() -> None:
    """A byte-level tokeniser makes at most a token a byte; four characters a token is no bound."""
    asked = Call("openai/x", "", {}, 100, (Message("user", "\U0001f9ec" * 10),))
    assert worst_cost(Price(1e6, 0.0), asked) >= 40
    assert worst_cost(Price(0.0, 1e6), asked) == 100


def test_listed_prices(tmp_path: Path) -> None:
    pytest.importorskip("litellm", reason="the extra 'live' is not installed")
    listed = price_of(spec(None, target="gemini/gemini-2.5-flash-lite"), settings(tmp_path))
    assert listed is not None
    assert 0 < listed.input < listed.output < 100
    own = price_of(spec(None, target="openai/gpt-4.1-mini"), settings(tmp_path))
    assert own is not None
    # The same name at an address of one's own has no listed price, nor has an unlisted model.
    assert price_of(spec(target="openai/gpt-4.1-mini"), settings(tmp_path)) is None
    unlisted = spec(None, target="openrouter/z-ai/glm-4.6")
    assert price_of(unlisted, settings(tmp_path)) is None
    declared = settings(tmp_path, prices={"played": Price(0.5, 2.0)}, max_usd=1.0)
    assert price_of(unlisted, declared) == Price(0.5, 2.0)
    assert price_of(spec(runner="gguf"), settings(tmp_path, max_usd=1.0)) == FREE


def test_message_names_the_model(tmp_path: Path) -> None:
    live = settings(tmp_path, max_usd=0.0, prices={"played": PRICE})
    with pytest.raises(BudgetExceeded, match=re.escape("model 'played': the budget of $0.000000")):
        run_calls([call("a")], spec(), live, backend=FakeBackend())


def test_a_provider_is_asked_under_a_cap_only(tmp_path: Path) -> None:
    """No cap is a setting that must be said; local weights cost nothing and need none."""
    with pytest.raises(ConfigError, match=r"sets no cap.*max_usd: 5.*\.inf"):
        live_lookup(spec(), {"cache": str(tmp_path)})
    for cap in (0, 5, math.inf):
        live_lookup(spec(), {"cache": str(tmp_path), "max_usd": cap})
    live_lookup(spec(runner="gguf"), {"cache": str(tmp_path)})
    for cap in (-1, math.nan):
        with pytest.raises(ConfigError, match="no amount"):
            live_lookup(spec(), {"cache": str(tmp_path), "max_usd": cap})


def test_no_cap_in_words_needs_no_price(tmp_path: Path) -> None:
    unpriced, live = spec(), settings(tmp_path, max_usd=math.inf)
    assert price_of(unpriced, live) is None
    found = run_calls(calls(3), unpriced, live, backend=FakeBackend())
    assert {outcome.status for outcome in found.values()} == {"ok"}
