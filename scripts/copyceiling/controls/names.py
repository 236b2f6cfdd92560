"""How a text may name a class, and where it does.

A name is a class's title, its slug, the words of a title written together in camel case, the part
of a title before a closing bracket, or what stands in that bracket where it is the initials of that
part. It is found word by word:

- Words are compared after NFKC and case folding, so that letters in composed, decomposed, full
  width and any other case are the same; invisible characters within a word count for nothing.
- Any marks and spaces may stand between the words of a name, or nothing: "data-set" and "DataSet"
  name the class "Data Set". A word of the name is never cut, so "data base" does not name
  "Database"; a name of fewer than `JOINED` letters is not joined, so "at" does not name "A-T".
- The last word may carry a regular plural (s, es, ies for y) or lack its own.
- A name starts and ends where words do: a longer word that holds a name does not name the class.

Left as they are: irregular plurals ("nuclei"), plurals of other words than the last ("values at
risk"), other inflections, letters without their marks ("naive"), synonyms. What these give away of
the gold is measured with the rest of the block. Source: STUDIES sections 4 and 8.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from copyceiling.corpus.model import OntologyClass
from copyceiling.text import STOP_WORDS

Form = tuple[str, ...]
# Letters of a name from which its words may be written together.
JOINED = 3
# Letters from which a word has a plural, takes "es" after an o, and may be one without its ending.
_PLURAL, _AFTER_O, _LACKING = 2, 4, 3
_ZERO_WIDTH_SPACE = "\u200b"
# Letters and digits, with all that may belong to a word in other scripts than the Latin.
_CHUNK = re.compile(r"(?:[^\W_]|[^\x00-\x7f])+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BRACKET = re.compile(r"(.*\w)\s+[(\[]([^()\[\]]+)[)\]]")
_SIBILANT = ("s", "x", "z", "ch", "sh")
_VOWELS = "aeiou"
# Words that are everywhere: no inflection of a name, whatever it ends in ("HI", "News").
_COMMON = STOP_WORDS | set("as at by has he his if new no so thus up us yes".split())


@dataclass(frozen=True)
class Word:
    """A word of a text as names are compared, and where it stands in the text."""

    text: str
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    """Return the words of a text in order; several of one place where one character holds them."""
    found: list[Word] = []
    for chunk in _CHUNK.finditer(text):
        if chunk[0].isascii():
            found.append(Word(chunk[0].lower(), *chunk.span()))
            continue
        at = chunk.start()
        for of_word, run in groupby(chunk[0], _of_word):
            start, at = at, at + len(piece := "".join(run))
            if of_word:
                found += [Word(word, start, at) for word in _folded(piece)]
    return found


def name_words(text: str) -> Form:
    """Return the words of a text as names are compared."""
    return tuple(word.text for word in words_of(text))


def _of_word(character: str) -> bool:
    """Whether a character belongs to a word: a letter, a digit, a mark on one, or unseen in one."""
    if character.isalnum():
        return True
    kind = unicodedata.category(character)
    return kind[0] == "M" or (kind == "Cf" and character != _ZERO_WIDTH_SPACE)


def _folded(run: str) -> list[str]:
    """Return the words of a run of characters; mostly one, but a fraction holds two."""
    seen = "".join(c for c in run if unicodedata.category(c) != "Cf")
    text = unicodedata.normalize("NFKD", seen).casefold()
    # The dot of a capital I is no mark once the letter is small. Sorted again after folding.
    text = unicodedata.normalize("NFKD", text).replace("i\u0307", "i")
    pieces = ["".join(part) for kept, part in groupby(text, _of_word) if kept]
    words = [unicodedata.normalize("NFC", _from_letter(piece)) for piece in pieces]
    return [word for word in words if word]


def _from_letter(piece: str) -> str:
    first = next((i for i, c in enumerate(piece) if c.isalnum()), len(piece))
    return piece[first:]


def surface_forms(title: str, slug: str) -> list[Form]:
    """Return the ways in which a class is named, as words in order; the title first."""
    readings = [title, _CAMEL.sub(" ", unicodedata.normalize("NFKC", title)), slug]
    bracket = _BRACKET.fullmatch(title.strip())
    if bracket:
        before, inside = bracket.groups()
        readings.append(before)
        initials = "".join(word[0] for word in name_words(before))
        if len(initials) > 1 and name_words(inside) == (initials,):
            readings.append(inside)
    return [form for form in dict.fromkeys(map(name_words, readings)) if form]


def inflected(form: Form) -> list[Form]:
    """Return a name with a regular plural of its last word, and without that word's own."""
    *before, last = form
    found = [word for word in (*_plurals(last), *_singulars(last)) if word not in _COMMON]
    return [(*before, word) for word in found]


