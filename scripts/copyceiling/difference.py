"""Compares two artefacts cell by cell, or two folders artefact by artefact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts import (
    arm_schemas,
    audit_schemas,
    audit_unit_schemas,
    control_schemas,
    judged_schemas,
    judging_schemas,
    omitted_schemas,
    overview_schemas,
    paired_schemas,
    published_schemas,
    rescore_schemas,
    schemas,
    stress_schemas,
    study_schemas,
    wrapper_schemas,
)
from copyceiling.artefacts.hashing import FLOAT_FORMAT
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.store import describe, rows
from copyceiling.errors import ArtefactError

SCHEMAS: Mapping[str, Schema] = {
    value.name: value
    for module in (
        arm_schemas,
        audit_schemas,
        audit_unit_schemas,
        control_schemas,
        schemas,
        study_schemas,
        judged_schemas,
        judging_schemas,
        omitted_schemas,
        overview_schemas,
        published_schemas,
        paired_schemas,
        rescore_schemas,
        stress_schemas,
        wrapper_schemas,
    )
    for value in vars(module).values()
    if isinstance(value, Schema)
}
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Cell:
    """One cell that differs, by the row's key."""

    key: Key
    column: str
    old: Any
    new: Any


@dataclass(frozen=True)
class Difference:
    """How a new artefact differs from an old one; volatile columns are not compared."""

    key: tuple[str, ...]
    removed: Sequence[Key]
    added: Sequence[Key]
    cells: Sequence[Cell]

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.removed or self.added or self.cells)


def diff_artefacts(old: Path, new: Path) -> Difference:
    """Compare two artefacts of one schema.

    Raises:
        ArtefactError: One cannot be read, or they are of different kinds.
    """
    names = [describe(path)["schema"] for path in (old, new)]
    if names[0] != names[1]:
        raise ArtefactError(f"'{old}' holds '{names[0]}', '{new}' holds '{names[1]}'")
    schema = SCHEMAS[names[0]]
    before, after = (_by_key(path, schema) for path in (old, new))
    shared = [key for key in before if key in after]
    cells = [
        Cell(key, column.name, before[key][column.name], after[key][column.name])
        for key in shared
        for column in schema.hashed
        if _logical(before[key][column.name]) != _logical(after[key][column.name])
    ]
    return Difference(
        schema.key,
        [key for key in before if key not in after],
        [key for key in after if key not in before],
        cells,
    )


def _by_key(path: Path, schema: Schema) -> dict[Key, dict[str, Any]]:
    return {tuple(row[name] for name in schema.key): row for row in rows(path, schema)}


def _logical(value: Any) -> Any:
    """Return what the content hash sees of a value: floats at ten significant digits."""
    if isinstance(value, float):
        return FLOAT_FORMAT % (value + 0.0)
    if isinstance(value, list):
        return [_logical(v) for v in value]
    if isinstance(value, dict):
        return {k: _logical(v) for k, v in value.items()}
    return value


def describe_difference(found: Difference, limit: int) -> list[str]:
    """Return a difference as lines: counts, then rows and cells with old and new."""
    lines = [
        f"  {len(found.removed)} row(s) removed, {len(found.added)} added, "
        f"{len(found.cells)} cell(s) changed"
    ]

    def name(key: Key) -> str:
        return ", ".join(f"{k}={v}" for k, v in zip(found.key, key, strict=True))

    details = [f"  - {name(k)}" for k in found.removed] + [f"  + {name(k)}" for k in found.added]
    details += [
        f"  ~ {name(c.key)}: {c.column}: {_short(c.old)} -> {_short(c.new)}" for c in found.cells
    ]
    lines += details[:limit]
    if len(details) > limit:
        lines.append(f"  ... and {len(details) - limit} more (--limit N shows more)")
    return lines


def _short(value: Any, limit: int = 120) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
