"""Omitted targets: recovery of gold that the scaffold does not show, and the judged hits.

Source: paper section 10.4, STUDIES section 5.
"""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.omitted_schemas import (
    OMITTED,
    OMITTED_HITS,
    TABLE_OMITTED,
    TABLE_OMITTED_HITS,
)
from copyceiling.audit.panels import headline_rows, panel_order
from copyceiling.omitted import MATCHERS, NOBODY
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.requests import ARMS
from copyceiling.sweep import POOLED
from copyceiling.tables.layout import Layout, Row, positions
from copyceiling.tables.panels import cautioned

_FEW = 10  # slots below which a table says that they are few


def omitted_table_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the rows of one policy: by matcher, pooled first, models, then readers."""

    def order(row: Row) -> tuple[Any, ...]:
        return list(MATCHERS).index(row["matcher"]), *_place(row)

    return positions(sorted((r for r in rows if r["policy"] == policy), key=order))


def _place(row: Row) -> tuple[Any, ...]:
    return row["model"] != POOLED, row["group"] != "model", row["model"]


def omitted(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return the comparison of the two arms; rows as of `omitted_table_rows`."""
    percent = f"{100 * level:g} %"
    columns = (
        Show("Model", text("model"), "left"),
        Show("Slots", integer("n")),
        Show("of", integer("n_planned")),
        Show("Items", integer("n_items")),
        Show("Questions", integer("n_questions")),
        Show("Domains", integer("n_domains")),
        Show("Raw", _rate("raw")),
        Show("Wilson", interval("raw_wilson", signed=False)),
        Show("Scaffold", _rate("scaffold")),
        Show("Wilson", interval("scaffold_wilson", signed=False)),
        Show("Both", integer("both_k")),
        Show("Difference", number("difference", signed=True)),
        Show(f"by question {percent}", interval("question")),
        Show(f"by domain {percent}", interval("domain")),
        Show("Raw not ok", integer("raw_not_ok")),
        Show("Scaffold not ok", integer("scaffold_not_ok")),
    )
    panels = [
        Panel(f"By the {matcher} matcher", columns, [r for r in rows if r["matcher"] == matcher])
        for matcher in MATCHERS
    ]
    pooled = next(r for r in rows if (r["model"], r["matcher"]) == (POOLED, "paper"))
    few = (
        f"There are {pooled['n']} slots over all models: too few to say anything of the question."
        if pooled["n"] < _FEW
        else "Pooled over models the same items occur once a model: intervals resample questions, "
        "or domains, over all models at once."
    )
    return Table(
        f"Omitted targets. {title}: gold that the scaffold does not show, recovered with it and "
        "without",
        panels,
        (
            f"A slot is an unexposed gold item of one model. {few}",
            "Difference: scaffold minus raw; negative where grounding reduces recovery. An "
            "interval is missing where there are fewer than two clusters, or all slots change "
            "alike. Wilson takes slots for independent.",
            f"Completions that are not ok: policy {policy}. A slot of an answer that ended in an "
            "error counts under as_wrong alone.",
        ),
    )


def _rate(arm: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        share = row[f"{arm}_share"]
        shown = MISSING if share is None else f"{share:.3f}"
        return f"{row[f'{arm}_k']}/{row['n']} = {shown}"

    return cell


def hits_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the judged hits: pooled, models, readers; raw before scaffold; judges in order."""

    def order(row: Row) -> tuple[Any, ...]:
        return *_place(row), ARMS.index(row["arm"]), panel_order(row)

    return positions(sorted(headline_rows(rows), key=order))


def hits(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return what judges say of the hits; rows as of `hits_table_rows`."""
    columns = (
        Show("Model", text("model"), "left"),
        Show("Arm", text("arm"), "left"),
        Show("Judge", text("judge"), "left"),
        Show("Hits", integer("n_hits")),
        Show("without verdict", integer("n_missing")),
        Show("correct relation", integer("n_correct")),
        Show("of these, quote holds", integer("n_correct_held")),
        Show("name only", integer("n_named")),
        Show("wrong", integer("n_wrong")),
        Show("absent", integer("n_absent")),
        Show("unresolved", integer("n_unresolved")),
    )
    shown = [r for r in rows if r["n_hits"] or r["model"] == POOLED]
    notes = [
        "A hit is a slot that an arm recovers, by the paper's matcher. Misses were not all put to "
        "a judge, so these counts establish no rate of recovery in the relation asked for.",
        "Models without a hit are left out.",
    ]
    if any(r["judge"] == NOBODY for r in rows):
        notes.append("The study has no judge of the audit: all hits are without a verdict.")
    table = Table(
        f"Judged hits. {title}: recovered gold that the scaffold does not show",
        (Panel("", columns, shown),),
        notes,
    )
    return cautioned(table, rows)


LAYOUTS = {
    "omitted": Layout(
        "studies/omitted",
        OMITTED,
        TABLE_OMITTED,
        omitted_table_rows,
        omitted,
        part="answers",
    ),
    "omitted_hits": Layout(
        "studies/omitted_hits",
        OMITTED_HITS,
        TABLE_OMITTED_HITS,
        hits_table_rows,
        hits,
        part="answers",
        rubric="relation",
    ),
}
