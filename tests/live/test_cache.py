"""The cache: a damaged, foreign or pickled row is an error that names it, and nothing is lost."""

import pickle
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.live.playing import FakeBackend, call, calls, settings, spec, without_volatile

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.errors import ArtefactError
from copyceiling.live import forget as forgetting
from copyceiling.live.cache import AnswerCache, TextDisk
from copyceiling.live.entry import read_cache
from copyceiling.live.lock import FolderInUse, only_writer
from copyceiling.live.runner import run_calls

CALLS = calls(6)
KEY = CALLS[3].key


class Bomb:
    """Leaves a file behind if it is ever unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> Any:
        return (open, (self.path, "w"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache with six answers."""
    run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    return tmp_path / "played"


def sql(folder: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(folder / "cache.db")
    with connection:
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


def value(folder: Path, key: str) -> str:
    connection = sqlite3.connect(folder / "cache.db")
    (text,) = connection.execute("SELECT value FROM Cache WHERE key = ?", (key,)).fetchone()
    connection.close()
    return str(text)


def flip(folder: Path) -> None:
    text = value(folder, KEY).replace("answer to", "answer TO")
    sql(folder, "UPDATE Cache SET value = ? WHERE key = ?", text, KEY)


def other_format(folder: Path) -> None:
    text = value(folder, KEY).replace('"format":1', '"format":2')
    sql(folder, "UPDATE Cache SET value = ? WHERE key = ?", text, KEY)


def swap(folder: Path) -> None:
    text = value(folder, CALLS[0].key)
    sql(folder, "UPDATE Cache SET value = ? WHERE key = ?", text, KEY)


def foreign(folder: Path) -> None:
    sql(folder, "UPDATE Cache SET value = '{\"answer\": 1}' WHERE key = ?", KEY)


def vanish(folder: Path) -> None:
    sql(folder, "UPDATE Cache SET value = NULL WHERE key = ?", KEY)


def to_file(folder: Path) -> None:
    change = "UPDATE Cache SET value = NULL, mode = 3, filename = '../victim' WHERE key = ?"
    sql(folder, change, KEY)


def pickled_value(folder: Path) -> None:
    bomb = pickle.dumps(Bomb(folder / "exploded"))
    sql(folder, "UPDATE Cache SET value = ?, mode = 4 WHERE key = ?", bomb, KEY)


def expire(folder: Path) -> None:
    sql(folder, "UPDATE Cache SET expire_time = ? WHERE key = ?", time.time() - 1, KEY)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (flip, "its checksum does not fit"),
        (other_format, "it has format 2, this version reads 1"),
        (swap, "it holds another call's answer"),
        (foreign, "it is no entry of this pipeline"),
        (vanish, "its value is pickled, elsewhere or gone"),
        (to_file, "its value is pickled, elsewhere or gone"),
        (pickled_value, "its value is pickled, elsewhere or gone"),
        (expire, "it has a date of expiry"),
    ],
)
def test_bad_entry(damage: Any, message: str, folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.touch()
    damage(folder)
    backend = FakeBackend()
    more = [*CALLS, call("new")]
    for _ in range(2):
        with pytest.raises(ArtefactError) as caught:
            run_calls(more, spec(), settings(tmp_path), backend=backend)
        assert KEY in str(caught.value)
        assert str(folder) in str(caught.value)
        assert message in str(caught.value)
    with pytest.raises(ArtefactError, match=KEY):
        list(read_cache(folder))
    assert not backend.asked
    assert not (folder / "exploded").exists()
    assert victim.exists()
    # The way out that the message names: that one answer is asked again, the others are not.
    assert forgetting.main([str(folder), KEY]) == 0
    found = run_calls(more, spec(), settings(tmp_path), backend=backend)
    assert set(backend.asked) == {KEY, more[-1].key}
    assert {o.status for o in found.values()} == {"ok"}
    assert victim.exists()


def test_pickled_key(folder: Path, tmp_path: Path) -> None:
    bomb = pickle.dumps(Bomb(folder / "exploded"))
    row = "INSERT INTO Cache (key, raw, mode, size, value) VALUES (?, 0, 1, 0, ?)"
    sql(folder, row, bomb, value(folder, KEY))
    with pytest.raises(ArtefactError, match=r"cache entry row:7 .*pickled.*not unpickled"):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    assert not (folder / "exploded").exists()
    assert forgetting.main([str(folder), "row:7"]) == 0
    backend = FakeBackend()
    run_calls(CALLS, spec(), settings(tmp_path), backend=backend)
    assert not backend.asked


def test_key_that_is_no_key(folder: Path, tmp_path: Path) -> None:
    """Its text does not get into the command that the message says to run."""
    row = "INSERT INTO Cache (key, raw, mode, size, value) VALUES (?, 1, 1, 0, ?)"
    sql(folder, row, "'; touch exploded; '", value(folder, KEY))
    with pytest.raises(ArtefactError, match="cache entry row:7 ") as caught:
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    assert "touch" not in str(caught.value)


def test_disk_refuses_pickle_both_ways(tmp_path: Path) -> None:
    disk = TextDisk(str(tmp_path), min_file_size=0)
    bomb = pickle.dumps(Bomb(tmp_path / "exploded"))
    for refused in (
        lambda: disk.put(("a", 1)),
        lambda: disk.put(b"bytes"),
        lambda: disk.get(bomb, False),
        lambda: disk.get(bomb, True),
        lambda: disk.store({"a": 1}, False),
        lambda: disk.store("text", True),
        lambda: disk.fetch(4, None, bomb, False),
        lambda: disk.fetch(4, "file.val", None, False),
        lambda: disk.fetch(1, None, bomb, False),
        lambda: disk.filename(),
        lambda: disk.remove("file.val"),
    ):
        with pytest.raises(ArtefactError):
            refused()
    assert list(tmp_path.iterdir()) == []


def test_answer_that_is_gone(folder: Path, tmp_path: Path) -> None:
    """The ledger knows that it was had, so its absence is no miss."""
    sql(folder, "DELETE FROM Cache WHERE key = ?", KEY)
    backend = FakeBackend()
    with pytest.raises(ArtefactError, match=rf"(?s)has lost 1 answer.*{KEY}"):
        run_calls(CALLS, spec(), settings(tmp_path), backend=backend)
    assert not backend.asked
    assert forgetting.main([str(folder), KEY]) == 0
    run_calls(CALLS, spec(), settings(tmp_path), backend=backend)
    assert set(backend.asked) == {KEY}


def test_ledger_that_is_gone(folder: Path, tmp_path: Path) -> None:
    """Without it nobody knows what was spent."""
    (folder / "ledger.jsonl").unlink()
    for _ in range(2):
        with pytest.raises(ArtefactError, match=r"6 answer\(s\) that 'ledger.jsonl' does not know"):
            run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())


