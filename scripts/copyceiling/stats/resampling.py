"""Resampling statistics under one documented convention (DESIGN section 10).

numpy's PCG64, seeds derived by name from the study seed, percentile intervals by linear
interpolation. Every estimate is a ratio of sums over rows, and every interval comes from
resampling the clusters of one `Partition`: each row alone for the naive interval, whole domains
(or questions, or models) for the clustered one. Sums are sums of integers held exactly in float64,
so an interval is the same on every machine.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

RESAMPLES = 10_000
LEVEL = 0.95
# Resamples, and cluster draws, taken at once, to bound memory; neither changes the draws.
_BLOCK = 2_000
_DRAWS = 1 << 18
# Largest table of weights (cells) that is kept for the next call on the same partition, and how
# much of it is used at once: a part that stays in the processor's cache is several times faster.
_KEPT = 1 << 23
_USED = 1 << 16
_EXACT = 2**53


def named_rng(seed: int, name: str) -> np.random.Generator:
    """Return the generator that a study seed gives a named use; independent across names."""
    words = np.frombuffer(hashlib.sha256(name.encode()).digest(), dtype="<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words.tolist()])))


@dataclass(frozen=True)
class Partition:
    """Which rows are resampled together.

    Attributes:
        name: Kind of cluster (``row``, ``domain``, ``question``, ``model``); part of the seed.
        labels: Cluster number of each row, shape (n,), in 0..n_clusters-1.
        n_clusters: Number of clusters.
    """

    name: str
    labels: Ints
    n_clusters: int

    @classmethod
    def rows(cls, n: int) -> "Partition":
        """Each row is a cluster of its own: the naive bootstrap."""
        return cls("row", np.arange(n, dtype=np.int64), n)

    @classmethod
    def by(cls, name: str, values: Sequence[str]) -> "Partition":
        """Rows with equal values form a cluster; clusters are numbered in sorted order."""
        number = {value: i for i, value in enumerate(sorted(set(values)))}
        labels = np.array([number[value] for value in values], dtype=np.int64)
        return cls(name, labels, len(number))

    def sums(self, values: Ints) -> Ints:
        """Sum rows within clusters: (n,) or (n, m) to (n_clusters,) or (n_clusters, m)."""
        out = np.zeros((self.n_clusters, *values.shape[1:]), dtype=np.int64)
        np.add.at(out, self.labels, values)
        return out


@dataclass(frozen=True)
class Interval:
    """A percentile interval; both bounds are None where it is undefined (fewer than 2 clusters)."""

    low: float | None
    high: float | None


@dataclass(frozen=True)
class Ratios:
    """Per-row ratios of integers over one common denominator, so that their sums are exact.

    Attributes:
        numerators: Shape (n, m): m quantities of n rows.
        denominator: What every numerator is a multiple of 1/denominator of.
    """

    numerators: Ints
    denominator: int

    @classmethod
    def of(cls, columns: Sequence[Sequence[Fraction]]) -> "Ratios":
        """Put m columns of n fractions over their least common denominator.

        Raises:
            OverflowError: Sums over that denominator would not be exact.
        """
        common = lcm(*(x.denominator for column in columns for x in column))
        scaled = [[int(x * common) for x in column] for column in columns]
        # A resample may repeat the largest row n times, and counts n rows below the line.
        n = max((len(column) for column in columns), default=0)
        largest = max((abs(x) for column in scaled for x in column), default=0)
        if n * max(largest, common) >= _EXACT:
            raise OverflowError(f"sums over the common denominator {common} would not be exact")
        return cls(np.array(scaled, dtype=np.int64).T.reshape(n, len(columns)), common)

    def means(self) -> list[float | None]:
        """Return the m means, None where there is no row."""
        n = len(self.numerators)
        if not n:
            return [None] * self.numerators.shape[1]
        totals = self.numerators.sum(axis=0)
        return [float(Fraction(int(t), n * self.denominator)) for t in totals]


def cluster_counts(n_clusters: int, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw how often each cluster stands in each resample: shape (resamples, n_clusters)."""
    draws = rng.integers(0, n_clusters, size=(resamples, n_clusters))
    offsets = np.arange(resamples)[:, None] * n_clusters
    flat = np.bincount((draws + offsets).ravel(), minlength=resamples * n_clusters)
    return flat.reshape(resamples, n_clusters).astype(np.float64)


