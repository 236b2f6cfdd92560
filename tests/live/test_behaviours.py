"""LiteLLM against a hostile provider: every misbehaviour ends in the right status."""

import re
import time
from pathlib import Path

import pytest

from tests.live.hostile_provider import HostileProvider
from tests.live.playing import call, settings, spec, without_volatile

pytest.importorskip("litellm", reason="the extra 'live' is not installed")
pytest.importorskip("diskcache", reason="the extra 'live' is not installed")

from copyceiling.errors import ConfigError
from copyceiling.live.dispatch import ProviderStopped
from copyceiling.live.ledger import read_attempts, read_books
from copyceiling.live.litellm_module import load_litellm
from copyceiling.live.runner import run_calls
from copyceiling.requests import Outcome


@pytest.fixture(scope="module", autouse=True)
def _litellm() -> None:
    """Import LiteLLM once, outside any time-out."""
    load_litellm()


# plan -> status, requests it takes, error kinds by try, part of the answer
CASES = {
    "ok": ("ok", 1, [], "answer to"),
    "empty": ("empty", 1, [], ""),
    "null": ("empty", 1, [], ""),
    "at_budget": ("truncated", 1, [], "answer to"),
    "length": ("truncated", 1, [], "answer to"),
    "refusal": ("refused", 1, [], ""),
    "filtered": ("refused", 1, [], ""),
    "policy": ("refused", 1, [], ""),
    "flagged": ("refused", 1, [], ""),
    "other_model": ("ok", 1, [], "answer to"),
    "no_usage": ("ok", 1, [], "answer to"),
    "absurd_usage": ("ok", 1, [], "answer to"),
    "surrogate": ("ok", 1, [], "half \ufffd pair"),
    "429, ok": ("ok", 2, ["rate_limit"], "answer to"),
    "500, 503, ok": ("ok", 3, ["http_500", "http_503"], "answer to"),
    "500": ("error", 3, ["http_500"] * 3, ""),
    "400": ("error", 1, ["bad_request"], ""),
    "hang, ok": ("ok", 2, ["timeout"], "answer to"),
    "late=4, ok": ("ok", 2, ["timeout"], "answer to"),
    "trickle, ok": ("ok", 2, ["timeout"], "answer to"),
    "malformed, ok": ("ok", 2, ["malformed"], "answer to"),
    "cut_off, ok": ("ok", 2, ["connection"], "answer to"),
    "reset, ok": ("ok", 2, ["connection"], "answer to"),
    "no_choices, ok": ("ok", 2, ["malformed"], "answer to"),
    "finish_error, ok": ("ok", 2, ["finish_error"], "answer to"),
    "finish_error": ("error", 3, ["finish_error"] * 3, ""),
}


