"""Declares what a row of a released file holds, and says what is wrong with one that does not."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Kind = Literal["text", "whole", "number", "flag", "list", "mapping", "any"]
Fault = tuple[str, str]  # field, what was found

_TYPES: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "whole": (int,),
    "number": (int, float),
    "flag": (bool,),
    "list": (list,),
    "mapping": (dict,),
    "any": (object,),
}


@dataclass(frozen=True)
class Field:
    """One field of a row.

    Attributes:
        kind: Type of the value; ``number`` takes whole numbers as well.
        optional: Whether a row may lack it.
        nullable: Whether it may be null (an empty cell in a table).
        choices: The values it may have; empty for any.
        low, high: Range of a number, both included.
        inner: Format of a mapping, or of each item of a list.
    """

    kind: Kind
    optional: bool = False
    nullable: bool = False
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    inner: "Format | None" = None

    def maybe(self) -> "Field":
        """Return the field as one that rows may lack."""
        return replace(self, optional=True)

    def null(self) -> "Field":
        """Return the field as one that may be null."""
        return replace(self, nullable=True)

    def faults(self, name: str, value: Any) -> Iterator[Fault]:
        """Yield what is wrong with a value, by field."""
        if value is None:
            if not self.nullable and self.kind != "any":
                yield name, "is empty"
            return
        if not isinstance(value, _TYPES[self.kind]) or (
            isinstance(value, bool) and self.kind in ("whole", "number")
        ):
            yield name, f"{_shown(value)} is no {self.kind}"
            return
        if self.choices and value not in self.choices:
            yield name, f"{_shown(value)} is none of {', '.join(map(str, self.choices))}"
        yield from self._range_faults(name, value)
        if self.inner is not None and isinstance(value, list):
            for i, item in enumerate(value):
                yield from self.inner.faults(item, f"{name}.{i}.")
        elif self.inner is not None:
            yield from self.inner.faults(value, f"{name}.")

    def _range_faults(self, name: str, value: Any) -> Iterator[Fault]:
        if self.low is None and self.high is None:
            return
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not low <= value <= high:
            yield name, f"{_shown(value)} is outside {low} .. {high}"


@dataclass(frozen=True)
class Format:
    """The fields of a row.

    Attributes:
        fields: Name to field; a row with another field is at fault.
        key: Fields that tell rows apart.
        variants: Field whose presence says that a row has another format, and that format.
    """

    fields: Mapping[str, Field]
    key: tuple[str, ...] = ()
    variants: Mapping[str, "Format"] = field(default_factory=dict)

    def of(self, row: Mapping[str, Any]) -> "Format":
        """Return the format that a row has to follow."""
        return next((v for name, v in self.variants.items() if name in row), self)

    def faults(self, row: Any, prefix: str = "") -> Iterator[Fault]:
        """Yield every fault of a row: missing and unknown fields, wrong types and values."""
        if not isinstance(row, dict):
            yield prefix.rstrip(".") or "(row)", f"{_shown(row)} is no mapping"
            return
        form = self.of(row)
        for name, declared in form.fields.items():
            if name in row:
                yield from declared.faults(f"{prefix}{name}", row[name])
            elif not declared.optional:
                yield f"{prefix}{name}", "is missing"
        for name in row:
            if name not in form.fields:
                yield f"{prefix}{name}", "is unknown"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


TEXT = Field("text")
FLAG = Field("flag")
ANY = Field("any")
COUNT = Field("whole", low=0)
SHARE = Field("number", low=0.0, high=1.0)
SECONDS = Field("number", low=0.0)
TEXTS = Field("list")


def choice(*values: str) -> Field:
    """Return a text field with these values."""
    return Field("text", choices=values)


def whole(low: int, high: int) -> Field:
    """Return a whole number within bounds, both included."""
    return Field("whole", low=low, high=high)


def nested(fields: Mapping[str, Field]) -> Field:
    """Return a mapping with these fields."""
    return Field("mapping", inner=Format(fields))


def listed(form: Format) -> Field:
    """Return a list of mappings of a format."""
    return Field("list", inner=form)
