"""Does a judge's quote stand in the answer? Pure functions.

Two rules for a first quote. ``released``: the normalised quote is a substring of the normalised
answer, or each piece between ellipses is, in any order. ``ordered`` asks for whole words, and for
the pieces in their order. The gate's repair asks for one contiguous span. Source: STUDIES
section 5.
"""

import re
from dataclasses import dataclass

from copyceiling.text import normalise

_ELLIPSIS = re.compile(r"\.\.\.|…")


@dataclass(frozen=True)
class Standing:
    """How a span stands in an answer.

    Attributes:
        verbatim: As it is, but for white space.
        normalised: As the matcher sees it.
    """

    verbatim: bool
    normalised: bool

    @property
    def accepted(self) -> bool:
        """Whether it stands there in either way."""
        return self.verbatim or self.normalised


def verify_quote(quote: str, answer: str, rule: str = "ordered") -> bool:
    """Say whether a quote stands in an answer.

    Args:
        quote: As the judge gave it; its pieces may be joined by ``...`` or the ellipsis character.
        answer: The text that the judge was shown.
        rule: ``ordered`` or ``released``, see the module.

    Returns:
        False for a quote that normalises to nothing.
    """
    text = normalise(answer)
    whole = normalise(quote)
    pieces = [piece for piece in map(normalise, _ELLIPSIS.split(quote)) if piece]
    if rule == "released":
        # The quote is non-empty, so at least one piece is.
        return bool(whole) and (whole in text or all(piece in text for piece in pieces))
    return bool(pieces) and (_in_order([whole], text) or _in_order(pieces, text))


def _in_order(pieces: list[str], text: str) -> bool:
    """Whether the pieces stand in a normalised text, as whole words, one after the other."""
    padded, place = f" {text} ", 0
    for piece in pieces:
        found = padded.find(f" {piece} ", place)
        if found < 0:
            return False
        # The space after a piece may be the one before the next.
        place = found + len(piece) + 1
    return True


def standing(span: str, answer: str) -> Standing:
    """Say how one contiguous span stands in an answer; an empty one does not."""
    squeezed, text = " ".join(span.split()), " ".join(answer.split())
    norm = normalise(span)
    return Standing(bool(squeezed) and squeezed in text, bool(norm) and norm in normalise(answer))
