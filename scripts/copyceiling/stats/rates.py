"""Rates and agreement: Wilson intervals, Cohen's kappa, equivalence to within a margin.

Source: paper sections 9 and 10.2; STUDIES sections 0, 3 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from copyceiling.errors import StatisticsError, listing
from copyceiling.stats.resampling import LEVEL, Floats, Interval


def wilson(k: int, n: int, level: float = LEVEL) -> Interval:
    """Return Wilson's score interval of k successes in n independent trials, within [0, 1].

    Trials that come in clusters (several answers to one question) are not independent, and the
    interval is then too narrow; see `copyceiling.stats.stratified`.

    Returns:
        Bounds that hold k/n between them; both None where n is 0.

    Raises:
        StatisticsError: Not 0 <= k <= n.
    """
    if not 0 <= k <= n:
        raise StatisticsError(
            f"Wilson interval: {k} successes in {n} trials. Count successes among the trials."
        )
    if n == 0:
        return Interval(None, None)
    # Imported where it is used: scipy.stats takes a second to import.
    from scipy.stats import binomtest

    found = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    return Interval(float(found.low), float(found.high))


@dataclass(frozen=True)
class Agreement:
    """How far two raters agree.

    Attributes:
        n: Items that both labelled.
        agreement: Share of items, or of their weight, with the same label, in [0, 1]; None
            without items.
        kappa: Cohen's kappa, the agreement beyond chance, in [-1, 1]; None without items, and
            where chance alone gives full agreement (both used one and the same label throughout).
    """

    n: int
    agreement: float | None
    kappa: float | None


def kappa(
    first: Sequence[str],
    second: Sequence[str],
    categories: Sequence[str],
    weights: Sequence[float] | None = None,
) -> Agreement:
    """Return raw agreement and Cohen's unweighted kappa of two raters' nominal labels.

    Args:
        first: Labels by the one rater.
        second: Labels by the other, of the same items in the same order.
        categories: Labels that may occur.
        weights: Weight of each item, such as units of the frame that it stands for; then both
            values are those of the frame, not of the sample's mix. Every disagreement counts
            alike whatever the weights.

    Raises:
        StatisticsError: Lengths differ, or there are labels outside the categories or weights
            that are negative or not finite.
    """
    weighed = np.ones(len(first)) if weights is None else np.array(weights, dtype=np.float64)
    _check_labels(first, second, categories, weighed)
    number = {label: i for i, label in enumerate(categories)}
    table: Floats = np.zeros((len(categories), len(categories)))
    np.add.at(table, ([number[x] for x in first], [number[x] for x in second]), weighed)
    total = table.sum()
    if not total:
        return Agreement(len(first), None, None)
    agreement = float(np.trace(table) / total)
    if np.count_nonzero(table.sum(axis=0) + table.sum(axis=1)) == 1:
        return Agreement(len(first), agreement, None)
    # Imported where it is used: statsmodels takes 1.5 s to import.
    from statsmodels.stats.inter_rater import cohens_kappa

    return Agreement(len(first), agreement, float(cohens_kappa(table, return_results=False)))


def _check_labels(
    first: Sequence[str], second: Sequence[str], categories: Sequence[str], weights: Floats
) -> None:
    if not len(first) == len(second) == len(weights):
        raise StatisticsError(
            f"kappa: {len(first)} labels by the first rater, {len(second)} by the second, "
            f"{len(weights)} weights. Give one of each an item."
        )
    known = set(categories)
    wrong = [
        f"item {i}, {rater} rater: {label!r}"
        for rater, labels in (("first", first), ("second", second))
        for i, label in enumerate(labels)
        if label not in known
    ]
    wrong += [f"item {i}: weight {w}" for i, w in enumerate(weights) if not 0 <= w < np.inf]
    if wrong:
        raise StatisticsError(
            f"kappa: {len(wrong)} labels or weights that cannot be used:\n{listing(wrong)}\n"
            f"Labels are {', '.join(categories)}; weights are finite and not negative. "
            "Leave unlabelled items out."
        )


def within_margin(interval: Interval, margin: float) -> bool | None:
    """Say whether a whole interval lies inside plus or minus the margin: equivalence.

    A bound on the margin itself is not inside. An interval that holds zero but reaches past the
    margin shows neither difference nor equivalence.

    Returns:
        None where the interval is undefined.

    Raises:
        StatisticsError: The margin is not positive.
    """
    if not margin > 0:
        raise StatisticsError(f"equivalence margin {margin}: give one above 0")
    if interval.low is None or interval.high is None:
        return None
    return -margin < interval.low and interval.high < margin
