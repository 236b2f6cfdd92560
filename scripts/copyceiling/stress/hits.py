"""The classes nearest to each query: from frozen rows, from an encoder, or both compared."""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from copyceiling.corpus.model import OntologyClass
from copyceiling.embedding import CachedEmbedder, Embedder, EmbedderSpec, open_embedder
from copyceiling.errors import MissingHitsError, listing
from copyceiling.semantic import (
    CLASS_TEXTS,
    DECIMALS,
    ClassText,
    Hit,
    class_text,
    frozen_hits,
    nearest,
    query_key,
)

# replay reads frozen hits; live embeds what is not frozen; deep embeds all and compares.
How = Literal["replay", "live", "deep"]
_TOLERANCE = (
    1.5 * 10.0**-DECIMALS
)  # one in the last decimal, for sums differ from machine to machine


@dataclass(frozen=True)
class Plan:
    """Queries against a corpus under one encoder.

    Attributes:
        queries: Distinct query texts, in order.
        classes: The corpus.
        spec: The encoder.
    """

    queries: tuple[str, ...]
    classes: Sequence[OntologyClass]
    spec: EmbedderSpec

    def keys(self, form: ClassText) -> dict[str, str]:
        """Return each query's key under one form of the class text."""
        scope = {"embedder": self.spec.digest, "corpus": self._digest(form), "form": form}
        return {query: query_key(query, scope) for query in self.queries}

    def _digest(self, form: ClassText) -> str:
        digest = hashlib.sha256()
        for c in self.classes:
            digest.update(f"{c.slug}\0{class_text(c, form)}\0".encode())
        return digest.hexdigest()


def hit_rows(
    plan: Plan, form: ClassText, found: Mapping[str, Sequence[Hit]]
) -> list[dict[str, Any]]:
    """Return the rows of `HITS` for queries and what they hit."""
    keys = plan.keys(form)
    return [
        {
            "key": keys[query],
            "rank": rank,
            "slug": hit.slug,
            "cosine": hit.cosine,
            "form": form,
            "embedder": plan.spec.name,
        }
        for query, hits in found.items()
        for rank, hit in enumerate(hits, 1)
    ]


def hits_by_key(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Hit]]:
    """Return the hits of each key, in order of rank."""
    found: dict[str, list[Hit]] = {}
    for row in sorted(rows, key=lambda row: (row["key"], row["rank"])):
        found.setdefault(row["key"], []).append(Hit(row["slug"], row["cosine"]))
    return found


def find(
    plan: Plan, frozen: Sequence[Mapping[str, Any]], how: How, cache: Path, study: str
) -> list[dict[str, Any]]:
    """Return every wanted row of `HITS`, and none else.

    Args:
        plan: What is wanted.
        frozen: Frozen rows; may be of an earlier state of the study.
        how: Where rows come from, see `How`.
        cache: Folder of cached vectors, for ``live``.
        study: Name of the study, for messages.

    Raises:
        MissingHitsError: A wanted query was never frozen, or frozen hits are not what the encoder
            gives here.
        EmbeddingError: The encoder is not at hand.
    """
    had = hits_by_key(frozen)
    if how == "live":
        return _embedded(plan, had, CachedEmbedder(open_embedder(plan.spec), cache))
    where = f"study '{study}', embedder '{plan.spec.name}'"
    kept = [
        row
        for form in CLASS_TEXTS
        for row in hit_rows(plan, form, frozen_hits(had, plan.keys(form), where))
    ]
    if how == "deep":
        with tempfile.TemporaryDirectory(prefix="copyceiling-vectors-") as folder:
            embedder = CachedEmbedder(open_embedder(plan.spec), Path(folder))
            attest(kept, _embedded(plan, {}, embedder))
    return kept


def _embedded(
    plan: Plan, had: Mapping[str, Sequence[Hit]], embedder: Embedder
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    slugs = [c.slug for c in plan.classes]
    for form in CLASS_TEXTS:
        keys = plan.keys(form)
        found = {query: had[key] for query, key in keys.items() if key in had}
        missing = [query for query in plan.queries if query not in found]
        if missing:
            classes = embedder.encode([class_text(c, form) for c in plan.classes])
            near = nearest(embedder.encode(missing), classes, slugs)
            found |= dict(zip(missing, near, strict=True))
        rows += hit_rows(plan, form, found)
    return rows


def attest(frozen: Sequence[Mapping[str, Any]], measured: Sequence[Mapping[str, Any]]) -> None:
    """Check frozen hits against hits measured anew: the cosine at each rank, to one last decimal.

    Which of two classes of nearly one cosine comes first may differ from machine to machine.

    Raises:
        MissingHitsError: Lists the ranks whose cosines differ by more.
    """
    found = {(row["key"], row["rank"]): row for row in measured}
    wrong = []
    for row in frozen:
        other = found.get((row["key"], row["rank"]))
        if other is None or abs(other["cosine"] - row["cosine"]) > _TOLERANCE:
            now = "nothing" if other is None else f"{other['slug']} {other['cosine']}"
            wrong.append(
                f"{row['key'][:16]}... rank {row['rank']}: frozen {row['slug']} {row['cosine']}, "
                f"found {now}"
            )
    if wrong:
        raise MissingHitsError(
            f"{len(wrong)} of {len(frozen)} frozen hits are not what this machine finds:\n"
            f"{listing(wrong)}"
        )
