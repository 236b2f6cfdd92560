"""The write-ahead ledger: what was sent, what came of it, what it cost.

One line a record, each with a checksum; lines are only ever added. A request is marked ``sent``, on
disk, before it leaves, so after a crash a request is known, or at worst ``unknown``: sent, and no
answer on record. Ends of tries survive the death of the process too; should the power fail, the
last of them may be lost, and are then settled from the cache or counted as unknown.
"""

import contextlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copyceiling.errors import ArtefactError

FORMAT = 1
NAME = "ledger.jsonl"
Record = dict[str, Any]
_ENDS = ("done", "failed", "unknown")
_EVENTS = ("run", "sent", *_ENDS, "forgotten")
_FLAGS = ("final", "other_model")
_COUNTED = (*_EVENTS, *_FLAGS)


@dataclass(frozen=True)
class Spend:
    """Money spent on one model, in USD.

    Attributes:
        known_usd: Sum of the costs stated or computed for answers that arrived.
        upper_usd: That, and the most that could be billed for every try whose cost is not known:
            those in flight, unknown, timed out or garbled. None if a try had no known price.
    """

    known_usd: float
    upper_usd: float | None


@dataclass
class Books:
    """What the records add up to.

    Attributes:
        tries: Times each key was sent.
        in_flight: Records of tries that have no end yet, by key and try.
        answered: Keys whose answer is on record.
        counts: Number of records by event, of final errors and of other models' names.
    """

    tries: dict[str, int] = field(default_factory=dict)
    in_flight: dict[tuple[str, int], Record] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTED, 0))
    _known_usd: float = 0.0
    _open_usd: float = 0.0
    _unpriced: int = 0

    def apply(self, record: Record) -> None:
        """Add one record.

        Raises:
            ValueError: It does not follow from those before it.
        """
        event = record["event"]
        self.counts[event] += 1
        if event == "run":
            return
        key, number = record["key"], record["try"]
        if event == "sent":
            if number != self.tries.get(key, 0) + 1:
                raise ValueError(f"try {number} of a key sent {self.tries.get(key, 0)} time(s)")
            self.tries[key] = number
            self.in_flight[key, number] = record
        elif event == "forgotten":
            self.answered.discard(key)
        elif (key, number) not in self.in_flight:
            raise ValueError(f"the end of a try that was never sent: {key} try {number}")
        else:
            self._end(event, record, self.in_flight.pop((key, number))["worst_usd"])

    def _end(self, event: str, record: Record, worst: float | None) -> None:
        if event == "done":
            self.answered.add(record["key"])
        for name in _FLAGS:
            self.counts[name] += bool(record.get(name))
        if record.get("cost_usd") is not None:
            self._known_usd += record["cost_usd"]
        elif not record.get("billed", True):
            return
        elif worst is None:
            self._unpriced += 1
        else:
            self._open_usd += worst

    @property
    def spend(self) -> Spend:
        """Money spent, in flight included."""
        flying = [r["worst_usd"] for r in self.in_flight.values()]
        if self._unpriced or None in flying:
            return Spend(self._known_usd, None)
        return Spend(self._known_usd, self._known_usd + self._open_usd + sum(flying))


class Ledger:
    """The ledger of one folder, open for writing by one thread at a time."""

    def __init__(self, folder: Path, model: str) -> None:
        """Read the ledger, cut off a line that a crash left unfinished, note a new run.

        Raises:
            ArtefactError: A line is damaged or of another format; names file and line.
        """
        self._path = folder / NAME
        self.books, self._size = _read(self._path)
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            os.ftruncate(self._file, self._size)
            _sync_folder(folder)
        except OSError as e:
            raise _unwritable(self._path, e) from e
        self._broken = False
        try:
            self.append({"event": "run", "format": FORMAT, "model": model, "at": time.time()})
        except ArtefactError:
            os.close(self._file)
            raise

    def append(self, record: Record) -> None:
        """Add a record; if it opens a try, it is on disk when this returns.

        Raises:
            ArtefactError: The disk is full or fails. The lines before stay whole, and nothing
                more is written.
        """
        if self._broken:
            raise ArtefactError(f"'{self._path}' could not be written before, so nothing more is")
        line = _line(record)
        try:
            if os.write(self._file, line) != len(line):
                raise OSError(28, "No space left on device")  # a short write: the disk is full
            if record["event"] not in _ENDS:
                os.fsync(self._file)
        except OSError as e:
            self._broken = True
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise _unwritable(self._path, e) from e
        self._size += len(line)
        self.books.apply(record)

    def close(self) -> None:
        """Close the file; a worker that outlives the run writes nothing more."""
        self._broken = True
        with contextlib.suppress(OSError):
            os.fsync(self._file)
        os.close(self._file)


