"""The sweep study: uplift, copy ceiling, signed gain and the exposure decomposition.

Reads score rows (integers), returns rates with intervals. What counts for a completion that is
not ``ok`` is a policy, and all three are computed: ``as_received`` scores whatever text came (the
paper's convention), ``as_wrong`` scores it 0, ``complete_case`` leaves the pair out. Source: paper
sections 9 and 10.3, DESIGN sections 5 and 9.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from copyceiling.requests import ARMS, STATUSES
from copyceiling.stats import Interval, Partition, Ratios, bootstrap_intervals, mean_intervals

POLICIES = ("as_received", "as_wrong", "complete_case")
POOLED = "(pooled)"
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Settings:
    """Resampling settings of a study: seed, number of resamples, level of intervals."""

    seed: int
    resamples: int
    level: float


@dataclass(frozen=True)
class Pair:
    """One question's score rows by arm, under one matcher."""

    question_id: str
    domain: str
    arms: Mapping[str, Row]

    def counts(self, policy: str) -> bool:
        """Whether the pair stands in a table under this policy."""
        return policy != "complete_case" or all(r["status"] == "ok" for r in self.arms.values())

    def hits(self, arm: str, policy: str) -> int:
        """Gold items recovered, as the policy counts them."""
        row = self.arms[arm]
        return 0 if policy == "as_wrong" and row["status"] != "ok" else int(row["n_hits"])

    def recall(self, arm: str, policy: str) -> Fraction:
        """Score of the arm's answer, as the policy counts it."""
        row = self.arms[arm]
        if policy == "as_wrong" and row["status"] != "ok":
            return Fraction(0)
        return Fraction(row["recall_num"], row["recall_den"])


def pair_up(rows: Iterable[Row]) -> dict[tuple[str, str], list[Pair]]:
    """Group score rows by (model, matcher) into pairs, in order of question id."""
    cells: dict[tuple[str, str], dict[str, dict[str, Row]]] = {}
    for row in rows:
        questions = cells.setdefault((row["model"], row["matcher"]), {})
        questions.setdefault(row["question_id"], {})[row["arm"]] = row
    return {
        key: [
            Pair(qid, next(iter(arms.values()))["domain"], arms)
            for qid, arms in sorted(questions.items())
        ]
        for key, questions in cells.items()
    }


