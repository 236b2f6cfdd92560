"""Words questions for an ontology that nobody worded yet, from its relations' names.

Neutral on purpose: a starter study should run and be read, not be elegant. Every wording is
checked against the corpus: one that names a class would take a place in every context
(DESIGN section 7), so the next way of saying it is tried, and none is kept if all name one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.corpus.rdf import in_words
from copyceiling.questions import wording_seeds
from copyceiling.retrieval import RetrievalIndex

# Third person to base form of verbs that relations often start with; others count as nouns.
_VERBS = {
    verb + "s": verb
    for verb in (
        "affect belong cause connect consist contain control depend derive develop enable feed "
        "follow form include influence inhere inhibit involve lead make measure need occur "
        "overlap participate precede prevent produce provide regulate relate require serve store "
        "support treat use"
    ).split()
}
_IDENTIFIER = re.compile(r"[A-Za-z]*[:_]?\d+")  # RO:0002503 says nothing to a reader
_PREPOSITIONS = frozenset("of in by to from on at with for into during under over as".split())
_PARENTS = (
    "What are the immediate parents of {title}?",
    "What is {title} a kind of?",
    "Of what sort is {title}?",
    "What is {title}?",
)
_COMMON = (
    "Which broader concept do {title} and {other} both fall under?",
    "Of what kind are both {title} and {other}?",
    "Of what sort are both {title} and {other}?",
    "What are {title} and {other}?",
)


@dataclass(frozen=True)
class Wording:
    """Wordings that name no class, and the relations that none was found for.

    Attributes:
        relations: Relation type to wording.
        parents: Wording of T-TAX.
        common: Wording of T-COMMON.
        unworded: Relation type to why it has no wording.
    """

    relations: Mapping[str, str]
    parents: str
    common: str
    unworded: Mapping[str, str]

    def settings(self) -> dict[str, object]:
        """Return what a study's ``questions.wording`` holds."""
        return {"relations": dict(self.relations), "parents": self.parents, "common": self.common}


def relation_wordings(name: str) -> list[str]:
    """Return ways to ask for a relation's targets, most natural first; [] if it has no words."""
    if _IDENTIFIER.fullmatch(name):
        return []
    parts = in_words(re.sub(r"[^A-Za-z0-9_ ]+", " ", name)).lower().split()
    if not parts:
        return []
    phrase, rest = " ".join(parts), " ".join(parts[1:])
    adverbs = [p for p in parts[:1] if p.endswith("ly") and len(parts) > 1]
    verb = _VERBS.get(parts[len(adverbs)]) or _verb_before_preposition(parts)
    if verb:
        phrase_of_verb = " ".join([*adverbs, verb, *parts[len(adverbs) + 1 :]])
        natural = f"What does {{title}} {phrase_of_verb}?"
    elif parts[0] == "has" and rest:
        natural = f"What does {{title}} have as {rest}?"
    elif parts[0] == "is" and rest:
        natural = f"What is {{title}} {rest}?"
    elif parts[-1] in _PREPOSITIONS:
        natural = f"What is {{title}} {phrase}?"
    else:
        natural = f"What is given as {phrase} of {{title}}?"
    # One word for the matcher, still legible: it names no class that its parts would name.
    joined = parts[0] + "".join(p.capitalize() for p in parts[1:])
    return [natural, *(f"What is {w} as {joined} of {{title}}?" for w in ("given", "listed"))]


def _verb_before_preposition(parts: Sequence[str]) -> str | None:
    """Return ``call`` of ``calls for``: two words of this shape are hardly ever noun and tie."""
    like = len(parts) == 2 and parts[1] in _PREPOSITIONS and re.fullmatch(r"\w+[^su]s", parts[0])
    return parts[0][:-1] if like and parts[0] not in ("has", "is") else None


def word_questions(index: RetrievalIndex, names: Iterable[str]) -> Wording:
    """Return wordings for relation types (in the order given), parents and common ancestors."""
    worded: dict[str, str] = {}
    unworded: dict[str, str] = {}
    for name in names:
        ways = relation_wordings(name)
        chosen = next((way for way in ways if not _named(index, way)), None)
        if chosen:
            worded[name] = chosen
        elif not ways:
            unworded[name] = "its name holds no word of a-z"
        else:
            unworded[name] = f"its name is a class: {', '.join(_named(index, ways[-1]))}"
    return Wording(worded, _first(index, _PARENTS), _first(index, _COMMON), unworded)


def _first(index: RetrievalIndex, ways: Sequence[str]) -> str:
    # The last way is made of stop words only, so it can name nothing.
    return next(way for way in ways if way is ways[-1] or not _named(index, way))


def _named(index: RetrievalIndex, wording: str) -> list[str]:
    """Return the classes that a wording retrieves by itself."""
    probe = {"relations": {"it": wording}, "parents": "", "common": ""}
    return wording_seeds(index, probe).get("relations.it", [])