def _plurals(word: str) -> list[str]:
    if len(word) < _PLURAL or not word[-1].isalpha():
        return []
    if word[-1] == "y" and word[-2] not in _VOWELS:
        return [f"{word[:-1]}ies"]
    found = [] if word.endswith(("s", "x", "z", "sh")) else [f"{word}s"]
    if word.endswith(_SIBILANT) or (word[-1] == "o" and len(word) >= _AFTER_O):
        found.append(f"{word}es")
    return found


def _singulars(word: str) -> list[str]:
    """Return what the word is a regular plural of, were it one."""
    if len(word) < _LACKING or not word.endswith("s"):
        return []
    lacking = [word[:-1], word[:-2], f"{word[:-3]}y"]
    return [one for one in lacking if word in _plurals(one)]


@dataclass(frozen=True)
class _Name:
    """A form of a class's name. The first of its order is taken where several fit."""

    inflected: bool
    form: int
    owner: int
    cuts: tuple[int, ...]

    def rank(self, cuts: Sequence[int]) -> tuple[bool, bool, int, int]:
        return (self.inflected, self.cuts != tuple(cuts), self.form, self.owner)


@dataclass(frozen=True)
class Found:
    """Where a class is named.

    Attributes:
        start: Where the name starts in the text.
        end: Where it ends.
        owner: Place of the class among the seeds, from 0.
        by_title: Whether the form is its title, or the title inflected.
    """

    start: int
    end: int
    owner: int
    by_title: bool


class Names:
    """The names of classes, prepared for finding.

    Args:
        seeds: The classes, best first. What names two of them names the one that it is nearer to:
            uninflected before inflected, written as in the name before joined, a title before a
            shorter name, then the better seed.
    """

    def __init__(self, seeds: Sequence[OntologyClass]) -> None:
        self._by_letters: dict[str, list[_Name]] = {}
        for owner, c in enumerate(seeds):
            for i, form in enumerate(surface_forms(c.title, c.slug)):
                self._add(form, False, i, owner)
                for other in inflected(form):
                    self._add(other, True, i, owner)
        self._longest = max(map(len, self._by_letters), default=0)

    def _add(self, form: Form, changed: bool, i: int, owner: int) -> None:
        name = _Name(changed, i, owner, tuple(accumulate(map(len, form[:-1]))))
        self._by_letters.setdefault("".join(form), []).append(name)

    def found(self, text: str) -> Iterator[Found]:
        """Yield where a text names a class, from its start on, the longest name at each place."""
        words = words_of(text)
        at = 0
        while at < len(words):
            n, name = self._at(words, at)
            if name:
                end = words[at + n - 1].end
                yield Found(words[at].start, end, name.owner, name.form == 0)
            at += n

    def _at(self, words: Sequence[Word], at: int) -> tuple[int, _Name | None]:
        """Return the longest name that starts with a word and of how many it is; else 1, None."""
        best: tuple[int, _Name | None] = (1, None)
        letters, cuts = "", list[int]()
        for n, word in enumerate(words[at:], 1):
            letters += word.text
            if len(letters) > self._longest:
                break
            fitting = [x for x in self._by_letters.get(letters, ()) if _fits(x, letters, cuts)]
            if fitting:
                best = (n, min(fitting, key=lambda name: name.rank(cuts)))
            cuts.append(len(letters))
        return best


def _fits(name: _Name, letters: str, cuts: Sequence[int]) -> bool:
    """Whether words cut at these letters name a class: no word of the name is cut in two."""
    return name.cuts == tuple(cuts) or (len(letters) >= JOINED and set(cuts) <= {*name.cuts})
