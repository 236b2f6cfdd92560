"""Measures chunks, on one or several processes, and puts the rows together in one order.

What comes out depends on the set of rows alone: rows are sorted by (system, id), so neither the
order in the files, nor how they are split, nor the number of workers enters any figure.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.cells import unfold
from copyceiling.check.chunks import Chunk, Reading, Unreadable
from copyceiling.check.faults import BadRow, Fault, shown
from copyceiling.check.fields import CheckRow, parse
from copyceiling.check.measure import COLUMNS, measure
from copyceiling.check.processes import pool
from copyceiling.check.seen import Named, Seen, merged
from copyceiling.stats import Ints

KEPT_BAD_ROWS = 10_000  # bad rows whose faults are kept; all are counted
Told = Callable[[int, int], None]
_IN_FLIGHT = 2  # chunks a worker that are read ahead


@dataclass(frozen=True)
class Part:
    """The measured rows of one chunk.

    Attributes:
        numbers: Shape (n, len(COLUMNS)).
        labels: (system, id, cluster) of each row.
        places: Place of each row in its source.
        bad: Rows that cannot be read, at most `KEPT_BAD_ROWS`.
        n_bad: How many there are.
        seen: What the records held.
        n_bytes: Bytes of lines that were read, 0 of other records.
    """

    source: str
    unit: str
    numbers: Ints
    labels: list[tuple[str, str, str | None]]
    places: list[int]
    bad: list[BadRow]
    n_bad: int
    seen: Seen
    n_bytes: int


@dataclass
class Gathered:
    """All measured rows, sorted by (system, id).

    Attributes:
        numbers: Shape (n, len(COLUMNS)).
        labels: (system, id, cluster) of each row.
        bad: Bad rows in order of source and place, at most `KEPT_BAD_ROWS`.
        n_bad: How many rows are bad.
        n_read: Rows read, bad ones included.
        seen: What the records of each source held, in order of the sources.
    """

    numbers: Ints
    labels: list[tuple[str, str, str | None]]
    bad: list[BadRow] = field(default_factory=list)
    n_bad: int = 0
    n_read: int = 0
    seen: list[Seen] = field(default_factory=list)

    def column(self, name: str) -> Ints:
        """Return one column of `numbers`."""
        found: Ints = self.numbers[:, COLUMNS.index(name)]
        return found


def to_row(record: Any, reading: Reading, seen: Seen | None = None) -> CheckRow | list[Fault]:
    """Turn a record of any origin into a row, or into its faults.

    Args:
        record: The record as it stands in its source.
        reading: How it becomes a row.
        seen: Where to note what it held.
    """
    if isinstance(record, Unreadable):
        return [Fault("", record.detail)]
    if not isinstance(record, Mapping):
        return parse(record)
    if seen is not None:
        seen.record(record, reading.flat, (theirs for _, theirs in reading.rename))
    ours = _as_ours(record, reading)
    found = [ours] if isinstance(ours, Fault) else parse(ours)
    if seen is not None:
        seen.outcome(record, None if isinstance(ours, Fault) else ours, found)
    return found


def _as_ours(record: Mapping[str, Any], reading: Reading) -> dict[str, Any] | Fault:
    """Return a record with the fields of a row; what a renaming says stands above a tool's own."""
    renamed = {ours: record[theirs] for ours, theirs in reading.rename if theirs in record}
    original = {**record, **renamed}
    found: dict[str, Any] | Fault = unfold(original) if reading.flat else original
    if reading.adapter and not isinstance(found, Fault):
        found = ADAPTERS[reading.adapter].row(found)
        if not isinstance(found, Fault):
            found = {**found, **renamed}
    if isinstance(found, Fault):
        return found
    if reading.system and not found.get("system") and not found.get("arm"):
        return {**found, "system": reading.system}
    return found


def measure_chunk(chunk: Chunk) -> Part:
    """Measure the rows of one chunk."""
    numbers, labels, places = [], [], []
    bad: list[BadRow] = []
    n_bad = 0
    seen = Seen(chunk.source, chunk.reading.adapter, names=dict.fromkeys(chunk.columns, Named()))
    for place, record in chunk.decoded():
        row = to_row(record, chunk.reading, seen)
        if isinstance(row, CheckRow):
            numbers.append(measure(row))
            labels.append((row.system, row.id, row.cluster))
            places.append(place)
        else:
            n_bad += 1
            if len(bad) < KEPT_BAD_ROWS:
                bad.append(BadRow(chunk.source, chunk.unit, place, tuple(row)))
    table = np.array(numbers, dtype=np.int64).reshape(len(numbers), len(COLUMNS))
    size = len(chunk.lines)
    return Part(chunk.source, chunk.unit, table, labels, places, bad, n_bad, seen, size)


