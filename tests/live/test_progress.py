"""Progress: a bar for people, a line now and then for logs, quiet in CI."""

import io
import sys

import pytest

pytest.importorskip("tqdm", reason="the extra 'live' is not installed")

from copyceiling.live import progress as module
from copyceiling.live.ledger import Spend
from copyceiling.live.progress import Progress

SPEND = Spend(0.5, 0.75)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what three of five calls show; two were had before."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("played", 5, 2) as progress:
        for _ in range(3):
            progress.step(SPEND)
    return terminal.getvalue()


def test_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    last = shown_at_a_terminal(monkeypatch).split("\r")[-1]
    assert "played: 100%" in last
    assert "5/5" in last
    assert "call/s" in last
    assert "$0.5000, at most $0.7500" in last


def test_quiet_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert shown_at_a_terminal(monkeypatch) == ""


def test_lines_where_nobody_watches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LINE_EVERY_S", 0.0)
    with Progress("played", 2, 0) as progress:
        progress.step(Spend(0.5, None))
    line = capsys.readouterr().err
    assert line.startswith("played: 1/2 calls, ")
    assert "$0.5000 known, no bound: the price is unknown" in line
