"""Semantic retrieval by class vectors, fusion of rankings, and the gates of a hybrid (paper section
8).

Vectors are where recomputation stops: for each query the ranked hits are frozen, cosines to four
decimals, and everything after them is recomputed. Nothing here imports an encoder.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import MissingHitsError, listing

N_HITS = 20
DECIMALS = 4
RRF_K = 60
_BLOCK = 64  # queries at once, to bound memory
ClassText = Literal["definition", "title"]
CLASS_TEXTS: tuple[ClassText, ...] = ("definition", "title")
_Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Hit:
    """A class found by its vector: slug, and cosine to the query in [-1, 1], four decimals."""

    slug: str
    cosine: float


def class_text(c: OntologyClass, form: ClassText) -> str:
    """Return what stands for a class: ``Title. definition``, or its title alone."""
    return f"{c.title}. {c.definition}".strip() if form == "definition" else c.title


def nearest(
    queries: _Vectors, classes: _Vectors, slugs: Sequence[str], n: int = N_HITS
) -> list[list[Hit]]:
    """Return the n nearest classes of each query, by cosine to four decimals, ties by slug.

    Args:
        queries: Shape (q, d), rows of length 1.
        classes: Shape (c, d), rows of length 1.
        slugs: The classes' slugs.
        n: Hits a query.
    """
    names = np.array(slugs)
    found: list[list[Hit]] = []
    for start in range(0, len(queries), _BLOCK):
        cosines = np.round(
            (queries[start : start + _BLOCK] @ classes.T).astype(np.float64), DECIMALS
        )
        for row in cosines:
            k = min(n, len(row))
            # Everything tied with the last place stays in, for the tie rule to decide.
            cut = np.partition(row, len(row) - k)[len(row) - k]
            near = np.flatnonzero(row >= cut)
            order = np.lexsort((names[near], -row[near]))[:k]
            found.append([Hit(str(names[near[i]]), float(row[near[i]])) for i in order])
    return found


def query_key(text: str, scope: Mapping[str, Any]) -> str:
    """Return the key of a query's frozen hits: hex sha256 over the text and what it is asked of.

    Args:
        text: The query.
        scope: What else decides the hits: encoder, corpus, form of the class text.
    """
    document = {"query": text, "hits": N_HITS, "decimals": DECIMALS, **scope}
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def frozen_hits(
    frozen: Mapping[str, Sequence[Hit]], texts: Mapping[str, str], where: str
) -> dict[str, list[Hit]]:
    """Return the hits of each query by name.

    Args:
        frozen: Key to hits.
        texts: Name of a query to its key.
        where: What the frozen hits belong to, for the message.

    Raises:
        MissingHitsError: Counts and names the queries that were never embedded.
    """
    missing = [name for name, key in texts.items() if key not in frozen]
    if missing:
        raise MissingHitsError(
            f"{where}: {len(missing)} of {len(texts)} queries were never embedded:\n"
            f"{listing(missing, 5)}\nQuestions, rewrites, corpus or encoder differ from the frozen "
            "run. Embed them, then freeze the hits:\n"
            "  snakemake hits --config 'paraphrase={vectors: live}'\n  copyceiling freeze --cosines"
        )
    return {name: list(frozen[key]) for name, key in texts.items()}


def fuse(rankings: Sequence[Sequence[str]], n: int, k: int = RRF_K) -> list[str]:
    """Return the n best of several rankings by reciprocal rank fusion, ties by name.

    A name scores the sum of 1/(k + rank) over the rankings that hold it, ranks from 1. Sums are
    exact, so that no tie is broken by rounding.
    """
    scores: dict[str, Fraction] = {}
    for ranking in rankings:
        for rank, name in enumerate(dict.fromkeys(ranking), 1):
            scores[name] = scores.get(name, Fraction(0)) + Fraction(1, k + rank)
    return sorted(scores, key=lambda name: (-scores[name], name))[:n]


def disagreement(lexical: Sequence[str], semantic: Sequence[str]) -> int | None:
    """Return the semantic rank, from 1, of the first lexical seed; None without a lexical seed.

    One more than the number of semantic hits where it is not among them.
    """
    if not lexical:
        return None
    return semantic.index(lexical[0]) + 1 if lexical[0] in semantic else len(semantic) + 1
