"""A disk that is full for real: a clear error, nothing recorded is lost, and a rerun resumes."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.live.playing import FakeBackend, calls, settings, spec

pytest.importorskip("diskcache", reason="the extra 'live' is not installed")
pytest.importorskip("tenacity", reason="the extra 'live' is not installed")

from copyceiling.errors import ArtefactError
from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_attempts, read_books
from copyceiling.live.runner import run_calls

CALLS = calls(60)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 700 kB in memory."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(tmp_path)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a small file system needs root")
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


@pytest.mark.parametrize("size", [20_000, 10], ids=["cache", "ledger"])
def test_full_disk(size: int, small_disk: Path) -> None:
    """Long answers fill the disk by the cache; a file beside them leaves no room for the ledger."""
    backend = FakeBackend(text="x" * size)
    folder = small_disk / "played"
    if size == 10:
        run_calls(CALLS[:5], spec(), settings(small_disk), backend=backend)
        fill(small_disk / "ballast")
    with pytest.raises(ArtefactError, match=r"cannot write.* kept\. Free space"):
        run_calls(CALLS, spec(), settings(small_disk), backend=backend)
    (small_disk / "ballast").unlink(missing_ok=True)
    subprocess.run(["mount", "-o", "remount,size=30m", str(small_disk)], check=True)
    had = dict(read_cache(folder))
    assert len(had) >= 5
    list(read_attempts(folder))
    asked = dict(backend.asked)
    found = run_calls(CALLS, spec(), settings(small_disk), backend=backend)
    assert len(found) == 60
    assert {key: found[key] for key in had} == had
    assert {key: backend.asked[key] for key in had} == {key: asked[key] for key in had}
    assert read_books(folder).counts["unknown"] <= spec().concurrency
    assert set(backend.asked.values()) <= {1, 2}


def fill(path: Path) -> None:
    with open(path, "wb", buffering=0) as file:
        for block in (4096, 1):
            try:
                while file.write(bytes(block)):
                    pass
            except OSError:
                continue
