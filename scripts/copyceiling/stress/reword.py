"""Says a text without some of its words, by others that the corpus, or a glossary, has.

The longest run of words that holds a banned word and has other words comes first. A synonym may
stand anywhere. A gloss ("the functional unit of the kidney") is a noun phrase and replaces only
one that stands alone, with its article. What cannot be said otherwise stays, for the gate to find.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from copyceiling.stress.gate import banned_in
from copyceiling.stress.lexicon import Lexicon

# A gloss put in place of a term that the text goes on to explain by the same gloss; and a word said
# twice, once for the banned word and once for its neighbour.
_REPEATED = re.compile(r"\b(.{12,200}), \1\b|\b(\w{3,}) \2\b")
MAX_WORDS = 8  # of a run that is looked up
MAX_DEPTH = 2  # glosses within glosses
_CHOICES = 4  # best supported synonyms to draw from
_ARTICLES = frozenset("a an the its their any some another".split())
# Words beside which a noun phrase ends or begins.
_EDGES = _ARTICLES | frozenset(
    "of to in on by with from into onto across between for and or that which is are as via at "
    "where within during through under over when while then than out up so such being using "
    "leading resulting ending including involving containing be has have occurs can".split()
)
# What follows these belongs to the noun before them, and would hang on to its gloss.
_COMPLEMENTS = frozenset({"of", "to"})


@dataclass(frozen=True)
class Token:
    """A word of a text with the marks before and after it."""

    before: str
    word: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}{self.word}{self.after}"


def tokenise(text: str) -> list[Token]:
    """Cut a text at white space; marks at a word's ends are set apart from it."""
    found = (re.fullmatch(r"(\W*)(.*?)(\W*)", part, re.DOTALL) for part in text.split())
    return [Token(*m.groups()) for m in found if m]


@dataclass(frozen=True)
class Rewording:
    """Other words for one task.

    Attributes:
        lexicon: What the corpus says otherwise.
        glossary: Common words to plain ones, declared by the study; they may stand anywhere.
        banned: Words not to use, nor any that starts with one.
        rng: Draws between synonyms that are borne out alike.
    """

    lexicon: Lexicon
    glossary: Mapping[str, str]
    banned: Sequence[str]
    rng: np.random.Generator = field(compare=False)

    def reword(self, text: str, depth: int = 0, *, glosses: bool = True) -> str:
        """Return the text with its banned words said otherwise, as far as that can be done."""
        tokens = tokenise(text)
        out: list[Token] = []
        i = 0
        while i < len(tokens):
            n, said, is_phrase = self._other_words(tokens, i, depth, glosses)
            if said is None:
                out.append(tokens[i])
                i += 1
                continue
            before, after = tokens[i].before, tokens[i + n - 1].after
            if out and out[-1].word.lower() in _ARTICLES and not out[-1].after:
                if is_phrase:
                    before = out.pop().before + before
                elif out[-1].word.lower() in ("a", "an"):
                    out[-1] = Token(out[-1].before, _article(said, out[-1].word), "")
            out.append(Token(before, said, after))
            i += n
        return _REPEATED.sub(lambda m: m[1] or m[2], " ".join(map(str, out)))

    def _other_words(
        self, tokens: Sequence[Token], i: int, depth: int, glosses: bool
    ) -> tuple[int, str | None, bool]:
        """Return how many words from the i-th to replace, by what, and whether it is a gloss."""
        for n in range(min(MAX_WORDS, len(tokens) - i), 0, -1):
            run = tokens[i : i + n]
            if any(t.after for t in run[:-1]) or any(t.before for t in run[1:]):
                continue
            phrase = " ".join(t.word for t in run)
            if not banned_in(phrase, self.banned):
                continue
            synonym = self._synonym(phrase)
            if synonym is not None:
                return n, synonym, False
            if glosses and depth < MAX_DEPTH and _stands_alone(tokens, i, n):
                gloss = self._gloss(phrase, depth)
                if gloss is not None:
                    return n, gloss, True
        return 1, None, False

    def _synonym(self, phrase: str) -> str | None:
        for key, plural in _forms(phrase):
            # What a study declares comes before what is mined.
            declared = [self.glossary[key]] if key in self.glossary else []
            mined = () if declared else self.lexicon.synonyms.get(key, ())
            found = [s for s in (*declared, *mined) if self._allowed(s)][:_CHOICES]
            if found:
                said = found[int(self.rng.integers(len(found)))]
                return _plural(said) if plural else said
        return None

    def _gloss(self, phrase: str, depth: int) -> str | None:
        for key, _ in _forms(phrase):
            for gloss in self.lexicon.glosses.get(key, ()):
                said = self.reword(gloss, depth + 1)
                if self._allowed(said):
                    return said
        return None

    def _allowed(self, text: str) -> bool:
        return not banned_in(text, self.banned)


def _forms(phrase: str) -> Iterator[tuple[str, bool]]:
    """Yield a phrase as it is looked up, and in the singular; the flag says which."""
    key = phrase.lower()
    yield key, False
    if key.endswith("ies"):
        yield key[:-3] + "y", True
    elif key.endswith("s") and not key.endswith("ss"):
        yield key[:-1], True


def _stands_alone(tokens: Sequence[Token], i: int, n: int) -> bool:
    """Say whether no word of the same noun phrase stands before or after the run."""
    last = tokens[i + n - 1]
    free_after = (
        bool(last.after)
        or i + n == len(tokens)
        or tokens[i + n].word.lower() in _EDGES - _COMPLEMENTS
    )
    free_before = (
        i == 0
        or bool(tokens[i].before or tokens[i - 1].after)
        or tokens[i - 1].word.lower() in _EDGES
    )
    return free_after and free_before


def _article(said: str, article: str) -> str:
    right = "an" if said[:1].lower() in "aeiou" else "a"
    return right.capitalize() if article[0].isupper() else right


def _plural(phrase: str) -> str:
    if phrase.endswith("s"):
        return phrase
    if re.search(r"[^aeiou]y$", phrase):
        return phrase[:-1] + "ies"
    return phrase + ("es" if re.search(r"(?:x|ch|sh)$", phrase) else "s")
