"""Lexical retrieval of seed classes: the frozen scaffold engine's scoring, exactly.

Score of a class for a query (DESIGN section 8): each n-gram of one to four words that is its
slugified title, or its slug, adds 8n; each distinct term adds 2/(words of the title) if the title
has that word; each distinct term of five letters or more adds 0.75 if the slug contains it.
Classes at 2.0 or more are ranked by score, then quality, then slug; at most four are seeds.

The index keeps postings as arrays, so that a query costs a few vector additions. Substring search
runs over distinct slug tokens found by their first five letters' n-gram (terms never cross a
hyphen), not over slugs. A brute-force form of the same rules lives with the tests.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from copyceiling.corpus.model import OntologyClass
from copyceiling.text import STOP_WORDS, words

MIN_SCORE = 2.0
MAX_SEEDS = 4
MAX_NGRAM = 4
_GRAM = 5  # shortest term that is searched inside slugs
# Sums of the same terms in another order differ in the last bits; nine decimals make ties exact.
_DECIMALS = 9

_Ids = npt.NDArray[np.int32]
_Weights = npt.NDArray[np.float64]
_Posting = tuple[_Ids, _Weights]
_NOWHERE: _Posting = (np.array([], dtype=np.int32), np.array([], dtype=np.float64))
_KEPT_TERMS = 20_000  # most terms whose postings are kept, to bound memory


@dataclass(frozen=True, slots=True)
class Seed:
    """A retrieved class: position in corpus order, slug and score (>= 2.0, nine decimals)."""

    position: int
    slug: str
    score: float


def query_terms(query_words: Sequence[str]) -> list[str]:
    """Return the distinct words of two letters or more that are no stop words, in order."""
    return list(dict.fromkeys(w for w in query_words if len(w) >= 2 and w not in STOP_WORDS))


class RetrievalIndex:
    """Postings over the titles and slugs of a corpus, in corpus order.

    Args:
        classes: The corpus. Their order decides which of several classes with one slugified
            title an n-gram finds (the first).
    """

    def __init__(self, classes: Sequence[OntologyClass]) -> None:
        self._slugs = [c.slug for c in classes]
        self._slug_position = {slug: i for i, slug in enumerate(self._slugs)}
        self._rank = _tie_ranks(classes)
        self._phrase: dict[str, int] = {}
        titles: dict[str, list[int]] = defaultdict(list)
        weights: dict[str, list[float]] = defaultdict(list)
        tokens: dict[str, list[int]] = defaultdict(list)
        for i, c in enumerate(classes):
            title_words = words(c.title)
            self._phrase.setdefault("-".join(title_words), i)
            for word in dict.fromkeys(title_words):
                titles[word].append(i)
                weights[word].append(2.0 / len(title_words))
            for token in dict.fromkeys(c.slug.split("-")):
                tokens[token].append(i)
        self._phrase.pop("", None)
        self._title_postings: dict[str, _Posting] = {
            w: (np.array(ids, dtype=np.int32), np.array(weights[w])) for w, ids in titles.items()
        }
        self._token_postings: dict[str, _Ids] = {
            t: np.array(ids, dtype=np.int32) for t, ids in tokens.items()
        }
        grams: dict[str, list[str]] = defaultdict(list)
        for token in tokens:
            for gram in dict.fromkeys(token[k : k + _GRAM] for k in range(len(token) - _GRAM + 1)):
                grams[gram].append(token)
        self._grams = dict(grams)
        self._terms: dict[str, _Posting] = {}

    def seeds(self, query: str, max_seeds: int = MAX_SEEDS) -> list[Seed]:
        """Return the best classes for a query, best first; empty if none reaches 2.0.

        Args:
            query: Free text.
            max_seeds: Most seeds to return.
        """
        return self.rank(self.scores(words(query)), max_seeds)

    def rank(self, scores: _Weights, max_seeds: int = MAX_SEEDS) -> list[Seed]:
        """Return the best classes by score, best first; empty if none reaches 2.0.

        Args:
            scores: Each class's score, in corpus order, as of `scores`.
            max_seeds: Most seeds to return.
        """
        found = np.flatnonzero(scores >= MIN_SCORE - 10.0**-_DECIMALS)
        values = np.round(scores[found], _DECIMALS)
        found, values = found[values >= MIN_SCORE], values[values >= MIN_SCORE]
        if len(found) > max_seeds:
            # Everything tied with the last place stays in, for the tie rule to decide.
            cut = np.partition(values, len(values) - max_seeds)[len(values) - max_seeds]
            keep = values >= cut
            found, values = found[keep], values[keep]
        order = np.lexsort((self._rank[found], -values))[:max_seeds]
        return [
            Seed(int(found[i]), self._slugs[found[i]], float(values[i])) for i in order.tolist()
        ]

    def scores(self, query_words: Sequence[str]) -> _Weights:
        """Return each class's score for a query cut into words, in corpus order."""
        postings = [self._posting(term) for term in query_terms(query_words)]
        scores = _add_up(postings, len(self._slugs))
        for n in range(MAX_NGRAM, 0, -1):
            for k in range(len(query_words) - n + 1):
                if n == 1 and (len(query_words[k]) < 2 or query_words[k] in STOP_WORDS):
                    continue
                phrase = "-".join(query_words[k : k + n])
                position = self._phrase.get(phrase)
                if position is None:
                    position = self._slug_position.get(phrase)
                if position is not None:
                    scores[position] += 8.0 * n
        return scores

    def _posting(self, term: str) -> _Posting:
        """Return the classes that a term scores for, and by how much; kept once computed.

        Questions of one study share most of their words, so few terms are new to the index.
        """
        posting = self._terms.get(term)
        if posting is None:
            posting = self._title_postings.get(term, _NOWHERE)
            tokens = self._containing(term)
            if tokens:
                # A slug may hold the term in two tokens and still counts once.
                inside = np.unique(np.concatenate([self._token_postings[t] for t in tokens]))
                both = [posting, (inside, np.full(len(inside), 0.75))]
                summed = _add_up(both, len(self._slugs))
                ids = np.flatnonzero(summed)
                posting = (ids.astype(np.int32), summed[ids])
            if len(self._terms) >= _KEPT_TERMS:
                self._terms.clear()
            self._terms[term] = posting
        return posting

    def _containing(self, term: str) -> list[str]:
        """Return the slug tokens that contain a term of five letters or more."""
        if len(term) < _GRAM:
            return []
        return [t for t in self._grams.get(term[:_GRAM], ()) if term in t]


def _add_up(postings: Sequence[_Posting], n: int) -> _Weights:
    """Return the sum of postings over n classes."""
    if not postings:
        return np.zeros(n)
    ids = np.concatenate([ids for ids, _ in postings])
    weights = np.concatenate([weights for _, weights in postings])
    return np.bincount(ids, weights, minlength=n).astype(np.float64, copy=False)


def _tie_ranks(classes: Sequence[OntologyClass]) -> npt.NDArray[np.int64]:
    """Return each class's place in the order (quality down, missing as 0; slug up)."""
    order = sorted(
        range(len(classes)), key=lambda i: (-(classes[i].quality or 0.0), classes[i].slug)
    )
    ranks = np.empty(len(classes), dtype=np.int64)
    ranks[order] = np.arange(len(classes))
    return ranks
