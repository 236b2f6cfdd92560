"""Ceilings under rewriting: what is still exposed once a question avoids its subject's words?

Reads one row a question, returns means, shares and paired differences. The questions on which
lexical retrieval fails are chosen by the very number that is then subtracted, so what semantic
retrieval recovers on them is inflated by that choice; the value that the choice alone would give
if the two retrievals had nothing to do with each other stands beside it. An estimate free of the
choice needs a second, independent measurement of lexical failure (another rewrite of the question,
or exposure by gold item), which one ceiling a question does not hold. Source: paper section 8,
STUDIES section 2.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from copyceiling.errors import ArtefactError, listing
from copyceiling.stats import Interval, Partition, Ratios, mean_intervals
from copyceiling.sweep import Settings

Row = Mapping[str, Any]
CEILINGS = ("original", "original_served", "lexical", "semantic")
ALL, FAILING, OTHERS = SUBSETS = ("all", "failing", "others")
# A ceiling below this counts as a failure of lexical retrieval (strictly below, as in the paper).
FAILS_BELOW = Fraction(1, 2)
# Ceilings are shares of a question's gold items; no question has as many as this.
_MOST_ITEMS = 1000

_SELECTED = (
    "chosen by a low lexical ceiling, which is then subtracted: regression to the mean inflates it"
)
_OPPOSITE = "chosen by a high lexical ceiling, which is then subtracted: the same in reverse"
_UNRELATED = (
    "no measurement: what the choice alone would give if both ceilings were independent of each "
    "other across questions"
)


def paraphrase_rows(
    rewrites: Sequence[Row], domains: Mapping[str, str], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `PARAPHRASE`.

    Args:
        rewrites: Rows of `REWRITES`.
        domains: Question id to domain, the clusters of the clustered intervals.
        settings: Resampling.

    Raises:
        ArtefactError: Accepted rewrites without ceilings, or questions without a domain; all named.
    """
    accepted = [r for r in rewrites if r["accepted"]]
    _check(accepted, domains)
    failing = [r for r in accepted if _exact(r["lexical"]) < FAILS_BELOW]
    others = [r for r in accepted if _exact(r["lexical"]) >= FAILS_BELOW]
    subsets = dict(zip(SUBSETS, (accepted, failing, others), strict=True))
    out = [_share("accepted", ALL, len(accepted), len(rewrites))]
    out.append(_attempts(rewrites))
    for subset, rows in subsets.items():
        out.extend(_means(subset, rows, domains, settings))
    out.append(_share("failing", ALL, len(failing), len(accepted)))
    out.append(_unrelated(accepted, failing))
    known = [r for r in accepted if r["fallback"] is not None]
    fallback = sum(r["fallback"] for r in known)
    out.append(_share("fallback", ALL, fallback, len(known)))
    out.append(_share("presence", ALL, len(known) - fallback, len(known)))
    silent = [r for r in failing if r["fallback"] is False]
    out.append(_share("presence", FAILING, len(silent), len(failing)))
    return out


def _exact(value: float) -> Fraction:
    """Return a stored share of gold items as the fraction that it is."""
    return Fraction(value).limit_denominator(_MOST_ITEMS)


def _check(accepted: Iterable[Row], domains: Mapping[str, str]) -> None:
    faults = []
    for row in accepted:
        lacking = [name for name in CEILINGS if row[name] is None]
        if lacking:
            faults.append(f"{row['question_id']}: accepted, but no {', '.join(lacking)}")
        if row["question_id"] not in domains:
            faults.append(f"{row['question_id']}: no such question in the study")
    if faults:
        raise ArtefactError(
            f"rewrites have {len(faults)} fault(s):\n{listing(faults)}\n"
            "Measure every accepted rewrite, and compare the rewrites with the study's questions."
        )


def _row(measure: str, subset: str, n: int, value: float | None, **more: Any) -> dict[str, Any]:
    blank = {"k": None, "caution": None}
    bounds = dict.fromkeys(("naive_low", "naive_high", "domain_low", "domain_high"))
    return {"measure": measure, "subset": subset, "n": n, "value": value, **blank, **bounds, **more}


def _share(measure: str, subset: str, k: int, n: int) -> dict[str, Any]:
    return _row(measure, subset, n, k / n if n else None, k=k)


def _attempts(rewrites: Sequence[Row]) -> dict[str, Any]:
    """Return the mean number of rewrites tried, over all questions; missing where rows lack it."""
    tried = [r["n_attempts"] for r in rewrites if r["n_attempts"] is not None]
    whole = len(tried) == len(rewrites) and tried
    return _row("attempts", ALL, len(tried), sum(tried) / len(tried) if whole else None)


def _means(
    subset: str, rows: Sequence[Row], domains: Mapping[str, str], settings: Settings
) -> list[dict[str, Any]]:
    """Return mean ceilings and the paired difference semantic minus lexical, with intervals."""
    columns = {name: [_exact(r[name]) for r in rows] for name in CEILINGS}
    pairs = zip(columns["semantic"], columns["lexical"], strict=True)
    columns["recovery"] = [semantic - lexical for semantic, lexical in pairs]
    ratios = Ratios.of(list(columns.values()))
    partitions = {
        "naive": Partition.rows(len(rows)),
        "domain": Partition.by("domain", [domains[r["question_id"]] for r in rows]),
    }
    found = {
        name: mean_intervals(
            ratios,
            partition,
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
        )
        for name, partition in partitions.items()
    }
    cautions = {FAILING: _SELECTED, OTHERS: _OPPOSITE}
    return [
        _row(
            measure,
            subset,
            len(rows),
            value,
            **_bounds("naive", found["naive"][i]),
            **_bounds("domain", found["domain"][i]),
            caution=cautions.get(subset) if measure == "recovery" else None,
        )
        for i, (measure, value) in enumerate(zip(columns, ratios.means(), strict=True))
    ]


def _bounds(name: str, interval: Interval) -> dict[str, float | None]:
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def _unrelated(accepted: Sequence[Row], failing: Sequence[Row]) -> dict[str, Any]:
    """Return the recovery on failing questions if semantic ceilings were dealt out at random."""
    value = None
    if failing:
        semantic = sum(_exact(r["semantic"]) for r in accepted) / len(accepted)
        lexical = sum(_exact(r["lexical"]) for r in failing) / len(failing)
        value = float(semantic - lexical)
    return _row("recovery_if_unrelated", FAILING, len(failing), value, caution=_UNRELATED)
