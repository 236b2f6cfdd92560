"""Reads rows from tables: CSV and its relatives, Parquet."""

import csv
from collections.abc import Iterator, Sequence
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from copyceiling.check.chunks import Unreadable
from copyceiling.check.faults import CheckError
from copyceiling.check.fields import FIELDS
from copyceiling.check.names import meanings

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_CSV_CELL = 64 << 20  # characters of one cell
_PARQUET_BATCH = 256  # rows decoded at once
_PARQUET_DECLARED = 4 << 30  # most bytes a row group may declare


def csv_records(path: str, asked: frozenset[str]) -> Iterator[tuple[int, Any]]:
    """Read a CSV file with a header: pairs of (last line of the record, record).

    Cells are separated as the header is, see `separator`. An empty cell is a missing value.

    Args:
        path: The file.
        asked: Names that a renaming asks for.

    Raises:
        CheckError: The file names a column of ours twice, or is no CSV, or is not UTF-8.
    """
    previous = csv.field_size_limit(_CSV_CELL)
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            delimiter = separator(file, "\t" if path.lower().endswith(".tsv") else ",", asked)
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            header = next(reader, [])
            _check_header(path, header)
            for cells in reader:
                if cells:
                    yield reader.line_num, _csv_record(header, cells, delimiter)
    except csv.Error as e:
        raise CheckError(f"'{path}' line {reader.line_num} is no CSV: {e}. Save it again") from e
    except UnicodeDecodeError as e:
        raise CheckError(f"'{path}' is not UTF-8: {e.reason}. Save it as UTF-8") from e
    finally:
        csv.field_size_limit(previous)


def separator(file: IO[str], usual: str, asked: frozenset[str] = frozenset()) -> str:
    """Return what separates the cells of a header: what gives most columns with names of ours.

    Spreadsheets write semicolons where the comma is the decimal mark. Where no name is known the
    separator with most columns is taken, and of equals the usual one. The file is set back.
    """
    counts = {}
    for delimiter in (usual, *(d for d in SEPARATORS if d != usual)):
        try:
            header = next(csv.reader(file, delimiter=delimiter, strict=True), [])
        except csv.Error:
            header = []
        known = {name for name in header if name in asked or meanings(name)}
        counts[delimiter] = (len(known), len(header))
        file.seek(0)
    return max(counts, key=lambda delimiter: counts[delimiter])


def _check_header(path: str, header: Sequence[str]) -> None:
    double = sorted({name for name in header if header.count(name) > 1 and name in FIELDS})
    if double:
        raise CheckError(f"'{path}' has the column {', '.join(double)} more than once. Rename one")


def _csv_record(header: Sequence[str], cells: Sequence[str], delimiter: str) -> Any:
    if len(cells) != len(header):
        return Unreadable(
            f"has {len(cells)} cells where the header has {len(header)}. Quote cells with "
            f"{SEPARATORS[delimiter]}"
        )
    return {name: cell or None for name, cell in zip(header, cells, strict=True)}


def parquet_columns(path: str) -> tuple[str, ...]:
    """Return the names of all columns of a Parquet file.

    Raises:
        CheckError: It is no Parquet file, or it is damaged.
    """
    try:
        return tuple(pq.read_schema(path).names)
    except (pa.ArrowException, ValueError, OverflowError) as e:
        raise CheckError(f"'{path}' is damaged or no Parquet file: {e}") from e


def parquet_records(path: str, asked: frozenset[str]) -> Iterator[tuple[int, Any]]:
    """Read the columns of a Parquet file that may be ours: pairs of (row from 1, record).

    Args:
        path: The file.
        asked: Names that a renaming asks for.

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
            names = [n for n in file.schema_arrow.names if n in asked or meanings(n)]
            place = 0
            for batch in file.iter_batches(_PARQUET_BATCH, columns=names):
                for record in batch.to_pylist():
                    place += 1
                    yield place, record
    except (pa.ArrowException, ValueError, OverflowError) as e:
        raise CheckError(f"'{path}' is damaged or no Parquet file: {e}") from e