def measured(chunks: Iterable[Chunk], workers: int) -> Iterator[Part]:
    """Measure chunks in order, reading only a few ahead of the workers.

    Args:
        chunks: What to measure.
        workers: Processes; with 1, or a single chunk, this process measures by itself.

    Raises:
        CheckError: A worker was killed.
    """
    source = iter(chunks)
    ahead = [c for _, c in zip(range(2), source, strict=False)]
    if workers <= 1 or len(ahead) < 2:
        yield from map(measure_chunk, ahead)
        yield from map(measure_chunk, source)
        return
    with pool(workers) as executor:
        waiting: deque[Future[Part]] = deque(executor.submit(measure_chunk, c) for c in ahead)
        for chunk in source:
            waiting.append(executor.submit(measure_chunk, chunk))
            if len(waiting) > workers * _IN_FLIGHT:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def gather(chunks: Iterable[Chunk], workers: int, told: Told | None = None) -> Gathered:
    """Measure all chunks; rows of one (system, id) that occur more than once become bad rows.

    Args:
        chunks: What to measure.
        workers: Processes.
        told: Told after each chunk how many rows, and bytes of lines, were measured so far.
    """
    parts: list[Part] = []
    n_rows = n_bytes = 0
    for part in measured(chunks, workers):
        parts.append(part)
        n_rows, n_bytes = n_rows + len(part.labels) + part.n_bad, n_bytes + part.n_bytes
        if told is not None:
            told(n_rows, n_bytes)
    labels = [label for part in parts for label in part.labels]
    numbers = np.concatenate([np.empty((0, len(COLUMNS)), np.int64), *(p.numbers for p in parts)])
    where = [(p.source, p.unit, place) for p in parts for place in p.places]
    order = sorted(range(len(labels)), key=lambda i: labels[i][:2])
    content = numbers[:, COLUMNS.index("content")].tolist()
    kept, double = _without_doubles(order, labels, content, where)
    found = [b for p in parts for b in p.bad] + double
    found.sort(key=lambda b: (b.source, b.place))
    n_bad = sum(p.n_bad for p in parts) + len(double)
    return Gathered(
        numbers[kept],
        [labels[i] for i in kept],
        found[:KEPT_BAD_ROWS],
        n_bad,
        len(labels) + sum(p.n_bad for p in parts),
        merged(p.seen for p in parts),
    )


def _without_doubles(
    order: Sequence[int],
    labels: Sequence[tuple[str, str, str | None]],
    content: Sequence[int],
    where: Sequence[tuple[str, str, int]],
) -> tuple[list[int], list[BadRow]]:
    """Return the rows that stand, in order, and the bad ones.

    Of identical copies one stands. Where rows of one key differ none does: which of them is meant
    must not depend on the order of the files.
    """
    groups: list[list[int]] = []
    for i in order:
        if groups and labels[groups[-1][0]][:2] == labels[i][:2]:
            groups[-1].append(i)
        else:
            groups.append([i])
    kept, bad = [], []
    for group in groups:
        group.sort(key=lambda i: (where[i][0], where[i][2]))
        alike = len({content[i] for i in group}) == 1
        kept += group[:1] if alike else []
        for i in group[1:] if alike else group:
            other = group[0] if i != group[0] else group[1]
            bad.append(_double(labels[i], where[i], where[other], alike))
    return kept, bad


def _double(
    label: tuple[str, str, str | None],
    here: tuple[str, str, int],
    there: tuple[str, str, int],
    alike: bool,
) -> BadRow:
    source, unit, place = there
    what = "repeats" if alike else "has the system and id, but not the content, of"
    way_out = "Remove one" if alike else "Give each its own id, or its own system"
    named = f"'{shown(label[1])}' of system '{shown(label[0])}'"
    detail = f"{named} {what} {source} {unit} {place}. {way_out}"
    return BadRow(*here, (Fault("id", detail),))
