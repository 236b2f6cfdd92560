"""The ledger: what is on record, what a crash may cost, and what a damaged line does."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as checks
from hypothesis import strategies as st

from tests.live.playing import FREE, FakeBackend, call, calls, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.errors import ArtefactError
from copyceiling.live.backend import BackendError
from copyceiling.live.ledger import Ledger, read_attempts, read_books
from copyceiling.live.runner import run_calls
from copyceiling.live.settings import Price
from copyceiling.live.shard import open_shard

CALLS = calls(5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with five answers, one of them at the second try."""

    def step(asked: Any, number: int) -> None:
        if asked.key == CALLS[2].key and number == 1:
            raise BackendError("timeout", "too late", retryable=True)

    run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend(step))
    return tmp_path / "played"


def test_attempts(folder: Path) -> None:
    attempts = list(read_attempts(folder))
    assert [(a["key"], a["try"]) for a in attempts] == sorted(
        (a["key"], a["try"]) for a in attempts
    )
    assert len(attempts) == 6
    first, second = (a for a in attempts if a["key"] == CALLS[2].key)
    assert (first["state"], first["error_kind"], first["final"]) == ("failed", "timeout", False)
    assert first["error"] == "too late"
    assert (second["state"], second["status"], second["try"]) == ("done", "ok", 2)
    assert second["budget"] == 50
    assert second["finish_reason"] == "stop"
    assert (second["prompt_tokens"], second["completion_tokens"]) == (10, 5)


def test_torn_last_line(folder: Path, tmp_path: Path) -> None:
    """A kill while a line is written: the line was for nothing, the rest counts."""
    path = folder / "ledger.jsonl"
    whole = path.read_bytes()
    for cut in (1, 20, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        backend = FakeBackend()
        run_calls(CALLS, spec(), settings(tmp_path), backend=backend)
        assert not backend.asked, "the answer is in the cache, whatever became of its line"
        assert not read_books(folder).in_flight
        assert read_books(folder).counts["unknown"] == 0


@pytest.mark.parametrize("where", [0, 1, 3, -1])
def test_bad_line(where: int, folder: Path, tmp_path: Path) -> None:
    path = folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    number = where % len(lines) + 1
    for damaged in (
        lines[where]
        .replace(b'"at":1', b'"at":2')
        .replace(b'"prompt_tokens":10', b'"prompt_tokens":9'),
        b"garbage\n",
        b"[1]\n",
        b"\n",
    ):
        bad = [*lines]
        bad[where] = damaged
        path.write_bytes(b"".join(bad))
        with pytest.raises(ArtefactError, match=rf"ledger.jsonl' line {number} is damaged"):
            run_calls([call("new")], spec(), settings(tmp_path), backend=FakeBackend())
        with pytest.raises(ArtefactError, match=f"line {number} is damaged"):
            list(read_attempts(folder))


def test_line_out_of_place(folder: Path, tmp_path: Path) -> None:
    path = folder / "ledger.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[-1]]))
    message = rf"line {len(lines) + 1} is damaged: the end of a try that was never sent"
    with pytest.raises(ArtefactError, match=message):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())


def test_other_format(folder: Path, tmp_path: Path) -> None:
    path = folder / "ledger.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"format":1', b'"format":2', 1))
    with pytest.raises(ArtefactError, match="has format 2, this version writes 1"):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())


def test_unknown_counts_at_its_worst(tmp_path: Path) -> None:
    """A try that was sent and never ended is asked again; it may have been paid for."""
    folder = tmp_path / "played"
    price = Price(1.0, 2.0)
    live = settings(tmp_path, prices={"played": price})
    with open_shard(folder, "played", cap_usd=None, wait=False) as shard:
        shard.begin(CALLS[0], 0.25, threading.Event())
    assert read_books(folder).spend.upper_usd == 0.25
    backend = FakeBackend()
    found = run_calls(CALLS[:1], spec(), live, backend=backend)
    assert found[CALLS[0].key].tries == 2
    assert [a["state"] for a in read_attempts(folder)] == ["unknown", "done"]
    spend = read_books(folder).spend
    assert spend.known_usd == pytest.approx((10 * 1.0 + 5 * 2.0) / 1e6)
    assert spend.upper_usd == pytest.approx(0.25 + spend.known_usd)
    assert read_books(folder).counts["unknown"] == 1


def test_errors_are_asked_again(tmp_path: Path) -> None:
    def fail(*_: Any) -> None:
        raise BackendError("http_500", "no luck", retryable=True)

    found = run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend(fail))
    assert {(o.status, o.error, o.tries) for o in found.values()} == {("error", "no luck", 3)}
    books = read_books(tmp_path / "played")
    assert books.counts["failed"] == 15
    assert books.counts["final"] == 5
    found = run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    assert {(o.status, o.tries) for o in found.values()} == {("ok", 4)}


def test_price_unknown(tmp_path: Path) -> None:
    run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    assert read_books(tmp_path / "played").spend.upper_usd is None
    run_calls(
        CALLS,
        spec(model="free"),
        settings(tmp_path, prices={"free": FREE}),
        backend=FakeBackend(),
    )
    assert read_books(tmp_path / "free").spend.upper_usd == 0.0


def test_full_disk_keeps_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that stops half-way is taken back, and nothing more is written."""
    ledger = Ledger(tmp_path, "played")
    ledger.append({"event": "sent", "key": "a", "try": 1, "budget": 1, "worst_usd": None, "at": 0})
    before = (tmp_path / "ledger.jsonl").read_bytes()
    real = os.write

    def half(file: int, data: bytes) -> int:
        return real(file, data[: len(data) // 2])

    monkeypatch.setattr("copyceiling.live.ledger.os.write", half)
    record = {"event": "sent", "key": "b", "try": 1, "budget": 1, "worst_usd": None, "at": 0}
    with pytest.raises(ArtefactError, match=r"cannot write .*ledger.jsonl': No space left"):
        ledger.append(record)
    monkeypatch.undo()
    with pytest.raises(ArtefactError, match="could not be written before"):
        ledger.append(record)
    ledger.close()
    assert (tmp_path / "ledger.jsonl").read_bytes() == before


@checks(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_flipped_bit_is_found(data: st.DataObject, folder: Path) -> None:
    """No byte of a finished line can change unseen."""
    path = folder / "ledger.jsonl"
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 2))
    bit = data.draw(st.integers(0, 7))
    changed = bytearray(whole)
    changed[at] ^= 1 << bit
    path.write_bytes(changed)
    try:
        with pytest.raises(ArtefactError, match=r"ledger\.jsonl"):
            read_books(folder)
    finally:
        path.write_bytes(whole)


def test_lines_are_plain_json(folder: Path) -> None:
    for line in (folder / "ledger.jsonl").read_text().splitlines():
        assert json.loads(line)["event"] in ("run", "sent", "done", "failed")
