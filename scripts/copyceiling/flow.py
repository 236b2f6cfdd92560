"""From planned to graded answers, by arm: how they ended, how long they took, what was shown.

A count stays missing where rows do not say how every answer ended: from grades alone an answer
that came back empty cannot be told from one that was never asked for. Source: paper sections 10.5,
10.7 and 13, STUDIES sections 3 and 4, DESIGN section 5.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import mean, median
from types import MappingProxyType
from typing import Any

from copyceiling.cohorts import POOLED, Cell, Cohort, Row
from copyceiling.judging.harness import GRADED, STATUSES, UNPARSED

_EXPOSURE = (
    *("exposure_from", "blocks", "exposure_mean", "exposure_median", "exposure_min"),
    *("exposure_max", "exposure_zero", "exposure_full", "block_tokens"),
)


def flow_rows(
    cohorts: Sequence[Cohort],
    released: Sequence[Row] = (),
    cautions: Mapping[str, str | None] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the rows of `FLOW`: one a cohort, judge, set and arm, and sets pooled.

    Args:
        cohorts: Judged cohorts.
        released: Rows of `BLOCK_EXPOSURE`, taken over into the pooled rows (and marked so) where
            answers do not state their block's exposure.
        cautions: Judge to what its calibration says against its grades.
    """
    aggregates = {(row["cohort"], row["arm"]): row for row in released}
    rows = []
    for cohort in cohorts:
        for name in (*cohort.sets, POOLED):
            units = cohort.units(name)
            for arm in cohort.arms:
                cells = [cohort.cells[u][arm] for u in units]
                aggregate = aggregates.get((cohort.name, arm)) if name == POOLED else None
                key: dict[str, Any] = {
                    "cohort": cohort.name,
                    "judge": cohort.judge,
                    "caution": cautions.get(cohort.judge),
                    "set": name,
                    "arm": arm,
                }
                rows.append({**key, **_flow(cells), **_exposure(cells, aggregate)})
    return rows


def _flow(cells: Sequence[Cell]) -> dict[str, Any]:
    ends = [cell.end for cell in cells]
    asked = [cell for cell in cells if cell.end != "unasked"]
    known = "unknown" not in ends
    statuses = [cell.known("status") for cell in asked]
    scores = [cell.score for cell in cells if cell.score is not None]
    empty = sum(c.end == "failed" and c.known("status") == "empty" for c in cells)
    return {
        "planned": len(cells),
        "attempted": len(asked) if known else None,
        "completed": ends.count("graded") + ends.count("ungraded") if known else None,
        "empty": empty if known else None,
        "failed": ends.count("failed") - empty if known else None,
        "truncated": _count(statuses, "truncated"),
        "rerun": _count([cell.known("rerun") for cell in asked], True),
        **_judging(cells),
        "n_unknown": ends.count("unknown"),
        "mean_score": float(Fraction(sum(scores), len(scores))) if scores else None,
        **_medians("latency_median", [cell.known("latency_s") for cell in cells]),
        **_routing(cells),
    }


def _judging(cells: Sequence[Cell]) -> dict[str, int | None]:
    """Count how the judging of the answers ended, and those that the judge was shown in part."""
    judged = [c.grade for c in cells if c.grade is not None and c.grade["status"] != "absent"]
    statuses = [grade["status"] for grade in judged]
    cut = [grade["cut"] for grade in judged]
    # Released rows say neither what was cut nor why there is no score.
    told = None not in cut
    return {
        "judged": len(judged),
        "graded": statuses.count(GRADED),
        "unparsed": statuses.count(UNPARSED),
        **{
            f"judge_{status}": statuses.count(status) if told else None
            for status in STATUSES
            if status not in (GRADED, UNPARSED)
        },
        "judge_cut": cut.count(True) if told else None,
    }


def _count(values: Sequence[Any], wanted: Any) -> int | None:
    """Count a value, None where some row does not say."""
    return None if None in values else values.count(wanted)


def _routing(cells: Sequence[Cell]) -> dict[str, Any]:
    routed = [cell for cell in cells if cell.known("engaged") is not None]
    engaged = [cell for cell in routed if cell.known("engaged")]
    return {
        "n_routed": len(routed),
        "engaged": len(engaged) if routed else None,
        "engagement": len(engaged) / len(routed) if routed else None,
        **_medians("tokens_median", [cell.known("injected_tokens") for cell in engaged]),
    }


def upper_median(values: Sequence[float]) -> float:
    """Return the middle value, of an even number the upper of the two in the middle."""
    return sorted(values)[len(values) // 2]


def _medians(name: str, values: Sequence[float | None]) -> dict[str, float | None]:
    stated = [float(v) for v in values if v is not None]
    if not stated:
        return {name: None, f"{name}_upper": None}
    return {name: median(stated), f"{name}_upper": upper_median(stated)}


def _exposure(cells: Sequence[Cell], aggregate: Row | None) -> dict[str, Any]:
    stated = [
        (float(cell.known("exposure")), cell.known("injected_tokens"))
        for cell in cells
        if cell.known("exposure") is not None
    ]
    if stated:
        shares = [share for share, _ in stated]
        tokens = [n for _, n in stated if n is not None]
        values: tuple[Any, ...] = (
            *("rows", len(shares), mean(shares), median(shares), min(shares), max(shares)),
            *(shares.count(0.0), shares.count(1.0), mean(tokens) if tokens else None),
        )
    elif aggregate is not None:
        columns = ("n", "mean", "median", "min", "max", "n_zero", "n_full", "tokens")
        values = ("released", *(aggregate[c] for c in columns))
    else:
        values = (None,) * len(_EXPOSURE)
    return dict(zip(_EXPOSURE, values, strict=True))
