"""Any provider that LiteLLM knows, or any OpenAI-compatible server, as a backend.

LiteLLM runs in an event loop of its own thread, since only there can a call be given up at a
deadline: the time-out of an HTTP client starts anew with every byte that trickles in.
"""

import asyncio
import contextlib
import re
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar
from urllib.parse import urlsplit

from copyceiling.errors import ConfigError
from copyceiling.live.backend import Response
from copyceiling.live.faults import is_prompt_refused, to_backend_error
from copyceiling.live.litellm_module import load_litellm
from copyceiling.live.redact import NO_KEY, Redactor, read_key
from copyceiling.models import ModelSpec
from copyceiling.requests import Call

Number = TypeVar("Number", int, float)
_OURS = frozenset(
    {"model", "messages", "max_tokens", "max_completion_tokens", "n", "stream", "timeout"}
    | {"request_timeout", "api_key", "api_base", "base_url", "api_version", "client", "fallbacks"}
    | {"num_retries", "max_retries", "cache", "caching", "mock_response", "extra_headers"}
    | {"headers", "callbacks", "metadata", "custom_llm_provider"}
)
_SECRET = re.compile(r"(?i)(key|token|secret|password|credentials?)$")
_MOST = 1_000_000_000  # tokens or USD that one call can be believed to take
_CLOSE_WITHIN_S = 5.0
_NATIVE_ERRORS = ("error", "network_error", "malformed_response")  # LiteLLM calls these a stop


class LiteLLMBackend:
    """Sends calls through LiteLLM; may be used from several threads."""

    def __init__(self, spec: ModelSpec, timeout_s: float) -> None:
        """Check all that can be checked before the first call.

        Args:
            spec: The model.
            timeout_s: Longest wait for one answer in seconds, to its last byte.

        Raises:
            ConfigError: The key is missing, a parameter is not the user's to set, the address
                holds a password, or LiteLLM knows no such provider.
        """
        key = read_key(spec)
        _check(spec)
        self._redactor = Redactor(key)
        self._timeout_s = timeout_s
        self._litellm = load_litellm()
        self._priced = spec.base_url is None
        self._arguments = {
            "api_key": key or NO_KEY,
            "api_base": spec.base_url,
            "timeout": timeout_s + 1,  # ours comes first
            "num_retries": 0,
            "max_retries": 0,
        }
        try:
            self._litellm.get_llm_provider(spec.target, api_base=spec.base_url)
        except Exception as e:
            raise ConfigError(
                f"model '{spec.model}': LiteLLM knows no provider for '{spec.target}'. Give it as "
                "<provider>/<model>, or as openai/<model> with a base_url"
            ) from e
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def send(self, call: Call) -> Response:
        """Return the answer to a call, or raise `BackendError`."""
        arguments = {
            **call.params,
            **self._arguments,
            "model": call.target,
            "messages": [{"role": m.role, "content": m.content} for m in call.messages],
            "max_tokens": call.max_tokens,
        }
        try:
            request = self._litellm.acompletion(**arguments)
            return self._response(self._run(asyncio.wait_for(request, self._timeout_s)))
        except Exception as e:  # whatever a provider library may raise; told apart in faults
            if is_prompt_refused(e):
                return Response("", "content_filter", None, None, refused=True)
            raise to_backend_error(e, self._redactor) from None  # the cause may hold the key

    def _run(self, coroutine: Coroutine[Any, Any, Any], within_s: float | None = None) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(within_s)

    def _response(self, raw: Any) -> Response:
        choice = raw.choices[0]
        native = (choice.provider_specific_fields or {}).get("native_finish_reason")
        finish = choice.finish_reason
        if isinstance(native, str) and native.lower() in _NATIVE_ERRORS:
            finish = "error"
        usage: Any = getattr(raw, "usage", None)
        # LiteLLM writes zeros where the provider counts nothing, and no prompt has no tokens.
        counted = usage is not None and bool(usage.prompt_tokens or usage.completion_tokens)
        hidden = getattr(raw, "_hidden_params", None) or {}
        return Response(
            text=self._clean(choice.message.content) or "",
            finish_reason=self._clean(finish),
            prompt_tokens=_plausible(usage.prompt_tokens) if counted else None,
            completion_tokens=_plausible(usage.completion_tokens) if counted else None,
            refused=bool(getattr(choice.message, "refusal", None)),
            response_model=self._clean(getattr(raw, "model", None)),
            cost_usd=_plausible(hidden.get("response_cost")) if self._priced and counted else None,
        )

    def _clean(self, text: str | None) -> str | None:
        """Return text that UTF-8 can hold, without the key if a server gives it back."""
        if text is None:
            return None
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return self._redactor.answer(whole)

    def close(self) -> None:
        """Close connections and end the thread."""
        with contextlib.suppress(TimeoutError):
            self._run(_wind_down(self._litellm), _CLOSE_WITHIN_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_WITHIN_S)
        self._loop.close()


def _plausible(stated: Number | None) -> Number | None:
    """Return a count or cost, None if a provider states what would spoil a sum or a budget."""
    return stated if stated is not None and 0 <= stated <= _MOST else None


def _check(spec: ModelSpec) -> None:
    taken = sorted(name for name in spec.params if name in _OURS or _SECRET.search(name))
    if taken:
        raise ConfigError(
            f"model '{spec.model}': the parameter(s) {', '.join(taken)} are not for the column "
            "'params': the client sets them. Keys come from the variable in 'key_env' alone."
        )
    address = urlsplit(spec.base_url or "")
    if address.username or address.password or "key=" in address.query.lower():
        raise ConfigError(
            f"model '{spec.model}': the base_url holds a user name, password or key. Leave it out, "
            "and name in 'key_env' the environment variable that holds the key"
        )


async def _wind_down(litellm: Any) -> None:
    await litellm.close_litellm_async_clients()
    others = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
