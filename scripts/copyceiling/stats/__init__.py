"""Statistics under one documented convention (DESIGN section 10).

Resampling intervals of ratios of sums, paired tests, rates and agreement, and rates over strata.
Undefined is None, never a plausible number. Random draws come from seeds derived by name.
"""

from copyceiling.stats.paired import SignedRank, holm, signed_rank
from copyceiling.stats.rates import Agreement, kappa, wilson, within_margin
from copyceiling.stats.resampling import (
    LEVEL,
    RESAMPLES,
    Floats,
    Interval,
    Ints,
    Partition,
    Ratios,
    bootstrap_intervals,
    bootstrap_ratios,
    cluster_counts,
    mean_intervals,
    named_rng,
)
from copyceiling.stats.stratified import CorrectedRate, Stratum, corrected_rate

__all__ = [
    "LEVEL",
    "RESAMPLES",
    "Agreement",
    "CorrectedRate",
    "Floats",
    "Interval",
    "Ints",
    "Partition",
    "Ratios",
    "SignedRank",
    "Stratum",
    "bootstrap_intervals",
    "bootstrap_ratios",
    "cluster_counts",
    "corrected_rate",
    "holm",
    "kappa",
    "mean_intervals",
    "named_rng",
    "signed_rank",
    "wilson",
    "within_margin",
]
