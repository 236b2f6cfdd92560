"""Times the intervals of Tables 4 to 7 and of the audit, at 10,000 resamples each.

    python benchmarks/intervals.py [--repeats 5] [--resamples 10000]

Made-up data of the published studies' shapes. Each repeat begins without kept weights, as a
process does. Intervals only: tests, tables and files are not timed.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from copyceiling.stats import (  # noqa: E402
    RESAMPLES,
    Interval,
    Partition,
    Ratios,
    Stratum,
    bootstrap_intervals,
    corrected_rate,
    mean_intervals,
    named_rng,
    resampling,
)

TARGET = 2.0  # seconds, for all of them
RELEASED = 2.5  # seconds, the released harness for one interval, on a machine of the same size
MODELS, QUESTIONS, DOMAINS = 10, 510, 15
SCOPES = {"arcane": 24, "thin": 30, "general": 60, "pooled": 114}
CONTROLS = {"arcane": 24, "thin": 29, "pooled": 53, "intersection": 51}
CONTRASTS = 11
AUDIT = ((9865, 240, 184), (735, 120, 59))  # frame, sampled units, their questions
SEED = 42

rng = named_rng(1, "benchmark:intervals")


def fractions(n: int, low: int, high: int, denominator: int) -> list[Fraction]:
    """Return n made-up differences."""
    return [Fraction(int(x), denominator) for x in rng.integers(low, high + 1, n)]


def sweep(resamples: int) -> Callable[[], list[Interval]]:
    """Tables 4 and 5: uplift and gain, naive and by domain, and utilisation, for each model."""
    names = [f"d{i % DOMAINS:02d}" for i in range(QUESTIONS)]
    parts = [Partition.rows(QUESTIONS), Partition.by("domain", names)]
    means, counts = [], []
    for _ in range(MODELS):
        columns = [fractions(QUESTIONS, -20, 60, 60), fractions(QUESTIONS, -60, 0, 60)]
        means.append(Ratios.of(columns))
        exposed = rng.integers(1, 6, QUESTIONS)
        counts.append((rng.integers(0, exposed + 1), exposed))

    def task() -> list[Interval]:
        out = []
        for ratios, (hits, exposed) in zip(means, counts, strict=True):
            for part in parts:
                out += mean_intervals(ratios, part, seed=SEED, resamples=resamples)
            out += bootstrap_intervals(
                hits[:, None], exposed, parts[1], seed=SEED, resamples=resamples
            )
        return out

    return task


def paired(sizes: list[int], resamples: int) -> Callable[[], list[Interval]]:
    """Tables 6 and 7: one interval of a mean difference of scores for each size."""
    ratios = [Ratios.of([fractions(n, -5, 5, 1)]) for n in sizes]

    def task() -> list[Interval]:
        return [
            mean_intervals(one, Partition.rows(n), seed=SEED, resamples=resamples)[0]
            for one, n in zip(ratios, sizes, strict=True)
        ]

    return task


def audit(resamples: int) -> Callable[[], list[Interval]]:
    """The corrected rate by question and by model."""
    strata: dict[str, list[Stratum]] = {"question": [], "model": []}
    for weight, n, questions in AUDIT:
        hits = rng.integers(0, 2, n)
        strata["question"].append(Stratum(weight, hits, [f"q{i % questions}" for i in range(n)]))
        strata["model"].append(Stratum(weight, hits, [f"m{i % MODELS}" for i in range(n)]))

    def task() -> list[Interval]:
        found = [
            corrected_rate(s, name=k, seed=SEED, resamples=resamples) for k, s in strata.items()
        ]
        return [Interval(x.low, x.high) for x in found]

    return task


def median_seconds(task: Callable[[], list[Interval]], repeats: int) -> tuple[float, int]:
    """Return the median wall time of a task, and how many intervals it gives."""
    times, found = [], []
    for _ in range(repeats):
        resampling._kept_weights.cache_clear()
        start = time.perf_counter()
        found = task()
        times.append(time.perf_counter() - start)
    if not all(x.low is not None for x in found):
        raise SystemExit("some interval is undefined: nothing was timed")
    return statistics.median(times), len(found)


def main() -> int:
    """Time every group, print medians and ratios; status 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--repeats", type=int, default=5, help="repeats behind each median")
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    options = parser.parse_args()
    b = options.resamples
    # The pairwise-complete questions of a contrast differ by one or two.
    controls = [n + i % 3 - 1 for n in CONTROLS.values() for i in range(CONTRASTS)]
    controls[-CONTRASTS:] = [CONTROLS["intersection"]] * CONTRASTS
    groups = {
        "Tables 4 and 5, ten models": sweep(b),
        "Table 6, four scopes": paired(list(SCOPES.values()), b),
        "Table 7, four scopes x 11 contrasts": paired(controls, b),
        "audit, corrected rate": audit(b),
    }
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"{b:,} resamples, medians of {options.repeats}; numpy {np.__version__}, load {load}")
    total = intervals = 0.0
    for name, task in groups.items():
        took, n = median_seconds(task, options.repeats)
        total, intervals = total + took, intervals + n
        print(
            f"{name:<38} {n:3d} intervals {took:7.3f} s {1000 * took / n:8.2f} ms each  "
            f"released {RELEASED:g} s each  ratio {RELEASED * n / took:7.0f}x"
        )
    verdict = "met" if total <= TARGET else "MISSED"
    print(
        f"{'all':<38} {intervals:3.0f} intervals {total:7.3f} s  target {TARGET:g} s: {verdict}  "
        f"ratio {RELEASED * intervals / total:7.0f}x"
    )
    return int(total > TARGET)


if __name__ == "__main__":
    sys.exit(main())