@pytest.fixture(scope="module")
def played(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[dict[str, Outcome], Path, dict[str, int]]:
    """Play all cases in one run, so that time-outs pass side by side."""
    folder = tmp_path_factory.mktemp("played")
    asked = [call(f"case{i}", plan) for i, plan in enumerate(CASES)]
    with HostileProvider() as server:
        model = spec(server.base_url, concurrency=8)
        found = run_calls(asked, model, settings(folder, timeout_s=2.0))
        again = run_calls(asked, model, settings(folder, timeout_s=2.0, max_tries=1))
        counts = dict(server.asked)
    assert list(found) == [c.key for c in asked]
    answered = {key for key, outcome in found.items() if outcome.status != "error"}
    assert [again[k] for k in answered] == [found[k] for k in answered]
    return {plan: found[c.key] for plan, c in zip(CASES, asked, strict=True)}, folder, counts


@pytest.mark.parametrize("plan", CASES)
def test_status(plan: str, played: tuple[dict[str, Outcome], Path, dict[str, int]]) -> None:
    """Status, number of requests (an error is asked again by the second run) and kinds of error."""
    outcomes, folder, counts = played
    status, requests, kinds, text = CASES[plan]
    outcome = outcomes[plan]
    assert outcome.status == status
    assert text in outcome.answer
    assert (outcome.answer == "") == (text == "")
    asked_again = status == "error"
    assert counts[f"case{list(CASES).index(plan)}"] == requests + asked_again
    assert outcome.tries == requests
    tries = [a for a in read_attempts(folder / "played") if a["key"] == outcome.key]
    assert [a["try"] for a in tries] == list(range(1, requests + asked_again + 1))
    assert [a["error_kind"] for a in tries[:requests] if a["state"] == "failed"] == kinds
    assert (outcome.error is not None) == (status == "error")


def test_what_is_recorded(played: tuple[dict[str, Outcome], Path, dict[str, int]]) -> None:
    """Tokens, finish reason, status, echoed name and what may be billed."""
    outcomes, folder, counts = played
    assert (outcomes["ok"].prompt_tokens, outcomes["ok"].completion_tokens) == (12, 5)
    for plan in ("no_usage", "absurd_usage"):
        assert (outcomes[plan].prompt_tokens, outcomes[plan].completion_tokens) == (None, None)
        assert outcomes[plan].cost_usd is None
    assert outcomes["other_model"].response_model == "some-other-model"
    assert outcomes["finish_error"].finish_reason == "error"
    books = read_books(folder / "played")
    assert books.counts["other_model"] == 1
    assert books.counts["sent"] == sum(counts.values())
    assert not books.in_flight
    by_key = {o.key: plan for plan, o in outcomes.items()}
    failed = [a for a in read_attempts(folder / "played") if a["state"] == "failed"]
    assert {a["http_status"] for a in failed} == {None, 400, 429, 500, 503}
    billed = {by_key[a["key"]] for a in failed if a["billed"]}
    assert billed == {p for p, c in CASES.items() if c[2] and not re.match(r"\d", p)}
    assert [a["final"] for a in failed if by_key[a["key"]] == "500"] == [False, False, True, True]


def test_retry_after(provider: HostileProvider, tmp_path: Path) -> None:
    """Seconds and dates are waited for, by every call of the run."""
    asked = [call("seconds", "429:1, ok"), call("date", "429:date, ok")]
    started = time.monotonic()
    found = run_calls(asked, spec(provider.base_url, concurrency=2), settings(tmp_path))
    assert {o.status for o in found.values()} == {"ok"}
    # A date has whole seconds: 2 s ahead is between 1 s and 2 s.
    assert 1.0 <= time.monotonic() - started < 4.0
    assert provider.arrivals[2] - provider.arrivals[0] >= 1.0
    assert sum(provider.asked.values()) == 4


def test_retry_after_beyond_reason_stops(provider: HostileProvider, tmp_path: Path) -> None:
    """A wait of an hour is for people to decide on."""
    with pytest.raises(ProviderStopped, match="asks to wait 3600 s"):
        run_calls([call("a", "429:3600")], spec(provider.base_url), settings(tmp_path))
    assert provider.asked["a"] == 1


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("401", r"turns down the key \(PLAYED_KEY\)"),
        ("403", r"turns down the key \(PLAYED_KEY\)"),
        ("402", "no credit left"),
        ("404", "knows no model 'openai/played-model'"),
    ],
)
def test_hopeless_errors_stop_the_run(
    code: str,
    message: str,
    provider: HostileProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One request tells; the 40 others are not sent. What was had stays."""
    monkeypatch.setenv("PLAYED_KEY", "planted-0123456789")
    model = spec(provider.base_url, concurrency=1, key_env="PLAYED_KEY")
    asked = [call("had"), *(call(f"no{i}", code) for i in range(40))]
    with pytest.raises(ProviderStopped, match=message) as caught:
        run_calls(asked, model, settings(tmp_path))
    assert "planted" not in str(caught.value)
    assert sum(provider.asked.values()) == 2
    assert run_calls(asked[:1], model, settings(tmp_path))[asked[0].key].status == "ok"
    assert provider.asked["had"] == 1


def test_unsupported_parameter_stops_the_run(provider: HostileProvider, tmp_path: Path) -> None:
    """LiteLLM refuses it without sending; dropping it in silence would change the study."""
    model = spec(provider.base_url, target="cohere/played", params={"reasoning_effort": "low"})
    asked = call("a")
    strange = type(asked)("cohere/played", "", model.params, 50, asked.messages)
    with pytest.raises(ProviderStopped, match="cannot take a parameter"):
        run_calls([strange], model, settings(tmp_path))
    assert not provider.asked


@pytest.mark.parametrize("target", ["openrouter/a/played-model", "deepseek/played-model"])
def test_other_routes_through_litellm(
    target: str, provider: HostileProvider, tmp_path: Path
) -> None:
    """Providers with LiteLLM's own HTTP handler: a lost connection is not asked again behind us."""
    model = spec(provider.base_url, target=target)
    plans = {
        "reset, ok": (2, "connection"),
        "429:1, ok": (2, "rate_limit"),
        "malformed, ok": (2, "malformed"),
        "trickle, ok": (2, "timeout"),
        "finish_error, ok": (2, "finish_error"),
        "500, ok": (2, "http_500"),
    }
    asked = []
    for i, plan in enumerate(plans):
        made = call(f"r{i}", plan)
        asked.append(type(made)(target, "", {}, 50, made.messages))
    model = spec(provider.base_url, target=target, params={}, concurrency=6)
    found = run_calls(asked, model, settings(tmp_path, timeout_s=1.5))
    assert [o.status for o in found.values()] == ["ok"] * len(plans)
    assert [provider.asked[f"r{i}"] for i in range(len(plans))] == [n for n, _ in plans.values()]
    kinds = {a["key"]: a["error_kind"] for a in read_attempts(tmp_path / "played") if a["try"] == 1}
    assert [kinds[c.key] for c in asked] == [kind for _, kind in plans.values()]


def test_dead_server(tmp_path: Path) -> None:
    """Nobody listens: an error by call, and nothing that could be billed."""
    asked = [call("a"), call("b")]
    found = run_calls(asked, spec("http://127.0.0.1:9/v1"), settings(tmp_path))
    assert [o.status for o in found.values()] == ["error", "error"]
    tries = list(read_attempts(tmp_path / "played"))
    assert {(a["error_kind"], a["billed"]) for a in tries} == {("connect", False)}


def test_unknown_provider(tmp_path: Path) -> None:
    """A name that LiteLLM cannot place is told before anything is sent."""
    model = spec(None, target="no-such-provider-model")
    asked = type(call("a"))(model.target, "", {}, 50, call("a").messages)
    with pytest.raises(ConfigError, match="knows no provider for 'no-such-provider-model'"):
        run_calls([asked], model, settings(tmp_path))


def test_order_and_concurrency_change_nothing(tmp_path: Path) -> None:
    """The same calls, permuted and at other concurrency, give equal outcomes."""
    asked = [call(f"t{i}", p) for i, p in enumerate(["ok", "empty", "429, ok", "500, ok"] * 5)]
    results = []
    for n, order in ((1, asked), (8, asked[::-1]), (3, asked[7:] + asked[:7])):
        with HostileProvider(latency_s=0.01) as server:
            model = spec(server.base_url, concurrency=n)
            found = run_calls(order, model, settings(tmp_path / str(n)))
            assert list(found) == [c.key for c in order]
            assert server.peak <= n
        results.append(without_volatile(found))
    assert results[0] == results[1] == results[2]


def test_a_server_that_is_not_there_stops_the_run(tmp_path: Path) -> None:
    """Three calls in a row that reach nothing tell; the 40 others are not tried."""
    asked = [call(f"c{i}") for i in range(43)]
    with pytest.raises(ProviderStopped, match=r"127\.0\.0\.1:9/v1 does not answer.*base_url"):
        run_calls(asked, spec("http://127.0.0.1:9/v1", concurrency=1), settings(tmp_path))
    tries = list(read_attempts(tmp_path / "played"))
    assert len(tries) == 3 * 3
    assert len({a["key"] for a in tries}) == 3


def test_other_errors_do_not_stop_the_run(provider: HostileProvider, tmp_path: Path) -> None:
    """A server that answers with errors is there: each call ends by itself, and is counted."""
    asked = [call(f"e{i}", "500") for i in range(6)]
    found = run_calls(asked, spec(provider.base_url, concurrency=1), settings(tmp_path))
    assert {o.status for o in found.values()} == {"error"}
