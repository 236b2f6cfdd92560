"""The corrected rate: how many exposed items do answers assert in the relation asked for?

The audit draws credited and omitted items at different rates; weighted by the frame they give the
share of all exposed items. Source: paper section 10.2, STUDIES section 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from copyceiling.audit.labels import Judged, Row, judge, readings_for, rules_for
from copyceiling.stats import Stratum, corrected_rate
from copyceiling.sweep import Settings

STRATA = ("n11", "n10")
# Name of the clusters to the column of a verdict that says which one it is in.
CLUSTERS = {"question": "question_id", "model": "model"}


@dataclass(frozen=True)
class Weights:
    """Frame units of each stratum (None where not determined), and how they are known."""

    units: Mapping[str, int | None]
    source: str

    @property
    def total(self) -> int | None:
        """Exposed units of the frame, where both strata are known."""
        known = [self.units[name] for name in STRATA]
        return None if None in known else sum(n for n in known if n is not None)


def corrected_rows(
    verdicts: Sequence[Row], weights: Weights, settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_CORRECTED`: one a rule, reading and kind of cluster.

    Args:
        verdicts: Rows of `VERDICTS` by one judge.
        weights: Frame units; without them the rate and its intervals are missing.
        settings: Resampling.
    """
    sample = [r for r in verdicts if r["part"] == "sample"]
    return [
        {
            "rule": rule,
            "reading": reading,
            "clusters": clusters,
            **_corrected_row(judge(sample, rule, reading), clusters, weights, settings),
            **_limits(sample, judge(sample, rule, reading), weights),
        }
        for rule in rules_for(sample)
        for reading in readings_for(sample)
        for clusters in CLUSTERS
    ]


def _corrected_row(
    units: Sequence[Judged], clusters: str, weights: Weights, settings: Settings
) -> dict[str, Any]:
    column = CLUSTERS[clusters]
    strata = {name: [u for u in units if u.row["category"] == name] for name in STRATA}
    found = corrected_rate(
        [
            Stratum(
                weights.units[name] or 0,
                np.array([u.correct for u in kept], dtype=np.int64),
                [u.row[column] for u in kept],
            )
            for name, kept in strata.items()
        ],
        name=clusters,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    known = weights.total is not None
    n11, n10 = (_share(strata[name]) for name in STRATA)
    # Resampling cannot move shares of 0 or 1: such an interval would have no width.
    moved = known and any(share is not None and 0 < share < 1 for share in (n11, n10))
    value = found.value if known else None
    credited = weights.units["n11"]
    matcher = credited / weights.total if weights.total and credited is not None else None
    return {
        "weight_n11": weights.units["n11"],
        "weight_n10": weights.units["n10"],
        "weights_from": weights.source,
        "rate_n11": n11,
        "rate_n10": n10,
        "n_clusters_n11": found.n_clusters[0],
        "n_clusters_n10": found.n_clusters[1],
        "value": value,
        "cluster_low": found.low if moved else None,
        "cluster_high": found.high if moved else None,
        "naive_low": found.naive_low if known else None,
        "naive_high": found.naive_high if known else None,
        "matcher_rate": matcher,
        "gap": None if value is None or matcher is None else matcher - value,
    }


def _limits(
    sample: Sequence[Row], units: Sequence[Judged], weights: Weights
) -> dict[str, int | float | None]:
    """Return how many units do not count, and the rate if none or all of them were correct."""
    ends: dict[str, list[float]] = {"least": [], "most": []}
    out: dict[str, int | float | None] = {}
    for name in STRATA:
        size = sum(r["category"] == name for r in sample)
        kept = [u for u in units if u.row["category"] == name]
        left, correct = size - len(kept), sum(u.correct for u in kept)
        out[f"n_left_{name}"] = left
        if size:
            weight = weights.units[name] or 0
            ends["least"].append(weight * correct / size)
            ends["most"].append(weight * (correct + left) / size)
    whole = weights.total if len(ends["least"]) == len(STRATA) else None
    return {**out, **{end: sum(terms) / whole if whole else None for end, terms in ends.items()}}


def _share(units: Sequence[Judged]) -> float | None:
    return sum(u.correct for u in units) / len(units) if units else None
