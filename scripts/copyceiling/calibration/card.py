"""The calibration card of each judge: its measures with intervals, against declared floors."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from copyceiling.calibration.measures import ALL, Counted, count
from copyceiling.calibration.observed import Panel, Row, panels_of
from copyceiling.stats import Interval, Partition, bootstrap_intervals, wilson
from copyceiling.sweep import Settings


def card_rows(
    items: Sequence[Row],
    judgements: Sequence[Row],
    *,
    rules: Collection[str],
    floors: Mapping[str, float],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `CALIBRATION`.

    Args:
        items: Rows of `CALIBRATION_ITEMS`.
        judgements: Rows of `JUDGEMENTS` of any number of judges.
        rules: Labels of judges that are rules.
        floors: Measure to the least value that passes.
        settings: Seed, resamples and level.
    """
    return [
        row
        for panel in panels_of(items, judgements)
        for row in _card(panel, "rule" if panel.key[0] in rules else "model", floors, settings)
    ]


def _card(
    panel: Panel, kind: str, floors: Mapping[str, float], settings: Settings
) -> list[dict[str, Any]]:
    judge, rubric, form = panel.key
    first = panel.all[0].judged
    same = {
        "judge": judge,
        "kind": kind,
        "rubric": rubric,
        "rubric_version": first["rubric_version"],
        "rubric_sha256": first["rubric_sha256"],
        "form": form,
    }
    costs = [o.judged["cost_usd"] for o in panel.all]
    cost = None if None in costs else sum(costs)
    rows = []
    for counted in count(panel):
        row = {**same, **_measured(counted, settings), "cost_usd": None}
        if counted.measure == "mean_n_calls":
            row["cost_usd"] = cost
        floor = floors.get(counted.measure) if counted.by == "all" else None
        value = row["value"]
        row["floor"] = floor
        row["meets"] = None if floor is None else value is not None and value >= floor
        rows.append(row)
    return rows


def _measured(counted: Counted, settings: Settings) -> dict[str, Any]:
    n, k = len(counted.hits), sum(counted.hits)
    none = Interval(None, None)
    wide = _bounds(counted, settings) if counted.share else none
    plain = wilson(k, n, settings.level) if counted.share else none
    share = k / n if n else None
    return {
        "measure": counted.measure,
        "by": counted.by,
        "group": counted.group,
        "k": k if counted.share else None,
        "n": n,
        "n_unscored": counted.n_unscored,
        "value": share if counted.share else counted.value,
        "wilson_low": plain.low,
        "wilson_high": plain.high,
        "item_low": wide.low,
        "item_high": wide.high,
    }


def _bounds(counted: Counted, settings: Settings) -> Interval:
    """Resample sources; undefined where all cases agree, for then every resample is the same."""
    if counted.by != "all" or len(set(counted.hits)) < 2:
        return Interval(None, None)
    hits = np.array(counted.hits, dtype=np.int64)[:, None]
    ones = np.ones(len(hits), dtype=np.int64)
    (found,) = bootstrap_intervals(
        hits,
        ones,
        Partition.by("item", counted.sources),
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
    )
    return found


def confusion_rows(items: Sequence[Row], judgements: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows of `CALIBRATION_CONFUSION`: right against given, base cases, not zero."""
    rows = []
    for panel in panels_of(items, judgements):
        judge, rubric, form = panel.key
        name = "label" if rubric == "relation" else "construct"
        counted = Counter(
            (o.item[name], str(o.verdict) if o.scored else f"({o.judged['status']})")
            for o in panel.base
        )
        rows += [
            {
                "judge": judge,
                "rubric": rubric,
                "form": form,
                "right": right,
                "given": given,
                "n": n,
            }
            for (right, given), n in sorted(counted.items())
        ]
    return rows


def card_of(card: Sequence[Row], judge: str, rubric: str, form: str) -> list[Row]:
    """Return the rows of one judge's card over all cases."""
    want = judge, rubric, form, "all", ALL
    return [
        r for r in card if tuple(r[k] for k in ("judge", "rubric", "form", "by", "group")) == want
    ]
