"""How the audit's judging went, and people's labels against judges'.

Source: paper section 10.2, STUDIES section 5.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.audit_unit_schemas import (
    AUDIT_HUMAN,
    AUDIT_JUDGING,
    TABLE_AUDIT_HUMAN,
    TABLE_AUDIT_JUDGING,
)
from copyceiling.audit.human import NOBODY
from copyceiling.audit.labels import GATES
from copyceiling.audit.panels import panel_order
from copyceiling.judging.harness import STATUSES
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.layout import Layout, Row, positions
from copyceiling.tables.panels import cautioned


def judging_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows judge by judge, in order, the headline form first."""
    return positions(sorted(rows, key=panel_order))


def judging(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return how the judging went; rows as of `judging_table_rows`."""
    names = (
        Show("Judge", text("judge"), "left"),
        Show("Kind", text("kind"), "left"),
        Show("Form", text("form"), "left"),
    )
    ended = (
        *names,
        Show("Units", integer("n")),
        *(Show(status, integer(f"n_{status}")) for status in STATUSES),
        Show("re-asked", integer("n_reasked")),
        Show("mended", integer("n_mended")),
        Show("answer cut", integer("n_cut")),
    )
    gated = (
        *names,
        *(Show(f"quote {gate.replace('_', ' ')}", integer(f"n_{gate}")) for gate in GATES),
        Show("compared", integer("n_compared")),
        Show("same label", integer("n_same")),
        Show("Calls", integer("n_calls")),
        Show("Prompt tokens", integer("prompt_tokens")),
        Show("Reply tokens", integer("completion_tokens")),
    )
    table = Table(
        f"Audit judging. {title}: how the judging of the audited units went",
        (Panel("How units ended", ended, rows), Panel("Quote gate and calls", gated, rows)),
        (
            "Compared: units with a label in this form and in the judge's main one. A form that is "
            "not the main one is for comparison: `hinted` shows the judge which other items the "
            "matcher credits, which the main form never does.",
            "A unit without a verdict has no label in any table; it is counted, never read as one.",
        ),
    )
    return cautioned(table, rows)


def human_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows by annotator and judge, measures before confusions."""

    def order(row: Row) -> tuple[Any, ...]:
        crossed = row["measure"] == "confusion"
        return row["annotator"], panel_order(row), crossed, row["measure"], row["group"]

    return positions(sorted(rows, key=order))


def human(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return people's labels against judges'; rows as of `human_table_rows`."""
    caption = f"Labels by people. {title}: the audit's sheet as people label it, against judges"
    who = (Show("Labelled by", text("annotator"), "left"), Show("Against", text("judge"), "left"))
    if all(r["annotator"] == NOBODY for r in rows):
        awaited = (Show("Units on the sheet", integer("n_sheet")), Show("labelled", integer("n")))
        return Table(
            caption,
            (Panel("", awaited, rows[:1]),),
            (
                "No human labels: how far a judge agrees with people is not known here. To label "
                "the sheet: copyceiling annotate --as NAME (docs/annotation.md).",
            ),
        )
    measured = [r for r in rows if r["measure"] != "confusion"]
    crossed = [r for r in rows if r["measure"] == "confusion"]
    columns = (
        *who,
        Show("Form", text("form"), "left"),
        Show("Measure", text("measure"), "left"),
        Show("Value", number("value")),
        Show(f"Wilson {100 * level:g} %", interval("wilson", signed=False)),
        Show("k", integer("k")),
        Show("n", integer("n")),
        Show("labelled", integer("n_labelled")),
        Show("of", integer("n_sheet")),
        Show("Frame covered", _frame_covered),
    )
    confusion = (
        *who,
        Show("Form", text("form"), "left"),
        Show("Label of the person", lambda row: row["group"].partition("|")[0], "left"),
        Show("of the other", lambda row: row["group"].partition("|")[2], "left"),
        Show("Units", integer("k")),
    )
    table = Table(
        caption,
        (Panel("Agreement", columns, measured), Panel("Labels crossed", confusion, crossed)),
        (
            "Labels of judges are those before the quote gate. By frame: each unit counts for the "
            "frame units that it stands for, since the sheet draws categories at other rates.",
            "Frame covered: share of its units whose category has a unit labelled by both. Below "
            "1.000 nothing is known of the rest, so agreement by frame is missing.",
            "n: units labelled by both. Kappa is missing where both use one label throughout.",
        ),
    )
    return cautioned(table, rows)


def _frame_covered(row: Row) -> str:
    """Return the share as digits that never round up to a whole that it is not."""
    share = row["covered"]
    return "" if share is None else f"{share if share == 1 else min(share, 0.999):.3f}"


LAYOUTS = {
    "audit_judging": Layout(
        "studies/audit_judging",
        AUDIT_JUDGING,
        TABLE_AUDIT_JUDGING,
        judging_table_rows,
        judging,
        part="audit_calls",
        rubric="relation",
    ),
    "audit_human": Layout(
        "studies/audit_human",
        AUDIT_HUMAN,
        TABLE_AUDIT_HUMAN,
        human_table_rows,
        human,
        part="audit_calls",
        rubric="relation",
    ),
}
