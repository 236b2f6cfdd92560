"""A served node by its address: a local server that misbehaves, and what a replay makes of it."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.arm_schemas import NODE_BLOCKS
from copyceiling.artefacts.store import rows, to_table, write
from copyceiling.config import ROOT
from copyceiling.errors import ConfigError, CopyCeilingError, MissingCompletionsError
from copyceiling.live.freeze_arms import freeze_arms
from copyceiling.live.node import Node, fetch_blocks, node_of
from copyceiling.production.node import node_row, served_by_node
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.arms.made import STUDY, source

BLOCK = source("Rye Bread", 200).block
GOOD: dict[str, Any] = {
    "scaffold": BLOCK,
    "engaged": True,
    "approx_tokens": 50,
    "prose": "",
    "seeds": [{"iri": "urn:x/rye-bread", "score": 18.0, "provenance": "lexical"}],
    "top_score": 18.0,
    "effective_budget": 200,
    "fusion_path": "LexicalHit",
    "generation": {"id": "g1", "class_count": 40, "verified_single_generation": False},
}
Play = Callable[["_Handler"], None]


def reply(document: Any, status: int = 200, **headers: str) -> Play:
    """Return a play that sends a document, or bytes as they are."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()

    def play(handler: "_Handler") -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return play


def drip(handler: "_Handler") -> None:
    """Send a byte at a time: no read ever waits long, the reply never ends."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def hang(handler: "_Handler") -> None:
    """Say nothing at all."""
    handler.server.closing.wait(30)
    handler.close_connection = True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plays: list[Play] = [reply(GOOD)]
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that give up are part of the play."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Play what the number of the request asks for; the last play goes on."""
        assert self.path == "/loom/scaffold"
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.keys.append(self.headers["Authorization"])
        number = min(len(self.server.asked), len(self.server.plays)) - 1
        self.server.plays[number](self)


@pytest.fixture
def server() -> Iterator[_Server]:
    """A node on loopback that plays."""
    with _Server() as made:
        threading.Thread(target=made.serve_forever, args=(0.05,), daemon=True).start()
        yield made
        made.closing.set()
        made.shutdown()


QUERIES = [("Rye Bread", 200), ("What of Rye Bread?", 200)]


def fetch(
    server: _Server, *plays: Play, **changes: Any
) -> tuple[list[dict[str, Any]], list[float]]:
    """Fetch two blocks under plays; return rows, and the waits between tries in seconds."""
    server.plays = list(plays) or server.plays
    waits: list[float] = []
    generation = changes.pop("generation", None)
    node = Node(server.url, **{"timeout_s": 0.5, "max_tries": 3, **changes})
    found = fetch_blocks(node, QUERIES, generation, waits.append)
    to_table(found, NODE_BLOCKS)
    return found, waits


def test_a_sound_node_is_asked_once_a_query_and_its_telemetry_kept(server: _Server) -> None:
    found, waits = fetch(server, key="secret-token")
    assert not waits and [a["prompt"] for a in server.asked] == [q for q, _ in QUERIES]
    assert server.asked[0]["budget_tokens"] == 200 and set(server.keys) == {"Bearer secret-token"}
    row = found[0]
    assert (row["block"], row["seeds"], row["scores"]) == (BLOCK, ["rye-bread"], [18.0])
    assert (row["generation"], row["class_count"], row["path"]) == ("g1", 40, "LexicalHit")
    served = served_by_node(found)("Rye Bread", 200)
    assert served.block == BLOCK and served.generation is not None
    assert served.telemetry()["effective_budget"] == 200
    with pytest.raises(CopyCeilingError, match="never asked for 'other' at 9 tokens"):
        served_by_node(found)("other", 9)


@pytest.mark.parametrize(
    "ill",
    [
        reply({"error": "x"}, 500),
        reply({"error": "x"}, 429, Retry_After="7"),
        reply(b"<html>busy</html>"),
        reply(b'{"scaffold": "half'),
        reply(b"\xff\xfe\x00"),
        reply(b"[" * 100_000),
        reply([GOOD]),
        reply({**GOOD, "engaged": "yes"}),
        reply({**GOOD, "top_score": "high"}),
        drip,
        hang,
    ],
)
def test_what_may_pass_is_tried_again(server: _Server, ill: Play) -> None:
    found, waits = fetch(server, ill, ill, reply(GOOD))
    assert [row["tries"] for row in found] == [3, 1] and len(waits) == 2
    assert waits[1] >= waits[0] >= 1.0 and found[0]["block"] == BLOCK


