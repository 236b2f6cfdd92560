"""A planted key goes into the request and nowhere else."""

import logging
from pathlib import Path
from typing import Any

import pytest

from tests.live.hostile_provider import HostileProvider
from tests.live.playing import call, calls, settings, spec

pytest.importorskip("litellm", reason="the extra 'live' is not installed")
pytest.importorskip("diskcache", reason="the extra 'live' is not installed")

from copyceiling.errors import ConfigError, CopyCeilingError
from copyceiling.live.backend import BackendError
from copyceiling.live.entry import read_cache
from copyceiling.live.litellm_module import load_litellm
from copyceiling.live.redact import Redactor
from copyceiling.live.runner import make_backend, run_calls

PLANTED = "planted+key/0123456789=="


@pytest.mark.parametrize("value", [None, "", "   "])
def test_missing_key(
    value: str | None, provider: HostileProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAYED_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("PLAYED_KEY", value)
    model = spec(provider.base_url, key_env="PLAYED_KEY")
    with pytest.raises(ConfigError, match="environment variable PLAYED_KEY, which is not set"):
        run_calls(calls(3), model, settings(tmp_path))
    assert not provider.asked


def test_key_that_no_key_can_be(
    provider: HostileProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYED_KEY", f"{PLANTED}\nX-Header: 1")
    model = spec(provider.base_url, key_env="PLAYED_KEY")
    with pytest.raises(ConfigError, match="the value of PLAYED_KEY holds") as caught:
        run_calls(calls(1), model, settings(tmp_path))
    assert PLANTED not in str(caught.value)
    assert not provider.asked


def test_key_goes_nowhere(
    provider: HostileProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Not even where the provider gives it back as text, model name or error."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("PLAYED_KEY", PLANTED)
    monkeypatch.setenv("OPENAI_API_KEY", "another-planted-key-0123456789")
    model = spec(provider.base_url, key_env="PLAYED_KEY")
    plans = ["reflect", "500", "400", "429, ok", "malformed", "trickle"]
    asked = [call(f"s{i}", plan) for i, plan in enumerate(plans)]
    found = run_calls(asked, model, settings(tmp_path, timeout_s=0.5, max_tries=2))
    assert found[asked[0].key].answer == "your key is [redacted]"
    assert found[asked[0].key].response_model == "[redacted]"
    errors = []
    for code in ("401", "404"):
        with pytest.raises(CopyCeilingError) as caught:
            run_calls([call(code, code)], model, settings(tmp_path))
        errors.append(str(caught.value))
    assert provider.keys == {f"Bearer {PLANTED}"}
    seen = capfd.readouterr()
    texts = [repr(found), *errors, caplog.text, seen.out, seen.err]
    texts += [repr(e) for e in read_cache(tmp_path / "played")]
    files = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()]
    assert len(files) >= 3
    for text in texts:
        assert PLANTED not in text
        assert "planted" not in text
    assert not any(b"planted" in data for data in files)


def test_no_other_key_is_sent(
    provider: HostileProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model without a key gets none, though LiteLLM would take this one from the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", PLANTED)
    run_calls(calls(1), spec(provider.base_url), settings(tmp_path))
    assert provider.keys == {"Bearer no-key"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"params": {"api_key": PLANTED}}, r"parameter\(s\) api_key are not for the column"),
        ({"params": {"aws_secret_access_key": PLANTED}}, "not for the column"),
        ({"params": {"stream": True, "n": 2}}, r"parameter\(s\) n, stream"),
        ({"base_url": "http://me:planted-0123@127.0.0.1/v1"}, "base_url holds a user name"),
        ({"base_url": "http://127.0.0.1/v1?key=planted-0123"}, "base_url holds a user name"),
    ],
)
def test_keys_have_no_place_in_the_model_table(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_backend(spec(**change))
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize("version", ["1.82.7", "1.82.8"])
def test_backdoored_versions_are_not_loaded(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    with pytest.raises(ConfigError, match=f"litellm {version} was published with a backdoor"):
        load_litellm.__wrapped__()


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"key {PLANTED}.", "key [redacted]."),
        ("key planted%2Bkey%2F0123456789%3D%3D.", "key [redacted]."),
        ("Authorization: Bearer abcDEF123", "Authorization: Bearer [redacted]"),
        ("https://x/v1?key=abc&alt=json", "https://x/v1?key=[redacted]&alt=json"),
        ("Incorrect API key provided: sk-abcd****wxyz.", "Incorrect API key provided: [redacted]"),
        ("AIzaSyA-1234567890abcdef", "[redacted]"),
        ("risk-averse task-oriented", "risk-averse task-oriented"),
    ],
)
def test_redactor(text: str, clean: str) -> None:
    assert Redactor(PLANTED).message(text) == clean


def test_answers_lose_nothing_but_the_key() -> None:
    text = "Bearer of bad news: sk-12345678 EMPTY"
    assert Redactor(PLANTED).answer(text) == text
    assert Redactor("EMPTY").answer(text) == text


def test_exceptions_carry_no_key(
    provider: HostileProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A traceback prints an exception's causes, so those are cut off too."""
    monkeypatch.setenv("PLAYED_KEY", PLANTED)
    backend = make_backend(spec(provider.base_url, key_env="PLAYED_KEY"))
    try:
        with pytest.raises(BackendError) as caught:
            backend.send(call("a", "500"))
        assert caught.value.__suppress_context__
        assert PLANTED not in str(caught.value)
    finally:
        backend.close()
