"""How much a control's block gives away: of the question's gold, and of the gold proxy.

The proxy is what the paper measured its placebos by: titles of the true block's classes and of the
question's subject. Source: paper section 10.7, STUDIES section 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from copyceiling.controls.blocks import Case
from copyceiling.matching import Text, Title, match_all


@dataclass(frozen=True)
class Targets:
    """What of a question's case a text may give away, prepared for the matcher."""

    gold: tuple[Title, ...]
    proxy: tuple[Title, ...]
    prompt: str

    @classmethod
    def of(cls, case: Case) -> "Targets":
        """Prepare a case."""
        named = (*(c.title for c in case.seeds), *case.subjects)
        titles = {title.norm: title for title in reversed([Title.of(name) for name in named])}
        titles.pop("", None)
        gold = tuple(Title.of(item.title) for item in case.question.gold)
        return cls(gold, tuple(reversed(titles.values())), case.question.prompt)

    @property
    def n_unmatchable(self) -> int:
        """Gold items whose title the matcher cannot see, so that no exposure can be told."""
        return sum(not title.norm for title in self.gold)

    @cached_property
    def _by_question(self) -> tuple[bool, ...]:
        return found_in(self.gold, Text.of(self.prompt))

    def given_away(self, block: Text) -> int:
        """Return how many gold items a block gives away, by itself or with the question's words.

        The bag of words may draw on both, so that a block that exposes nothing can complete what
        the question leaves open. What the question alone exposes counts only if the block does too.
        """
        asked = Text.of(self.prompt)
        together = Text(f"{block.norm} {asked.norm}".strip())
        cells = zip(
            found_in(self.gold, block),
            found_in(self.gold, together),
            self._by_question,
            strict=True,
        )
        return sum(alone or (both and not before) for alone, both, before in cells)


def found_in(titles: Sequence[Title], text: Text) -> tuple[bool, ...]:
    """Return whether the paper's matcher finds each title in a text."""
    return tuple(m.paper for m in match_all(titles, text))
