"""What is wrong with a row, and the errors that a check ends in."""

from collections.abc import Mapping
from dataclasses import dataclass

from copyceiling.errors import CopyCeilingError


class CheckError(CopyCeilingError):
    """The check cannot run as asked; the message names the file or the setting.

    Attributes:
        text: What is wrong.
        fields: Renamings that would mend it if names say what they hold, our field to the name in
            the rows; empty if there is nothing to propose.
    """

    def __init__(self, text: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.fields = dict(fields or {})

    def __str__(self) -> str:
        asked = f"\n{IF_SO}\n  fields={self.fields!r}" if self.fields else ""
        return self.text + asked


class BadRowsError(CheckError):
    """Some rows cannot be read; the message names each by file, line and field."""


class UnreadFieldError(CheckError):
    """No row of a file or of a system has a context, or none an answer, and none says why."""


IF_SO = "If these names say what they hold, read them so:"


def counted(n: int, what: str) -> str:
    """Return a number of things in words, as in ``1 row`` and ``2,000 rows``."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


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
        unit: What `place` counts: ``line``, ``row``, ``item`` or ``record``.
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