def read_attempts(folder: Path) -> Iterator[Record]:
    """Yield every try on record, sorted by key and try, each as one mapping.

    Each has ``key``, ``try``, ``budget`` (tokens), ``at`` (seconds since 1970), ``worst_usd`` and
    ``state``: ``done``, ``failed``, or ``unknown`` where no end is on record. A done or failed try
    has what `Outcome` has of it, and a failed one ``error_kind``, ``http_status``, ``error``,
    ``final`` (no further try in its run) and ``billed`` (whether it may be charged for).

    Raises:
        ArtefactError: The ledger is missing, or a line is damaged.
    """
    path = folder / NAME
    if not path.exists():
        raise ArtefactError(f"there is no '{path}': no live run has used this folder")
    tries: dict[tuple[str, int], Record] = {}
    for _, record in _records(path.read_bytes(), path):
        if record["event"] == "sent":
            tries[record["key"], record["try"]] = {**record, "state": "unknown"}
        elif record["event"] in ("done", "failed"):
            tries[record["key"], record["try"]] |= {**record, "state": record["event"]}
    for _, attempt in sorted(tries.items()):
        yield {name: value for name, value in attempt.items() if name != "event"}


def read_books(folder: Path) -> Books:
    """Return what a folder's ledger adds up to; empty if there is none. Takes no lock."""
    return _read(folder / NAME)[0]


def _read(path: Path) -> tuple[Books, int]:
    """Return the books and the number of bytes in whole lines."""
    books = Books()
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return books, 0
    for number, record in _records(data, path):
        try:
            books.apply(record)
        except (KeyError, ValueError, TypeError) as e:
            raise _damaged(path, number, str(e)) from e
    return books, data.rfind(b"\n") + 1


def _records(data: bytes, path: Path) -> Iterator[tuple[int, Record]]:
    """Yield line numbers and records; what stands after the last newline was never finished."""
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            record = json.loads(line)
            stated = record.pop("crc")
        except (ValueError, KeyError, AttributeError, TypeError) as e:
            raise _damaged(path, number, "it is no record") from e
        if number == 1 and record.get("format") != FORMAT:
            raise ArtefactError(
                f"'{path}' has format {record.get('format')}, this version writes {FORMAT}. Finish "
                "with the version that wrote it, or move the folder away to start over."
            )
        if stated != _crc(record) or record.get("event") not in _EVENTS:
            raise _damaged(path, number, "its checksum does not fit")
        yield number, record


def _sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk: a new file's name is not there by its own fsync."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _line(record: Mapping[str, Any]) -> bytes:
    return _json({**record, "crc": _crc(record)}) + b"\n"


def _crc(record: Mapping[str, Any]) -> int:
    return zlib.crc32(_json(record))


def _json(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def _damaged(path: Path, number: int, what: str) -> ArtefactError:
    return ArtefactError(
        f"'{path}' line {number} is damaged: {what}. Restore the folder from a backup, or move it "
        "away to start over (its answers are asked, and paid for, again)."
    )


def _unwritable(path: Path, error: OSError) -> ArtefactError:
    return ArtefactError(
        f"cannot write '{path}': {error.strerror or error}. The run stopped; what was recorded is "
        "kept. Free space or make the folder writable, then run again: it resumes."
    )
