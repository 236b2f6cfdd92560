"""Opens the sources of rows: JSONL, CSV, Parquet, standard input, logs of other tools."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.chunks import Chunk, Reading, line_chunks, record_chunks
from copyceiling.check.faults import CheckError
from copyceiling.check.tables import csv_records, parquet_columns, parquet_records

STDIN = "-"
FORMATS = ("auto", "jsonl", "csv", "parquet", *ADAPTERS)
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".eval": "inspect",
}
_PEEK = 1 << 12  # bytes that tell a JSON array from an object


def chunks_of(
    paths: Sequence[str], form: str, reading: Reading, *, system_from_file: bool = False
) -> Iterator[Chunk]:
    """Return the chunks of all sources, one after the other.

    Args:
        paths: File names; ``-`` is standard input (JSONL, unless `form` says another line format).
        form: One of `FORMATS`; ``auto`` goes by the file's suffix.
        reading: How records become rows.
        system_from_file: Whether rows that state no system get the file's name without suffix.

    Raises:
        CheckError: A source cannot be opened or its format is not known; before any row is read.
    """
    opened = [(path, _form(path, form)) for path in paths]
    for path, _ in opened:
        if path != STDIN and not Path(path).is_file():
            raise CheckError(f"there is no file '{path}'. Name a file, or - for standard input")
    return _all_chunks(opened, reading, system_from_file)


def _all_chunks(
    opened: Iterable[tuple[str, str]], reading: Reading, system_from_file: bool
) -> Iterator[Chunk]:
    for path, form in opened:
        named = reading
        if system_from_file and path != STDIN:
            named = replace(reading, system=Path(path).stem)
        try:
            yield from _chunks(path, form, named)
        except OSError as e:
            raise CheckError(f"cannot read '{path}': {e.strerror or e}") from e


def _form(path: str, form: str) -> str:
    if form != "auto":
        if path == STDIN and form in ("csv", "parquet"):
            raise CheckError(f"standard input is read as JSONL. Give the {form} file by its name")
        return form
    found = "jsonl" if path == STDIN else _SUFFIXES.get(Path(path).suffix.lower())
    if found is None and _is_array(path):
        return "jsonl"
    if found is None:
        raise CheckError(
            f"'{path}': its suffix tells no format. Say which: --format "
            f"{', '.join(f for f in FORMATS if f != 'auto')}"
        )
    return found


def _is_array(path: str) -> bool:
    """Whether a JSON file begins like an array, which `line_chunks` reads as rows."""
    if not (path.lower().endswith(".json") and Path(path).is_file()):
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(_PEEK).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    except OSError as e:
        raise CheckError(f"cannot read '{path}': {e.strerror or e}") from e


def _chunks(path: str, form: str, reading: Reading) -> Iterator[Chunk]:
    adapter, name = ADAPTERS.get(form), os.fsencode(path).decode("utf-8", "replace")
    if adapter is not None:
        reading = replace(reading, adapter=form)
        if adapter.records is not None:
            if path == STDIN:
                raise CheckError(f"a log of {form} is read from a file, not from standard input")
            yield from record_chunks(adapter.records(Path(path)), name, "record", reading)
            return
    asked, flat = frozenset(theirs for _, theirs in reading.rename), replace(reading, flat=True)
    if form == "csv":
        yield from record_chunks(csv_records(path, asked), name, "line", flat)
    elif form == "parquet":
        rows, columns = parquet_records(path, asked), parquet_columns(path)
        yield from record_chunks(rows, name, "row", flat, columns)
    elif path == STDIN:
        yield from line_chunks(sys.stdin.buffer, "<stdin>", reading)
    else:
        with open(path, "rb") as stream:
            yield from line_chunks(stream, name, reading)