def test_the_wait_a_node_asks_for_is_kept_up_to_a_limit(server: _Server) -> None:
    soon, later = reply({}, 503, Retry_After="7"), reply({}, 503, Retry_After="9999")
    assert fetch(server, soon, later, reply(GOOD))[1] == [7.0, 60.0]


def test_a_node_that_stays_ill_leaves_no_block(server: _Server) -> None:
    with pytest.raises(CopyCeilingError, match=r"(?s)try 1: HTTP status 500.*try 3: HTTP"):
        fetch(server, reply({}, 500))
    assert len(server.asked) == 3, "three tries of the first query, and no other"


@pytest.mark.parametrize(("status", "n"), [(400, 1), (401, 1), (404, 1), (302, 1)])
def test_what_cannot_pass_is_asked_once(server: _Server, status: int, n: int) -> None:
    """A redirect is not followed: it could carry the key away."""
    with pytest.raises(CopyCeilingError, match=f"HTTP status {status}"):
        fetch(server, reply({}, status, Location="http://127.0.0.1:9/"), key="secret-token")
    assert len(server.asked) == n


def test_no_connection_and_no_address() -> None:
    node = Node("http://127.0.0.1:9", max_tries=2)
    with pytest.raises(CopyCeilingError, match=r"try 2: .*refused"):
        fetch_blocks(node, QUERIES, sleep=lambda _: None)
    for wrong in ("ftp://x", "localhost:80", "http://", "http://key@host"):
        with pytest.raises(ConfigError, match="is no address"):
            Node(wrong)


def test_a_key_comes_from_the_environment_and_goes_into_no_message(
    server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"base_url": server.url + "/", "key_env": "NODE_KEY", "timeout_s": 1, "max_tries": 1}
    with pytest.raises(ConfigError, match="NODE_KEY, which is not set"):
        node_of(settings, STUDY["scaffold"])
    monkeypatch.setenv("NODE_KEY", "secret-token")
    node = node_of(settings, STUDY["scaffold"])
    server.plays = [reply({**GOOD, "engaged": "secret-token"})]
    with pytest.raises(CopyCeilingError) as caught:
        fetch_blocks(node, QUERIES)
    assert "secret-token" not in str(caught.value) and "engaged" in str(caught.value)
    assert server.keys == ["Bearer secret-token"]


