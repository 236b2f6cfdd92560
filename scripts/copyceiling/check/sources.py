"""Opens the sources of rows: JSONL, CSV, Parquet, standard input, logs of other tools."""

import csv
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.chunks import Chunk, Reading, Unreadable, line_chunks, record_chunks
from copyceiling.check.faults import CheckError
from copyceiling.check.fields import FIELDS, KNOWN_NAMES

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
_CSV_CELL = 64 << 20  # characters of one cell
_PARQUET_BATCH = 256  # rows decoded at once
_PARQUET_DECLARED = 4 << 30  # most bytes a row group may declare


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
    if found is None:
        raise CheckError(
            f"'{path}': its suffix tells no format. Say which: --format "
            f"{', '.join(f for f in FORMATS if f != 'auto')}"
        )
    return found


def _chunks(path: str, form: str, reading: Reading) -> Iterator[Chunk]:
    adapter, name = ADAPTERS.get(form), os.fsencode(path).decode("utf-8", "replace")
    if adapter is not None:
        reading = replace(reading, adapter=form)
        if adapter.records is not None:
            if path == STDIN:
                raise CheckError(f"a log of {form} is read from a file, not from standard input")
            yield from record_chunks(adapter.records(Path(path)), name, "record", reading)
            return
    if form == "csv":
        yield from record_chunks(csv_records(path), name, "line", replace(reading, flat=True))
    elif form == "parquet":
        wanted = KNOWN_NAMES | {theirs for _, theirs in reading.rename}
        rows = parquet_records(path, wanted)
        yield from record_chunks(rows, name, "row", replace(reading, flat=True))
    elif path == STDIN:
        yield from line_chunks(sys.stdin.buffer, "<stdin>", reading)
    else:
        with open(path, "rb") as stream:
            yield from line_chunks(stream, name, reading)


def csv_records(path: str) -> Iterator[tuple[int, Any]]:
    """Read a CSV or TSV file with a header: pairs of (last line of the record, record).

    An empty cell is a missing value.

    Raises:
        CheckError: The file has no header with our fields, or is not UTF-8.
    """
    previous = csv.field_size_limit(_CSV_CELL)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            delimiter = "\t" if path.lower().endswith(".tsv") else ","
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = next(reader, [])
            _check_header(path, header)
            for cells in reader:
                if cells:
                    yield reader.line_num, _csv_record(header, cells)
    except csv.Error as e:
        raise CheckError(f"'{path}' line {reader.line_num} is no CSV: {e}. Save it again") from e
    except UnicodeDecodeError as e:
        raise CheckError(f"'{path}' is not UTF-8: {e.reason}. Save it as UTF-8") from e
    finally:
        csv.field_size_limit(previous)


def _check_header(path: str, header: Sequence[str]) -> None:
    double = sorted({name for name in header if header.count(name) > 1 and name in FIELDS})
    if double:
        raise CheckError(f"'{path}' has the column {', '.join(double)} more than once. Rename one")


def _csv_record(header: Sequence[str], cells: Sequence[str]) -> Any:
    if len(cells) != len(header):
        return Unreadable(
            f"has {len(cells)} cells where the header has {len(header)}. Quote cells with commas"
        )
    return {name: cell or None for name, cell in zip(header, cells, strict=True)}


def parquet_records(path: str, wanted: frozenset[str]) -> Iterator[tuple[int, Any]]:
    """Read the wanted columns of a Parquet file: pairs of (row from 1, record).

    Raises:
        CheckError: It is no Parquet file, it is damaged, or it declares more than fits.
    """
    try:
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            groups = (file.metadata.row_group(i) for i in range(file.metadata.num_row_groups))
            declared = max((g.total_byte_size for g in groups), default=0)
            if declared > _PARQUET_DECLARED:
                raise CheckError(
                    f"'{path}' declares a row group of {declared} bytes; at most "
                    f"{_PARQUET_DECLARED}. Write it in smaller row groups"
                )
            names = [n for n in file.schema_arrow.names if n in wanted]
            place = 0
            for batch in file.iter_batches(_PARQUET_BATCH, columns=names):
                for record in batch.to_pylist():
                    place += 1
                    yield place, record
    except (pa.ArrowException, ValueError, OverflowError) as e:
        raise CheckError(f"'{path}' is damaged or no Parquet file: {e}") from e
