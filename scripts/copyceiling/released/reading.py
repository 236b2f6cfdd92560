"""Reads released files row by row, with file and line, and keeps every fault till the end.

JSONL, JSON arrays and tab-separated tables come to the same records, so that what is said of a
part does not depend on the layout at hand.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.errors import ReleaseError, listing
from copyceiling.released.fields import Fault, Field, Format

Paths = Sequence[Path]


class _Unreadable(str):
    """Stands for a row that cannot be read, and says why."""


@dataclass(frozen=True)
class Record:
    """One row of a released file.

    Attributes:
        where: Folder, file and line.
        values: Field to value.
    """

    where: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str) -> Any:
        """Return a field's value, None if the row lacks it."""
        return self.values.get(name)


class Reader:
    """Reads the files of one part of a release.

    Attributes:
        part: Name of the part.
        counts: File to the number of its rows.
        lines: The faults so far, one a line.
        spoilt: Key values of rows at fault; that such a row is wanting elsewhere is no news.
    """

    def __init__(self, part: str) -> None:
        self.part = part
        self.counts: dict[Path, int] = {}
        self.lines: list[str] = []
        self.spoilt: set[Any] = set()

    def fault(self, where: str, field: str, found: str) -> None:
        """Note a fault of a field."""
        self.lines.append(f"{where}: field '{field}': {found}")

    def note(self, where: str, found: str) -> None:
        """Note a fault of a file, or of rows taken together."""
        self.lines.append(f"{where}: {found}")

    def stop(self) -> None:
        """End with every fault that was noted.

        Raises:
            ReleaseError: There are some.
        """
        if self.lines:
            raise ReleaseError(
                f"released files of part '{self.part}' have {len(self.lines)} fault(s):\n"
                f"{listing(self.lines)}\nRestore the files as they were released: data/sources.csv "
                "says where from, docs/published-release.md what belongs where."
            )

    def records(self, path: Path, form: Format) -> list[Record]:
        """Return the rows of a file that follow its format; faults are noted.

        The ending says how to read: ``.tsv``, ``.json`` (an array), or else JSONL.
        """
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as e:
            self.note(place(path), f"cannot be read: {e}")
            return []
        kept: list[Record] = []
        seen: dict[tuple[Any, ...], str] = {}
        n = 0
        for where, row in _rows(path, text, form):
            n += 1
            faults: list[Fault] = (
                [("", row)] if isinstance(row, _Unreadable) else list(form.faults(row))
            )
            for name, found in faults:
                if name:
                    self.fault(where, name, found)
                else:
                    self.note(where, found)
            if faults:
                self._spoil(row, form)
                continue
            key = tuple(row[name] for name in form.key)
            if key in seen:
                self.fault(where, ", ".join(form.key), f"{_key(key)} stands in {seen[key]} already")
                continue
            if key:
                seen[key] = where
            kept.append(Record(where, row))
        self.counts[path] = n
        return kept

    def _spoil(self, row: Any, form: Format) -> None:
        values = [row.get(name) for name in form.key] if isinstance(row, dict) else []
        self.spoilt.update(v for v in values if isinstance(v, str))

    def first(self, paths: Paths, form: Format) -> list[Record]:
        """Return the rows of the one file of a slot, none where it is not at hand."""
        return self.records(paths[0], form) if paths else []


def place(path: Path, line: int | None = None) -> str:
    """Return how messages name a file: folder, name and line."""
    name = f"{path.parent.name}/{path.name}"
    return name if line is None else f"{name}:{line}"


def _key(key: Sequence[Any]) -> str:
    return "/".join(map(str, key))


def _rows(path: Path, text: str, form: Format) -> Iterator[tuple[str, Any]]:
    """Yield where each row stands and the row, or a text that says why it cannot be read."""
    if path.suffix == ".tsv":
        yield from _table(path, text, form)
    elif path.suffix == ".json":
        yield from _array(path, text)
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield place(path, number), _value(line)


def _table(path: Path, text: str, form: Format) -> Iterator[tuple[str, Any]]:
    lines = text.split("\n")
    head = lines[0].rstrip("\r").split("\t")
    if len(set(head)) < len(head):
        yield place(path, 1), _Unreadable("a column stands twice")
        return
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) != len(head):
            found = _Unreadable(f"{len(cells)} cells in a table of {len(head)} columns")
            yield place(path, number), found
            continue
        named = zip(head, cells, strict=True)
        row = {name: _cell(cell, form.fields.get(name)) for name, cell in named}
        yield place(path, number), row


def _cell(cell: str, declared: Field | None) -> Any:
    """Return a cell of a table as the field's type; what does not fit stays text, a fault."""
    if cell == "":
        return None
    kind = declared.kind if declared else "text"
    if kind == "whole" and re.fullmatch(r"-?[0-9]+", cell):
        return int(cell)
    if kind == "number" and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", cell):
        return float(cell)
    if kind == "flag":
        return {"true": True, "false": False}.get(cell, cell)
    return cell


def _array(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a JSON array with the line that each starts on; an object is one item."""
    at = _skip(text, 0)
    if text[at : at + 1] != "[":
        yield place(path, 1), _value(text)
        return
    line, last = 1, 0
    at = _skip(text, at + 1)
    while text[at : at + 1] not in ("]", ""):
        line, last = line + text.count("\n", last, at), at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except ValueError as e:
            yield place(path, line), _Unreadable(f"is no JSON: {e}")
            return
        yield place(path, line), value
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            break
        at = _skip(text, at + 1)
    if text[at : at + 1] != "]" or text[at + 1 :].strip():
        number = text.count("\n", 0, at) + 1
        yield place(path, number), _Unreadable("the JSON array does not end where it should")


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"field '{double}' stands twice")
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def _value(line: str) -> Any:
    try:
        return _DECODER.decode(line)
    except ValueError as e:
        return _Unreadable(f"is no JSON: {e}")
