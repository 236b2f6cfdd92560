"""Describes a class without the words of its title, by declared rules.

Rules, in the order in which they are tried:

``synonym``     another name of the class;
``title``       the title with its words replaced by synonyms;
``definition``  the definition's first sentence, its banned words replaced by synonyms and glosses.

A description that still holds a banned word is not offered: nothing is left out of a definition to
save it, for what is left out may be what tells the class from others; and no place in the hierarchy
stands in for one, for it may be what the question asks.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from copyceiling.corpus.model import OntologyClass
from copyceiling.stress.gate import banned_in
from copyceiling.stress.lexicon import first_sentence
from copyceiling.stress.reword import Rewording
from copyceiling.text import normalise

MIN_WORDS = 5  # of a definition, so that it can tell classes apart
MAX_CHARS = 420


@dataclass(frozen=True)
class Description:
    """Other words for a class: a ``name`` stands in the title's place, a definition is quoted."""

    rule: str
    text: str
    is_name: bool


def descriptions(c: OntologyClass, words: Rewording) -> list[Description]:
    """Return the descriptions of a class that hold no banned word, in order of the rules."""
    found = [*_names(c, words), *_definitions(c, words)]
    distinct = {normalise(d.text): d for d in reversed(found)}
    kept = [d for d in found if distinct.get(normalise(d.text)) is d and d.text]
    return [d for d in kept if not banned_in(d.text, words.banned)]


def _names(c: OntologyClass, words: Rewording) -> Iterator[Description]:
    synonyms = [s for s in c.synonyms if not banned_in(s, words.banned)]
    yield from (Description("synonym", s, True) for s in synonyms[:1])
    names = (words.reword(name, glosses=False) for name in (c.title, *c.synonyms))
    fair = (name for name in names if not banned_in(name, words.banned))
    yield from (Description("title", name, True) for name in islice(fair, 1))


def _definitions(c: OntologyClass, words: Rewording) -> Iterator[Description]:
    text = words.reword(first_sentence(bare_definition(c)).rstrip(". "))
    if len(text.split()) >= MIN_WORDS and len(text) <= MAX_CHARS:
        yield Description("definition", text[0].upper() + text[1:], False)


def bare_definition(c: OntologyClass) -> str:
    """Return a class's definition without its own title as the subject of the sentence."""
    opening = re.match(
        rf"(?:An? |The )?{re.escape(c.title)} (?:is|are) ", c.definition, re.IGNORECASE
    )
    return c.definition[opening.end() :] if opening else c.definition
