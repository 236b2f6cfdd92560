"""Cuts a source of rows into chunks that a worker measures without the rest of the file.

A chunk is whole lines of JSONL as bytes, or records that were read already (CSV, Parquet, logs of
other tools, rows from Python). It carries where it starts, so that a fault names its line.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import IO, Any

import orjson

from copyceiling.check.faults import CheckError

MAX_DOCUMENT = 256 << 20  # bytes of a JSON document, which is held whole
_MARK = b"\xef\xbb\xbf"
_BLOCK = 4 << 20  # bytes of JSONL in a chunk
MAX_LINE = 64 << 20  # bytes of one line; more is no row
_RECORDS = 256  # most records in a chunk ...
_RECORD_CHARACTERS = 4 << 20  # ... and about how much text


@dataclass(frozen=True, slots=True)
class Reading:
    """How records become rows.

    Attributes:
        adapter: Name of the tool whose record it is, "" for our own fields.
        flat: Whether lists may stand as JSON in text cells (CSV, Parquet).
        rename: Pairs of (our field, its name in the source).
        system: Label for rows that state none, "" for none.
    """

    adapter: str = ""
    flat: bool = False
    rename: tuple[tuple[str, str], ...] = ()
    system: str = ""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands for a record that could not be read."""

    detail: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some records of one source.

    Attributes:
        source: Name of the source in messages.
        unit: What places count: ``line``, ``row``, ``item`` or ``record``.
        reading: How its records become rows.
        first: Place of the first line of `lines`, from 1.
        lines: Whole lines of JSONL, b"" if the chunk has records instead.
        records: Pairs of (place, record).
        columns: Names of all columns of a table, also of those that are not read.
    """

    source: str
    unit: str
    reading: Reading
    first: int = 1
    lines: bytes = b""
    records: Sequence[tuple[int, Any]] = field(default=())
    columns: tuple[str, ...] = ()

    def decoded(self) -> Iterator[tuple[int, Any]]:
        """Return its records with their places; a line that is no JSON is `Unreadable`."""
        for i, line in enumerate(self.lines.split(b"\n")):
            if line.strip():
                yield self.first + i, decode(line)
        yield from self.records


def decode(line: bytes) -> Any:
    """Return a line's JSON value, or `Unreadable` with the reason.

    What orjson refuses is tried with the standard library, which takes the NaN and the escaped
    half surrogates that Python programs write; the fields say whether such a value can be used.
    """
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(line.decode())
    except UnicodeDecodeError as e:
        return Unreadable(f"is not UTF-8 at byte {e.start}. Save the file as UTF-8")
    except RecursionError:
        return Unreadable("is JSON nested too deeply to read. Leave out the nested field")
    except json.JSONDecodeError as e:
        return Unreadable(
            f"is not JSON ({e.msg} at character {e.pos}). Is it cut short? Write it again"
        )
    except ValueError:  # a number of thousands of digits
        return Unreadable("holds a number too large to read. Write it as a string")


def line_chunks(stream: IO[bytes], source: str, reading: Reading) -> Iterator[Chunk]:
    """Cut a JSONL stream at line ends; reads `_BLOCK` bytes at a time.

    A line of more than `MAX_LINE` bytes is read past and reported. A stream that is one JSON array
    is read as what it is, its items being the records.

    Raises:
        CheckError: It begins like one JSON array and is none.
    """
    head = stream.read(_BLOCK).removeprefix(_MARK)
    if head.lstrip().startswith(b"["):
        head += stream.read(max(0, MAX_DOCUMENT + 1 - len(head)))
        items = _array(head, source)
        if items is not None:
            yield from record_chunks(enumerate(items, 1), source, "item", reading)
            return
    held, first, skipping = b"", 1, False
    for block in chain([head], iter(lambda: stream.read(_BLOCK), b"")):
        if skipping:
            _, end, block = block.partition(b"\n")
            if not end:
                continue
            skipping, first = False, first + 1
        held += block
        cut = held.rfind(b"\n") + 1
        if cut:
            yield Chunk(source, "line", reading, first, held[:cut])
            first, held = first + held.count(b"\n", 0, cut), held[cut:]
        if len(held) > MAX_LINE:
            too_long = Unreadable(f"is a line of more than {MAX_LINE >> 20} MiB. Split it")
            yield Chunk(source, "line", reading, records=[(first, too_long)])
            held, skipping = b"", True
    if held:
        yield Chunk(source, "line", reading, first, held)


def _array(data: bytes, source: str) -> list[Any] | None:
    """Return the items of a JSON array, None if the data are lines after all.

    Raises:
        CheckError: They are neither.
    """
    whole = decode(data) if len(data) <= MAX_DOCUMENT else Unreadable("is too large to read whole")
    if isinstance(whole, list) and (not whole or any(isinstance(item, dict) for item in whole)):
        return whole
    if not isinstance(whole, Unreadable) or not isinstance(decode(_first_line(data)), Unreadable):
        return None
    raise CheckError(
        f"'{source}' begins with [, as one JSON array does, and {whole.detail}. Write one object a "
        f"line, for instance by: jq -c '.[]' {shlex.quote(source)} > rows.jsonl"
    )


def _first_line(data: bytes) -> bytes:
    return data.lstrip().partition(b"\n")[0]


def record_chunks(
    records: Iterable[tuple[int, Any]],
    source: str,
    unit: str,
    reading: Reading,
    columns: tuple[str, ...] = (),
) -> Iterator[Chunk]:
    """Cut records into chunks of bounded number and, roughly, size."""
    held: list[tuple[int, Any]] = []
    size = 0
    for place, record in records:
        held.append((place, record))
        size += _characters(record)
        if len(held) >= _RECORDS or size >= _RECORD_CHARACTERS:
            yield Chunk(source, unit, reading, records=held, columns=columns)
            held, size = [], 0
    if held:
        yield Chunk(source, unit, reading, records=held, columns=columns)


def _characters(value: Any, depth: int = 4) -> int:
    """Return about how much text a record holds, down to some depth."""
    if isinstance(value, str):
        return len(value)
    if depth and isinstance(value, (dict, list)):
        inner = value.values() if isinstance(value, dict) else value
        return 64 + sum(_characters(v, depth - 1) for v in inner)
    return 64
