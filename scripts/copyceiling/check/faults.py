"""What is wrong with a row, and the error that lists every bad row at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from copyceiling.errors import CopyCeilingError, listing


class CheckError(CopyCeilingError):
    """The check cannot run as asked; the message names the file or the setting."""


class BadRowsError(CheckError):
    """Some rows cannot be read; the message names each by file, line and field."""


def shown(label: str, limit: int = 60) -> str:
    """Return a label from outside on one line, of bounded length, without control characters."""
    plain = "".join(c if c.isprintable() and c != "|" else " " for c in label)
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Fault:
    """One field of one row that cannot be used.

    Attributes:
        field: Name of the field, "" where the row as a whole cannot be read.
        detail: What was found, and the way out.
    """

    field: str
    detail: str


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that is not scored.

    Attributes:
        source: File as named by the caller, ``<stdin>`` or ``<rows>``.
        unit: What `place` counts: ``line``, ``row`` or ``record``.
        place: Position in the source, from 1.
        faults: What is wrong with it; at least one.
    """

    source: str
    unit: str
    place: int
    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        said = "; ".join(f"{f.field}: {f.detail}" if f.field else f.detail for f in self.faults)
        return f"{self.source} {self.unit} {self.place}: {said}"


def bad_rows_error(bad: Sequence[BadRow], n_bad: int, limit: int) -> BadRowsError:
    """Return the error that lists bad rows.

    Args:
        bad: Bad rows in order of source and place; possibly not all of them.
        n_bad: How many there are.
        limit: Most rows to list.
    """
    shown = listing([str(b) for b in bad[:limit]], limit)
    more = f"\n  ... and {n_bad - limit} more" if n_bad > limit else ""
    return BadRowsError(
        f"{n_bad} bad row(s):\n{shown}{more}\n"
        "Correct them, or leave them out and count them: --skip-bad"
    )
