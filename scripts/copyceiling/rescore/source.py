"""Where a study's cosines come from: frozen files, an encoder, or both against each other."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.embedding import CachedEmbedder, Embedder, EmbedderSpec, open_embedder
from copyceiling.rescore.cosines import attest, measure, replay, split_plan
from copyceiling.rescore.neighbours import measure_neighbours, replay_neighbours, titles_digest
from copyceiling.rescore.plan import Plan, digest
from copyceiling.rescore.settings import How

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Wanted:
    """What a re-score needs: texts against gold, and sampled titles against all titles."""

    plan: Plan
    titles: Sequence[str]
    sampled: Sequence[str]


@dataclass(frozen=True)
class Frozen:
    """Rows of `COSINES` and of `TITLE_COSINES`."""

    cosines: Sequence[Row]
    titles: Sequence[Row]


def find(
    wanted: Wanted, frozen: Frozen, spec: EmbedderSpec, how: How, cache: Path, study: str
) -> Frozen:
    """Return every row that is wanted, and none else.

    Args:
        wanted: What is needed.
        frozen: What was frozen; may be of an earlier state of the study.
        spec: The encoder.
        how: ``replay`` takes frozen rows and loads no encoder; ``live`` embeds what is not frozen,
            with a cache of vectors on disk; ``deep`` replays, embeds everything anew and compares.
        cache: Folder of that cache.
        study: Name of the study, for messages.

    Raises:
        EmbeddingError: A wanted row was never frozen; the encoder is not at hand; or frozen rows
            are not what it gives.
    """
    if how == "live":
        return _embed(wanted, frozen, CachedEmbedder(open_embedder(spec), cache))
    kept = Frozen(
        replay(wanted.plan, frozen.cosines, spec, study),
        replay_neighbours(wanted.titles, wanted.sampled, frozen.titles, spec),
    )
    if how == "deep":
        with tempfile.TemporaryDirectory(prefix="copyceiling-vectors-") as folder:
            embedder = CachedEmbedder(open_embedder(spec), Path(folder))
            anew = _embed(wanted, Frozen((), ()), embedder)
        attest(kept.cosines, anew.cosines, ("text", "gold"))
        attest(kept.titles, anew.titles, ("title",))
    return kept


def _embed(wanted: Wanted, frozen: Frozen, embedder: Embedder) -> Frozen:
    """Return the wanted rows, measuring those that are not frozen."""
    spec = embedder.identity
    kept, rest = split_plan(wanted.plan, frozen.cosines, spec)
    against = titles_digest(wanted.titles)
    had = {
        row["title"]: row
        for row in frozen.titles
        if (row["embedder"], row["against"]) == (spec.digest, against)
    }
    sampled = {title for title in wanted.sampled if title}
    missing = [title for title in sampled if digest(title) not in had]
    fresh = measure_neighbours(wanted.titles, missing, embedder) if missing else []
    old = [had[digest(title)] for title in sampled if digest(title) in had]
    return Frozen([*kept, *(measure(rest, embedder) if rest.texts else [])], [*old, *fresh])
