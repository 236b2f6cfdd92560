"""A model call as data: what is asked, of which model, under which settings.

The key of a call is the sha256 of its canonical JSON, so a frozen completion answers exactly one
call and a changed prompt, parameter or revision finds none. Source: DESIGN section 4.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Status = Literal["ok", "empty", "truncated", "refused", "error"]
STATUSES: tuple[Status, ...] = ("ok", "empty", "truncated", "refused", "error")
ARMS = ("raw", "scaffold")


@dataclass(frozen=True)
class Message:
    """One chat message; ``role`` is ``system`` or ``user``."""

    role: str
    content: str


@dataclass(frozen=True)
class Call:
    """One call of a model at one budget.

    Attributes:
        target: Provider-qualified model id (``gguf/<file name>`` for local weights).
        revision: Version of the model: sha256 of local weights, "" where a provider states none.
        params: Every sampling parameter and, for local weights, whatever decides the bits
            (threads); JSON values.
        max_tokens: Completion budget in tokens.
        messages: The conversation.
        repeat: Index of the repeat, from 0.
    """

    target: str
    revision: str
    params: Mapping[str, Any]
    max_tokens: int
    messages: tuple[Message, ...]
    repeat: int = 0

    def canonical(self) -> str:
        """Return the call as canonical JSON: sorted keys, no spaces, ASCII."""
        document = {
            "target": self.target,
            "revision": self.revision,
            "params": dict(self.params),
            "max_tokens": self.max_tokens,
            "messages": [[m.role, m.content] for m in self.messages],
            "repeat": self.repeat,
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @property
    def key(self) -> str:
        """Hex sha256 of the canonical JSON."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes:
        key: Key of the call.
        status: See `classify`.
        answer: Text received, "" if none.
        finish_reason: As the provider states it, None if it states none.
        prompt_tokens, completion_tokens: As counted by the provider, None if it counts none.
        tries: Transport tries it took, at least 1.
        error: What went wrong, None unless the status is ``error``.
        response_model: Name the provider echoed, None if none.
        latency_ms: Wall time of the last try.
        cost_usd: Cost as priced, None if unknown.
    """

    key: str
    status: Status
    answer: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    tries: int = 1
    error: str | None = None
    response_model: str | None = None
    latency_ms: float | None = None
    cost_usd: float | None = None


def classify(
    answer: str,
    finish_reason: str | None,
    completion_tokens: int | None,
    max_tokens: int,
    *,
    refused: bool = False,
) -> Status:
    """Return the status of a response that arrived. Source: DESIGN section 5.

    A refusal is what the provider marks as one. Text cut at the budget is ``truncated`` even
    where the provider says ``stop``; so is an answer whose budget went on hidden reasoning.
    No text and no cut is ``empty``.
    """
    if refused or finish_reason in ("content_filter", "refusal"):
        return "refused"
    if finish_reason == "error":
        return "error"
    cut = finish_reason == "length" or (
        completion_tokens is not None and completion_tokens >= max_tokens
    )
    if not answer.strip():
        return "truncated" if cut else "empty"
    return "truncated" if cut else "ok"


def visible_input(messages: Sequence[Message]) -> str:
    """Return all message contents joined by one space: the text that exposure is measured on."""
    return " ".join(m.content for m in messages)


def build_messages(preamble: str, block: str, prompt: str) -> tuple[Message, ...]:
    """Return what the model is shown: preamble and block as the system message, then the question.

    Without a block the question stands alone. Source: DESIGN section 8.
    """
    if not block:
        return (Message("user", prompt),)
    system = f"{preamble}\n\n{block}" if preamble else block
    return (Message("system", system), Message("user", prompt))
