"""A rate over strata sampled at different rates, with an interval that respects clusters.

The audit draws so many units of each exposure category and asks of the whole frame: R is the sum
over strata of frame share times the sample's success rate. Units of one question (or one model)
stand or fall together, so each stratum is resampled by whole clusters. Source: paper section 10.2;
STUDIES section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from copyceiling.errors import StatisticsError, listing
from copyceiling.stats.rates import wilson
from copyceiling.stats.resampling import (
    LEVEL,
    RESAMPLES,
    Floats,
    Interval,
    Ints,
    Partition,
    resampled_ratios,
)


@dataclass(frozen=True)
class Stratum:
    """The sample of one stratum.

    Attributes:
        weight: Units of the frame that the stratum holds, not negative.
        successes: 1 for a success, 0 for a failure, shape (n,).
        clusters: What each unit is resampled with, such as its question.
    """

    weight: int
    successes: Ints
    clusters: Sequence[str]


@dataclass(frozen=True)
class CorrectedRate:
    """A rate of the frame, estimated from strata.

    Attributes:
        value: Weighted mean of the strata's rates, in [0, 1]; None where one has no unit.
        low: Lower bound of the percentile interval over clusters; None where some stratum has
            fewer than two clusters.
        high: Its upper bound.
        naive_low: Weighted mean of the strata's lower Wilson bounds. For comparison only: it
            takes units for independent, and every stratum for at its worst at once.
        naive_high: The same of the upper bounds.
        n_clusters: Clusters of each stratum, in order.
    """

    value: float | None
    low: float | None
    high: float | None
    naive_low: float | None
    naive_high: float | None
    n_clusters: tuple[int, ...]


def corrected_rate(
    strata: Sequence[Stratum],
    *,
    name: str,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> CorrectedRate:
    """Return the frame's rate with its cluster bootstrap interval and the naive one.

    Each resample takes as many clusters as a stratum has, and divides their successes by their
    units. A stratum's draws come from a stream of its own, so that a change to one sample leaves
    the draws of the others as they were. Strata without weight count for nothing.

    Args:
        strata: The samples; their order is part of the seed.
        name: Kind of cluster (``question``, ``model``); part of the seed.
        seed: Study seed.
        resamples: Number of resamples.
        level: Level of both intervals.

    Raises:
        StatisticsError: A stratum is malformed; all faults are named.
    """
    _check(strata)
    parts = [Partition.by(name, stratum.clusters) for stratum in strata]
    hits = [int(stratum.successes.sum()) for stratum in strata]
    sizes = [len(stratum.successes) for stratum in strata]
    bounds = [wilson(k, n, level) for k, n in zip(hits, sizes, strict=True)]
    rates = [k / n if n else None for k, n in zip(hits, sizes, strict=True)]
    interval = _interval(strata, parts, seed=seed, resamples=resamples, level=level)
    return CorrectedRate(
        value=_pooled(strata, rates),
        low=interval.low,
        high=interval.high,
        naive_low=_pooled(strata, [bound.low for bound in bounds]),
        naive_high=_pooled(strata, [bound.high for bound in bounds]),
        n_clusters=tuple(part.n_clusters for part in parts),
    )


def _pooled(strata: Sequence[Stratum], rates: Sequence[float | None]) -> float | None:
    """Return the mean weighted by stratum; None where a stratum with weight has no rate."""
    counted = [(s.weight, rate) for s, rate in zip(strata, rates, strict=True) if s.weight]
    known = [weight * rate for weight, rate in counted if rate is not None]
    if not counted or len(known) < len(counted):
        return None
    return sum(known) / sum(weight for weight, _ in counted)


def _interval(
    strata: Sequence[Stratum],
    parts: Sequence[Partition],
    *,
    seed: int,
    resamples: int,
    level: float,
) -> Interval:
    counted = [i for i, stratum in enumerate(strata) if stratum.weight]
    if not counted or any(parts[i].n_clusters < 2 for i in counted):
        return Interval(None, None)
    samples: Floats = np.zeros(resamples)
    for i in counted:
        hits, stream = strata[i].successes[:, None], f"stratified:{parts[i].name}:{i}"
        rates = resampled_ratios(hits, np.ones_like(hits[:, 0]), parts[i], stream, seed, resamples)
        samples += strata[i].weight * rates[:, 0]
    samples /= sum(stratum.weight for stratum in strata)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(samples, [tail, 1.0 - tail], method="linear").tolist()
    return Interval(low, high)


def _check(strata: Sequence[Stratum]) -> None:
    wrong = []
    for i, stratum in enumerate(strata):
        n, labels = len(stratum.successes), len(stratum.clusters)
        if stratum.weight < 0:
            wrong.append(f"stratum {i}: weight {stratum.weight} is negative")
        if n != labels:
            wrong.append(f"stratum {i}: {n} units but {labels} clusters")
        other = sorted(set(stratum.successes.tolist()) - {0, 1})
        if other:
            wrong.append(f"stratum {i}: successes hold {other}, not 0 and 1 alone")
    if wrong:
        raise StatisticsError(f"corrected rate: {len(wrong)} faults:\n{listing(wrong)}")
