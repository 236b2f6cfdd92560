"""Times an encoder and the re-score that rests on it, and says how often two encoders decide alike.

    python benchmarks/embedding.py             # spans a second, and memory
    python benchmarks/embedding.py --whole     # the whole re-score with nothing cached
    python benchmarks/embedding.py --against all-minilm-l6-v2 --cache .cache/copyceiling/vectors

It reads a study that was built (`snakemake rescore`). Decisions are what counts: whether the best
cosine of a text with a gold title reaches the threshold. They are compared over every distinct pair
of text and title. The second encoder, which is slow, sees of each text the spans that come within a
margin of the best under the first; how far the two encoders are apart at most says whether any
other span could have decided.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from copyceiling.artefacts.schemas import COMPLETIONS  # noqa: E402
from copyceiling.artefacts.store import rows  # noqa: E402
from copyceiling.artefacts.study_schemas import CONFUSION  # noqa: E402
from copyceiling.embedding import (  # noqa: E402
    CachedEmbedder,
    Embedder,
    EmbedderSpec,
    Vectors,
    load_embedder,
    load_embedders,
)
from copyceiling.rescore.cosines import SCALE, measure  # noqa: E402
from copyceiling.rescore.neighbours import measure_neighbours, titles_of  # noqa: E402
from copyceiling.rescore.plan import Plan, plan_of  # noqa: E402
from copyceiling.rescore.spans import spans  # noqa: E402
from copyceiling.rows.corpus import read_classes  # noqa: E402
from copyceiling.rows.messages import read_messages  # noqa: E402
from copyceiling.rows.questions import read_questions  # noqa: E402

THRESHOLDS = (0.80, 0.85, 0.90)
NEAR = 0.02  # of a threshold: where encoders could disagree
REPEATS = 5


def timed(task: Callable[[], object]) -> tuple[float, float]:
    """Return seconds of wall time and of processor time."""
    wall, busy = time.perf_counter(), time.process_time()
    task()
    return time.perf_counter() - wall, time.process_time() - busy


def planned(results: Path) -> Plan:
    """Plan a study's visible inputs and answers against their gold."""
    files = sorted((results / "completions").glob("*.parquet"))
    answers = [row for file in files for row in rows(file, COMPLETIONS)]
    shown = read_messages(results / "scaffolds.parquet")
    return plan_of(read_questions(results / "questions.parquet"), shown, answers)


def titles(results: Path) -> tuple[list[str], list[str]]:
    """Return the normalised titles of all classes, and those of the confusion census."""
    corpus = read_classes(results / "corpus/classes.parquet")
    of = dict(zip((c.slug for c in corpus), titles_of(corpus), strict=True))
    census = rows(results / "studies/confusion.parquet", CONFUSION)
    return list(of.values()), [of[row["title_slug"]] for row in census]


