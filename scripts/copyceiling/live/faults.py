"""What went wrong with a call, told from the exceptions of LiteLLM and what lies under it.

LiteLLM gives most failures a status of its own invention (a connection that broke is a 500), so
the status is taken from the HTTP response at the root of the exception, if there is one.
"""

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

from copyceiling.live.backend import BackendError
from copyceiling.live.redact import Redactor

FATAL = frozenset({"auth", "quota", "not_found", "unsupported"})  # no call of the run can succeed
NOT_BILLED = frozenset({"connect", "bad_request", "unsupported"})  # no model ever saw these
_LONGEST_MESSAGE = 500
_BY_STATUS = {401: "auth", 402: "quota", 403: "auth", 404: "not_found", 429: "rate_limit"}
_PASSING = (408, 409, 425, 429)  # these and any from 500 up may pass
# In the body of an error: OpenAI's and Azure's filter, OpenRouter's moderation.
_FILTERED = ('"content_policy_violation"', '"content_filter"', '"flagged_input"')
# Told by class names, since most of these classes come with LiteLLM; the first that fits counts.
_KINDS = (
    ("unsupported", {"UnsupportedParamsError"}),
    ("timeout", {"TimeoutError", "TimeoutException", "APITimeoutError"}),
    ("connect", {"ConnectError", "UnsupportedProtocol"}),
    ("connection", {"TransportError"}),
    ("malformed", {"JSONDecodeError", "UnicodeDecodeError", "DecodingError", "ValidationError"}),
    ("malformed", {"LookupError", "TypeError", "AttributeError", "APIResponseValidationError"}),
    ("bad_request", {"BadRequestError"}),
)


class HttpError(BackendError):
    """The provider answered with an error; it bills nothing for those.

    Attributes:
        status: HTTP status code.
    """

    def __init__(
        self, status: int, kind: str, message: str, retry_after_s: float | None = None
    ) -> None:
        retryable = kind not in FATAL and (status in _PASSING or status >= 500)
        super().__init__(kind, message, retryable=retryable, retry_after_s=retry_after_s)
        self.status = status


def may_be_billed(error: BackendError) -> bool:
    """Return whether a provider may charge for a try that brought no answer."""
    return not isinstance(error, HttpError) and error.kind not in NOT_BILLED


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception and those under it, outermost first."""
    for _ in range(20):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def is_prompt_refused(error: BaseException) -> bool:
    """Return whether the provider's filter turned the prompt down, which is a refusal, no error."""
    if any(type(e).__name__ == "ContentPolicyViolationError" for e in chain(error)):
        return True
    response = http_response(error)
    return (
        response is not None
        and response.status_code in (400, 403)
        and any(mark in _body(response) for mark in _FILTERED)
    )


def http_response(error: BaseException) -> Any | None:
    """Return the HTTP response under an exception, None if there was none."""
    for link in chain(error):
        if type(link).__name__ == "HTTPStatusError":
            return getattr(link, "response", None)
    return None


def to_backend_error(error: BaseException, redactor: Redactor) -> BackendError:
    """Return an exception of LiteLLM as what it means for the call, without secrets."""
    text = " ".join(redactor.message(str(error) or type(error).__name__).split())
    text = text[:_LONGEST_MESSAGE]
    response = http_response(error)
    if response is not None and response.status_code >= 400:
        status = int(response.status_code)
        kind = _BY_STATUS.get(status) or (f"http_{status}" if status >= 500 else "bad_request")
        if status in _PASSING and kind == "bad_request":
            kind = f"http_{status}"
        if status == 429 and "insufficient_quota" in _body(response) + str(error):
            kind = "quota"
        return HttpError(status, kind, text, retry_after(response.headers.get("retry-after")))
    kind = _kind(error)
    return BackendError(kind, text, retryable=kind not in ("bad_request", "unsupported"))


def _kind(error: BaseException) -> str:
    names = {c.__name__ for link in chain(error) for c in type(link).__mro__}
    return next((kind for kind, known in _KINDS if names & known), "unexpected")


def _body(response: Any) -> str:
    try:
        return str(response.text)
    except Exception:  # a streamed body that was never read; its text only refines the message
        return ""


def retry_after(header: str | None) -> float | None:
    """Return the wait in seconds that a Retry-After header asks for, None if it asks for none."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None
