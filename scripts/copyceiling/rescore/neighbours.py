"""How near titles of the corpus come to one another: what a semantic hit means on this corpus.

The semantic counterpart of the confusion census, on the same sampled titles: where another class's
title lies above the threshold, naming that class is credited as this one.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from copyceiling.corpus.model import OntologyClass
from copyceiling.embedding import Embedder, EmbedderSpec
from copyceiling.errors import EmbeddingError
from copyceiling.rescore.cosines import HOW_TO_EMBED, scaled
from copyceiling.rescore.plan import digest
from copyceiling.text import normalise

Row = Mapping[str, Any]
_BLOCK = 64  # titles at once, to bound memory


def titles_of(classes: Sequence[OntologyClass]) -> list[str]:
    """Return the normalised title of every class, in corpus order, empty ones included."""
    return [normalise(c.title) for c in classes]


def titles_digest(titles: Sequence[str]) -> str:
    """Return the hex sha256 of all titles: what the best cosine was sought among."""
    return hashlib.sha256("\n".join(titles).encode()).hexdigest()


def measure_neighbours(
    titles: Sequence[str], sampled: Iterable[str], embedder: Embedder
) -> list[dict[str, Any]]:
    """Return the rows of `TITLE_COSINES`: each sampled title's best cosine with another class's.

    Args:
        titles: Normalised titles of the whole corpus; blank ones are nobody's neighbour.
        sampled: Titles to ask for, each one of them.
        embedder: The encoder.
    """
    held = Counter(t for t in titles if t)
    distinct = sorted(held)
    place = {t: i for i, t in enumerate(distinct)}
    vectors = embedder.encode(distinct)
    asked, against = sorted({t for t in sampled if t}), titles_digest(titles)
    rows = []
    for start in range(0, len(asked), _BLOCK):
        block = asked[start : start + _BLOCK]
        cosines = vectors[[place[title] for title in block]] @ vectors.T
        for title, mine in zip(block, cosines, strict=True):
            if held[title] == 1:
                mine[place[title]] = -np.inf
            best = float(mine.max())
            if np.isfinite(best):  # else it is the only title
                rows.append(
                    {
                        "title": digest(title),
                        "embedder": embedder.identity.digest,
                        "against": against,
                        "cosine": scaled(best),
                    }
                )
    return rows


def replay_neighbours(
    titles: Sequence[str], sampled: Iterable[str], frozen: Iterable[Row], spec: EmbedderSpec
) -> list[Row]:
    """Return the frozen rows of the sampled titles.

    Raises:
        EmbeddingError: Counts what was never frozen for these titles and this encoder.
    """
    against = titles_digest(titles)
    wanted = {digest(title): title for title in sampled if title}
    found = {
        row["title"]: row
        for row in frozen
        if (row["embedder"], row["against"]) == (spec.digest, against)
    }
    missing = [title for key, title in sorted(wanted.items()) if key not in found]
    if missing and len({t for t in titles if t}) > 1:
        raise EmbeddingError(
            f"embedder '{spec.name}': the neighbours of {len(missing)} of {len(wanted)} sampled "
            f"titles were never frozen for these {len(titles)} classes, for example "
            f"'{missing[0]}'. {HOW_TO_EMBED}"
        )
    return [found[key] for key in sorted(wanted) if key in found]


def neighbour_rows(
    census: Iterable[Row], classes: Sequence[OntologyClass], cosines: Iterable[Row]
) -> list[dict[str, Any]]:
    """Return the rows of `TITLE_NEIGHBOURS`, one a title of the confusion census.

    Args:
        census: Rows of `CONFUSION`.
        classes: The corpus.
        cosines: Rows of `TITLE_COSINES`.
    """
    title = {c.slug: normalise(c.title) for c in classes}
    best = {row["title"]: row["cosine"] for row in cosines}
    return [
        {
            "title_slug": row["title_slug"],
            "cosine": best.get(digest(title[row["title_slug"]])),
            "lexical": bool(row["n_substring"] or row["n_word_bag"]),
        }
        for row in census
    ]