def bootstrap_ratios(
    numerators: Ints,
    denominators: Ints,
    partition: Partition,
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> Floats:
    """Return resampled ratios of sums: shape (resamples, m).

    Weights depend on the partition's name, its number of clusters and the seed alone, so that all
    quantities of one partition, and all models on the same questions, are resampled together.

    Args:
        numerators: Shape (n, m).
        denominators: Shape (n,), not negative; a resample whose denominator is 0 gives NaN.
        partition: Which rows go together.
        seed: Study seed.
        resamples: Number of resamples.
    """
    stream = f"bootstrap:{partition.name}:{partition.n_clusters}"
    return resampled_ratios(numerators, denominators, partition, stream, seed, resamples)


def resampled_ratios(
    numerators: Ints,
    denominators: Ints,
    partition: Partition,
    stream: str,
    seed: int,
    resamples: int,
) -> Floats:
    """Return resampled ratios of sums, as `bootstrap_ratios` does, from a named stream of draws."""
    # Sums of whole numbers in float64, so exact in any order and side by side in one product.
    sums = partition.sums(np.column_stack([numerators, denominators])).astype(np.float64)
    out = np.empty((resamples, numerators.shape[1]))
    start = 0
    for weights in _weights(stream, partition.n_clusters, seed, resamples):
        resampled = weights @ sums
        stop = start + len(resampled)
        with np.errstate(invalid="ignore", divide="ignore"):
            np.divide(resampled[:, :-1], resampled[:, -1:], out=out[start:stop])
        start = stop
    return out


def _weights(stream: str, n_clusters: int, seed: int, resamples: int) -> Iterator[Floats]:
    """Yield the counts of clusters in all resamples, by blocks of shape (some, n_clusters)."""
    if n_clusters * resamples <= _KEPT and n_clusters < 1 << 16:
        for kept in _kept_weights(stream, n_clusters, seed, resamples):
            yield kept.astype(np.float64)
    else:
        yield from _drawn_weights(stream, n_clusters, seed, resamples, _DRAWS)


def _drawn_weights(
    stream: str, n_clusters: int, seed: int, resamples: int, cells: int
) -> Iterator[Floats]:
    rng = named_rng(seed, stream)
    block = max(1, min(_BLOCK, cells // max(1, n_clusters)))
    for start in range(0, resamples, block):
        yield cluster_counts(n_clusters, min(block, resamples - start), rng)


# A study asks for the same weights once a model, matcher and policy: drawing them takes ten times
# as long as using them.
@lru_cache(maxsize=4)
def _kept_weights(
    stream: str, n_clusters: int, seed: int, resamples: int
) -> tuple[npt.NDArray[np.uint16], ...]:
    drawn = _drawn_weights(stream, n_clusters, seed, resamples, _USED)
    return tuple(weights.astype(np.uint16) for weights in drawn)


def bootstrap_intervals(
    numerators: Ints,
    denominators: Ints,
    partition: Partition,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    flat: bool = True,
) -> list[Interval]:
    """Return the percentile interval of each of m ratios of sums; see `bootstrap_ratios`.

    Undefined with fewer than two clusters, or where some resample has no denominator.

    Args:
        numerators, denominators, partition, seed, resamples: As of `bootstrap_ratios`.
        level: Share of the resamples that lie between the bounds.
        flat: Whether a ratio that is the same in every cluster, so that no resample moves it, has
            an interval, of no width; else it is undefined, for nothing is known of its spread.
    """
    none, m = Interval(None, None), numerators.shape[1]
    if partition.n_clusters < 2:
        return [none] * m
    moved = [True] * m if flat else _moved(numerators, denominators, partition)
    if not any(moved):
        return [none] * m
    samples = bootstrap_ratios(numerators, denominators, partition, seed=seed, resamples=resamples)
    tail = (1.0 - level) / 2.0
    bounds = np.quantile(samples, [tail, 1.0 - tail], axis=0, method="linear")
    return [
        none if np.isnan(low) or np.isnan(high) or not moves else Interval(low, high)
        for (low, high), moves in zip(bounds.T.tolist(), moved, strict=True)
    ]


def _moved(numerators: Ints, denominators: Ints, partition: Partition) -> list[bool]:
    """Say of each ratio whether clusters differ in it; one with nothing below the line has none."""
    below = partition.sums(denominators).tolist()
    return [
        len({Fraction(above, n) for above, n in zip(column, below, strict=True) if n}) > 1
        for column in partition.sums(numerators).T.tolist()
    ]


def mean_intervals(
    ratios: Ratios,
    partition: Partition,
    *,
    seed: int,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    flat: bool = True,
) -> list[Interval]:
    """Return the percentile interval of the mean of each column; cluster means pool their rows.

    ``flat``: as of `bootstrap_intervals`.
    """
    rows = np.full(len(ratios.numerators), ratios.denominator, dtype=np.int64)
    return bootstrap_intervals(
        ratios.numerators, rows, partition, seed=seed, resamples=resamples, level=level, flat=flat
    )