def test_file_that_is_no_database(folder: Path, tmp_path: Path) -> None:
    (folder / "cache.db").write_bytes(b"not a database" * 1000)
    with pytest.raises(ArtefactError, match=r"the cache in .*played' cannot be read"):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    with pytest.raises(ArtefactError, match="cannot be read"):
        list(read_cache(folder))


def test_damaged_page(folder: Path, tmp_path: Path) -> None:
    data = bytearray((folder / "cache.db").read_bytes())
    data[4096 * 2 : 4096 * 8] = bytes(4096 * 6)
    (folder / "cache.db").write_bytes(data)
    with pytest.raises(ArtefactError, match="cannot be read"):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())


def test_settings_on_disk(folder: Path) -> None:
    connection = sqlite3.connect(folder / "cache.db")
    found = dict(connection.execute("SELECT key, value FROM Settings"))
    connection.close()
    assert found["eviction_policy"] == "none"
    assert found["cull_limit"] == 0
    assert found["sqlite_synchronous"] == 2
    assert found["count"] == 6


def test_long_answers_stay_in_the_database(tmp_path: Path) -> None:
    text = "long \x00 \U0001f9ec " * 20_000
    found = run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend(text=text))
    folder = tmp_path / "played"
    assert dict(read_cache(folder)) == found
    assert [key for key, _ in read_cache(folder)] == sorted(found)
    assert {p.name for p in folder.iterdir()} <= {
        "cache.db",
        "cache.db-shm",
        "cache.db-wal",
        "ledger.jsonl",
        "lock",
    }
    again = run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    assert again == found


def test_second_writer(folder: Path, tmp_path: Path) -> None:
    with (
        only_writer(folder, wait=False),
        pytest.raises(FolderInUse, match=rf"process \d+\) writes to the cache folder '{folder}'"),
    ):
        run_calls(CALLS, spec(), settings(tmp_path), backend=FakeBackend())
    # Another model has a folder of its own.
    with only_writer(folder, wait=False):
        run_calls(CALLS, spec(model="other"), settings(tmp_path), backend=FakeBackend())


def test_second_writer_may_wait(folder: Path, tmp_path: Path) -> None:
    backend = FakeBackend()
    patient = settings(tmp_path, wait_for_folder=True)
    with only_writer(folder, wait=False):
        second = threading.Thread(
            target=run_calls, args=([call("new")], spec(), patient), kwargs={"backend": backend}
        )
        second.start()
        time.sleep(0.2)
        assert not backend.asked
    second.join(10)
    assert len(backend.asked) == 1


def test_reading_while_a_run_goes_on(folder: Path, tmp_path: Path) -> None:
    seen: list[int] = []

    def look(*_: object) -> None:
        seen.append(len(list(read_cache(folder))))

    run_calls([call("new"), call("newer")], spec(), settings(tmp_path), backend=FakeBackend(look))
    assert seen[0] == 6
    assert len(list(read_cache(folder))) == 8


def test_no_cache_yet(tmp_path: Path) -> None:
    with pytest.raises(ArtefactError, match="no live run has used this folder"):
        list(read_cache(tmp_path))
    (tmp_path / "cache.db").touch()  # a run that was killed at its very start
    assert list(read_cache(tmp_path)) == []
    AnswerCache(tmp_path).close()


def test_second_run_asks_nothing_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    first = dict(read_cache(folder))
    backend = FakeBackend()
    again = run_calls(CALLS[::-1], spec(), settings(tmp_path), backend=backend)
    assert not backend.asked
    assert again == first
    assert list(again) == [c.key for c in CALLS[::-1]]
    assert without_volatile(again) == without_volatile(first)


def test_cached_run_needs_no_litellm_and_no_key(folder: Path, tmp_path: Path) -> None:
    """All answers are there, so nothing that could send is even made."""
    model = spec(key_env="NO_SUCH_VARIABLE")
    assert len(run_calls(CALLS, model, settings(tmp_path))) == 6
