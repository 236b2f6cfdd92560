"""Frozen answers and those of the cache, put together for freezing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.schemas import ATTEMPTS, CALLS, COMPLETIONS
from copyceiling.artefacts.store import rows, write, write_changed, write_sums
from copyceiling.completions import Cell, frozen_first
from copyceiling.errors import ArtefactError
from copyceiling.live.backend import BackendError
from copyceiling.live.kept import outcomes_had, read_kept, write_kept
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import call_row, completion_row, read_outcomes

from tests.live.playing import FREE, FakeBackend, calls, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.live.runner import run_calls

ONE, TWO, THREE = calls(3)


class Place:
    """A folder of frozen inputs, and what runs and freezes do to it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.frozen = folder, folder / "frozen"
        self.ended = folder / "completions.parquet"

    def run(self, cache: str, *asked: Call, **how: Any) -> FakeBackend:
        """Have calls answered as a live run does, what is frozen first."""
        live = settings(self.folder / cache, prices={"played": FREE}, max_tries=1)
        backend = FakeBackend(**how)
        kept = read_kept(self.frozen, "", "played")
        lookup = frozen_first(
            kept.outcomes, lambda rest: run_calls(rest, spec(), live, backend=backend)
        )
        found = lookup(asked)
        cells = [Cell(c.key[:8], "raw", found[c.key], 50, 1, found[c.key].tries) for c in asked]
        write(self.ended, [completion_row("played", c) for c in cells], COMPLETIONS, {})
        return backend

    def freeze(self, cache: str, *asked: Call) -> tuple[str, dict[str, Outcome]]:
        """Freeze these calls; return what was done and what is frozen then."""
        folder = self.folder / cache / "played"
        kept = read_kept(self.frozen, "", "played")
        had = outcomes_had(kept, folder, self.ended, COMPLETIONS)
        found = [
            call_row(had[c.key], model="played", question_id=c.key[:8], arm="raw", repeat=0,
                     budget=50)
            for c in asked
        ]  # fmt: skip
        done = write_kept(kept, found, CALLS, folder, {"rule": "x"})
        write_sums(self.frozen)
        return done, read_outcomes(kept.calls)

    def tries(self) -> list[tuple[str, int, str]]:
        """Return key, number and state of every frozen try."""
        path = self.frozen / "attempts" / "played.parquet"
        return [(r["key"], r["try"], r["state"]) for r in rows(path, ATTEMPTS)]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A place where the first call is frozen, and no cache has it."""
    made = Place(tmp_path)
    made.run("first", ONE)
    assert made.freeze("first", ONE)[0] == "1 calls, 1 attempts frozen"
    return made


def fail(*_: object) -> None:
    """Fail for good."""
    raise BackendError("http_500", "down", retryable=False)


def test_a_frozen_answer_stays_whatever_the_cache_holds(place: Place) -> None:
    """A cache that was filled otherwise, as one is from before the answers were frozen."""
    before = read_outcomes(place.frozen / "calls" / "played.parquet")
    live = settings(place.folder / "other", prices={"played": FREE})
    run_calls([ONE, TWO], spec(), live, backend=FakeBackend(text="another answer"))
    assert place.run("other", ONE, TWO).asked.total() == 0
    done, found = place.freeze("other", ONE, TWO)
    assert done == "2 calls (1 new), 2 attempts frozen"
    assert found[ONE.key] == before[ONE.key] and found[TWO.key].answer == "another answer"
    assert place.freeze("other", ONE, TWO)[0] == "2 calls, 2 attempts frozen already"


def test_a_frozen_error_is_asked_again_until_there_is_an_answer(place: Place) -> None:
    place.run("second", ONE, TWO, step=fail)
    _, found = place.freeze("second", ONE, TWO)
    assert (found[TWO.key].status, found[TWO.key].tries) == ("error", 1)
    again = place.run("second", ONE, TWO, step=fail)
    assert set(again.asked) == {TWO.key}
    _, found = place.freeze("second", ONE, TWO)
    assert (found[TWO.key].status, found[TWO.key].tries) == ("error", 2), "the try that counts"
    # On another machine, with another cache, it is answered.
    assert set(place.run("third", ONE, TWO).asked) == {TWO.key}
    _, found = place.freeze("third", ONE, TWO)
    assert (found[TWO.key].status, found[TWO.key].tries) == ("ok", 1)
    assert sorted(place.tries()) == sorted([(ONE.key, 1, "done"), (TWO.key, 1, "done")])
    assert place.run("fourth", ONE, TWO).asked.total() == 0


def test_an_error_of_a_replay_is_frozen_as_it_was(place: Place) -> None:
    """The cache never sent it, so it is the frozen one that was replayed."""
    place.run("second", ONE, TWO, step=fail)
    place.freeze("second", ONE, TWO)
    frozen = (place.frozen / "calls" / "played.parquet").read_bytes()
    tries = place.tries()
    place.run("elsewhere", THREE)  # so that there is a cache
    row = rows(place.frozen / "calls" / "played.parquet", CALLS)
    cells = [Cell(r["question_id"], "raw", read_outcomes(place.frozen / "calls/played.parquet")
                  [r["key"]], 50, 1, 7) for r in row]  # fmt: skip
    write(place.ended, [completion_row("played", c) for c in cells], COMPLETIONS, {})
    done, _ = place.freeze("elsewhere", ONE, TWO)
    assert done.endswith("frozen already") and place.tries() == tries
    assert (place.frozen / "calls" / "played.parquet").read_bytes() == frozen


def test_what_is_no_longer_planned_is_dropped_with_its_tries(place: Place) -> None:
    place.run("second", TWO)
    done, found = place.freeze("second", TWO)
    assert done == "1 calls, 1 attempts frozen"
    assert found.keys() == {TWO.key} and [key for key, *_ in place.tries()] == [TWO.key]


def test_a_damaged_file_is_not_taken_over(place: Place) -> None:
    path = place.frozen / "attempts" / "played.parquet"
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ArtefactError, match="has sha256"):
        read_kept(place.frozen, "", "played")


def test_a_file_is_written_where_a_cell_differs_volatile_or_not(tmp_path: Path) -> None:
    one = Outcome("k", "ok", "a", "stop", 1, 1, latency_ms=1.0)
    path = tmp_path / "calls.parquet"

    def put(outcome: Outcome, made: str) -> bool:
        row = call_row(outcome, model="m", question_id="q", arm="raw", repeat=0, budget=5)
        return write_changed(path, [row], CALLS, {"rule": made})

    assert put(one, "first")
    kept = path.read_bytes()
    assert not put(one, "second") and path.read_bytes() == kept, "with its provenance"
    assert put(replace(one, latency_ms=2.0), "third")
    assert put(replace(one, answer="b"), "fourth")
    path.write_bytes(b"no Parquet")
    assert put(one, "fifth")
