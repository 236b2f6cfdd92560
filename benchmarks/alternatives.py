"""Known alternatives to the percentile bootstrap over clusters, for many data sets at once.

For `coverage.py`; the tables print the library's intervals. Sources: Efron 1987 (BCa), Hall 1988
(studentised), Cameron, Gelbach and Miller 2008 (cluster-robust t, restricted wild bootstrap).
"""

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Bounds = tuple[Floats, Floats]


class Clusters:
    """Means of n data sets over the same g clusters, and intervals that rest on cluster sums.

    Attributes:
        sums: Sum of each cluster's values, shape (g, n).
        sizes: Rows of each cluster, shape (g,).
        tail: Share of the distribution that an interval leaves on either side.
    """

    def __init__(self, sums: Floats, sizes: Floats, level: float) -> None:
        self.sums, self.sizes, self.tail = sums, sizes, (1 - level) / 2
        self.g, self.n = len(sizes), sizes.sum()
        self.mean = sums.sum(axis=0) / self.n

    def se(self) -> Floats:
        """Return the cluster-robust standard errors of the means, corrected by g/(g - 1)."""
        residuals = self.sums - self.mean * self.sizes[:, None]
        return np.asarray(np.sqrt(self.g / (self.g - 1) * (residuals**2).sum(axis=0)) / self.n)

    def t(self) -> Bounds:
        """Return Student's t intervals with g - 1 degrees of freedom."""
        half = stats.t.ppf(1 - self.tail, self.g - 1) * self.se()
        return self.mean - half, self.mean + half

    def resampled(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return means and standard errors in resamples: (b, g) to twice (b, n)."""
        n = (weights @ self.sizes)[:, None]
        mean = (weights @ self.sums) / n
        # The sum over clusters of weight * (sum - mean * size)^2, multiplied out.
        square = weights @ self.sums**2 - 2 * mean * (weights @ (self.sums * self.sizes[:, None]))
        square += mean**2 * (weights @ self.sizes**2)[:, None]
        return mean, np.sqrt(self.g / (self.g - 1) * np.maximum(square, 0)) / n

    def studentised(self, means: Floats, errors: Floats) -> Bounds:
        """Return bootstrap-t intervals from resampled means and standard errors."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (means - self.mean) / errors
        low, high = np.nanquantile(t, [self.tail, 1 - self.tail], axis=0)
        return self.mean - high * self.se(), self.mean - low * self.se()

    def bca(self, means: Floats) -> Bounds:
        """Return bias-corrected and accelerated intervals from resampled means."""
        below = (means < self.mean).mean(axis=0) + (means == self.mean).mean(axis=0) / 2
        bias = stats.norm.ppf(np.clip(below, 1 / len(means), 1 - 1 / len(means)))
        without = (self.sums.sum(axis=0) - self.sums) / (self.n - self.sizes)[:, None]
        away = without.mean(axis=0) - without
        with np.errstate(invalid="ignore"):
            skew = np.nan_to_num((away**3).sum(axis=0) / (6 * (away**2).sum(axis=0) ** 1.5))
        ordered = np.sort(means, axis=0)
        low, high = (
            quantile(ordered, stats.norm.cdf(bias + (bias + z) / (1 - skew * (bias + z))))
            for z in stats.norm.ppf([self.tail, 1 - self.tail])
        )
        return low, high

    def wild_covers(self, truth: float, signs: Floats) -> Bools:
        """Return whether the restricted wild bootstrap-t accepts the truth: shape (n,).

        The interval is the values that the test accepts, so it covers the truth just where the
        test of the truth accepts.

        Args:
            truth: The hypothesis.
            signs: Signs of the clusters' residuals in each resample, shape (b, g).
        """
        residuals = self.sums - truth * self.sizes[:, None]
        cross = residuals * self.sizes[:, None]
        squares, squared_sizes = (residuals**2).sum(axis=0), (self.sizes**2).sum()

        def size_of_t(shift: Floats, product: Floats) -> Floats:
            square = squares - 2 * shift * product + shift**2 * squared_sizes
            return np.abs(shift) / np.sqrt(np.maximum(square, 0))

        with np.errstate(divide="ignore", invalid="ignore"):
            seen = size_of_t(residuals.sum(axis=0) / self.n, cross.sum(axis=0))
            other = size_of_t((signs @ residuals) / self.n, signs @ cross)
        # Signs all as they are, or all turned, give the t seen: equal but for rounding.
        share = (other >= seen * (1 - 1e-9)).mean(axis=0)
        return np.asarray(share > 2 * self.tail)


def quantile(ordered: Floats, level: Floats) -> Floats:
    """Return one quantile of each column of sorted values, by linear interpolation."""
    at = level * (len(ordered) - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, len(ordered) - 1)
    pick = np.take_along_axis(ordered, np.stack([low, high]), axis=0)
    return np.asarray(pick[0] + (at - low) * (pick[1] - pick[0]))
