"""Answers on disk, by key of the call: diskcache without eviction, pickle or value files.

diskcache pickles whatever is not text or a number, and unpickles whatever it finds marked so
(CVE-2025-69872, unfixed), for keys as for values; and a value file that vanished is a silent miss.
So nothing but text inside the SQLite file is written or read here.
"""

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import diskcache

from copyceiling.errors import ArtefactError
from copyceiling.live.entry import (
    DATABASE,
    MODE_RAW,
    bad_entry,
    broken_database,
    check_rows,
    decode,
    encode,
)
from copyceiling.requests import Outcome

_NEVER = 1 << 62  # bytes: no value is that long, so none goes to a file of its own
_SETTINGS = {
    "eviction_policy": "none",
    "cull_limit": 0,
    "size_limit": _NEVER,
    "disk_min_file_size": _NEVER,
    "sqlite_synchronous": 2,  # FULL: an answer is on disk before it counts as had
    "statistics": 0,
    "tag_index": 0,
}


class TextDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache is untyped
    """Keeps text keys and text values in the database, and refuses all else both ways."""

    def put(self, key: Any) -> tuple[str, bool]:
        """Return a key as it is stored."""
        if type(key) is not str:
            raise ArtefactError(f"a cache key must be text, found {type(key).__name__}")
        return key, True

    def get(self, key: Any, raw: bool) -> str:
        """Return a stored key."""
        if not raw or type(key) is not str:
            raise ArtefactError("a cache key is pickled or no text, and was not unpickled")
        return key

    def store(self, value: Any, read: bool, key: Any = None) -> tuple[int, int, None, str]:
        """Return a value as it is stored."""
        if read or type(value) is not str:
            raise ArtefactError(f"a cache value must be text, found {type(value).__name__}")
        return 0, MODE_RAW, None, value

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> str:
        """Return a stored value."""
        if read or mode != MODE_RAW or filename is not None or type(value) is not str:
            raise ArtefactError("a cache value is pickled, elsewhere or gone; it was not loaded")
        return value

    def filename(self, key: Any = None, value: Any = None) -> tuple[str, str]:
        """Refuse: no value has a file."""
        raise ArtefactError("cache values have no files")

    def remove(self, file_path: str) -> None:
        """Refuse: a row that names a file would have it deleted."""
        raise ArtefactError(f"a cache row names a file, '{file_path}', which was left alone")


class AnswerCache:
    """The answers of one folder. Any thread may read and write; one process at a time."""

    def __init__(self, folder: Path) -> None:
        """Open the cache and check every entry, before anything is asked.

        Raises:
            ArtefactError: The file or an entry is damaged or foreign; nothing was changed.
        """
        self._folder = folder
        try:
            if (folder / DATABASE).exists():
                with contextlib.closing(sqlite3.connect(folder / DATABASE)) as connection:
                    self.keys = {key for key, _ in check_rows(connection, folder)}
            else:
                self.keys = set()
            self._cache = diskcache.Cache(str(folder.resolve()), disk=TextDisk, **_SETTINGS)
        except (sqlite3.Error, OSError, TypeError, ValueError, KeyError) as e:
            raise broken_database(folder, e) from e

    def get(self, key: str) -> Outcome | None:
        """Return the answer to a call, None if it was never had.

        Raises:
            ArtefactError: The entry is damaged.
        """
        try:
            text = self._cache.get(key)
        except ArtefactError as e:
            raise bad_entry(self._folder, key, str(e)) from e
        except sqlite3.Error as e:
            raise broken_database(self._folder, e) from e
        return None if text is None else decode(key, text, self._folder)

    def put(self, outcome: Outcome) -> None:
        """Keep an answer; it is on disk when this returns.

        Raises:
            ArtefactError: The disk is full or fails; the entries before it stay.
        """
        try:
            self._cache.set(outcome.key, encode(outcome))
        except (sqlite3.Error, OSError, diskcache.Timeout) as e:
            raise broken_database(self._folder, _root(e)) from e
        self.keys.add(outcome.key)

    def close(self) -> None:
        """Close this thread's connection."""
        self._cache.close()


def _root(error: Exception) -> Exception:
    """Return the first error: diskcache's rollback after a full disk fails in turn and hides it."""
    while isinstance(error.__context__, sqlite3.Error):
        error = error.__context__
    return error
