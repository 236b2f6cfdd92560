"""Compares systems in pairs on the questions that both were asked.

The test is a sign-flip (randomisation) test of the mean difference. If two systems are alike, the
sign of each difference is a coin toss; p is the share of all sign assignments whose mean is at
least as far from 0 as the one seen. It tests the figure that is reported (a sign or rank test
would test another one), needs no distribution, bears ties, and flips whole clusters where the rows
state them, because answers of one cluster do not err independently.
"""

from collections import Counter
from collections.abc import Sequence
from math import gcd

import numpy as np

from copyceiling.stats import Floats, Ints, named_rng

_EXACT_SUM = 20_000  # largest sum of differences, in steps, up to which p is exact
_EXACT_WORK = 20_000_000  # and largest number of additions


def sign_flip_p(sums: Ints, *, seed: int, resamples: int) -> tuple[float | None, bool]:
    """Return the two-sided p of the sign-flip test and whether it is exact.

    Args:
        sums: Sum of differences of each cluster (or row), integers in any unit, shape (n,).
        seed: Study seed; used only where p is drawn.
        resamples: Draws; p is then (1 + hits) / (1 + draws), and never below 1 / (1 + draws).

    Returns:
        p in (0, 1]; None where nothing differs, so that there is nothing to flip; and whether
        all assignments of signs were counted.
    """
    sizes = [abs(x) for x in sums.tolist() if x]
    if not sizes:
        return None, True
    unit = gcd(*sizes)
    counted = sorted(Counter(size // unit for size in sizes).items())
    total = sum(size * k for size, k in counted)
    seen = abs(int(sums.sum())) // unit
    if total <= _EXACT_SUM and len(sizes) * total <= _EXACT_WORK:
        return _exact(counted, total, seen), True
    rng = named_rng(seed, f"sign-flip:{len(sizes)}")
    drawn = np.zeros(resamples, dtype=np.int64)
    for size, k in counted:
        drawn += size * (2 * rng.binomial(k, 0.5, size=resamples) - k)
    hits = int((np.abs(drawn) >= seen).sum())
    return (1 + hits) / (1 + resamples), False


def _exact(counted: Sequence[tuple[int, int]], total: int, seen: int) -> float:
    """Return the share of sign assignments whose sum is at least `seen` in size.

    The distribution of the sum of the positive ones, by dynamic programming over the differences.
    """
    chance: Floats = np.zeros(total + 1)
    chance[0] = 1.0
    for size, k in counted:
        for _ in range(k):
            chance *= 0.5
            chance[size:] += chance[: total + 1 - size].copy()
    positive = np.arange(total + 1)
    return min(1.0, float(chance[np.abs(2 * positive - total) >= seen].sum()))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values by Holm's step-down, in the order given; None stays None and is not counted.

    Ascending, the k-th of m (from 0) times m - k, running maximum, at most 1.
    """
    ranked = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for k, (p, i) in enumerate(ranked):
        highest = max(highest, min(1.0, (len(ranked) - k) * p))
        adjusted[i] = highest
    return adjusted
