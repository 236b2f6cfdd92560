"""The surface matcher: does a text name a title?

Two matchers score every text. ``paper`` is the published one (STUDIES section 0): the normalised
title is a substring of the normalised text, or at least 80 % of the title's words of four letters
or more occur in it as whole words, in any order. ``strict`` asks for the whole title at word
boundaries and is reported beside it as a sensitivity row (DESIGN section 9).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from copyceiling.text import normalise

Path = Literal["substring", "word_bag", "none", "unmatchable"]

MATCHERS = ("paper", "strict")
SIGNATURE = "norm:ascii-v1|paper:substring+bag4@0.8|strict:word-boundary"

_BAG_WORD_LENGTH = 4
# 0.8 as a ratio of integers, so that 4 of 5 words is exactly enough on every machine.
_BAG_NUMERATOR, _BAG_DENOMINATOR = 4, 5


@dataclass(frozen=True)
class Title:
    """A gold title prepared for matching."""

    text: str
    norm: str
    long_words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "Title":
        """Prepare a title."""
        norm = normalise(text)
        long_words = tuple(w for w in norm.split(" ") if len(w) >= _BAG_WORD_LENGTH)
        return cls(text, norm, long_words)


@dataclass(frozen=True)
class Text:
    """A context or an answer prepared for matching; normalise once, match many titles."""

    norm: str

    @classmethod
    def of(cls, text: str) -> "Text":
        """Prepare a text."""
        return cls(normalise(text))

    @cached_property
    def padded(self) -> str:
        """The text between spaces, so that `` word `` finds whole words only."""
        return f" {self.norm} "

    @cached_property
    def words(self) -> frozenset[str]:
        """Its distinct words."""
        return frozenset(self.norm.split(" "))


@dataclass(frozen=True)
class Match:
    """How a title was found in a text.

    ``path`` says which rule of the paper's matcher gave credit; ``at_boundary`` is true when the
    whole title stands in the text at word boundaries, which is what the strict matcher asks for.
    """

    path: Path
    at_boundary: bool

    @property
    def paper(self) -> bool:
        """Credit by the paper's matcher."""
        return self.path in ("substring", "word_bag")

    @property
    def strict(self) -> bool:
        """Credit by the strict matcher."""
        return self.at_boundary

    def by(self, matcher: str) -> bool:
        """Return the verdict of one matcher of `MATCHERS`; KeyError on another name."""
        return {"paper": self.paper, "strict": self.strict}[matcher]


_UNMATCHABLE = Match("unmatchable", False)
_NONE = Match("none", False)
_WORD_BAG = Match("word_bag", False)
_INSIDE = Match("substring", False)
_WHOLE = Match("substring", True)


def match(title: Title, text: Text) -> Match:
    """Match one title against one text. Source: STUDIES section 0, DESIGN section 9.

    A title that normalises to nothing is ``unmatchable``, not a miss: the caller counts it.
    """
    if not title.norm:
        return _UNMATCHABLE
    if title.norm in text.norm:
        return _WHOLE if f" {title.norm} " in text.padded else _INSIDE
    if title.long_words:
        # A substring search per word is cheaper than cutting a long text into a set of words.
        found = sum(f" {word} " in text.padded for word in title.long_words)
        if found * _BAG_DENOMINATOR >= len(title.long_words) * _BAG_NUMERATOR:
            return _WORD_BAG
    return _NONE


def match_all(titles: Sequence[Title], text: Text) -> list[Match]:
    """Match each title against one text, in order."""
    return [match(title, text) for title in titles]
