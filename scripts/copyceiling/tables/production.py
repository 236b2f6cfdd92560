"""Table 6: served against raw answers under a judge, and how the answers ended.

Source: paper Table 6, sections 10.5, 10.6, 10.8 and 13; DESIGN section 5.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.arms.settings import is_called
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW, TABLE6, TABLE6_FLOW
from copyceiling.render import MISSING, Panel, Show, Table, integer, number, text
from copyceiling.tables.arm_recall import recall_layout
from copyceiling.tables.contrasts import (
    ENDS_NOTE,
    POLICIES,
    READINGS,
    SCALE,
    contrast_order,
    determined,
    ends_panel,
    few_notes,
    flow_order,
    graded,
    groups,
    measures,
    once,
    pair,
    same_prompt_notes,
    scope_column,
    tests,
)
from copyceiling.tables.layout import Layout, Row

_PRODUCTION = "studies/contrasts_production"


def table6_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the contrasts of the production study in order: by judge and policy, pooled last."""
    return contrast_order(rows, by_scope=True)


def table6(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 6, a panel a cohort, judge and policy; rows as of `table6_rows`."""
    columns = (
        scope_column("Set"),
        Show("Contrast", pair, "left"),
        *measures(),
        *tests(),
        Show("Inside margin", _inside),
    )
    panels = []
    for (cohort, judge, policy), found in groups(rows, "cohort", "judge", "policy"):
        kept, lacking = determined(found)
        if kept:
            heading = f"{cohort}; judge {judge}; {policy}; intervals {100 * level:g} %{lacking}"
            panels.append(Panel(heading, columns, kept))
    main = [row for row in rows if row["policy"] == rows[0]["policy"]]
    table = Table(
        f"Table 6. {title}: judged answers, served against raw",
        panels,
        (
            SCALE,
            READINGS,
            "Holm's adjustment is over the sets; the pooled contrast stands alone.",
            POLICIES,
            "Inside margin: the whole interval lies within the margin declared for non-regression. "
            "An interval that reaches past it shows neither harm nor its absence, and where nearly "
            "every pair ties at the best score the judge cannot show either.",
            *few_notes(main),
            *same_prompt_notes(rows),
        ),
    )
    return graded(table, rows)


def budget_notes(study: Mapping[str, Any]) -> list[str]:
    """Return what the way the answers were asked for means to who reads the contrasts."""
    cut = (
        "answers cut at their budget are graded as they stand: see the table `diagnostics` before "
        "reading the difference as one of quality."
    )
    if is_called(study, "production"):
        return [
            f"Both arms of a question were asked at the same budgets, and {cut}",
            "Equal answers to one question have one verdict, whichever arm gave them.",
        ]
    return [
        "Pairs that first came back empty were asked again in both arms at a larger budget, so the "
        f"contrast mixes budgets, and {cut}"
    ]


def _inside(row: Row) -> str:
    if row["n"] and row["margin"] is not None and row["n_nonzero"] == 0:
        return "all tie"
    if row["inside_margin"] is None:
        return MISSING
    return f"{'yes' if row['inside_margin'] else 'no'} ({row['margin']:g})"


def table6_flow_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the flow of the production study in order."""
    return flow_order(rows)


def table6_flow(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return how the answers ended and what was shown; rows as of `table6_flow_rows`."""
    panels: list[Panel] = []
    for (cohort, judge), found in groups(rows, "cohort", "judge"):
        shown = [row for row in found if row["engagement"] is not None or row["latency_median"]]
        panels.append(Panel(f"How answers ended; {cohort}; judge {judge}", _STATUS, found))
        panels.append(ends_panel(found, f"{cohort}; judge {judge}"))
        if shown:
            heading = f"What was shown, and how long it took; {cohort}"
            panels.append(Panel(heading, _SHOWN, shown))
    table = Table(
        f"Table 6, answers. {title}: how they ended, what was shown, how long they took",
        once(panels),
        (
            "Cut: the answer stopped at its token budget. Run again: the row replaced a first, "
            "empty answer.",
            "The upper medians take the upper of two middle values, as the paper does. Injected "
            "tokens are of answers with a block.",
            ENDS_NOTE,
        ),
    )
    return graded(table, rows)


_ARM = (Show("Set", text("set"), "left"), Show("Arm", text("arm"), "left"))
_STATUS = (
    *_ARM,
    Show("Planned", integer("planned")),
    Show("Asked", integer("attempted")),
    Show("With text", integer("completed")),
    Show("Empty", integer("empty")),
    Show("Failed", integer("failed")),
    Show("Cut", integer("truncated")),
    Show("Run again", integer("rerun")),
    Show("Graded", integer("graded")),
    Show("End unknown", integer("n_unknown")),
    Show("Mean score", number("mean_score", 2)),
)
_SHOWN = (
    *_ARM,
    Show("With a block", integer("engaged")),
    Show("Share", number("engagement")),
    Show("Injected tokens, median", number("tokens_median", 1)),
    Show("upper", number("tokens_median_upper", 1)),
    Show("Latency s, median", number("latency_median", 2)),
    Show("upper", number("latency_median_upper", 2)),
)

LAYOUTS = {
    "table6": Layout(
        _PRODUCTION,
        CONTRASTS,
        TABLE6,
        table6_rows,
        table6,
        part="production",
        notes=budget_notes,
        rubric="grade",
    ),
    "table6_recall": recall_layout("production", "Table 6, recall"),
    "table6_flow": Layout(
        "studies/flow_production",
        FLOW,
        TABLE6_FLOW,
        table6_flow_rows,
        table6_flow,
        part="production",
        rubric="grade",
    ),
}
