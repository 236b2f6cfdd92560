"""What the evidence browser shows, whatever part of a study it comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
SWEEP = "sweep"


@dataclass(frozen=True)
class Piece:
    """A stretch of what a model was shown: ``preamble``, ``block``, ``after`` or ``question``."""

    kind: str
    text: str


# Messages in order, each its pieces one after the other; exposure is measured on the messages
# joined by one space.
Shown = tuple[tuple[Piece, ...], ...]


def visible_text(shown: Shown) -> str:
    """Return the text that exposure is measured on, as `requests.visible_input` gives it."""
    return " ".join("".join(piece.text for piece in message) for message in shown)


@dataclass(frozen=True)
class Asked:
    """A question of a part.

    Attributes:
        part: sweep, or a judged study whose answers are calls of its own.
        id: Unique within the part, the same in every arm.
        domain, template: As the question has them, "" where it has none.
        gold_type: ``all`` or ``any``; "" where there is no gold.
        prompt: The question.
        gold: Titles of its gold items.
        reference: Reference answer that a judge was shown, None if none was.
        key_points: Its points.
    """

    part: str
    id: str
    domain: str
    template: str
    gold_type: str
    prompt: str
    gold: tuple[str, ...]
    reference: str | None = None
    key_points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """One gold item of one answer.

    Attributes:
        shown: How the visible input exposes it: a path of the matcher.
        shown_strict: Whether it does by the strict matcher.
        found: How the answer recovers it; None where the rows at hand do not say.
        found_strict: By the strict matcher; None likewise.
    """

    shown: str
    shown_strict: bool
    found: str | None
    found_strict: bool | None


@dataclass
class Answer:
    """One answer with its gold items and what judges said of it.

    Attributes:
        asked: The question.
        shown: What the model was shown.
        model, arm, status: Which answer, and how it ended.
        text: The answer; None where the study's rows hold no text.
        n_hits: Gold items recovered, as its score row states; None where there is no such row.
        paired: Whether it stands in the tables under the policy ``complete_case``.
        cut_either: Whether the answer of this or the other arm was cut at its budget.
        retried: Whether it took more than one try.
        items: A gold item each; empty where the question has no gold.
        verdicts: What judges said, of one item (``item``) or of the whole answer (``item`` None).
    """

    asked: Asked
    shown: Shown
    model: str
    arm: str
    status: str
    text: str | None
    n_hits: int | None = None
    paired: bool = True
    cut_either: bool = False
    retried: bool = False
    items: Sequence[Item] = ()
    verdicts: list[dict[str, Any]] = field(default_factory=list)
