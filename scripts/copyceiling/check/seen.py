"""Keeps count of what the rows of a source hold, so that a fault of all of them is said once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from copyceiling.check.faults import Fault
from copyceiling.check.fields import CONTENT, FIELDS, CheckRow, fitting, given

_NAMES = 500  # different names of one source that are kept; a name beyond them is not proposed
_CODE = 30  # characters of a text without spaces above which it is a hash or an address, no prose
_PASSAGES = 50  # passages of one value whose characters are counted


@dataclass(frozen=True, slots=True)
class Named:
    """A name in the rows, by the first value seen under it.

    Attributes:
        filled: Whether there was a value.
        fits: Fields that it could be read as.
        characters: About how much text it holds.
    """

    filled: bool = False
    fits: frozenset[str] = frozenset()
    characters: int = 0


@dataclass(slots=True)
class Tally:
    """Rows of one system: all, those that hold a context or an answer, those that mention one."""

    rows: int = 0
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CONTENT, 0))
    stated: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CONTENT, 0))

    def add(self, other: "Tally") -> None:
        """Count the rows of another tally too."""
        self.rows += other.rows
        for name in CONTENT:
            self.held[name] += other.held[name]
            self.stated[name] += other.stated[name]

    def silent_on(self, name: str) -> bool:
        """Whether no row holds it and some do not even say that there was none."""
        return not self.held[name] and self.stated[name] < self.rows


@dataclass(slots=True)
class Seen:
    """What was seen of one source.

    Attributes:
        source: Its name in messages.
        adapter: The tool whose log it is, "" for our own fields.
        n: Records that are objects.
        n_bad: Those of them that are no rows.
        n_mapped: Those whose fields could be looked at; the rest is no answer of its tool.
        names: Names in the records, in the order in which they came.
        fields: Our fields that at least one record has, after renaming.
        renamed: Names that a renaming asks for and that were found.
        beside: For context and answer, the names in rows that hold one.
        shared: Faults of every record, None before the first.
        systems: Rows of each system.
    """

    source: str
    adapter: str = ""
    n: int = 0
    n_bad: int = 0
    n_mapped: int = 0
    names: dict[str, Named] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    beside: dict[str, set[str]] = field(default_factory=lambda: {name: set() for name in CONTENT})
    shared: frozenset[Fault] | None = None
    systems: dict[str, Tally] = field(default_factory=dict)

    def record(self, original: Mapping[str, Any], flat: bool, wanted: Iterable[str]) -> None:
        """Note the names of a record as it stands in the source."""
        self.n += 1
        for name, value in original.items():
            known = self.names.get(name)
            if known is None and (len(self.names) >= _NAMES or not isinstance(name, str)):
                continue
            if known is None or not (known.filled or name in FIELDS):
                self.names[name] = _named(value, flat)
        self.renamed.update(name for name in wanted if name in original)

    def outcome(
        self, original: Mapping[str, Any], ours: Iterable[str] | None, row: CheckRow | list[Fault]
    ) -> None:
        """Note what became of a record that has these fields of ours, None if it has no row."""
        if ours is not None:
            self.n_mapped += 1
            self.fields.update(name for name in ours if name in FIELDS)
        if not isinstance(row, CheckRow):
            self.n_bad += 1
            faults = frozenset(row)
            self.shared = faults if self.shared is None else self.shared & faults
            return
        self.shared = frozenset()
        tally = self.systems.setdefault(row.system, Tally())
        tally.rows += 1
        holds = {"context": any(t.strip() for t in row.context), "answer": bool(row.answer.strip())}
        for name in CONTENT:
            tally.held[name] += holds[name]
            tally.stated[name] += name not in row.unstated
            if holds[name] and not self.beside[name].issuperset(original):
                self.beside[name].update(n for n in original if n in self.names)

    def add(self, other: "Seen") -> None:
        """Take in what was seen of later records of the same source."""
        self.n += other.n
        self.n_bad += other.n_bad
        self.n_mapped += other.n_mapped
        for name, named in other.names.items():
            if not self.names.get(name, Named()).filled:
                self.names[name] = named
        self.fields |= other.fields
        self.renamed |= other.renamed
        for name in CONTENT:
            self.beside[name] |= other.beside[name]
        if other.shared is not None:
            self.shared = other.shared if self.shared is None else self.shared & other.shared
        for system, tally in other.systems.items():
            self.systems.setdefault(system, Tally()).add(tally)

    def total(self) -> Tally:
        """Return the tally of all its systems."""
        found = Tally()
        for tally in self.systems.values():
            found.add(tally)
        return found


def _named(value: Any, flat: bool) -> Named:
    if not given(value) or value == "":
        return Named()
    return Named(True, fitting(value, flat=flat), _characters(value))


def _characters(value: Any, depth: int = 2) -> int:
    """Return about how much text a text, a passage, or a list of such holds."""
    if isinstance(value, str):
        return len(value) if len(value) <= _CODE or " " in value else 0
    if not depth or not isinstance(value, (Mapping, list, tuple)):
        return 0
    inner = islice(value.values() if isinstance(value, Mapping) else value, _PASSAGES)
    return sum(_characters(v, depth - 1) for v in inner)


def merged(parts: Iterable[Seen]) -> list[Seen]:
    """Return what was seen of each source, in the order in which they came."""
    found: dict[str, Seen] = {}
    for part in parts:
        if part.source in found:
            found[part.source].add(part)
        else:
            found[part.source] = part
    return list(found.values())
