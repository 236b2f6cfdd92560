"""Where the matcher found a title in a text: positions in the text as written.

The matcher compares normalised texts; these functions find the same credit in the raw text, for
display. A span is marked exactly where the matcher gives credit (a test holds both to that).
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from copyceiling.matching import Text, Title, match

# How a span was found: the whole title at word boundaries, the title inside other words, or one
# of the words that together earned word-bag credit.
KINDS = ("whole", "inside", "word")
_WORD = re.compile(r"[a-z0-9]")


@dataclass(frozen=True)
class Span:
    """A stretch of a text, in characters: ``text[start:end]``; ``kind`` is one of `KINDS`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Raw:
    """A text prepared for finding spans: lowercased, with the way back to the raw characters."""

    norm: Text
    lower: str
    origin: tuple[int, ...] | None

    @classmethod
    def of(cls, text: str) -> "Raw":
        """Prepare a text.

        Lowercasing never shortens a character, so a lowercased text of the same length has each
        character in its old place. Where one became several (a dotted capital I), each of them
        points back to it.
        """
        lower = text.lower()
        if len(lower) == len(text):
            return cls(Text.of(text), lower, None)
        pieces = [char.lower() for char in text]
        origin = tuple(i for i, piece in enumerate(pieces) for _ in piece)
        return cls(Text.of(text), "".join(pieces), origin)

    def span(self, start: int, end: int, kind: str) -> Span:
        """Return a span of the lowercased text as one of the raw text."""
        if self.origin is None:
            return Span(start, end, kind)
        return Span(self.origin[start], self.origin[end - 1] + 1, kind)


def find_spans(title: str, text: Raw) -> list[Span]:
    """Return where a title earns the paper's credit in a text; empty if it earns none.

    As a substring: every occurrence, and these may overlap. By its words: every occurrence, as a
    whole word, of every long word of the title.

    Args:
        title: A gold title as written.
        text: A visible input or an answer.
    """
    found = _title(title)
    path = match(found, text.norm).path
    if path == "substring":
        return [_substring(text, m) for m in _pattern(found.norm, False).finditer(text.lower)]
    if path == "word_bag":
        spans = {
            text.span(m.start(1), m.end(1), "word")
            for word in found.long_words
            for m in _pattern(word, True).finditer(text.lower)
        }
        return sorted(spans, key=lambda s: (s.start, s.end))
    return []


@lru_cache(maxsize=8192)
def _title(text: str) -> Title:
    return Title.of(text)


@lru_cache(maxsize=8192)
def _pattern(norm: str, whole: bool) -> re.Pattern[str]:
    """Return a pattern of a normalised title in lowercased text: any separators between words."""
    body = "[^a-z0-9]+".join(norm.split(" "))
    # A lookahead takes no text, so that occurrences that overlap are all found.
    return re.compile(f"(?=({body}))" if not whole else f"(?<![a-z0-9])({body})(?![a-z0-9])")


def _substring(text: Raw, found: re.Match[str]) -> Span:
    start, end = found.span(1)
    # At the start of the text the slice is empty.
    around = text.lower[max(start - 1, 0) : start] + text.lower[end : end + 1]
    kind = "inside" if _WORD.search(around) else "whole"
    return text.span(start, end, kind)


def utf16(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return spans in UTF-16 code units, as JavaScript counts; the same where no pair occurs."""
    if max(text, default="") <= "\uffff":
        return list(spans)
    wide = [i for i, char in enumerate(text) if char > "\uffff"]
    return [
        Span(s.start + _before(wide, s.start), s.end + _before(wide, s.end), s.kind) for s in spans
    ]


def _before(places: Sequence[int], at: int) -> int:
    """Return how many of the sorted places lie before ``at``."""
    return bisect_right(places, at - 1)
