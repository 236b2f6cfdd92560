"""Means and intervals of many quantities at once, with the pipeline's own bootstrap.

Resampling weights depend on the partition and the seed alone (`copyceiling.stats`), so quantities
of equal partitions are stacked and resampled together: one pass for all systems, matchers and
policies that have as many rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np

from copyceiling.check.processes import pool
from copyceiling.stats import Interval, Ints, Partition, Ratios, mean_intervals
from copyceiling.sweep import Settings

_SUM_LIMIT = 2**52
_PARALLEL = 20_000_000  # draws above which a second process pays


@dataclass(frozen=True)
class Scale:
    """One denominator for all row values of a run, so that their sums are exact.

    Attributes:
        step: Row values are kept as multiples of 1/step.
        exact: Whether they are multiples of it; else they are rounded to the nearest.
    """

    step: int
    exact: bool

    @classmethod
    def of(cls, denominators: Sequence[int], n: int) -> "Scale":
        """Choose the step for rows with these denominators, at most n of them in a sum."""
        step = lcm(*denominators) if denominators else 1
        if step * max(n, 1) < _SUM_LIMIT:
            return cls(step, True)
        return cls(_SUM_LIMIT // max(n, 1), False)

    def values(self, numerators: Ints, denominators: Ints) -> Ints:
        """Return ratios (each in [-1, 1]) as multiples of 1/step, shape (n,)."""
        if self.exact:
            scaled: Ints = numerators * (self.step // np.maximum(denominators, 1))
            return scaled
        pairs = zip(numerators.tolist(), denominators.tolist(), strict=True)
        return np.array([round(Fraction(a * self.step, b)) for a, b in pairs], dtype=np.int64)

    def mean(self, values: Ints) -> float | None:
        """Return the mean of row values, None where there is no row."""
        if not len(values):
            return None
        return Ratios(values[:, None], self.step).means()[0]


@dataclass
class Plan:
    """Quantities whose intervals are wanted, gathered before any is resampled."""

    scale: Scale
    settings: Settings
    _partitions: dict[tuple[str, int, bytes], Partition] = field(default_factory=dict)
    _columns: dict[tuple[str, int, bytes], list[Ints]] = field(default_factory=dict)
    _found: dict[tuple[str, int, bytes], list[Interval]] = field(default_factory=dict)

    def want(self, values: Ints, partition: Partition) -> tuple[tuple[str, int, bytes], int]:
        """Ask for the interval of the mean of row values; returns its ticket."""
        key = (partition.name, partition.n_clusters, partition.labels.tobytes())
        self._partitions.setdefault(key, partition)
        columns = self._columns.setdefault(key, [])
        columns.append(values)
        return key, len(columns) - 1

    def run(self, workers: int) -> None:
        """Resample everything that was asked for, on at most so many processes."""
        jobs = [
            (Ratios(np.stack(columns, axis=1), self.scale.step), self._partitions[key])
            for key, columns in self._columns.items()
        ]
        draws = sum(p.n_clusters for _, p in jobs) * self.settings.resamples
        if workers > 1 and len(jobs) > 1 and draws > _PARALLEL:
            with pool(min(workers, len(jobs))) as executor:
                found = list(executor.map(_intervals, jobs, [self.settings] * len(jobs)))
        else:
            found = [_intervals(job, self.settings) for job in jobs]
        self._found = dict(zip(self._columns, found, strict=True))

    def interval(self, ticket: tuple[tuple[str, int, bytes], int]) -> Interval:
        """Return the interval of a ticket, after `run`."""
        key, i = ticket
        return self._found[key][i]


def _intervals(job: tuple[Ratios, Partition], settings: Settings) -> list[Interval]:
    ratios, partition = job
    return mean_intervals(
        ratios,
        partition,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )


def clusters(labels: Sequence[tuple[str, str, str | None]]) -> Partition:
    """Return the partition of rows by stated cluster; a row without one stands alone.

    No row states one: no clusters, and intervals over them are undefined. The partition has the
    pipeline's name for it, ``domain``, so that equal rows get equal intervals.
    """
    if all(cluster is None for _, _, cluster in labels):
        return Partition("domain", np.zeros(len(labels), dtype=np.int64), 0)
    # The prefix keeps an id from joining a cluster of that name, and does not move their order.
    names = [f"b{i}" if cluster is None else f"a{cluster}" for _, i, cluster in labels]
    return Partition.by("domain", names)
