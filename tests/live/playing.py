"""What the tests of the live client share: calls, models, settings, and simple backends."""

import json
import os
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import copyceiling
from copyceiling.live.backend import BackendError, Response
from copyceiling.live.settings import LiveSettings, Price
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Message

FREE = Price(0.0, 0.0)


def spec(base_url: str | None = "http://127.0.0.1:9/v1", **changes: Any) -> ModelSpec:
    """Return a model at a local server, changed as asked."""
    model = ModelSpec(
        model="played",
        runner="litellm",
        target="openai/played-model",
        revision="",
        params={"temperature": 0},
        budgets=(50,),
        base_url=base_url,
        key_env=None,
        rpm=None,
        tpm=None,
        concurrency=4,
        note="",
    )
    return replace(model, **changes)


def call(tag: str, plan: str = "ok", max_tokens: int = 50) -> Call:
    """Return a call whose prompt tells the hostile provider what to play."""
    prompt = Message("user", f"[[{tag}: {plan}]]")
    return Call("openai/played-model", "", {"temperature": 0}, max_tokens, (prompt,))


def calls(count: int, plan: str = "ok") -> list[Call]:
    """Return so many calls of one plan, each with a tag of its own."""
    return [call(f"t{i:03d}", plan) for i in range(count)]


def settings(folder: Path, **changes: Any) -> LiveSettings:
    """Return settings with short waits, so that retries take no time."""
    quick: dict[str, Any] = {
        "timeout_s": 5.0,
        "max_tries": 3,
        "backoff_s": 0.01,
        "max_wait_s": 0.05,
    }
    return LiveSettings(cache=folder, **{**quick, **changes})


class UrlBackend:
    """Asks a server plainly, without LiteLLM, so that a process starts at once."""

    def __init__(self, base_url: str) -> None:
        self._url = f"{base_url}/chat/completions"

    def send(self, call: Call) -> Response:
        """Return the answer to a call, or raise `BackendError`."""
        body = {
            "model": call.target,
            "max_tokens": call.max_tokens,
            "messages": [{"role": m.role, "content": m.content} for m in call.messages],
        }
        request = urllib.request.Request(self._url, json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=5) as reply:
                document = json.loads(reply.read())
        except urllib.error.HTTPError as e:
            raise BackendError(f"http_{e.code}", str(e), retryable=True) from e
        choice, usage = document["choices"][0], document["usage"]
        return Response(
            choice["message"]["content"],
            choice["finish_reason"],
            usage["prompt_tokens"],
            usage["completion_tokens"],
        )

    def close(self) -> None:
        """Nothing to close."""


class FakeBackend:
    """Answers in process and counts what it is asked; a step may raise or wait."""

    def __init__(self, step: Callable[[Call, int], None] | None = None, **response: Any) -> None:
        self.asked: Counter[str] = Counter()
        self.closed = False
        self._step, self._response, self._lock = step, response, threading.Lock()

    def send(self, call: Call) -> Response:
        """Return an answer that is a function of the prompt."""
        with self._lock:
            self.asked[call.key] += 1
            number = self.asked[call.key]
        if self._step:
            self._step(call, number)
        text = f"answer to {call.messages[-1].content}"
        return replace(Response(text, "stop", 10, 5), **self._response)

    def close(self) -> None:
        """Note it."""
        self.closed = True


def environment() -> dict[str, str]:
    """Return an environment in which a process finds the library and these tests."""
    path = [Path(copyceiling.__file__).parents[1], Path(__file__).parents[2]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}


def without_volatile(found: dict[str, Any]) -> Sequence[Any]:
    """Return outcomes without what cannot reproduce, sorted by key."""
    return [replace(found[key], latency_ms=None) for key in sorted(found)]
