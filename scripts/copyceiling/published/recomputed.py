"""What a published value is compared with: our own value, or the reason why there is none."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Recomputed:
    """A value computed from rows, never taken over from a released aggregate.

    Attributes:
        value: Number, text, list or mapping, in the form of the published one; None where the
            rows at hand do not determine it.
        reason: What is lacking, where value is None.
        note: How it was computed, where that is not what the published definition says.
        other_encoder: The encoder that it rests on, where the published value rests on another:
            such a value is set beside the published one and never judged by it.
    """

    value: Any = None
    reason: str | None = None
    note: str | None = None
    other_encoder: str | None = None


def lacking(reason: str) -> Recomputed:
    """Return that there is no value, and why."""
    return Recomputed(reason=reason)
