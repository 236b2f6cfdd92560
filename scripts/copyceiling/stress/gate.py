"""The gate that a rewritten question must pass: pure functions of texts (STUDIES section 2).

Part (i) bans the content words of the subjects' titles, part (ii) the gold titles; every reason
from both is gathered. Part (iii), whether original and rewrite have the same answers, is asked
only of a rewrite that passes both, and is decided by a model or holds by construction; see
`rewriting`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from copyceiling.matching import Text, Title, match
from copyceiling.text import normalise, words

Kind = Literal[
    "title_word", "gold_verbatim", "gold_words", "other_answers", "no_text", "no_rewrite"
]
KINDS: tuple[Kind, ...] = (
    "title_word",
    "gold_verbatim",
    "gold_words",
    "other_answers",
    "no_text",
    "no_rewrite",
)
MIN_TOKEN_LETTERS = 3
# Articles, prepositions, conjunctions and question words: in every title, and in every question.
FUNCTION_WORDS = frozenset(
    "a an the and or of to in on at by for from with into onto via per as between during within "
    "without what which who whom whose where when why how".split()
)


@dataclass(frozen=True)
class Reason:
    """Why a rewrite was turned down: the kind, and the word or title at fault ("" if none)."""

    kind: Kind
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def content_words(titles: Iterable[str], boilerplate: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words of titles that a rewrite may not use, in order, each once.

    Runs of ``[a-z0-9]`` of three letters or more, without function words and without boilerplate.

    Args:
        titles: Titles of the subjects.
        boilerplate: Words of the wording that name the source (``gene``, ``ontology``); every
            question holds them, so they give no subject away.
    """
    ignored = FUNCTION_WORDS.union(boilerplate)
    found = (w for title in titles for w in words(title))
    return tuple(
        dict.fromkeys(w for w in found if len(w) >= MIN_TOKEN_LETTERS and w not in ignored)
    )


def banned_in(text: str, banned: Sequence[str]) -> tuple[str, ...]:
    """Return the banned words that some word of the text equals or starts with, in order."""
    found = normalise(text).split(" ")
    return tuple(b for b in banned if any(w.startswith(b) for w in found))


def mechanical_reasons(
    candidate: str, banned: Sequence[str], gold: Iterable[str], *, gold_words: bool = False
) -> tuple[Reason, ...]:
    """Return every reason of parts (i) and (ii) against a rewrite; empty if it passes both.

    Args:
        candidate: The rewritten question.
        banned: Content words of the subjects' titles.
        gold: Titles of the gold items.
        gold_words: Also turn down a rewrite that holds a gold title's words in another order, as
            the paper's matcher would credit it. For studies that leave out gold that the question
            alone exposes (``questions.drop_gold_in_question``).
    """
    reasons = [Reason("title_word", word) for word in banned_in(candidate, banned)]
    text = Text.of(candidate)
    for title in gold:
        path = match(Title.of(title), text).path
        if path == "substring":
            reasons.append(Reason("gold_verbatim", title))
        elif path == "word_bag" and gold_words:
            reasons.append(Reason("gold_words", title))
    return tuple(reasons)


def same_answers(reply: str) -> bool:
    """Read the reply to part (iii): does it start with YES, whatever comes after?"""
    return reply.strip().upper().startswith("YES")
