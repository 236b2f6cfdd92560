"""What a corpus itself says otherwise: synonyms of phrases, and definitions of terms.

Two sources, both mined from the classes alone.

*Synonyms*: where a title and a synonym of the same class differ in one run of words and share the
rest, the two runs say the same ("catabolic process", "breakdown"). Such a pair counts only where
enough classes bear it out, in number and as a share of the titles that hold the run.

*Glosses*: definitions explain terms in passing ("a nephron, the functional unit of the kidney") and
in sentences of their own ("A zygosporangium is a thick-walled structure ..."). And each class's own
definition explains its title.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.corpus.model import OntologyClass

MIN_SUPPORT = 3  # classes that must bear out a pair of runs
MIN_SHARE = 0.3  # of the titles with the run whose class has synonyms at all
MAX_RUN = 5  # words of a run
MIN_GLOSS_CHARS, MAX_GLOSS_CHARS = 12, 180

# A noun phrase that says what something is. It may run over a comma inside a list of adjectives,
# and ends at the comma before anything else.
_END = (
    r"(?=[.;:(\[]|$|, (?:which|that|and|or|an?|the|any|one|with|in|on|by|from|to|of|as|at|is|are|"
    r"where|when|who|whose|such|including|consisting|usually|often|e\.g|i\.e|but|not|also|it)\b)"
)
_SAID = rf"(?P<gloss>(?:an?|any|the|one) [^.;:()\[\]]+?){_END}"
_APPOSITION = re.compile(rf"(?: \([^()]*\))?, {_SAID}")
_SENTENCE = re.compile(
    r"(?:^|(?<=\. ))(?:(?:An?|The) )?(?P<term>(?:\S+ ){0,3}\S+)(?: \([^()]*\))? "
    rf"(?:(?:is|are) {_SAID}|are (?P<many>[a-z-]+(?: [a-z-]+)? "
    rf"(?:that|which|of|with|composed|found|made) [^.;:()\[\]]+?){_END})"
)
_WORD = r"[A-Za-z0-9][\w'/+-]*"
_TAIL = re.compile(rf"(?:{_WORD} )*{_WORD}$")
_SURE = (
    2  # least weight of a gloss: stated once plainly, or twice where it may be of something else
)
MAX_TERM = 4  # words of a term that is explained in passing
_FUNCTION = frozenset(
    "a an the any one to of in on by with from into across between for and or that which is are as "
    "this these those its their via at where when such it within during through under over per "
    "about against not no be been was were has have both either other another e.g i.e involving "
    "containing including called named termed than unlike like".split()
)
# A clause with a verb of its own, not one that says which or what kind, is no noun phrase.
_CLAUSE = re.compile(
    r"^(?:(?!\b(?:that|which|who|when|where)\b).)*? (?:is|are|has|have|was|can|may|occurs?) "
)
# A word in more titles than this, in number and share, is too general for one class to explain.
_MAX_TITLES, _MAX_TITLES_SHARE = 20, 0.01


@dataclass(frozen=True)
class Lexicon:
    """Other words for phrases of a corpus; keys are lowercase, the words single-spaced.

    Attributes:
        synonyms: Phrase to phrases that can stand in its place, best supported first.
        glosses: Term to noun phrases that say what it is, best supported first.
    """

    synonyms: Mapping[str, tuple[str, ...]]
    glosses: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, classes: Sequence[OntologyClass]) -> "Lexicon":
        """Mine a corpus."""
        synonyms = {key: list(found) for key, found in shared_runs(classes).items()}
        for c in classes:
            names = [s for s in c.synonyms if s.lower() != c.title.lower()]
            if names:
                synonyms.setdefault(c.title.lower(), []).extend(names)
        own = {c.title.lower(): phrase for c in classes if (phrase := noun_phrase(c.definition))}
        # A class's own definition is surer than what another's says of it in passing.
        glosses = {**stated_glosses(classes), **{term: (said,) for term, said in own.items()}}
        return cls({key: tuple(dict.fromkeys(found)) for key, found in synonyms.items()}, glosses)


def shared_runs(classes: Iterable[OntologyClass]) -> dict[str, tuple[str, ...]]:
    """Return the runs of words that titles and synonyms exchange, with their replacements.

    Returns:
        Run to replacements with support of at least `MIN_SUPPORT` classes and `MIN_SHARE` of the
        titles that hold the run, by support, ties by text.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    named = [c for c in classes if c.synonyms]
    for c in named:
        title = c.title.split()
        pairs = {_difference(title, s.split()) for s in c.synonyms}
        counts_of = ((old, new) for pair in pairs if pair for old, new in [pair])
        for old, new in counts_of:
            counts[old][new] += 1
    kept = {old: [n for n, k in found.items() if k >= MIN_SUPPORT] for old, found in counts.items()}
    kept = {old: found for old, found in kept.items() if found}
    held: Counter[str] = Counter()
    for c in named:
        held.update(_runs(c.title.lower().split()) & kept.keys())
    chosen = {
        old: sorted(
            (n for n in found if counts[old][n] >= MIN_SHARE * held[old]),
            key=lambda n, old=old: (-counts[old][n], n),  # type: ignore[misc]
        )
        for old, found in kept.items()
    }
    return {old: tuple(found) for old, found in sorted(chosen.items()) if found}