def throughput(embedder: Embedder, plan: Plan, n: int) -> None:
    """Print spans a second, medians, and the ratio to embedding one string at a time."""
    strings = sorted({s for text in plan.texts.values() for s in spans(text)})
    drawn = random.Random(0).sample(strings, min(n, len(strings)))
    few = drawn[: max(1, n // 8)]
    batched, single = [], []
    for _ in range(REPEATS):  # by turns, so that other work on the machine meets both
        batched.append(timed(lambda: embedder.encode(drawn)))
        single.append(timed(lambda: [embedder.encode([s]) for s in few]))
    wall, busy = (statistics.median(times[i] / len(drawn) for times in batched) for i in range(2))
    alone = statistics.median(times[1] / len(few) for times in single)
    print(
        f"{embedder.identity.name}: {1 / wall:.0f} spans a second, {1 / busy:.0f} a second of "
        f"processor time; one string at a time {1 / alone:.0f}, ratio {alone / busy:.1f}x "
        f"({len(drawn):,} of {len(strings):,} spans, median of {REPEATS})",
        flush=True,
    )


def whole(embedder: Embedder, plan: Plan, results: Path) -> None:
    """Print how long the whole re-score of a study takes with no vector at hand."""
    with tempfile.TemporaryDirectory() as folder:
        cached = CachedEmbedder(embedder, Path(folder))
        first = timed(lambda: measure(plan, cached))
        n = cached.n_embedded
        again = timed(lambda: measure(plan, cached))
        near = timed(lambda: measure_neighbours(*titles(results), cached))
        print(
            f"whole re-score: {len(plan.pairs):,} pairs, {n:,} strings: {first[0]:.0f} s "
            f"({first[1]:.0f} s of processor time), with every vector cached {again[0]:.0f} s\n"
            f"neighbours of titles, {cached.n_embedded - n:,} more strings: {near[0]:.0f} s "
            f"({near[1]:.0f} s of processor time)",
            flush=True,
        )


def memory(dimension: int, n_classes: int, n_titles: int) -> None:
    """Print the peak memory of the blocked best cosine beside the vectors themselves."""
    names = [f"title {i}" for i in range(n_classes)]
    held = np.random.default_rng(0).standard_normal((n_classes, dimension), dtype=np.float32)
    held /= np.linalg.norm(held, axis=1, keepdims=True)
    stub = _Held(held, load_embedders()["all-minilm-l6-v2-int8"])
    tracemalloc.start()
    measure_neighbours(names, names[:n_titles], stub)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    print(
        f"best cosine of {n_titles:,} titles with {n_classes:,} others: peak {peak / 1e6:.0f} MB "
        f"beside {held.nbytes / 1e6:.0f} MB of vectors; one product of all would take "
        f"{n_titles * n_classes * 4 / 1e6:.0f} MB"
    )


@dataclass(frozen=True)
class _Held:
    """An encoder whose vectors are at hand, one a text in order."""

    vectors: Vectors
    identity: EmbedderSpec

    def encode(self, texts: Sequence[str]) -> Vectors:
        return self.vectors[: len(texts)]

    def windows(self, texts: Sequence[str]) -> list[list[str]]:
        return [[text] for text in texts]


def agreement(plan: Plan, first: Embedder, second: Embedder, margin: float) -> None:
    """Print at how many pairs of text and title two encoders decide alike, by threshold."""
    pairs = _candidates(plan, first, margin)
    strings = sorted({s for p in pairs for s in (p.title, *p.pieces)})
    place = {s: i for i, s in enumerate(strings)}
    one, two = first.encode(strings), second.encode(strings)
    best, apart = [], []
    for p in pairs:
        at = [place[s] for s in p.pieces]
        both = [vectors[at] @ vectors[place[p.title]] for vectors in (one, two)]
        apart.append(np.abs(both[0] - both[1]).max())
        best.append([round(float(cosines.max()) * SCALE) / SCALE for cosines in both])
    found = np.array(best)
    moved = np.abs(found[:, 0] - found[:, 1])
    print(
        f"{first.identity.name} and {second.identity.name}: {len(pairs):,} pairs, best cosines "
        f"differ by {moved.mean():.4f} on average, {moved.max():.4f} at most; any of "
        f"{sum(len(p.pieces) for p in pairs):,} cosines within {margin} of the best by "
        f"{max(apart):.4f} at most"
    )
    for threshold in THRESHOLDS:
        hits = found >= threshold
        close = np.abs(found[:, 0] - threshold) <= NEAR
        alike = hits[:, 0] == hits[:, 1]
        print(
            f"  at {threshold:.2f}: {alike.sum():,} of {len(alike):,} alike "
            f"({100 * alike.mean():.2f} %), hits {hits[:, 0].sum():,} and {hits[:, 1].sum():,}; "
            f"within {NEAR} of it {alike[close].sum():,} of {close.sum():,}, beyond "
            f"{alike[~close].sum():,} of {(~close).sum():,}"
        )


@dataclass(frozen=True)
class _Pair:
    """A gold title and the pieces of a text that come near the best cosine with it."""

    title: str
    pieces: tuple[str, ...]


def _candidates(plan: Plan, embedder: Embedder, margin: float) -> list[_Pair]:
    cut = {key: sorted(spans(text)) for key, text in plan.texts.items()}
    distinct = sorted({span for found in cut.values() for span in found})
    windows = dict(zip(distinct, embedder.windows(distinct), strict=True))
    wanted = {title for found in plan.titles.values() for title in found}
    strings = sorted({piece for found in windows.values() for piece in found} | wanted)
    place = {string: i for i, string in enumerate(strings)}
    vectors = embedder.encode(strings)
    out = []
    for key, found in cut.items():
        at = sorted({place[piece] for span in found for piece in windows[span]})
        for title in sorted(plan.titles[key]):
            cosines = vectors[at] @ vectors[place[title]]
            near = np.flatnonzero(cosines >= cosines.max() - margin)
            out.append(_Pair(title, tuple(strings[at[i]] for i in near)))
    return out


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("embedder", nargs="?", default="all-minilm-l6-v2-int8")
    parser.add_argument("--against", help="a second encoder, to compare decisions with")
    parser.add_argument("--margin", type=float, default=0.05, help="cosine below the best")
    parser.add_argument("--cache", type=Path, help="folder of cached vectors, for --against")
    parser.add_argument("--strings", type=int, default=800, help="strings timed")
    parser.add_argument("--whole", action="store_true", help="time the whole re-score; minutes")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "go")
    arguments = parser.parse_args()
    plan = planned(arguments.results)
    embedder = load_embedder(arguments.embedder)
    if arguments.against:
        folder = arguments.cache or Path(tempfile.mkdtemp(prefix="copyceiling-vectors-"))
        pair = [
            CachedEmbedder(load_embedder(name), folder)
            for name in (arguments.embedder, arguments.against)
        ]
        agreement(plan, pair[0], pair[1], arguments.margin)
    elif arguments.whole:
        whole(embedder, plan, arguments.results)
    else:
        throughput(embedder, plan, arguments.strings)
        memory(embedder.identity.dimension, len(titles(arguments.results)[0]), 1500)


if __name__ == "__main__":
    main()
