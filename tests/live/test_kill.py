"""kill -9 at many moments: no answer had is asked again, and at most the calls in flight are."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.live.hostile_provider import HostileProvider
from tests.live.playing import calls, environment, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_attempts, read_books
from copyceiling.live.runner import run_calls

CONCURRENCY = 4
COUNT = 80
TAGS = {c.key: f"t{i:03d}" for i, c in enumerate(calls(COUNT))}


def start(server: HostileProvider, folder: Path, how: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.live.sweep_child", server.base_url, str(folder)]
    return subprocess.Popen([*command, str(COUNT), str(CONCURRENCY), how], env=environment())


def kill_after(server: HostileProvider, answers: int, child: "subprocess.Popen[bytes]") -> None:
    """Kill the run, -9, once the server has answered so often, and let the server settle."""
    deadline = time.monotonic() + 60
    while server.answered.total() < answers and child.poll() is None:
        assert time.monotonic() < deadline, "the run does not get on"
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.wait()
    while server.in_flight:
        time.sleep(0.005)


def check_after_kill(server: HostileProvider, folder: Path) -> set[str]:
    """Check what a killed run left; return the keys of the answers that are there."""
    had = {key for key, _ in read_cache(folder)}
    lost = server.answered.total() - sum(1 for key in had if server.answered[TAGS[key]])
    in_flight = (
        sum(a["state"] == "unknown" for a in read_attempts(folder))
        - read_books(folder).counts["unknown"]
    )
    assert in_flight <= CONCURRENCY
    assert lost <= in_flight + read_books(folder).counts["unknown"]
    return had


def test_kill_at_many_moments(tmp_path: Path) -> None:
    folder = tmp_path / "played"
    moments = [1, 7, 12, 26, 41, 55, 68]
    with HostileProvider(latency_s=0.02) as server:
        for moment in moments:
            kill_after(server, moment, start(server, tmp_path, "plain"))
            had = check_after_kill(server, folder)
            before = {key: server.asked[TAGS[key]] for key in had}
        found = run_calls(
            calls(COUNT), spec(server.base_url, concurrency=CONCURRENCY), settings(tmp_path)
        )
        assert {key: server.asked[TAGS[key]] for key in had} == before
        check_books(server, folder, kills=len(moments))
        assert {o.status for o in found.values()} == {"ok"}
        assert server.peak <= CONCURRENCY


def check_books(server: HostileProvider, folder: Path, kills: int) -> None:
    """The ledger's counts agree with the server's."""
    books = read_books(folder)
    assert books.counts["done"] == len(books.answered) == COUNT
    unknown = books.counts["unknown"]
    assert unknown <= kills * CONCURRENCY
    assert books.counts["sent"] == COUNT + unknown
    # Each request was on record before it was sent; a kill may come between the two.
    assert COUNT <= server.asked.total() <= books.counts["sent"]
    for key, tag in TAGS.items():
        assert 1 <= server.asked[tag] <= books.tries[key]
    assert not books.in_flight
    assert books.counts["run"] == kills + 1


def test_kill_with_litellm(tmp_path: Path) -> None:
    """The same with the real client in the killed process."""
    pytest.importorskip("litellm", reason="the extra 'live' is not installed")
    with HostileProvider(latency_s=0.05) as server:
        kill_after(server, 25, start(server, tmp_path, "litellm"))
        had = check_after_kill(server, tmp_path / "played")
        assert len(had) >= 25 - CONCURRENCY
        model = spec(server.base_url, concurrency=CONCURRENCY)
        run_calls(calls(COUNT), model, settings(tmp_path))
        assert {server.asked[TAGS[key]] for key in had} == {1}
        check_books(server, tmp_path / "played", kills=1)


def test_a_key_press_keeps_answers_in_flight(tmp_path: Path) -> None:
    """Ctrl-C sends nothing more, and waits for what is under way."""
    with HostileProvider(latency_s=0.2) as server:
        child = start(server, tmp_path, "plain")
        while server.answered.total() < 8:
            time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        assert child.wait(20) != 0
        assert server.asked.total() < COUNT
        assert server.answered.total() == len(list(read_cache(tmp_path / "played")))
        assert not read_books(tmp_path / "played").in_flight
