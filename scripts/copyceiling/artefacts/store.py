"""Writes and reads artefacts: whole or not at all, checked on the way in and out.

Trade-offs, accepted: a file is rewritten whole (artefacts are small), and reading recomputes the
content hash (a second a million rows), so that damage is found by the stage that would use it.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from copyceiling.artefacts.hashing import content_hash, sort_by_key
from copyceiling.artefacts.schema import Schema, column_fault
from copyceiling.commands import made_again, snakemake
from copyceiling.errors import ArtefactError, listing

SUMS = "SHA256SUMS"
_META = b"copyceiling"
_MAX_BYTES = 4 << 30  # most a Parquet file from outside may declare, uncompressed
Provenance = Mapping[str, Any]


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when it is whole and on disk.

    Raises:
        ArtefactError: The folder cannot be written or the disk is full; nothing is left behind.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as e:
        raise ArtefactError(
            f"cannot write '{path}': {e.strerror or e}. Nothing was changed. Free space or make "
            "the folder writable, or write elsewhere: snakemake --config results=/another/folder"
        ) from e
    finally:
        with suppress(OSError):  # the folder itself may be what is wrong
            temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, UTF-8, as it is."""
    with atomic_file(path) as file:
        file.write(text.encode())


def to_table(rows: Iterable[Mapping[str, Any]] | pa.Table, schema: Schema) -> pa.Table:
    """Return rows as a checked table of the schema, in key order.

    Raises:
        ArtefactError: Unknown or missing columns, a missing value where none is allowed, or two
            rows of one key.
    """
    if isinstance(rows, pa.Table):
        fault = column_fault(schema, rows.column_names)
        if fault:
            raise ArtefactError(f"artefact '{schema.name}': {fault}")
        table = rows.select([c.name for c in schema.columns]).cast(schema.arrow)
    else:
        listed = list(rows)
        for row in listed:
            fault = column_fault(schema, list(row))
            if fault:
                raise ArtefactError(f"artefact '{schema.name}': {fault}")
        table = pa.Table.from_pylist(listed, schema=schema.arrow)
    for column in schema.columns:
        if not column.nullable and table.column(column.name).null_count:
            raise ArtefactError(f"artefact '{schema.name}': column '{column.name}' misses values")
    table = sort_by_key(table, schema)
    _check_unique(table, schema)
    return table


def _check_unique(table: pa.Table, schema: Schema) -> None:
    keys = list(schema.key)
    counted = table.group_by(keys).aggregate([([], "count_all")])
    double = counted.filter(pc.greater(counted.column("count_all"), 1)).select(keys).to_pylist()
    if double:
        names = sorted(", ".join(f"{k}={v}" for k, v in row.items()) for row in double)
        raise ArtefactError(
            f"artefact '{schema.name}' has {len(double)} key(s) more than once:\n{listing(names)}"
        )


def write(
    path: Path,
    rows: Iterable[Mapping[str, Any]] | pa.Table,
    schema: Schema,
    provenance: Provenance,
) -> str:
    """Write an artefact and return its content hash.

    Args:
        path: Where; the file appears whole or not at all.
        rows: Row mappings, or a table.
        schema: What they must be.
        provenance: How they came to be; kept in the file, no part of the hash.
    """
    table = to_table(rows, schema)
    digest = content_hash(table, schema)
    meta = {"schema": schema.name, "content_hash": digest, "provenance": provenance}
    table = table.replace_schema_metadata({_META: json.dumps(meta, sort_keys=True).encode()})
    with atomic_file(path) as file:
        pq.write_table(table, file, compression="zstd", write_page_checksum=True)
    return digest


def write_changed(
    path: Path,
    rows: Iterable[Mapping[str, Any]] | pa.Table,
    schema: Schema,
    provenance: Provenance,
) -> bool:
    """Write an artefact unless its file holds these very rows; return whether it was written.

    Volatile columns count too. A file that stays keeps its bytes, and with them the provenance of
    the run that gave the rows. Arguments as of `write`.
    """
    table = to_table(rows, schema)
    with suppress(ArtefactError):  # missing, damaged or of another version: it is written anew
        if read(path, schema).cast(schema.arrow).equals(table):
            return False
    write(path, table, schema, provenance)
    return True


