"""Times an encoder, and says how often two encoders decide alike.

    python benchmarks/embedding.py                          # throughput of the small one
    python benchmarks/embedding.py --against all-minilm-l6-v2 --questions 40

Decisions are what counts: whether the best cosine of a visible input with a gold title reaches the
threshold. They are compared over the contexts of the first questions of a study that was built
(`snakemake scaffolds`); the cosines of vectors alone would look better than the decisions are.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from copyceiling.embedding import Embedder, load_embedder  # noqa: E402
from copyceiling.rescore.cosines import measure  # noqa: E402
from copyceiling.rescore.plan import Plan, plan_of  # noqa: E402
from copyceiling.rescore.spans import spans  # noqa: E402
from copyceiling.rows.messages import read_messages  # noqa: E402
from copyceiling.rows.questions import read_questions  # noqa: E402

THRESHOLDS = (8000, 8500, 9000)


def planned(results: Path, n: int) -> Plan:
    """Plan the contexts of a study's first questions against their gold."""
    shown = read_messages(results / "scaffolds.parquet")
    return plan_of(read_questions(results / "questions.parquet")[:n], shown, ())


def throughput(embedder: Embedder, strings: Sequence[str]) -> None:
    """Print strings a second of processor and of wall time; the former tells on a busy machine."""
    busy, wall = time.process_time(), time.perf_counter()
    embedder.encode(strings)
    busy, wall = time.process_time() - busy, time.perf_counter() - wall
    n = len(strings)
    print(
        f"{embedder.identity.name}: {n:,} strings, {n / busy:.0f} a second of processor time, "
        f"{n / wall:.0f} of wall time"
    )


def agreement(plan: Plan, first: Embedder, second: Embedder) -> None:
    """Print at how many pairs of text and title two encoders decide alike, by threshold."""
    one, two = (
        {(r["text"], r["gold"]): r["cosine"] for r in measure(plan, e)} for e in (first, second)
    )
    moved = np.array([abs(one[pair] - two[pair]) for pair in one]) / 10_000
    print(
        f"{first.identity.name} and {second.identity.name}: {len(one):,} pairs of text and title, "
        f"best cosines differ by {moved.mean():.4f} on average, {moved.max():.4f} at most"
    )
    for threshold in THRESHOLDS:
        both = [(one[pair] >= threshold, two[pair] >= threshold) for pair in one]
        alike = sum(a == b for a, b in both)
        print(
            f"  at {threshold / 10_000:.2f}: {alike:,} of {len(both):,} alike "
            f"({100 * alike / len(both):.2f} %), hits {sum(a for a, _ in both):,} and "
            f"{sum(b for _, b in both):,}"
        )


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("embedder", nargs="?", default="all-minilm-l6-v2-int8")
    parser.add_argument("--against", help="a second encoder, to compare decisions with")
    parser.add_argument("--questions", type=int, default=40, help="questions compared")
    parser.add_argument("--strings", type=int, default=2000, help="strings timed")
    parser.add_argument("--results", type=Path, default=ROOT / "results" / "go")
    arguments = parser.parse_args()
    plan = planned(arguments.results, arguments.questions)
    strings = sorted({s for text in plan.texts.values() for s in spans(text)})
    drawn = random.Random(0).sample(strings, min(arguments.strings, len(strings)))
    embedders = [load_embedder(n) for n in (arguments.embedder, arguments.against) if n]
    for embedder in embedders:
        throughput(embedder, drawn)
    if len(embedders) == 2:
        agreement(plan, *embedders)


if __name__ == "__main__":
    main()
