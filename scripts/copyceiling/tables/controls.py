"""Table 7: negative controls under a judge, with flow and block exposure by arm.

Source: paper Table 7, section 10.7; DESIGN section 5.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.arms.settings import is_called
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW, TABLE7, TABLE7_FLOW
from copyceiling.cohorts import INTERSECTION, POOLED
from copyceiling.paired import COMPLETE_CASE
from copyceiling.render import Panel, Show, Table, integer, number, text
from copyceiling.tables.contrasts import (
    ENDS_NOTE,
    NO_INTERVAL,
    POLICIES,
    READINGS,
    SCALE,
    all_graded,
    contrast_order,
    determined,
    ends_panel,
    flow_order,
    graded,
    groups,
    measures,
    once,
    pair,
    tests,
)
from copyceiling.tables.layout import Layout, Row

DAGGER = "†"


def table7_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the contrasts of the controls in order: the newest cohort first, pooled first."""
    return contrast_order(rows, by_scope=False)


def table7(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 7, upper panel: contrasts with Holm's adjustment; rows as of `table7_rows`.

    The first cohort is shown at every scope, the others pooled; the artefact holds all.
    """
    columns = (
        Show("Contrast", pair, "left"),
        *measures(),
        *tests(),
        Show(f"{DAGGER}", _survives(1.0 - level)),
    )
    first = (rows[0]["cohort"], rows[0]["judge"]) if rows else None
    panels = []
    for key, found in groups(rows, "cohort", "judge", "policy", "scope"):
        cohort, judge, policy, scope = key
        full = (cohort, judge) == first and policy == COMPLETE_CASE
        kept, lacking = determined(found)
        if kept and (full or scope == POOLED):
            heading = f"{_scope(scope)}; {cohort}; judge {judge}; {policy}; {_family(kept)}"
            panels.append(Panel(heading + lacking, columns, kept))
    table = Table(
        f"Table 7. {title}: negative controls, judged answers with another block or none",
        panels,
        (
            SCALE,
            READINGS,
            NO_INTERVAL,
            POLICIES,
            f"Intervals are at {100 * level:g} %. {DAGGER}: adjusted p at most {1.0 - level:.2g}. "
            "Each contrast has its own pairs; the intersection repeats it on the questions graded "
            "in every arm.",
            "A contrast that does not survive shows nothing: neither a difference nor that there "
            "is none. Its interval says how large an effect the pairs leave open.",
            "No arm shows retrieved plain text, so nothing here tells a graph from text.",
        ),
    )
    return graded(table, rows)


def policy_notes(study: Mapping[str, Any]) -> list[str]:
    """Return what the way the answers were asked for means to who reads the contrasts."""
    if is_called(study, "controls"):
        return [
            "All arms of a question were asked in one run at the same budgets, so as_failure "
            "compares like with like. served is the true block under the preamble, so "
            "served - true is the preamble's doing.",
            "Equal answers to one question have one verdict, whichever arm gave them. What needs "
            "no judge stands in the table `table7_recall`.",
        ]
    return [
        "served and raw are the production study's answers, graded again. They were asked under "
        "another retry policy than the block arms, so contrasts with them mix policies; "
        "served - true mixes serving path and wrapper text besides. as_failure makes the most of "
        "that difference: an arm that was not asked again pays for its empty answers.",
    ]


def proxy_notes(study: Mapping[str, Any]) -> list[str]:
    """Return what the exposure of the gold proxy leaves unsaid, and where it is said."""
    if is_called(study, "controls"):
        return [
            "A planned answer that was not asked for had no block that keeps to its arm's "
            "declaration. Exposure of the gold itself stands in the table `table7_recall`."
        ]
    return ["How served and raw answers ended is read off the production study's rows."]


def _scope(scope: str) -> str:
    if scope == INTERSECTION:
        return "Questions graded in every arm"
    return "Sets pooled" if scope == POOLED else f"Set {scope}"


def _family(rows: Sequence[Row]) -> str:
    sizes = {row["n_family"] for row in rows}
    return f"Holm over {max(n for n in sizes if n)}" if any(sizes) else "not adjusted"


def _survives(alpha: float) -> Any:
    def cell(row: Row) -> str:
        return DAGGER if row["p_holm"] is not None and row["p_holm"] <= alpha else ""

    return cell


def table7_flow_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the flow of the controls in order."""
    return flow_order(rows)


def table7_flow(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return Table 7, lower panel: flow and block exposure, sets pooled."""
    pooled = [row for row in rows if row["set"] == POOLED]
    panels = []
    for (cohort, judge), found in groups(pooled, "cohort", "judge"):
        panels.append(Panel(f"Flow; {cohort}; judge {judge}", _FLOW, found))
        own = [row for row in rows if (row["cohort"], row["judge"]) == (cohort, judge)]
        told = [row for row in own if row["set"] == POOLED or not all_graded(row)]
        panels.append(ends_panel(told, f"{cohort}; judge {judge}"))
        blocks = [row for row in found if row["exposure_from"] is not None]
        if blocks:
            panels.append(Panel(f"Exposure by the injected block; {cohort}", _BLOCKS, blocks))
    notes = [
        "The gold proxy of a question is the titles of its true block's classes and its topic. "
        "Blocks about something else expose part of it too, so true - irrelevant sets more "
        "exposure against less, not content against none.",
        f"{ENDS_NOTE} Arms of one set stand there only where some judging ended otherwise than in "
        "a grade, or an answer was cut.",
    ]
    if any(row["exposure_from"] == "released" for row in pooled):
        notes.append("released: exposure and tokens are the release's own summary; not recomputed.")
    if any(row["n_unknown"] for row in pooled):
        notes.append(
            "End unknown: the rows at hand hold scores only, and do not tell an answer that came "
            "back empty from one that was never asked for; counts that need it are missing."
        )
    caption = f"Table 7, lower panel. {title}: flow, and exposure of the gold proxy by the block"
    return graded(Table(caption, once(panels), notes), rows)


_FLOW = (
    Show("Arm", text("arm"), "left"),
    Show("Planned", integer("planned")),
    Show("Asked", integer("attempted")),
    Show("With text", integer("completed")),
    Show("Empty", integer("empty")),
    Show("Cut", integer("truncated")),
    Show("Graded", integer("graded")),
    Show("End unknown", integer("n_unknown")),
    Show("Mean score", number("mean_score", 2)),
)
_BLOCKS = (
    Show("Arm", text("arm"), "left"),
    Show("Blocks", integer("blocks")),
    Show("Exposed, mean", number("exposure_mean", 2)),
    Show("median", number("exposure_median", 2)),
    Show("least", number("exposure_min", 2)),
    Show("most", number("exposure_max", 2)),
    Show("None exposed", integer("exposure_zero")),
    Show("All exposed", integer("exposure_full")),
    Show("Tokens, mean", number("block_tokens", 0)),
    Show("From", text("exposure_from"), "left"),
)

LAYOUTS = {
    "table7": Layout(
        "studies/contrasts_controls",
        CONTRASTS,
        TABLE7,
        table7_rows,
        table7,
        part="controls",
        printed_panels=2,
        notes=policy_notes,
        rubric="grade",
    ),
    "table7_flow": Layout(
        "studies/flow_controls",
        FLOW,
        TABLE7_FLOW,
        table7_flow_rows,
        table7_flow,
        part="controls",
        notes=proxy_notes,
        rubric="grade",
    ),
}
