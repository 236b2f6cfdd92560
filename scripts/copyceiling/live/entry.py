"""How an answer is stored: JSON text with a format number and a checksum, in diskcache's table.

Reading for freezing and estimates goes straight to SQLite, read-only and without diskcache; every
row is checked on the way, so a foreign or damaged one is an error that names it, never a miss.
"""

import contextlib
import dataclasses
import hashlib
import json
import re
import shlex
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from copyceiling.errors import ArtefactError
from copyceiling.requests import STATUSES, Outcome

FORMAT = 1
DATABASE = "cache.db"
MODE_RAW = 1  # diskcache: the value stands in its row as it is
_KEY = re.compile(r"[0-9a-f]{64}")
_FIELDS = [f.name for f in dataclasses.fields(Outcome)]


def encode(outcome: Outcome) -> str:
    """Return an outcome as the text of its entry."""
    body = dataclasses.asdict(outcome)
    return _json({"format": FORMAT, "outcome": body, "sha256": _digest(body)})


def decode(key: str, text: str, folder: Path) -> Outcome:
    """Return the outcome that an entry holds.

    Raises:
        ArtefactError: Another format, a wrong checksum, or another call's answer.
    """
    try:
        document: Any = json.loads(text)
        form, body, stated = document["format"], document["outcome"], document["sha256"]
    except (ValueError, KeyError, TypeError) as e:
        raise bad_entry(folder, key, "it is no entry of this pipeline") from e
    if form != FORMAT:
        raise bad_entry(folder, key, f"it has format {form}, this version reads {FORMAT}")
    if stated != _digest(body):
        raise bad_entry(folder, key, "its checksum does not fit")
    if sorted(body) != sorted(_FIELDS) or body["status"] not in STATUSES or body["key"] != key:
        raise bad_entry(folder, key, "it holds another call's answer, or none")
    return Outcome(**body)


def bad_entry(folder: Path, key: str, what: str) -> ArtefactError:
    """Return the error for an entry that cannot be used."""
    return ArtefactError(
        f"cache entry {key} in '{folder}': {what}. Nothing was asked. Restore the folder from a "
        "backup, or forget this one answer, which is then asked (and paid for) again:\n"
        f"  {forget_command(folder)} {key}"
    )


def forget_command(folder: Path) -> str:
    """Return the start of the shell command that forgets entries."""
    return f"python -m copyceiling.live.forget {shlex.quote(str(folder))}"


def broken_database(folder: Path, error: Exception) -> ArtefactError:
    """Return the error for a cache that SQLite cannot read: the disk's fault, or the file's."""
    if isinstance(error, sqlite3.OperationalError | OSError):
        return ArtefactError(
            f"cannot write or open the cache in '{folder}': {error}. What was recorded is kept. "
            "Free space or make the folder writable, then run again: it resumes."
        )
    return ArtefactError(
        f"the cache in '{folder}' cannot be read: {error}. Restore the folder from a backup, or "
        "move it away to start over (its answers are asked, and paid for, again)."
    )


def read_cache(folder: Path) -> Iterator[tuple[str, Outcome]]:
    """Yield the key and outcome of every answer in a model's folder, sorted by key.

    Needs no lock: a run may go on meanwhile.

    Raises:
        ArtefactError: There is no cache, or a row is damaged or foreign.
    """
    path = folder / DATABASE
    if not path.exists():
        raise ArtefactError(f"there is no cache '{path}': no live run has used this folder")
    try:
        uri = f"{path.resolve().as_uri()}?mode=ro"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            yield from check_rows(connection, folder)
    except sqlite3.Error as e:
        raise broken_database(folder, e) from e


def check_rows(connection: sqlite3.Connection, folder: Path) -> Iterator[tuple[str, Outcome]]:
    """Yield all entries, sorted by key, once SQLite finds no damage in the file as such."""
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise broken_database(folder, sqlite3.DatabaseError(verdict))
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'Cache'").fetchone():
        return  # a run that ended before its first answer
    rows = connection.execute(
        "SELECT rowid, key, raw, mode, filename, expire_time, value FROM Cache ORDER BY key"
    )
    for rowid, key, raw, mode, filename, expires, value in rows:
        # The name ends up in a command to paste, so only a real key may be one.
        name = key if isinstance(key, str) and _KEY.fullmatch(key) else f"row:{rowid}"
        if raw != 1 or name != key:
            raise bad_entry(folder, name, "its key is pickled or no call's, and was not unpickled")
        if mode != MODE_RAW or filename is not None or not isinstance(value, str):
            raise bad_entry(folder, name, "its value is pickled, elsewhere or gone")
        if expires is not None:
            raise bad_entry(folder, name, "it has a date of expiry, which no answer has")
        yield key, decode(key, value, folder)


def _digest(body: Any) -> str:
    return hashlib.sha256(_json(body).encode()).hexdigest()


def _json(document: Any) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
