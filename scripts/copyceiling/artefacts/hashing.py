"""The content hash: sha256 over an artefact's logical values.

Schema first, then the columns in order over rows in key order. Columnar, about a second a million
rows. It does not move with Parquet writer, row groups, machine, locale, hash seed or threads.
Floats enter at ten significant digits. Source: DESIGN section 3.
"""

import hashlib
import json
import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from copyceiling.artefacts.schema import Schema, canonical_type
from copyceiling.errors import ArtefactError

FLOAT_FORMAT = "%.9e"  # ten significant digits


class _Digest:
    """A sha256 over length-prefixed parts, so that no two sequences of parts collide."""

    def __init__(self) -> None:
        self._sha = hashlib.sha256()

    def add(self, part: bytes | memoryview) -> None:
        self._sha.update(len(part).to_bytes(8, "little"))
        self._sha.update(part)

    def hexdigest(self) -> str:
        return self._sha.hexdigest()


def content_hash(table: pa.Table, schema: Schema) -> str:
    """Return the hex sha256 of a table's logical content; row order does not matter.

    Args:
        table: Rows with at least the schema's columns.
        schema: The declaration; its volatile columns are ignored.

    Raises:
        ArtefactError: A column has another type, or a float is not finite.
    """
    ordered = sort_by_key(table, schema)
    digest = _Digest()
    digest.add(json.dumps(schema.canonical(), sort_keys=True, separators=(",", ":")).encode())
    digest.add(ordered.num_rows.to_bytes(8, "little"))
    for column in schema.hashed:
        values = ordered.column(column.name)
        if canonical_type(values.type) != canonical_type(column.type):
            raise ArtefactError(
                f"artefact '{schema.name}': column '{column.name}' is {values.type}, "
                f"declared {column.type}"
            )
        digest.add(column.name.encode())
        _add_array(digest, _one_array(values))
    return digest.hexdigest()


def sort_by_key(table: pa.Table, schema: Schema) -> pa.Table:
    """Return the rows in key order (strings by UTF-8 bytes, whatever the locale)."""
    return table.sort_by([(name, "ascending") for name in schema.key])


def _one_array(values: pa.ChunkedArray) -> pa.Array:
    combined = values.combine_chunks()
    if isinstance(combined, pa.ChunkedArray):  # zero chunks, or more than one array can hold
        combined = pa.concat_arrays(combined.chunks or [pa.array([], values.type)])
    return combined


def _add_array(digest: _Digest, values: pa.Array) -> None:
    kind = values.type
    if pa.types.is_dictionary(kind):
        values, kind = values.cast(kind.value_type), kind.value_type
    digest.add(np.packbits(pc.is_valid(values).to_numpy(zero_copy_only=False)).tobytes())
    if pa.types.is_struct(kind):
        for child in values.flatten():
            _add_array(digest, child)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        _add_integers(digest, pc.fill_null(pc.list_value_length(values), 0))
        _add_array(digest, values.flatten())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        _add_strings(digest, values)
    elif pa.types.is_floating(kind):
        _add_floats(digest, values)
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        _add_integers(digest, pc.fill_null(values, False if pa.types.is_boolean(kind) else 0))
    else:
        raise ArtefactError(f"values of type {kind} have no content hash")


def _add_integers(digest: _Digest, values: pa.Array) -> None:
    digest.add(values.cast(pa.int64()).to_numpy(zero_copy_only=False).astype("<i8").tobytes())


def _add_floats(digest: _Digest, values: pa.Array) -> None:
    numbers = pc.fill_null(values, 0.0).cast(pa.float64()).to_numpy(zero_copy_only=False).tolist()
    if not all(map(math.isfinite, numbers)):
        raise ArtefactError("a float is not finite: missing values are null, never NaN")
    # Adding 0.0 turns -0.0 into 0.0, which compares equal to it.
    digest.add("\n".join([FLOAT_FORMAT % (x + 0.0) for x in numbers]).encode())


def _add_strings(digest: _Digest, values: pa.Array) -> None:
    filled = pc.fill_null(values, "").cast(pa.large_string())
    _add_integers(digest, pc.binary_length(filled))
    _, offsets, data = filled.buffers()
    if data is None or not len(filled):
        digest.add(b"")
        return
    bounds = np.frombuffer(offsets, dtype=np.int64)[filled.offset : filled.offset + len(filled) + 1]
    digest.add(memoryview(data)[int(bounds[0]) : int(bounds[-1])])
