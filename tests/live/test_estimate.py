"""The estimate of a live run: what would be asked, and what it could cost."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.playing import FakeBackend, call, calls, environment, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.live.client import live_lookup, settings_of
from copyceiling.live.estimate import estimate
from copyceiling.live.runner import make_backend, run_calls
from copyceiling.live.settings import Price


def test_rows(tmp_path: Path) -> None:
    live = settings(tmp_path, prices={"played": Price(1.0, 10.0)})
    asked = [*calls(4), calls(4)[0], call("x", max_tokens=100)]
    run_calls(asked[:1], spec(), live, backend=FakeBackend())
    low, high = estimate(asked, spec(), live)
    assert (low.budget, low.n_calls, low.n_cached) == (50, 4, 1)
    assert (high.budget, high.n_calls, high.n_cached) == (100, 1, 0)
    # "[[t001: ok]]" has 12 characters: 3 tokens, and with the template at most 28.
    assert low.prompt_tokens == 9
    assert low.max_completion_tokens == 150
    assert low.low_usd == pytest.approx(9e-6)
    assert low.high_usd == pytest.approx(3 * (28 + 500) * 1e-6)


def test_unknown_price(tmp_path: Path) -> None:
    (row,) = estimate(calls(2), spec(), settings(tmp_path, max_usd=1.0))
    assert row.low_usd is None
    assert row.high_usd is None
    (free,) = estimate(calls(2), spec(runner="gguf"), settings(tmp_path))
    assert (free.low_usd, free.high_usd) == (0.0, 0.0)


def test_imports_neither_litellm_nor_diskcache(tmp_path: Path) -> None:
    """An estimate for local weights or a server of one's own needs no client at all."""
    code = (
        "import sys; from pathlib import Path; from tests.live.playing import *\n"
        "from copyceiling.live.estimate import estimate\n"
        "for m in (spec(), spec(runner='gguf')): estimate(calls(2), m, settings(Path('x')))\n"
        "assert not {'litellm', 'diskcache', 'pyrate_limiter'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(), cwd=tmp_path)


def test_settings_of_a_study(tmp_path: Path) -> None:
    block = {"cache": str(tmp_path), "max_usd": None, "timeout_s": 9, "max_tries": 2}
    found = settings_of({**block, "prices": {"played": {"input": 1, "output": 2}}})
    assert (found.cache, found.timeout_s, found.max_tries) == (tmp_path, 9, 2)
    assert found.prices == {"played": Price(1, 2)}
    assert callable(live_lookup(spec(), block))


def test_reference_readers_are_not_called() -> None:
    with pytest.raises(Exception, match="is a reference reader; it is not called"):
        make_backend(spec(runner="reference"))
