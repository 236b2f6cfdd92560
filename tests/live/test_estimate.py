"""The estimate of a live run: what would be asked, and what it could cost."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.playing import FakeBackend, call, calls, environment, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.live.client import live_lookup, settings_of
from copyceiling.live.estimate import cached, estimate
from copyceiling.live.runner import make_backend, run_calls
from copyceiling.live.settings import Price
from copyceiling.rehearsal import Asks
from copyceiling.requests import Outcome


def test_rows(tmp_path: Path) -> None:
    live = settings(tmp_path, prices={"played": Price(1.0, 10.0)})
    sure, more = calls(4), call("x", max_tokens=100)
    run_calls(sure[:1], spec(), live, backend=FakeBackend())
    had = cached([spec(), spec()], live)
    assert had.keys() == {sure[0].key}
    # A call that stands for two is counted twice.
    low, high = estimate(Asks(sure, [*sure, more, more]), spec(), live, had, {})
    assert (low.budget, low.least_calls, low.most_calls, low.n_cached) == (50, 3, 3, 1)
    assert (high.budget, high.least_calls, high.most_calls, high.n_cached) == (100, 0, 2, 0)
    assert low.n_frozen == high.n_frozen == 0
    # "[[t001: ok]]" has 12 characters: two words, 3 tokens, and with the template at most 28.
    assert (low.least_prompt_tokens, low.most_prompt_tokens) == (9, 9)
    assert low.max_completion_tokens == 150
    assert low.least_usd == pytest.approx(3 * 2e-6)
    assert low.most_usd == pytest.approx(3 * (28 + 500) * 1e-6)
    assert (high.least_usd, high.least_prompt_tokens) == (0, 0)


def test_what_is_frozen_is_had_and_counted_once(tmp_path: Path) -> None:
    asked = calls(5)
    had = [{c.key: Outcome(c.key, "ok", "x", "stop", 1, 1) for c in part}
           for part in (asked[:3], asked[2:4])]  # fmt: skip
    (row,) = estimate(Asks(asked, asked), spec(), settings(tmp_path), *had)
    assert (row.n_cached, row.n_frozen, row.least_calls, row.most_calls) == (2, 2, 1, 1)
    assert row.max_completion_tokens == 50
    frozen = {c.key: Outcome(c.key, "ok", "x", "stop", 1, 1) for c in asked}
    free = settings(tmp_path, prices={"played": Price(1.0, 1.0)})
    (row,) = estimate(Asks(asked, asked), spec(), free, {}, frozen)
    assert (row.n_frozen, row.most_calls, row.most_prompt_tokens, row.most_usd) == (5, 0, 0, 0)


def test_what_nobody_can_look_up_is_not_counted_as_missing_from_the_cache(tmp_path: Path) -> None:
    asks = Asks(calls(1), calls(2), are_exact=False)
    (row,) = estimate(asks, spec(), settings(tmp_path), {}, {})
    assert (row.n_cached, row.n_frozen, row.least_calls, row.most_calls) == (None, None, 1, 2)


def test_unknown_price(tmp_path: Path) -> None:
    asks = Asks(calls(2), calls(2))
    (row,) = estimate(asks, spec(), settings(tmp_path, max_usd=1.0), {}, {})
    assert (row.least_usd, row.most_usd) == (None, None)
    (free,) = estimate(asks, spec(runner="gguf"), settings(tmp_path), {}, {})
    assert (free.least_usd, free.most_usd) == (0.0, 0.0)


def test_imports_neither_litellm_nor_diskcache(tmp_path: Path) -> None:
    """An estimate for local weights or a server of one's own needs no client at all."""
    code = (
        "import sys; from pathlib import Path; from tests.live.playing import *\n"
        "from copyceiling.live.estimate import cached, estimate\n"
        "from copyceiling.rehearsal import Asks\n"
        "how = settings(Path('x'))\n"
        "for m in (spec(), spec(runner='gguf')):\n"
        "    estimate(Asks(calls(2), calls(2)), m, how, cached([m], how), {})\n"
        "assert not {'litellm', 'diskcache', 'pyrate_limiter'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(), cwd=tmp_path)


def test_settings_of_a_study(tmp_path: Path) -> None:
    block = {"cache": str(tmp_path), "max_usd": None, "timeout_s": 9, "max_tries": 2}
    found = settings_of({**block, "prices": {"played": {"input": 1, "output": 2}}})
    assert (found.cache, found.timeout_s, found.max_tries) == (tmp_path, 9, 2)
    assert found.prices == {"played": Price(1, 2)}
    assert callable(live_lookup(spec(), {**block, "max_usd": 1}))


def test_reference_readers_are_not_called() -> None:
    with pytest.raises(Exception, match="is a reference reader; it is not called"):
        make_backend(spec(runner="reference"))
