"""What the client needs of anything that answers calls."""

from dataclasses import dataclass
from typing import Protocol

from copyceiling.requests import Call


@dataclass(frozen=True)
class Response:
    """An answer as it arrived, before it is classified.

    Attributes:
        text: Answer text, "" if none.
        finish_reason: As stated, None if not stated.
        prompt_tokens, completion_tokens: As counted, None if not counted.
        refused: The provider marks the answer as a refusal.
        response_model: Name the provider echoed, None if none.
        cost_usd: Price of the call, None if unknown.
    """

    text: str
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    refused: bool = False
    response_model: str | None = None
    cost_usd: float | None = None


class BackendError(Exception):
    """A call that brought no answer.

    Attributes:
        kind: Short name of what went wrong (``timeout``, ``rate_limit``, ``http_500``, ...).
        retryable: Whether the same call may succeed later.
        retry_after_s: Wait the provider asks for, in seconds, None if it asks for none.
    """

    def __init__(
        self, kind: str, message: str, *, retryable: bool, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable
        self.retry_after_s = retry_after_s


class Backend(Protocol):
    """Answers one call at a time; may be used from several threads if ``concurrency`` > 1."""

    def send(self, call: Call) -> Response:
        """Return the answer, or raise `BackendError`."""

    def close(self) -> None:
        """Free what the backend holds."""
