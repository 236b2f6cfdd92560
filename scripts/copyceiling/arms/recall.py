"""The outcome without a judge: which gold the answers of each arm name, against the copy ceiling.

Paired by question and model within a cohort, as the judged contrasts are. What counts for an
answer that is not ``ok`` is a policy, see `sweep`. Source: paper sections 9 and 10.3.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from copyceiling.cohorts import ARMS, POOLED
from copyceiling.stats import Interval, Partition, Ratios, mean_intervals
from copyceiling.sweep import POLICIES, Pair, Settings

Row = Mapping[str, Any]
BASELINE = "raw"
_GROUP = ("cohort", "model", "matcher")
_COUNTS = ("n_gold", "n11", "n10", "n01", "n00")


def arm_order(arm: str) -> tuple[int, str]:
    """Sort key of arms: as declared, unknown ones last by name."""
    return (ARMS.index(arm) if arm in ARMS else len(ARMS)), arm


def recall_study_rows(rows: Iterable[Row], settings: Settings) -> list[dict[str, Any]]:
    """Return the rows of `RECALL_STUDY`: one a cohort, model, matcher, policy, scope and arm.

    A scope is a question set, or all of them pooled.

    Args:
        rows: Rows of `ARM_RECALL`.
        settings: Resampling.
    """
    groups: dict[tuple[str, ...], dict[tuple[str, str], dict[str, Row]]] = {}
    for row in rows:
        units = groups.setdefault(tuple(row[name] for name in _GROUP), {})
        units.setdefault((row["set"], row["question_id"]), {})[row["arm"]] = row
    return [
        {**dict(zip(_GROUP, key, strict=True)), **row}
        for key, units in sorted(groups.items())
        for row in _group_rows(units, settings)
    ]


def _group_rows(
    units: Mapping[tuple[str, str], Mapping[str, Row]], settings: Settings
) -> list[dict[str, Any]]:
    arms = sorted({arm for cells in units.values() for arm in cells}, key=arm_order)
    sets = sorted({of for of, _ in units})
    return [
        {"policy": policy, "scope": scope, "arm": arm, **_arm_row(pairs, arm, policy, settings)}
        for scope in ([*sets, POOLED] if len(sets) > 1 else sets)
        for pairs in [_pairs(units, scope)]
        for policy in POLICIES
        for arm in arms
        if any(arm in pair.arms for pair in pairs)
    ]


def _pairs(units: Mapping[tuple[str, str], Mapping[str, Row]], scope: str) -> list[Pair]:
    return [
        Pair("/".join(key), next(iter(cells.values()))["domain"] or "", cells)
        for key, cells in sorted(units.items())
        if scope in (POOLED, key[0])
    ]


def _arm_row(pairs: Sequence[Pair], arm: str, policy: str, settings: Settings) -> dict[str, Any]:
    kept = [p for p in pairs if arm in p.arms and p.counts(policy)]
    recall = [p.recall(arm, policy) for p in kept]
    ceiling = [Fraction(p.arms[arm]["ceiling_num"], p.arms[arm]["ceiling_den"]) for p in kept]
    gain = [r - c for r, c in zip(recall, ceiling, strict=True)]
    both = [p for p in kept if arm != BASELINE and BASELINE in p.arms]
    difference = [p.recall(arm, policy) - p.recall(BASELINE, policy) for p in both]
    counts = {
        name: sum(int(p.arms[arm][name]) for p in kept) if policy != "as_wrong" else None
        for name in _COUNTS
    }
    return {
        "n": len(kept),
        "n_not_ok": sum(p.arms[arm]["status"] != "ok" for p in kept),
        "recall": _mean(recall),
        "ceiling": _mean(ceiling),
        **_measure("gain", gain, kept, settings),
        "n_paired": len(both) if arm != BASELINE else None,
        **_measure("diff", difference, both, settings),
        **counts,
    }


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None


def _measure(
    name: str, values: Sequence[Fraction], pairs: Sequence[Pair], settings: Settings
) -> dict[str, Any]:
    """Return a mean with its intervals, questions and then whole domains resampled."""
    partitions = {
        "": Partition.rows(len(pairs)),
        "_domain": Partition.by("domain", [pair.domain for pair in pairs]),
    }
    out: dict[str, Any] = {name: _mean(values)}
    for label, partition in partitions.items():
        interval = Interval(None, None)
        if values:
            (interval,) = mean_intervals(
                Ratios.of([values]),
                partition,
                seed=settings.seed,
                resamples=settings.resamples,
                level=settings.level,
                flat=False,
            )
        out[f"{name}{label}_low"], out[f"{name}{label}_high"] = interval.low, interval.high
    return out
