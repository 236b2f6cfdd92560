"""Declares what an artefact holds: columns, types, units, key, and what may vary between runs."""

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa


@dataclass(frozen=True)
class Column:
    """One column of an artefact.

    Attributes:
        name: Column name.
        type: Arrow type.
        doc: What it holds.
        unit: Unit or range, "" if it has none.
        nullable: Whether a value may be missing.
        volatile: Whether it cannot reproduce (latency, cost, time); volatile columns stay out
            of the content hash.
    """

    name: str
    type: pa.DataType
    doc: str
    unit: str = ""
    nullable: bool = False
    volatile: bool = False


@dataclass(frozen=True)
class Schema:
    """A named artefact schema; rows are unique by, and stored in the order of, ``key``."""

    name: str
    doc: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @cached_property
    def arrow(self) -> pa.Schema:
        """The Arrow schema, with documentation and unit in each field's metadata."""
        return pa.schema(
            [
                pa.field(
                    c.name,
                    c.type,
                    nullable=c.nullable,
                    metadata={"doc": c.doc, "unit": c.unit, "volatile": str(c.volatile).lower()},
                )
                for c in self.columns
            ]
        )

    @property
    def hashed(self) -> tuple[Column, ...]:
        """The columns that enter the content hash."""
        return tuple(c for c in self.columns if not c.volatile)

    def canonical(self) -> dict[str, object]:
        """Return the part of the declaration that identifies the data, as plain JSON values.

        Documentation is left out, so that rewording it changes no identity.
        """
        return {
            "name": self.name,
            "key": list(self.key),
            "columns": [[c.name, canonical_type(c.type), c.unit, c.nullable] for c in self.hashed],
        }


def canonical_type(kind: pa.DataType) -> str:
    """Return a type's name, the same before and after a round trip through Parquet.

    A ``list<item: string>`` reads back as ``list<element: string>``, so child names of lists
    do not enter.
    """
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list<{canonical_type(kind.value_type)}>"
    if pa.types.is_struct(kind):
        inner = ",".join(f"{f.name}:{canonical_type(f.type)}" for f in kind)
        return f"struct<{inner}>"
    if pa.types.is_dictionary(kind):
        return canonical_type(kind.value_type)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "string"
    return str(kind)


def column_fault(schema: Schema, columns: list[str]) -> str | None:
    """Return what differs between a table's columns and the schema's, None if nothing does."""
    declared = [c.name for c in schema.columns]
    missing = [n for n in declared if n not in columns]
    extra = [n for n in columns if n not in declared]
    if missing or extra:
        return f"missing columns {missing}, unknown columns {extra}"
    return None