def _difference(title: Sequence[str], synonym: Sequence[str]) -> tuple[str, str] | None:
    """Return the one run in which two phrases differ, None if they share no word at either end.

    Letter case does not count; the old run comes back in lowercase, the new one as written.
    """
    most = min(len(title), len(synonym))
    head = 0
    while head < most and title[head].lower() == synonym[head].lower():
        head += 1
    tail = 0
    while tail < most - head and title[-1 - tail].lower() == synonym[-1 - tail].lower():
        tail += 1
    old, new = title[head : len(title) - tail], synonym[head : len(synonym) - tail]
    if not old or not new or not head + tail or len(old) > MAX_RUN:
        return None
    return " ".join(old).lower(), " ".join(new)


def _runs(words: Sequence[str]) -> set[str]:
    n = len(words)
    return {" ".join(words[i:j]) for i in range(n) for j in range(i + 1, min(i + MAX_RUN, n) + 1)}


def stated_glosses(classes: Sequence[OntologyClass]) -> dict[str, tuple[str, ...]]:
    """Return what definitions say of terms: term to noun phrases, by support, then shortest."""
    held = Counter(w for c in classes for w in set(c.title.lower().split()))
    most = max(_MAX_TITLES, _MAX_TITLES_SHARE * len(classes))
    general = {w for w, n in held.items() if n > most}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for c in classes:
        for term, gloss, weight in set(_stated(c.definition)):
            if term not in general and _is_gloss(term, gloss):
                counts[term][gloss] += weight
    return {
        term: tuple(sorted(kept, key=lambda g, found=found: (-found[g], len(g), g)))  # type: ignore[misc]
        for term, found in sorted(counts.items())
        if (kept := [g for g, weight in found.items() if weight >= _SURE])
    }


def _stated(definition: str) -> Iterator[tuple[str, str, int]]:
    """Yield each term that a definition explains, lowercase, what it says of it, and how surely."""
    for m in _APPOSITION.finditer(definition):
        term, after_of = _last_term(definition[: m.start()])
        if term:
            # "development of a nephron, the ...": said of the nephron or of its development?
            yield term, m["gloss"].strip(), _SURE // 2 if after_of else _SURE
    for m in _SENTENCE.finditer(definition):
        yield m["term"].lower(), (m["gloss"] or m["many"]).strip(), _SURE


def _last_term(before: str) -> tuple[str, bool]:
    """Return the words at a text's end back to the last function word, and whether "of" leads them.

    The term is "" if it has too many words, or no function word in front of it.
    """
    found = _TAIL.search(before)
    words = found[0].lower().split(" ") if found else []
    term: list[str] = []
    while words and words[-1] not in _FUNCTION:
        term.insert(0, words.pop())
    if not words or len(term) > MAX_TERM:
        return "", False
    return " ".join(term), "of" in words[-2:]


def _is_gloss(term: str, gloss: str) -> bool:
    """Say whether a gloss is usable: of fair length, of a bare term, and not in its own words."""
    long_words = [w for w in re.findall(r"[a-z0-9]+", term) if len(w) > 3]
    return (
        MIN_GLOSS_CHARS <= len(gloss) <= MAX_GLOSS_CHARS
        and not _FUNCTION.intersection(term.split(" "))
        and not any(w in gloss.lower() for w in long_words)
        and not _CLAUSE.search(gloss)
    )


def noun_phrase(definition: str) -> str | None:
    """Return a definition's first sentence as a noun phrase in mid-sentence, None if it is none."""
    first = first_sentence(definition).rstrip(".")
    if not re.match(r"(?:An?|The|Any) [a-z]", first) or len(first) > 2 * MAX_GLOSS_CHARS:
        return None
    return first[0].lower() + first[1:]


def first_sentence(text: str) -> str:
    """Return a text up to its first full stop that a space and a capital follow."""
    return re.split(r"(?<=[a-z0-9)\]]\.) (?=[A-Z])", text.strip(), maxsplit=1)[0]
