"""Paired contrasts over grades: difference of means, interval, exact signed-rank test, Holm.

What counts for an answer without a score is a policy, and both are computed: ``complete_case``
leaves its pair out, ``as_failure`` scores it 0 where it was asked for and no text came. Where rows
do not say how an answer ended, ``as_failure`` is missing for the contrasts that need to know.
The interval is of the mean difference, the test of the ranks of the differences: two readings of
the same pairs. Source: paper sections 10.5 to 10.8, STUDIES sections 0, 3 and 4, DESIGN 5 and 10.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from copyceiling.cohorts import INTERSECTION, POOLED, Cell, Cohort, Unit
from copyceiling.stats import (
    Interval,
    Partition,
    Ratios,
    holm,
    mean_intervals,
    signed_rank,
    within_margin,
)
from copyceiling.sweep import Settings

COMPLETE_CASE = "complete_case"
AS_FAILURE = "as_failure"
PAIR_POLICIES = (COMPLETE_CASE, AS_FAILURE)
# Scope of the answers whose first arm was shown a block: over all sets, and what ends it of one.
ALL_ENGAGED = "engaged"
ENGAGED = f"_{ALL_ENGAGED}"


@dataclass(frozen=True)
class Pairs:
    """Scores of two arms on the same units.

    Attributes:
        units: Units that count, in order.
        scores: First and second arm's score of each, 0 to 5.
        n_failed: Units with a 0 for want of an answer.
        n_unknown: Units that could not be placed, because rows do not say how an answer ended.
    """

    units: tuple[Unit, ...]
    scores: tuple[tuple[int, int], ...]
    n_failed: int = 0
    n_unknown: int = 0

    @property
    def differences(self) -> list[int]:
        """First minus second."""
        return [a - b for a, b in self.scores]


def pair_scores(
    cohort: Cohort, units: Iterable[Unit], first: str, second: str, policy: str
) -> Pairs:
    """Return the pairs of two arms that count under a policy of `PAIR_POLICIES`."""
    kept: list[tuple[Unit, tuple[int, int]]] = []
    n_failed = n_unknown = 0
    for unit in units:
        both = [cohort.cells[unit][arm] for arm in (first, second)]
        values = [_counted(cell, policy) for cell in both]
        if values[0] is not None and values[1] is not None:
            kept.append((unit, (values[0], values[1])))
            n_failed += any(cell.end == "failed" for cell in both)
        elif policy == AS_FAILURE:
            # An answer that is out for certain takes its pair out, whatever became of the other.
            lacking = [cell.end for cell, v in zip(both, values, strict=True) if v is None]
            n_unknown += set(lacking) == {"unknown"}
    return Pairs(tuple(u for u, _ in kept), tuple(s for _, s in kept), n_failed, n_unknown)


def _counted(cell: Cell, policy: str) -> int | None:
    if cell.end == "failed" and policy == AS_FAILURE:
        return 0
    return cell.score


def scopes(cohort: Cohort, policy: str) -> dict[str, list[Unit]]:
    """Return the parts of a cohort that contrasts are computed over, by name.

    Every set, all of them pooled, and what the cohort's family declares besides: the questions
    graded in every arm, and the part of each set, and of all, whose first arm was shown a block.
    """
    found = {name: cohort.units(name) for name in (*cohort.sets, POOLED)}
    if cohort.family.engaged:
        first = cohort.family.contrasts[0][0]
        for name in (*cohort.sets, POOLED):
            shown = [
                u
                for u in found[name]
                if first in cohort.arms and cohort.cells[u][first].known("engaged")
            ]
            if 0 < len(shown) < len(found[name]):
                found[ALL_ENGAGED if name == POOLED else name + ENGAGED] = shown
    if cohort.family.intersection and policy == COMPLETE_CASE:
        found[INTERSECTION] = [
            unit
            for unit, cells in cohort.cells.items()
            if all(cell.end == "graded" for cell in cells.values())
        ]
    return found


def contrast_rows(
    cohorts: Sequence[Cohort],
    settings: Settings,
    cautions: Mapping[str, str | None] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the rows of `CONTRASTS`: one a cohort, judge, policy, scope and contrast.

    Args:
        cohorts: Judged cohorts.
        settings: Seed, resamples and level.
        cautions: Judge to what its calibration says against its grades.
    """
    return [
        {**row, "caution": cautions.get(cohort.judge)}
        for cohort in cohorts
        for policy in PAIR_POLICIES
        for row in _adjusted(cohort, _policy_rows(cohort, policy, settings))
    ]


