"""A local OpenAI-compatible server that misbehaves on request.

Each prompt carries a plan, ``[[tag: behaviour, behaviour, ...]]``: the n-th request of a tag gets
the n-th behaviour, and the last one goes on. The server counts what it was asked and what it
answered by tag, so that a test can assert that nothing is asked twice.
"""

import json
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_PLAN = re.compile(r"\[\[([^:\]]+):([^\]]+)\]\]")
_PROMPT_TOKENS = 12


class HostileProvider(ThreadingHTTPServer):
    """The server; use it as a context manager.

    Attributes:
        latency_s: Wait before every answer, in seconds.
        asked, answered: Requests received, and answers fully written, by tag.
        peak: Most requests in flight at once.
        keys: Values of the Authorization header seen.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, latency_s: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.latency_s = latency_s
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.arrivals: list[float] = []
        self.keys: set[str] = set()
        self.peak = 0
        self.in_flight = 0
        self.closing = threading.Event()
        self.lock = threading.Lock()

    @property
    def base_url(self) -> str:
        """Address to give to a client."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that vanish are part of the play."""

    def enter(self, tag: str, key: str) -> int:
        """Note a request; return how many of this tag came before it."""
        with self.lock:
            self.asked[tag] += 1
            self.arrivals.append(time.monotonic())
            self.keys.add(key)
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
            return self.asked[tag] - 1

    def leave(self) -> None:
        """Note that a request is over."""
        with self.lock:
            self.in_flight -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: HostileProvider

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = " ".join(m["content"] for m in body["messages"])
        found = _PLAN.search(prompt)
        tag, plan = (found[1], found[2]) if found else (prompt, "ok")
        steps = [step.strip() for step in plan.split(",")]
        seen = self.server.enter(tag, self.headers.get("Authorization", ""))
        try:
            self.server.closing.wait(self.server.latency_s)
            name, _, argument = steps[min(seen, len(steps) - 1)].partition("=")
            play = _PLAYS.get(name, _status)
            play(self, tag, body, argument or name)
        finally:
            self.server.leave()

    def reply(self, status: int, payload: bytes, tag: str, **headers: str) -> None:
        """Send a whole reply and count it as answered if it is an answer."""
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(payload)
        self.wfile.flush()
        if status == 200:
            with self.server.lock:
                self.server.answered[tag] += 1


def _completion(body: dict[str, Any], tag: str, **changes: Any) -> dict[str, Any]:
    text = changes.get("text", f"answer to {tag}")
    message = {"role": "assistant", "content": text, **changes.get("message", {})}
    usage = {"prompt_tokens": _PROMPT_TOKENS, "completion_tokens": changes.get("tokens", 5)}
    usage["total_tokens"] = sum(usage.values())
    choice = {"index": 0, "message": message, "finish_reason": changes.get("finish", "stop")}
    return {
        "id": f"chatcmpl-{tag}",
        "object": "chat.completion",
        "created": 1,
        "model": changes.get("model", body["model"]),
        "choices": [choice],
        "usage": usage,
    }


def _answer(**changes: Any) -> Callable[[_Handler, str, dict[str, Any], str], None]:
    def play(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
        handler.reply(200, json.dumps(_completion(body, tag, **changes)).encode(), tag)

    return play


def _status(handler: _Handler, tag: str, body: dict[str, Any], argument: str) -> None:
    """``429``, ``429:2`` (Retry-After in seconds), ``429:date`` (an HTTP date 1 s ahead)."""
    code, _, after = argument.partition(":")
    headers = {}
    if after == "date":
        headers["Retry_After"] = formatdate(time.time() + 2, usegmt=True)
    elif after:
        headers["Retry_After"] = after
    key = handler.headers.get("Authorization", "")
    error = {"message": f"played {code} for {tag}; key was {key}", "type": "t", "code": code}
    handler.reply(int(code), json.dumps({"error": error}).encode(), tag, **headers)


def _policy(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Turn the prompt down by a content filter, as OpenAI and Azure do."""
    error = {"message": "violates the content policy", "code": "content_policy_violation"}
    handler.reply(400, json.dumps({"error": error}).encode(), tag)


def _flagged(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Turn the prompt down by moderation, as OpenRouter does."""
    error = {"message": "flagged", "code": 403, "metadata": {"flagged_input": "text"}}
    handler.reply(403, json.dumps({"error": error}).encode(), tag)


def _hang(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    handler.server.closing.wait(60)
    handler.close_connection = True


def _late(handler: _Handler, tag: str, body: dict[str, Any], argument: str) -> None:
    """Answer in full, but only after ``argument`` seconds."""
    handler.server.closing.wait(float(argument))
    _answer()(handler, tag, body, "")


def _trickle(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Send a byte every 50 ms: no read ever waits long, the answer never ends."""
    payload = json.dumps(_completion(body, tag)).encode().ljust(4000)
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(payload)))
    handler.end_headers()
    for byte in payload:
        handler.wfile.write(bytes([byte]))
        handler.wfile.flush()
        if handler.server.closing.wait(0.05):
            return


def _malformed(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    handler.reply(200, b'{"choices": [{"message": {"content": "half', tag)


def _cut_off(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Promise more bytes than are sent, then close the connection."""
    payload = json.dumps(_completion(body, tag)).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(payload)))
    handler.end_headers()
    handler.wfile.write(payload[: len(payload) // 2])
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def _reset(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Take the request, then drop the connection without a word."""
    linger = struct.pack("ii", 1, 0)
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    handler.close_connection = True
    handler.connection.close()


def _at_budget(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    tokens = body.get("max_tokens") or body.get("max_completion_tokens")
    _answer(tokens=tokens)(handler, tag, body, "")


def _reflect(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    """Give the client's own key back as text and as model name."""
    key = handler.headers.get("Authorization", "").removeprefix("Bearer ")
    _answer(text=f"your key is {key}", model=key)(handler, tag, body, "")


def _no_choices(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    handler.reply(200, json.dumps({**_completion(body, tag), "choices": []}).encode(), tag)


def _no_usage(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    payload = _completion(body, tag)
    del payload["usage"]
    handler.reply(200, json.dumps(payload).encode(), tag)


def _absurd_usage(handler: _Handler, tag: str, body: dict[str, Any], _: str) -> None:
    usage = {"prompt_tokens": -5, "completion_tokens": 10**15, "total_tokens": 0, "cost": -1.0}
    handler.reply(200, json.dumps({**_completion(body, tag), "usage": usage}).encode(), tag)


_PLAYS: dict[str, Callable[[_Handler, str, dict[str, Any], str], None]] = {
    "ok": _answer(),
    "empty": _answer(text=""),
    "null": _answer(text=None),
    "length": _answer(finish="length"),
    "finish_error": _answer(text="", finish="error", tokens=0),
    "refusal": _answer(text=None, message={"refusal": "I cannot help with that."}),
    "filtered": _answer(text="", finish="content_filter"),
    "other_model": _answer(model="some-other-model"),
    "surrogate": _answer(text="half \ud800 pair"),
    "at_budget": _at_budget,
    "policy": _policy,
    "flagged": _flagged,
    "hang": _hang,
    "late": _late,
    "trickle": _trickle,
    "malformed": _malformed,
    "no_choices": _no_choices,
    "reset": _reset,
    "cut_off": _cut_off,
    "reflect": _reflect,
    "no_usage": _no_usage,
    "absurd_usage": _absurd_usage,
}