def read(path: Path, schema: Schema) -> pa.Table:
    """Read an artefact and check that it is what its own metadata says.

    Raises:
        ArtefactError: Missing, damaged, of another schema, or its content does not have the
            content hash it states.
    """
    table = _read_raw(path)
    meta = _metadata(table.schema, path)
    if meta["schema"] != schema.name:
        raise ArtefactError(f"'{path}' holds '{meta['schema']}', not '{schema.name}'")
    fault = column_fault(schema, table.column_names)
    if fault:
        raise ArtefactError(
            f"'{path}' was written by another version ({fault}). {made_again(path)}"
        )
    found = content_hash(table, schema)
    if found != meta["content_hash"]:
        raise ArtefactError(
            f"'{path}' is damaged: its content hash is {found}, it states {meta['content_hash']}. "
            f"{made_again(path)}"
        )
    return table


def _read_raw(path: Path) -> pa.Table:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            groups = range(file.metadata.num_row_groups)
            declared = sum(file.metadata.row_group(i).total_byte_size for i in groups)
            if declared > _MAX_BYTES:
                raise ArtefactError(f"'{path}' declares {declared} bytes; at most {_MAX_BYTES}")
            return file.read()
    except (OSError, pa.ArrowException) as e:
        raise _unreadable(path, e) from e


def _unreadable(path: Path, error: Exception) -> ArtefactError:
    """Return what to say of a file that is not there or no Parquet, with the way out."""
    if isinstance(error, FileNotFoundError):
        built = snakemake(path.as_posix())
        return ArtefactError(f"there is no artefact '{path}'. Build it, then go on:\n  {built}")
    why = str(error).strip().rstrip(".")
    return ArtefactError(f"'{path}' is damaged or no Parquet file: {why}. {made_again(path)}")


def _metadata(schema: pa.Schema, path: Path) -> dict[str, Any]:
    try:
        meta: dict[str, Any] = json.loads((schema.metadata or {})[_META])
        return {"schema": meta["schema"], "content_hash": meta["content_hash"], **meta}
    except (KeyError, ValueError) as e:
        raise ArtefactError(f"'{path}' was not written by this pipeline. {made_again(path)}") from e


def describe(path: Path) -> dict[str, Any]:
    """Return an artefact's own statement: schema, content hash, provenance, rows. Reads no rows.

    ``volatile`` says whether it has columns that cannot reproduce.
    """
    try:
        with pq.ParquetFile(path) as file:
            marks = [(field.metadata or {}).get(b"volatile") for field in file.schema_arrow]
            return {
                **_metadata(file.schema_arrow, path),
                "rows": file.metadata.num_rows,
                "volatile": b"true" in marks,
            }
    except (OSError, pa.ArrowException) as e:
        raise _unreadable(path, e) from e


def rows(path: Path, schema: Schema) -> list[dict[str, Any]]:
    """Read an artefact as row mappings, in key order."""
    found: list[dict[str, Any]] = read(path, schema).to_pylist()
    return found


def file_sha256(path: Path) -> str:
    """Return the hex sha256 of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sums(folder: Path) -> None:
    """List every frozen artefact of a folder with its sha256, in the format of sha256sum."""
    files = sorted(folder.rglob("*.parquet"))
    lines = [f"{file_sha256(f)}  {f.relative_to(folder).as_posix()}\n" for f in files]
    write_text(folder / SUMS, "".join(lines))


def check_frozen(paths: Sequence[Path], sums: Path) -> None:
    """Check frozen files against the folder's ``SHA256SUMS`` before anything reads them.

    Raises:
        ArtefactError: A file is missing, not listed, or has other bytes.
    """
    try:
        lines = sums.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError as e:
        raise ArtefactError(
            f"there is no '{sums}', so no frozen file can be trusted. Restore it from version "
            "control, or move the frozen files away and freeze a live run: copyceiling freeze"
        ) from e
    listed = _listed(lines)
    for path in paths:
        name = path.relative_to(sums.parent).as_posix()
        if name not in listed:
            raise ArtefactError(f"frozen file '{path}' is not listed in '{sums}'")
        if not path.exists():
            raise ArtefactError(f"frozen file '{path}' is listed in '{sums}' but is not there")
        found = file_sha256(path)
        if found != listed[name]:
            raise ArtefactError(
                f"frozen file '{path}' has sha256 {found}, '{sums}' states {listed[name]}. "
                f"Restore it: git checkout -- '{path}'"
            )


def check_sums(folder: Path) -> None:
    """Check every file of a frozen folder that its sums list, before they are written anew.

    A file that is gone was taken away by hand; that one was changed is never taken over unseen.

    Raises:
        ArtefactError: A file has other bytes.
    """
    sums = folder / SUMS
    if sums.exists():
        names = _listed(sums.read_text(encoding="utf-8").splitlines())
        check_frozen([folder / name for name in names if (folder / name).exists()], sums)


def _listed(lines: Iterable[str]) -> dict[str, str]:
    """Return the sha256 of each name in the lines of a file of sums."""
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