def test_another_generation_stops_the_run(server: _Server) -> None:
    other = reply({**GOOD, "generation": {"id": "g2"}})
    with pytest.raises(CopyCeilingError, match=r"(?s)2 corpus generations.*g1: 1 .*g2: 1 "):
        fetch(server, reply(GOOD), other)
    server.asked.clear()
    with pytest.raises(CopyCeilingError, match="another corpus generation than 'g9'"):
        fetch(server, reply(GOOD), generation="g9")
    assert len(server.asked) == 1, "said at once"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scaffold": None}, "engaged is True, but the block has 0 letters"),
        ({"engaged": None}, "'engaged' is None"),
        ({"fusion_path": "Guess"}, "'Guess' is none of"),
        ({"fusion_path": "NoMatch"}, "there is a block, but"),
        ({"scaffold": "x" * 801}, "201 tokens, more than the 200 asked for"),
        ({"top_score": float("nan")}, "top_score"),
        ({"top_score": True}, "top_score"),
        ({"effective_budget": -1}, "effective_budget"),
        ({"effective_budget": 10.5}, "effective_budget"),
        ({"seeds": "rye"}, "no list of seeds"),
        ({"seeds": [{"score": 1}]}, "names no class"),
        ({"seeds": [{"iri": "a", "score": float("inf")}]}, "no finite score"),
        ({"generation": {"id": 4}}, "generation: field 'id'"),
    ],
)
def test_every_field_is_checked(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        node_row({**GOOD, **change}, "q", 200)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@settings_of(max_examples=200, deadline=None)
@given(json_values | st.dictionaries(st.sampled_from(sorted(GOOD)), json_values))
def test_any_json_is_a_row_or_a_fault(document: Any) -> None:
    try:
        row = node_row(document, "q", 200)
    except ValueError:
        return
    to_table([{**row, "base_url": "u", "tries": 1, "latency_ms": None}], NODE_BLOCKS)
    assert row["engaged"] == bool(row["block"])


def test_frozen_blocks_replay_offline_and_missing_ones_are_named(tmp_path: Path) -> None:
    import fetch_node

    study = {**STUDY, "results": "results", "frozen": "data", "live": {"cache": "cache"}}
    study["sweep"] = {**STUDY["sweep"], "table": str(ROOT / "config" / "models.tsv")}
    study["production"] = {**STUDY["production"], "node": {"base_url": "http://x"}}
    stored = [{**node_row(GOOD, q, b), "base_url": "u", "tries": 1, "latency_ms": 1.0}
              for q, b in QUERIES]  # fmt: skip
    write(tmp_path / "results" / "production" / "node.parquet", stored, NODE_BLOCKS, {})
    assert freeze_arms(study, tmp_path)[-1] == "node, production: 2 blocks frozen"
    frozen = [tmp_path / "data" / "production" / "node.parquet", tmp_path / "data" / "SHA256SUMS"]
    assert rows(frozen[0], NODE_BLOCKS) == rows(
        tmp_path / "results" / "production" / "node.parquet", NODE_BLOCKS
    )
    assert fetch_node._replay(frozen, QUERIES, "s")[0]["block"] == BLOCK
    with pytest.raises(MissingCompletionsError, match=r"(?s)1 of 3 blocks.*new \(9 tokens\).*live"):
        fetch_node._replay(frozen, [*QUERIES, ("new", 9)], "s")
    with pytest.raises(MissingCompletionsError, match="2 of 2 blocks"):
        fetch_node._replay([], QUERIES, "s")


def test_a_live_run_fetches_what_is_not_frozen_of_this_node(
    server: _Server, tmp_path: Path
) -> None:
    import fetch_node

    node = {"base_url": server.url + "/", "key_env": None, "timeout_s": 1, "max_tries": 1,
            "generation": None}  # fmt: skip
    study = {**STUDY, "results": "results", "frozen": "data", "live": {"cache": "cache"}}
    study["sweep"] = {**STUDY["sweep"], "table": str(ROOT / "config" / "models.tsv")}
    study["production"] = {**STUDY["production"], "node": node}
    made, scaffold = tmp_path / "results" / "production" / "node.parquet", STUDY["scaffold"]

    def ask(queries: list[tuple[str, int]], **changes: Any) -> list[str]:
        server.asked.clear()
        there = [tmp_path / "data" / "production" / "node.parquet", tmp_path / "data/SHA256SUMS"]
        frozen = there if there[0].exists() else []
        found = fetch_node._live(frozen, queries, node, {**scaffold, **changes})
        assert [(r["query"], r["budget_tokens"]) for r in found] == queries
        write(made, found, NODE_BLOCKS, {})
        return [a["prompt"] for a in server.asked]

    more = [*QUERIES, ("Wheat", 200)]
    assert ask(QUERIES[:1]) == [QUERIES[0][0]]
    freeze_arms(study, tmp_path)
    assert ask(more) == [QUERIES[1][0], "Wheat"]
    assert freeze_arms(study, tmp_path)[-1] == "node, production: 3 blocks frozen"
    frozen = (tmp_path / "data" / "production" / "node.parquet").read_bytes()
    server.plays = [reply({**GOOD, "generation": {"id": "g2"}})]
    assert ask(more) == [], "nothing that could have changed is asked"
    assert freeze_arms(study, tmp_path)[-1] == "node, production: 3 blocks frozen already"
    assert (tmp_path / "data" / "production" / "node.parquet").read_bytes() == frozen
    assert len(ask(more, hops=scaffold["hops"] + 1)) == 3, "asked in another way"
    node["base_url"] = server.url.replace("127.0.0.1", "localhost")
    assert len(ask(more)) == 3, "another node"
