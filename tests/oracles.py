"""Plain, slow forms of the fast paths, written from DESIGN and STUDIES and from nothing else."""

import re
from collections.abc import Sequence

from copyceiling.corpus.model import OntologyClass
from copyceiling.text import STOP_WORDS


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def normalise(text: str) -> str:
    """STUDIES section 0, step by step."""
    lowered = text.lower()
    spaced = re.sub(r"[^a-z0-9\s]+", " ", lowered)
    return re.sub(r"\s+", " ", spaced).strip()


def hit(title: str, text: str) -> bool:
    """STUDIES section 0: the paper's matcher."""
    wanted, found = normalise(title), normalise(text)
    if not wanted:
        return False
    if wanted in found:
        return True
    long_words = [w for w in wanted.split() if len(w) >= 4]
    if not long_words:
        return False
    there = set(found.split())
    return sum(w in there for w in long_words) / len(long_words) >= 0.8


def seeds(classes: Sequence[OntologyClass], query: str) -> list[tuple[str, float]]:
    """DESIGN section 8: score every class by the three rules, keep, order, cut."""
    query_words = words(query)
    terms = {w for w in query_words if len(w) >= 2 and w not in STOP_WORDS}
    titles = ["-".join(words(c.title)) for c in classes]
    slugs = [c.slug for c in classes]
    scores = [0.0] * len(classes)
    for n in (4, 3, 2, 1):
        for i in range(len(query_words) - n + 1):
            gram = query_words[i : i + n]
            if n == 1 and (gram[0] in STOP_WORDS or len(gram[0]) == 1):
                continue
            phrase = "-".join(gram)
            if phrase in titles:
                scores[titles.index(phrase)] += 8 * n
            elif phrase in slugs:
                scores[slugs.index(phrase)] += 8 * n
    for i, c in enumerate(classes):
        title_words = words(c.title)
        for term in sorted(terms):
            if term in title_words:
                scores[i] += 2 / len(title_words)
            if len(term) >= 5 and term in c.slug:
                scores[i] += 0.75
    kept = [(round(s, 9), c) for s, c in zip(scores, classes, strict=True) if round(s, 9) >= 2.0]
    kept.sort(key=lambda pair: (-pair[0], -(pair[1].quality or 0.0), pair[1].slug))
    return [(c.slug, s) for s, c in kept[:4]]
