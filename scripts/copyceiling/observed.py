"""What the artefacts of a study show, a few findings a question of the overview.

Each function reads rows of the artefacts that it names, and returns the size of what was looked at
and the findings, or None where the rows hold nothing on the question. Values are taken over as
they are; nothing is computed but counts of rows, and which is least and greatest. The judged
studies are read in `observed_judged`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from copyceiling.sweep import POOLED

Row = Mapping[str, Any]
Form = Literal["share", "signed", "score", "p", "count", "bounds"]


@dataclass(frozen=True)
class Reading:
    """How a study reads its rows: policy of completions that are not ok, level of intervals."""

    policy: str
    level: float


@dataclass(frozen=True)
class Finding:
    """One observed value.

    Attributes:
        what: What was observed.
        form: ``share`` in [0, 1]; ``signed`` difference of shares; ``score`` difference of
            scores; ``p``; ``count`` (out of ``of``, if given); ``bounds``: a count that rows
            only bound.
        value: The value, None where it is undefined or only bounded.
        low, high: Its interval or bounds, None where there are none.
        of: What a count is out of.
    """

    what: str
    form: Form
    value: float | None
    low: float | None = None
    high: float | None = None
    of: int | None = None


@dataclass(frozen=True)
class Observed:
    """What was observed on a question: ``n`` of what (``population``), and the findings."""

    n: int
    population: str
    findings: Sequence[Finding]


Parts = Mapping[str, Sequence[Row]]
Observe = Callable[[Parts, Reading], Observed | None]


def uplift(parts: Parts, reading: Reading) -> Observed | None:
    """Return the uplift of each model of the sweep study, or its range."""
    beside = {
        "raw_recall": "recall without the block",
        "scaffold_recall": "recall with the block",
    }
    return _over_models(parts["sweep"], reading, "uplift", beside)


def gain(parts: Parts, reading: Reading) -> Observed | None:
    """Return the gain over copy of each model of the sweep study, or its range."""
    return _over_models(parts["sweep"], reading, "gain", {"ceiling": "copy ceiling"})


def _over_models(
    rows: Sequence[Row], reading: Reading, name: str, beside: Mapping[str, str]
) -> Observed | None:
    """Return how a difference turned out over the models, without reference readers.

    Args:
        rows: Rows of the sweep study.
        reading: The study's policy.
        name: ``uplift`` or ``gain``.
        beside: Columns of which the range stands beside it, with what they are.
    """
    kept = [r for r in rows if (r["matcher"], r["policy"]) == ("paper", reading.policy)]
    kept = [r for r in kept if r["group"] == "model" and r[name] is not None]
    if not kept:
        return None
    label = {"uplift": "uplift", "gain": "gain over copy"}[name]
    ordered = sorted(kept, key=lambda r: (r[name], r["model"]))
    several = len(ordered) > 1
    ends = [("least ", ordered[0]), ("greatest ", ordered[-1])] if several else [("", ordered[0])]
    findings = [
        with_interval(f"{which}{label}, {r['model']}", "signed", r, name, f"{name}_domain")
        for which, r in ends
    ]
    if several:
        lows = [r[f"{name}_domain_low"] for r in kept]
        highs = [r[f"{name}_domain_high"] for r in kept]
        sides = {
            "above": sum(low is not None and low > 0 for low in lows),
            "below": sum(high is not None and high < 0 for high in highs),
        }
        findings += [
            Finding(f"models whose interval lies {side} 0", "count", k, of=len(kept))
            for side, k in sides.items()
        ]
    findings += [spread(what, [r[column] for r in kept]) for column, what in beside.items()]
    return Observed(sum(r["n"] for r in kept), of_models("question pairs", len(kept)), findings)


def of_models(what: str, n: int) -> str:
    """Return what is counted, and over how many models."""
    return f"{what}, {n} model{'s' if n > 1 else ''}"


def with_interval(what: str, form: Form, row: Row, value: str, interval: str) -> Finding:
    """Return a row's value with its interval ``<interval>_low`` to ``<interval>_high``."""
    return Finding(what, form, row[value], row[f"{interval}_low"], row[f"{interval}_high"])


def spread(what: str, values: Sequence[float], form: Form = "share") -> Finding:
    """Return a value that is the same in all rows, or the least and greatest of them."""
    if min(values) == max(values):
        return Finding(what, form, values[0])
    return Finding(f"{what}, least and greatest", form, None, min(values), max(values))


def cells(parts: Parts, reading: Reading) -> Observed | None:
    """Return the pooled cells of the decomposition, exact or as bounded by their margins."""
    rows = parts["decomposition"]
    kept = [r for r in rows if (r["matcher"], r["policy"]) == ("paper", reading.policy)]
    pooled = [r for r in kept if r["model"] == POOLED]
    if not pooled:
        return None
    (row,) = pooled
    low, high = row["n11_low"], row["n11_high"]
    exposed, hits, gold = row["n_exposed"], row["n_hits"], row["n_gold"]
    bounds = {
        "exposed and recovered": ("n11", low, high),
        "exposed and omitted": ("n10", exposed - high, exposed - low),
        "recovered without exposure": ("n01", hits - high, hits - low),
        "neither exposed nor recovered": (
            "n00",
            gold - exposed - hits + low,
            gold - exposed - hits + high,
        ),
    }
    findings = [
        Finding(what, "count", row[cell], of=gold)
        if row[cell] is not None
        else Finding(what, "bounds", None, least, most, gold)
        for what, (cell, least, most) in bounds.items()
    ]
    findings.append(
        with_interval(
            "exposed items that were recovered", "share", row, "utilisation", "utilisation_domain"
        )
    )
    n_models = len({r["model"] for r in kept if r["group"] == "model"} - {POOLED})
    return Observed(gold, of_models("gold items", n_models), findings)


def confusion(parts: Parts, _reading: Reading) -> Observed | None:
    """Return for how many titles another title, or an opposite, earns credit."""
    rows = parts["confusion"]
    if not rows:
        return None
    opposed = [r for r in rows if r["antonym"] is not None]
    return Observed(
        len(rows),
        "titles",
        [
            Finding(
                "titles that another class's title earns credit for",
                "count",
                sum(bool(r["n_substring"] or r["n_word_bag"]) for r in rows),
                of=len(rows),
            ),
            Finding(
                "titles with an opposite that earns it",
                "count",
                sum(bool(r["antonym_credited"]) for r in opposed),
                of=len(opposed),
            ),
        ],
    )


def landing(parts: Parts, _reading: Reading) -> Observed | None:
    """Return the share of terms that resolve, by arm."""
    rows = parts["terms"]
    if not rows:
        return None
    ordered = sorted(rows, key=lambda r: (r["resolved"] is None, -(r["resolved"] or 0), r["arm"]))
    findings = [
        with_interval(f"terms resolved, {r['arm']}", "share", r, "resolved", "episode")
        for r in ordered
    ]
    return Observed(
        sum(r["n_terms"] for r in rows),
        f"terms, {len(rows)} arm{'s' if len(rows) > 1 else ''}",
        findings,
    )
