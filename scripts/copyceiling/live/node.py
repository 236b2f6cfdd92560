"""Fetches context blocks from a served node over HTTP, with its telemetry.

Asks ``POST <base_url>/loom/scaffold`` once a query. What may pass (no connection, a timeout, an
error of the server, a reply that is not of the form) is tried again; anything else ends the run,
and so does a query whose tries are exhausted: no question is ever left without its block because
the node was ill. Source: STUDIES sections 4 and 6.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from copyceiling.errors import ConfigError, CopyCeilingError
from copyceiling.live.faults import retry_after
from copyceiling.live.redact import Redactor, read_variable
from copyceiling.production.node import asked_with, check_generation, node_row

PATH = "/loom/scaffold"
_LONGEST_REPLY = 8_000_000  # bytes
_CHUNK = 65_536
_PASSING = (408, 409, 425, 429)  # these and any from 500 up may pass
_LONGEST_MESSAGE = 300


@dataclass(frozen=True)
class Node:
    """A served node and how it is asked.

    Attributes:
        base_url: Its address, http or https.
        key: Bearer token, None where it needs none.
        timeout_s: Longest wait for one block, from sending to the last byte, in seconds.
        max_tries: Most tries of one block.
        backoff_s: Wait after a first failed try in seconds; it doubles from try to try.
        max_wait_s: Longest wait between two tries in seconds, whatever the node asks for.
        options: What goes into every request beside query and budget.
    """

    base_url: str
    key: str | None = None
    timeout_s: float = 60.0
    max_tries: int = 5
    backoff_s: float = 1.0
    max_wait_s: float = 60.0
    options: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Refuse an address that is none."""
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise ConfigError(
                f"production.node.base_url: '{self.base_url}' is no address of the form "
                "http://host:port (a key goes into the environment: production.node.key_env)"
            )


class _TryFailed(Exception):
    """One try failed; another may succeed if it is passing."""

    def __init__(self, what: str, *, passing: bool, wait_s: float | None = None) -> None:
        super().__init__(what)
        self.passing, self.wait_s = passing, wait_s


def node_of(settings: Mapping[str, Any], scaffold: Mapping[str, Any]) -> Node:
    """Return the node of a study's section ``production.node``.

    Raises:
        ConfigError: The address is none, or the key is not in the environment.
    """
    name = settings["key_env"]
    return Node(
        base_url=settings["base_url"].rstrip("/"),
        key=read_variable(name, "production.node") if name else None,
        timeout_s=settings["timeout_s"],
        max_tries=settings["max_tries"],
        options=asked_with(scaffold),
    )


def fetch_blocks(
    node: Node,
    queries: Iterable[tuple[str, int]],
    generation: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> list[dict[str, Any]]:
    """Return what a node serves for each distinct query and budget, as rows of `NODE_BLOCKS`.

    Args:
        node: The node.
        queries: Query and token budget.
        generation: Id of the corpus generation that it must serve, None for any one.
        sleep: Waits so many seconds.

    Raises:
        CopyCeilingError: A query's tries are exhausted, the node turns requests down, or blocks
            are of several generations or of another one than declared.
    """
    found: list[dict[str, Any]] = []
    for query, budget in dict.fromkeys(queries):
        found.append(_fetch(node, query, budget, sleep))
        check_generation(found, generation)
    return found


def _fetch(node: Node, query: str, budget: int, sleep: Callable[[float], None]) -> dict[str, Any]:
    said: list[str] = []
    for number in range(1, node.max_tries + 1):
        start = time.monotonic()
        try:
            row = node_row(_ask(node, query, budget), query, budget)
        except ValueError as e:
            failed = _TryFailed(f"the reply is not of the form: {e}", passing=True)
        except _TryFailed as e:
            failed = e
        else:
            ms = (time.monotonic() - start) * 1000
            return {**row, "base_url": node.base_url, "tries": number, "latency_ms": ms}
        said.append(Redactor(node.key).message(str(failed))[:_LONGEST_MESSAGE])
        if not failed.passing:
            break
        if number < node.max_tries:
            wait = max(node.backoff_s * 2 ** (number - 1), failed.wait_s or 0.0)
            sleep(min(wait, node.max_wait_s))
    tries = "\n".join(f"  - try {i}: {text}" for i, text in enumerate(said, 1))
    raise CopyCeilingError(
        f"node {node.base_url}: no block for '{query[:80]}' at {budget} tokens:\n{tries}\n"
        "Nothing was kept of this run. Ask again once the node is well."
    )


def _ask(node: Node, query: str, budget: int) -> Any:
    """Return the JSON of one reply."""
    asked = {"prompt": query, "budget_tokens": budget, **(node.options or {})}
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if node.key is not None:
        headers["Authorization"] = f"Bearer {node.key}"
    request = urllib.request.Request(  # the scheme is checked by Node
        node.base_url + PATH, json.dumps(asked).encode(), headers, method="POST"
    )
    deadline = time.monotonic() + node.timeout_s
    try:
        with _OPENER.open(request, timeout=node.timeout_s) as reply:
            body = _read(reply, deadline)
    except urllib.error.HTTPError as e:
        passing = e.code in _PASSING or e.code >= 500
        wait = retry_after(e.headers.get("Retry-After"))
        raise _TryFailed(f"HTTP status {e.code}", passing=passing, wait_s=wait) from e
    except (OSError, http.client.HTTPException) as e:
        raise _TryFailed(f"{type(e).__name__}: {e}", passing=True) from e
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as e:
        raise _TryFailed(f"the reply is no JSON: {e}", passing=True) from e


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it could carry the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        """Return no request."""


_OPENER = urllib.request.build_opener(_NoRedirect)


def _read(reply: Any, deadline: float) -> bytes:
    """Return the body; a node that drips bytes does not outlast the deadline."""
    parts: list[bytes] = []
    size = 0
    while part := reply.read1(_CHUNK):
        size += len(part)
        parts.append(part)
        if size > _LONGEST_REPLY:
            raise _TryFailed(f"the reply has more than {_LONGEST_REPLY:,} bytes", passing=False)
        if time.monotonic() > deadline:
            raise _TryFailed("the reply did not end in time", passing=True)
    return b"".join(parts)
