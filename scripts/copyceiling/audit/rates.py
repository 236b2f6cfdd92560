"""Rates of the audited units, with Wilson and question-clustered intervals.

Several units come from one question, so the Wilson interval, which takes them for independent, is
too narrow; the one that resamples questions stands beside it. Source: paper section 10.2, STUDIES
sections 5 and 8.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from copyceiling.audit.labels import READINGS, RULES, Judged, Row, judge, readings_for, rules_for
from copyceiling.stats import Interval, Partition, bootstrap_intervals, wilson
from copyceiling.sweep import Settings

ALL = "(all)"
BY = ("template", "gold_type", "model")


@dataclass(frozen=True)
class Rate:
    """One rate of a stratum: its name, which units it counts, and what favours the matcher.

    A unit of which ``holds`` is None is left out of this rate: it hangs on a role that is missing.
    """

    name: str
    holds: Callable[[Judged], bool | None]
    high_favours: bool


def _labelled(*labels: str) -> Callable[[Judged], bool]:
    return lambda unit: unit.label in labels


def _alternative(unit: Judged) -> bool | None:
    return None if unit.role is None else unit.role == "alternative"


def _true_omission(unit: Judged) -> bool | None:
    """Whether the answer neither names the item nor supplies another that would do as well."""
    if unit.label != "absent":
        return False
    return None if unit.role is None else unit.role != "alternative"


_CREDIT = (
    Rate("correct", _labelled("correct_relation"), True),
    Rate("name_only", _labelled("name_only"), False),
    Rate("wrong", _labelled("wrong_relation", "reversed", "negated"), False),
    Rate("absent", _labelled("absent"), False),
)
_OMITTED = (
    Rate("alternative", _alternative, False),
    Rate("correct", _labelled("correct_relation"), False),
    Rate("named", _labelled("correct_relation", "name_only"), False),
    Rate("negated", _labelled("negated"), True),
    Rate("true_omission", _true_omission, True),
)
_NEITHER = (
    Rate("absent", _labelled("absent"), True),
    Rate("correct", _labelled("correct_relation"), False),
    Rate("named", lambda unit: unit.label != "absent", False),
)
# By part and category. The few units credited without exposure get counts only.
STRATA: Mapping[tuple[str, str], Sequence[Rate]] = {
    ("sample", "n11"): _CREDIT,
    ("sample", "n10"): _OMITTED,
    ("sample", "n00"): _NEITHER,
    ("raw_hits", "n01"): _CREDIT,
}


def rate_rows(verdicts: Sequence[Row], settings: Settings) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_RATES`: every rate in every reading, whole and by group.

    Args:
        verdicts: Rows of `VERDICTS` by one judge.
        settings: Resampling.
    """
    out: list[dict[str, Any]] = []
    for (part, category), rates in STRATA.items():
        units = [r for r in verdicts if (r["part"], r["category"]) == (part, category)]
        for by, group, rule, kept in _groups(units):
            found = [
                {"part": part, "category": category, "by": by, "group": group, "rule": rule, **row}
                for reading in readings_for(units)
                for row in _reading_rows(kept, rates, rule, reading, by == "all", settings)
            ]
            out.extend(_lean(found, rates))
    return out


def _groups(units: Sequence[Row]) -> Iterator[tuple[str, str, str, Sequence[Row]]]:
    """Yield (by, group, rule, units): all of them under each rule, then groups as run."""
    if not units:
        return
    for rule in rules_for(units):
        yield "all", ALL, rule, units
    for by in BY:
        for group in sorted({unit[by] for unit in units}):
            yield by, group, RULES[0], [unit for unit in units if unit[by] == group]


def _reading_rows(
    units: Sequence[Row],
    rates: Sequence[Rate],
    rule: str,
    reading: str,
    whole: bool,
    settings: Settings,
) -> list[dict[str, Any]]:
    out = []
    for rate in rates:
        said = [(unit, rate.holds(unit)) for unit in judge(units, rule, reading)]
        counted = [(unit.row["question_id"], holds) for unit, holds in said if holds is not None]
        questions, flags = [q for q, _ in counted], [bool(holds) for _, holds in counted]
        k, n = sum(flags), len(flags)
        bounds = wilson(k, n, settings.level)
        # Resampling cannot move a share of 0 or 1: its interval would have no width.
        moved = whole and 0 < k < n
        question = _clustered(flags, questions, settings) if moved else Interval(None, None)
        out.append(
            {
                "rate": rate.name,
                "reading": reading,
                "k": k,
                "n": n,
                "n_left_out": len(units) - n,
                "share": k / n if n else None,
                "wilson_low": bounds.low,
                "wilson_high": bounds.high,
                "question_low": question.low,
                "question_high": question.high,
                "n_questions": len(set(questions)),
            }
        )
    return out


def _clustered(flags: Sequence[bool], questions: Sequence[str], settings: Settings) -> Interval:
    (found,) = bootstrap_intervals(
        np.array(flags, dtype=np.int64)[:, None],
        np.ones(len(flags), dtype=np.int64),
        Partition.by("question", questions),
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    return found


def _lean(rows: Sequence[dict[str, Any]], rates: Sequence[Rate]) -> list[dict[str, Any]]:
    """Say which of stands and withdrawn is the less, and the more, favourable to the matcher."""
    share = {(r["rate"], r["reading"]): r["share"] for r in rows}
    high = {rate.name: rate.high_favours for rate in rates}

    def leaning(row: Mapping[str, Any]) -> str | None:
        stands, withdrawn = (share.get((row["rate"], reading)) for reading in READINGS[:2])
        if row["reading"] not in READINGS[:2] or stands is None or withdrawn is None:
            return None
        if stands == withdrawn:
            return "same"
        other = withdrawn if row["reading"] == "stands" else stands
        return "more" if (row["share"] > other) == high[row["rate"]] else "less"

    return [{**row, "leaning": leaning(row)} for row in rows]