def _policy_rows(cohort: Cohort, policy: str, settings: Settings) -> list[dict[str, Any]]:
    contrasts = [
        (first, second)
        for first, second in cohort.family.contrasts
        if first in cohort.arms and second in cohort.arms
    ]
    return [
        {
            "cohort": cohort.name,
            "judge": cohort.judge,
            "policy": policy,
            "scope": scope,
            "first": first,
            "second": second,
            **_contrast(cohort, (first, second), units, policy, settings),
        }
        for scope, units in scopes(cohort, policy).items()
        for first, second in contrasts
    ]


_UNDETERMINED = dict.fromkeys(
    (
        *("n", "n_questions", "n_failed", "n_same_prompt", "mean_first", "mean_second"),
        "mean_diff",
        *("diff_low", "diff_high", "diff_question_low", "diff_question_high", "p"),
        *("rank_biserial", "wins", "losses", "ties", "n_nonzero", "inside_margin"),
    )
)


def _contrast(
    cohort: Cohort, arms: tuple[str, str], units: Iterable[Unit], policy: str, settings: Settings
) -> dict[str, Any]:
    pairs = pair_scores(cohort, units, *arms, policy)
    margin = cohort.family.margin
    out: dict[str, Any] = {**_UNDETERMINED, "n_unknown": pairs.n_unknown, "margin": margin}
    if pairs.n_unknown:
        return out
    n = len(pairs.units)
    differences = pairs.differences
    tested = n >= cohort.family.min_pairs
    ranks = signed_rank(differences)
    interval, by_question = difference_intervals(pairs, settings) if tested else _NONE
    inside = None if margin is None else within_margin(interval, margin)
    return {
        **out,
        "n": n,
        "n_questions": len({unit[:2] for unit in pairs.units}),
        "n_failed": pairs.n_failed,
        "n_same_prompt": _same_prompts(cohort, pairs.units, arms),
        "mean_first": _mean([a for a, _ in pairs.scores]),
        "mean_second": _mean([b for _, b in pairs.scores]),
        "mean_diff": _mean(differences),
        **_bounds("diff", interval),
        **_bounds("diff_question", by_question),
        "p": ranks.p if tested else None,
        "rank_biserial": ranks.rank_biserial,
        "wins": ranks.wins,
        "losses": ranks.losses,
        "ties": ranks.ties,
        "n_nonzero": ranks.n_nonzero,
        "inside_margin": inside,
    }


_NONE = (Interval(None, None), Interval(None, None))


def _same_prompts(cohort: Cohort, units: Sequence[Unit], arms: tuple[str, str]) -> int | None:
    """Count the units whose two arms were asked the same; None where rows do not say of one."""
    asked = [tuple(cohort.cells[u][arm].known("prompt_sha256") for arm in arms) for u in units]
    return None if any(None in both for both in asked) else sum(a == b for a, b in asked)


def difference_intervals(pairs: Pairs, settings: Settings) -> tuple[Interval, Interval]:
    """Return the interval of the mean difference, over pairs and over questions.

    The second is undefined where each question stands in one pair: it is the first one then. Both
    are undefined where no pair differs, or all by the same: then every resample is the same, and
    none tells how great a difference could be.
    """
    ratios = Ratios.of([[Fraction(d) for d in pairs.differences]])
    questions = Partition.by("question", ["/".join(unit[:2]) for unit in pairs.units])
    partitions = [Partition.rows(len(pairs.units))]
    if questions.n_clusters < len(pairs.units):
        partitions.append(questions)
    found = [
        mean_intervals(
            ratios,
            partition,
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
            flat=False,
        )[0]
        for partition in partitions
    ]
    return found[0], found[1] if len(found) > 1 else Interval(None, None)


def _mean(values: Sequence[int]) -> float | None:
    return float(Fraction(sum(values), len(values))) if values else None


def _bounds(name: str, interval: Interval) -> dict[str, float | None]:
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def _adjusted(cohort: Cohort, rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give each row Holm's adjustment over its family; see `Family.holm`."""
    out = [{**row, "p_holm": None, "n_family": None} for row in rows]
    families: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in out:
        key = _family_key(cohort, row)
        if key is not None:
            families.setdefault(key, []).append(row)
    for members in families.values():
        tested = [row for row in members if row["p"] is not None]
        # A family with members whose ends are unknown would be adjusted for too few.
        if any(row["n"] is None for row in members):
            continue
        for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
            row.update(p_holm=p, n_family=len(tested))
    return out


def _family_key(cohort: Cohort, row: Mapping[str, Any]) -> tuple[str, ...] | None:
    if cohort.family.holm == "contrasts":
        return (row["scope"],)
    if cohort.family.holm == "sets" and row["scope"] in cohort.sets:
        return (row["first"], row["second"])
    return None
