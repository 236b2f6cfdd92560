"""What adapters share: careful look-ups, and JSON documents of bounded size."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from copyceiling.check.chunks import MAX_DOCUMENT, Unreadable, decode
from copyceiling.check.faults import CheckError, Fault
from copyceiling.check.fields import CONTENT

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Adapter:
    """How one tool's log is read.

    Attributes:
        records: Reads a file into pairs of (number from 1, record); None for JSONL.
        row: Maps a record to the fields of a row, or to what is wrong with it. A context or an
            answer that the log does not mention is left out; one that it says was empty is not.
        names: Our field to the tool's name for it, where it is a field of the record.
    """

    records: Callable[[Path], Iterator[tuple[int, Any]]] | None
    row: Callable[[Mapping[str, Any]], Row | Fault]
    names: Mapping[str, str] = field(default_factory=dict)


def take(record: Any, *path: str | int) -> Any:
    """Return what stands at a path of keys and positions, None where there is nothing."""
    for step in path:
        if isinstance(step, str):
            record = record.get(step) if isinstance(record, Mapping) else None
        else:
            inside = isinstance(record, list) and len(record) > step
            record = record[step] if inside else None
    return record


def renamed(record: Mapping[str, Any], names: Mapping[str, str]) -> Row:
    """Return our fields under which a record has theirs; what it does not mention is left out."""
    return {ours: record[theirs] for ours, theirs in names.items() if theirs in record}


def held(row: Row) -> Row:
    """Return a row without a context or an answer that is None: the log does not hold it."""
    return {k: v for k, v in row.items() if v is not None or k not in CONTENT}


def as_gold(reference: Any) -> Any:
    """Return a reference as gold: a list as it is, a text as one title."""
    return [reference] if isinstance(reference, str) and reference.strip() else reference


def question_id(question: Any) -> str | None:
    """Return an id that follows from the question's text, for tools that give none."""
    if not isinstance(question, str):
        return None
    text = question.encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:16]


def document(path: Path, tool: str) -> Any:
    """Read a JSON document whole.

    Raises:
        CheckError: It is larger than `MAX_DOCUMENT`, or no JSON.
    """
    size = path.stat().st_size
    if size > MAX_DOCUMENT:
        raise CheckError(
            f"'{path}' has {size} bytes; a {tool} document of at most {MAX_DOCUMENT} is read. "
            "Split it, or write rows as JSONL"
        )
    value = decode(path.read_bytes())
    if isinstance(value, Unreadable):
        raise CheckError(f"'{path}' {value.detail}")
    return value


def listed(value: Any, path: Path, tool: str, where: str) -> Iterator[tuple[int, Any]]:
    """Number the records of a document's list.

    Raises:
        CheckError: There is no such list.
    """
    if not isinstance(value, list):
        raise CheckError(f"'{path}' has no list '{where}', so it is no output of {tool}")
    yield from enumerate(value, 1)
