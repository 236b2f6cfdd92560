"""Recall of gold titles by arm of a judged study: the panel that needs no judge.

Source: paper sections 9 and 10.3.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.arms.recall import BASELINE, arm_order
from copyceiling.artefacts.arm_schemas import RECALL_STUDY, TABLE_RECALL
from copyceiling.cohorts import POOLED
from copyceiling.matching import MATCHERS
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.contrasts import groups
from copyceiling.tables.layout import Layout, Row, positions


def recall_layout(part: str, name: str) -> Layout:
    """Return the layout of a part's recall table.

    Args:
        part: Part of the study whose answers are calls of its own.
        name: What the table is called, for its caption.
    """

    def table(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
        return recall_table(rows, f"{name}. {title}", policy, level)

    return Layout(
        f"studies/recall_{part}",
        RECALL_STUDY,
        TABLE_RECALL,
        recall_rows,
        table,
        part=f"{part}_calls",
        printed_panels=2,
    )


def recall_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the rows of one policy in printed order: by matcher, cohort, model; pooled last."""

    def order(row: Row) -> tuple[Any, ...]:
        scope = (row["scope"] == POOLED, row["scope"])
        matcher = MATCHERS.index(row["matcher"])
        return matcher, row["cohort"], row["model"], scope, arm_order(row["arm"])

    return positions(sorted((r for r in rows if r["policy"] == policy), key=order))


def recall_table(rows: Sequence[Row], caption: str, policy: str, level: float) -> Table:
    """Return the table, a panel a matcher and cohort; rows as of `recall_rows`."""
    panels = [
        Panel(f"{cohort}; {matcher} matcher; {policy}", _columns(level), found)
        for (matcher, cohort), found in groups(rows, "matcher", "cohort")
    ]
    return Table(
        f"{caption}: gold titles named by arm, no judge",
        panels,
        (
            "Recall is of gold titles, by the matcher. Ceiling: recall of a copy of all that the "
            "arm shows, the question included. Gain: recall minus ceiling.",
            f"Difference: recall minus that of the arm {BASELINE} on the same questions. Intervals "
            f"are {100 * level:g} %; by domain resamples whole domains. Where all questions (or "
            "domains) have the same value no resample moves it, so there is no interval.",
            "Not ok: answers that were empty, cut, refused or lost; they are scored as the policy "
            "says.",
        ),
    )


def _columns(level: float) -> tuple[Show, ...]:
    return (
        Show("Model", text("model"), "left"),
        Show("Set", text("scope"), "left"),
        Show("Arm", text("arm"), "left"),
        Show("n", integer("n")),
        Show("Not ok", integer("n_not_ok")),
        Show("Recall", number("recall")),
        Show("Ceiling", number("ceiling")),
        Show("Gain", number("gain", signed=True)),
        Show("gain interval", interval("gain")),
        Show("Difference", number("diff", signed=True)),
        Show("interval", interval("diff")),
        Show("by domain", interval("diff_domain")),
        Show("n11", integer("n11")),
        Show("n10", integer("n10")),
        Show("n01", integer("n01")),
        Show("n00", integer("n00")),
    )