def sweep_rows(
    rows: Iterable[Row], readers: frozenset[str], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `SWEEP`: one a model, matcher and policy.

    Args:
        rows: Score rows of all models.
        readers: Labels of the reference readers.
        settings: Resampling.
    """
    return [
        {
            "model": model,
            "group": "reader" if model in readers else "model",
            "matcher": matcher,
            "policy": policy,
            **_sweep_row(pairs, policy, settings),
        }
        for (model, matcher), pairs in pair_up(rows).items()
        for policy in POLICIES
    ]


def _sweep_row(pairs: Sequence[Pair], policy: str, settings: Settings) -> dict[str, Any]:
    kept = [p for p in pairs if p.counts(policy)]
    quantities = _quantities(kept, policy)
    names = list(quantities)
    ratios = Ratios.of([quantities[name] for name in names]) if names else None
    means = dict(zip(names, ratios.means(), strict=True)) if ratios else {}
    domains = Partition.by("domain", [p.domain for p in kept])
    out: dict[str, Any] = {
        "n": len(kept),
        "n_domains": domains.n_clusters,
        **{name: means.get(name) for name in _QUANTITIES},
    }
    partitions = {"naive": Partition.rows(len(kept)), "domain": domains}
    for label, partition in partitions.items():
        found = _intervals(ratios, names, partition, settings) if ratios else {}
        for name in ("uplift", "gain"):
            interval = found.get(name, Interval(None, None))
            out[f"{name}_{label}_low"], out[f"{name}_{label}_high"] = interval.low, interval.high
    return {**out, **_ledger(pairs)}


_QUANTITIES = ("raw_recall", "scaffold_recall", "uplift", "ceiling", "exposed_fraction", "gain")


def _quantities(kept: Sequence[Pair], policy: str) -> dict[str, list[Fraction]]:
    """Return per-question values; a quantity whose rows are not all there is left out."""
    found: dict[str, list[Fraction]] = {}
    for arm in ARMS:
        if all(arm in p.arms for p in kept):
            found[f"{arm}_recall"] = [p.recall(arm, policy) for p in kept]
    shown = [p.arms["scaffold"] for p in kept if "scaffold" in p.arms]
    if len(shown) == len(kept) and all(r["ceiling_num"] is not None for r in shown):
        found["ceiling"] = [Fraction(r["ceiling_num"], r["ceiling_den"]) for r in shown]
        found["exposed_fraction"] = [Fraction(r["n_exposed"], r["n_gold"]) for r in shown]
    for name, less, more in (
        ("uplift", "raw_recall", "scaffold_recall"),
        ("gain", "ceiling", "scaffold_recall"),
    ):
        if less in found and more in found:
            found[name] = [b - a for a, b in zip(found[less], found[more], strict=True)]
    return found


def _intervals(
    ratios: Ratios, names: Sequence[str], partition: Partition, settings: Settings
) -> dict[str, Interval]:
    found = mean_intervals(
        ratios,
        partition,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    return dict(zip(names, found, strict=True))


def _ledger(pairs: Sequence[Pair]) -> dict[str, int]:
    """Return how the planned cells ended, over all pairs whatever the policy."""
    ended = Counter((arm, row["status"]) for p in pairs for arm, row in p.arms.items())
    counts = {f"{arm}_{status}": ended[arm, status] for arm in ARMS for status in STATUSES}
    cut = sum(any(r["status"] == "truncated" for r in p.arms.values()) for p in pairs)
    retried = {f"{arm}_retried": _retried(pairs, arm) for arm in ARMS}
    tries = [(arm, row["tries"]) for p in pairs for arm, row in p.arms.items()]
    unknown = {f"{arm}_tries_unknown": tries.count((arm, None)) for arm in ARMS}
    return {**counts, **retried, **unknown, "n_truncated_either": cut}


def _retried(pairs: Sequence[Pair], arm: str) -> int:
    return sum((p.arms[arm]["tries"] or 1) > 1 for p in pairs if arm in p.arms)


def decomposition_rows(
    rows: Iterable[Row], readers: frozenset[str], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `DECOMPOSITION`: one a model, matcher and policy, and pooled models.

    The pooled row is over models, without reference readers.
    """
    grouped = pair_up(rows)
    pooled: dict[tuple[str, str], list[Pair]] = {}
    for (model, matcher), pairs in grouped.items():
        if model not in readers:
            pooled.setdefault((POOLED, matcher), []).extend(pairs)
    return [
        {
            "model": model,
            "group": "reader" if model in readers else "model",
            "matcher": matcher,
            "policy": policy,
            **_decomposition_row(pairs, policy, settings),
        }
        for (model, matcher), pairs in [*grouped.items(), *pooled.items()]
        for policy in POLICIES
    ]


_CELLS = ("low", "high", "gold", "exposed", "hits")


def _cells(pair: Pair, policy: str) -> dict[str, int]:
    """Return the bounds of n11, and the margins, of one question in the scaffold arm.

    Rows that hold counts only (released ones without titles) bound n11 by their margins.
    """
    row = pair.arms["scaffold"]
    gold, exposed, hits = int(row["n_gold"]), int(row["n_exposed"]), pair.hits("scaffold", policy)
    low, high = max(0, hits + exposed - gold), min(hits, exposed)
    if row["n11"] is not None and hits == row["n_hits"]:
        low = high = int(row["n11"])
    return {"low": low, "high": high, "gold": gold, "exposed": exposed, "hits": hits}


def _decomposition_row(pairs: Sequence[Pair], policy: str, settings: Settings) -> dict[str, Any]:
    kept = [p for p in pairs if "scaffold" in p.arms and p.counts(policy)]
    cells = [_cells(p, policy) for p in kept]
    columns = {name: [c[name] for c in cells] for name in _CELLS}
    low, high, gold, exposed, hits = columns.values()
    n11 = sum(low) if low == high else None
    out: dict[str, Any] = {
        "n": len(kept),
        "n_gold": sum(gold),
        "n_exposed": sum(exposed),
        "n_hits": sum(hits),
        "n11": n11,
        "n10": None if n11 is None else sum(exposed) - n11,
        "n01": None if n11 is None else sum(hits) - n11,
        "n00": None if n11 is None else sum(gold) - sum(exposed) - sum(hits) + n11,
        "n11_low": sum(low),
        "n11_high": sum(high),
        **_compliance(kept, policy, low, high, exposed),
        "n_retried": _retried(kept, "scaffold"),
    }
    interval = Interval(None, None)
    if n11 is not None and out["n_exposed"]:
        (interval,) = bootstrap_intervals(
            np.array(low, dtype=np.int64)[:, None],
            np.array(exposed, dtype=np.int64),
            Partition.by("domain", [p.domain for p in kept]),
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
        )
    return {**out, **_rates(out), **_named("utilisation_domain", interval)}


def _named(name: str, interval: Interval) -> dict[str, float | None]:
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def _compliance(
    kept: Sequence[Pair],
    policy: str,
    low: Sequence[int],
    high: Sequence[int],
    exposed: Sequence[int],
) -> dict[str, int | None]:
    """Count omissions in questions that any one item answers, and those where one did."""
    at = [i for i, p in enumerate(kept) if p.arms["scaffold"]["gold_type"] == "any"]
    if any(low[i] != high[i] for i in at):
        return {"n10_any": None, "n10_compliant": None}
    omitted = {i: exposed[i] - low[i] for i in at}
    answered = (i for i in at if kept[i].recall("scaffold", policy) == 1)
    return {
        "n10_any": sum(omitted.values()),
        "n10_compliant": sum(omitted[i] for i in answered),
    }


def _rates(out: Mapping[str, Any]) -> dict[str, float | None]:
    def ratio(above: int | None, below: int | None) -> float | None:
        return None if above is None or not below else above / below

    n10, compliant = out["n10"], out["n10_compliant"]
    adjusted = None if n10 is None or compliant is None else n10 - compliant
    unexposed = out["n_gold"] - out["n_exposed"]
    return {
        "utilisation": ratio(out["n11"], out["n_exposed"]),
        "unexposed_recovery": ratio(out["n01"], unexposed),
        "omission_rate": ratio(n10, out["n_exposed"]),
        "omission_rate_adjusted": ratio(adjusted, out["n_exposed"]),
    }
