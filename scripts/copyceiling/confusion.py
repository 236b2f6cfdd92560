"""Confusion census: how often does another title of the corpus earn a title's credit?

The matcher credits a title wherever its words stand. Where the titles of a corpus nest
("regulation of X" holds "X"), naming one class credits another. The census says for how many
titles some *other* class's title alone earns credit, and for how many the title with one word
turned into its opposite does. Source: DESIGN section 9.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text, Title, match
from copyceiling.stats import named_rng

# Pairs of opposites, each way. Whole words, as the matcher cuts them.
_OPPOSITES = (
    "positive negative,positively negatively,activation inactivation,activator inhibitor,"
    "activation inhibition,import export,influx efflux,uptake release,increase decrease,up down,"
    "anterior posterior,dorsal ventral,proximal distal,left right,inner outer,internal external,"
    "early late,first last,primary secondary,major minor,male female,maternal paternal,"
    "aerobic anaerobic,assembly disassembly,association dissociation,attachment detachment,"
    "polymerization depolymerization,methylation demethylation,phosphorylation dephosphorylation,"
    "acetylation deacetylation,ubiquitination deubiquitination,biosynthetic catabolic,"
    "synthesis degradation,anabolic catabolic,afferent efferent,presynaptic postsynaptic,"
    "pre post,intracellular extracellular,cytosolic nuclear,oxidation reduction,encoding decoding,"
    "encryption decryption,supervised unsupervised,centralised decentralised,"
    "centralized decentralized,symmetric asymmetric,synchronous asynchronous,public private,"
    "static dynamic,online offline,open closed,local global,linear nonlinear,input output,"
    "client server,upstream downstream,forward backward,minimum maximum,lower upper,low high,"
    "small large,short long,hot cold,wet dry,hard soft,direct indirect,active passive"
)
OPPOSITES: dict[str, str] = {}
for _pair in _OPPOSITES.split(","):
    _a, _b = _pair.split(" ")
    OPPOSITES.setdefault(_a, _b)
    OPPOSITES.setdefault(_b, _a)


def antonym(norm: str) -> str | None:
    """Return a normalised title with its first word that has an opposite turned, or None."""
    words = norm.split(" ")
    for i, word in enumerate(words):
        if word in OPPOSITES:
            return " ".join([*words[:i], OPPOSITES[word], *words[i + 1 :]])
    return None


class _TitleIndex:
    """Finds the titles that a title is a substring of, or is credited in by words."""

    def __init__(self, titles: Sequence[Title]) -> None:
        self._texts = [Text(t.norm) for t in titles]
        # One string of all titles: a substring search over it is a single pass in C.
        self._starts = np.cumsum([0] + [len(t.norm) + 1 for t in titles])
        self._joined = "\n".join(t.norm for t in titles)
        postings: dict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(self._texts):
            for word in text.words:
                postings[word].append(i)
        self._postings = {word: np.array(ids) for word, ids in postings.items()}

    def candidates(self, title: Title) -> list[int]:
        """Return the positions of all titles that may earn this title's credit."""
        found: set[int] = set()
        at = self._joined.find(title.norm)
        while at >= 0:
            position = int(np.searchsorted(self._starts, at, side="right")) - 1
            found.add(position)
            at = self._joined.find(title.norm, int(self._starts[position + 1]))
        lists = [self._postings[w] for w in title.long_words if w in self._postings]
        if lists:
            counts = np.bincount(np.concatenate(lists))
            # Exactly the word-bag threshold; `match` decides again below.
            found.update(np.flatnonzero(counts * 5 >= len(title.long_words) * 4).tolist())
        return sorted(found)

    def text(self, position: int) -> Text:
        return self._texts[position]


def census_rows(
    classes: Sequence[OntologyClass], *, seed: int, sample: int | None
) -> list[dict[str, Any]]:
    """Return the rows of the census, one a sampled title.

    Args:
        classes: The corpus.
        seed: Study seed.
        sample: Titles to draw at random, None for all.
    """
    titles = [Title.of(c.title) for c in classes]
    index = _TitleIndex(titles)
    chosen: Sequence[int] = range(len(titles))
    if sample is not None and sample < len(titles):
        rng = named_rng(seed, "confusion-census")
        chosen = sorted(rng.choice(len(titles), size=sample, replace=False).tolist())
    return [_census_row(classes[i].slug, i, titles[i], index) for i in chosen]


def _census_row(slug: str, own: int, title: Title, index: _TitleIndex) -> dict[str, Any]:
    others = [p for p in index.candidates(title) if p != own] if title.norm else []
    found = [match(title, index.text(p)) for p in others]
    opposite = antonym(title.norm)
    return {
        "title_slug": slug,
        "matchable": bool(title.norm),
        "n_substring": sum(m.path == "substring" for m in found),
        "n_word_bag": sum(m.path == "word_bag" for m in found),
        "n_strict": sum(m.strict for m in found),
        "antonym": opposite,
        "antonym_credited": (None if opposite is None else match(title, Text(opposite)).paper),
    }
