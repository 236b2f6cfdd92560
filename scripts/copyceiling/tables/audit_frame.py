"""What the audit says of the whole frame: corrected rate, frame and sample, traits of titles.

Source: paper section 10.2 and Table 3, STUDIES section 5.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.audit_schemas import (
    AUDIT_CORRECTED,
    AUDIT_FRAME,
    AUDIT_MECHANISMS,
    TABLE_AUDIT_CORRECTED,
    TABLE_AUDIT_FRAME,
    TABLE_AUDIT_MECHANISMS,
)
from copyceiling.audit.labels import CATEGORIES, READINGS, RULES
from copyceiling.audit.panels import headline_rows, panel_order
from copyceiling.audit.rates import ALL
from copyceiling.audit.traits import TITLE_TRAITS
from copyceiling.render import Panel, Show, Table, bounded, integer, interval, number, text
from copyceiling.sweep import POOLED
from copyceiling.tables.audit import category
from copyceiling.tables.layout import Layout, Row, positions
from copyceiling.tables.panels import by_judge, cautioned


def corrected_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the corrected rates in order of judge, rule, reading and kind of cluster."""

    def order(row: Row) -> tuple[Any, ...]:
        return (
            panel_order(row),
            RULES.index(row["rule"]),
            READINGS.index(row["reading"]),
            row["clusters"] != "question",
        )

    return positions(sorted(headline_rows(rows), key=order))


def corrected(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the corrected rate with its intervals; rows as of `corrected_table_rows`."""
    columns = (
        Show("Quote rule", text("rule"), "left"),
        Show("Unresolved", text("reading"), "left"),
        Show("Clusters", text("clusters"), "left"),
        Show("n11", integer("n_clusters_n11")),
        Show("n10", integer("n_clusters_n10")),
        Show("Matcher", number("matcher_rate")),
        Show("Corrected", number("value")),
        Show(f"{100 * level:g} %", interval("cluster", signed=False)),
        Show("Gap", number("gap", signed=True)),
        Show("Left out", lambda row: f"{row['n_left_n11']} + {row['n_left_n10']}"),
        Show("Least", number("least")),
        Show("Most", number("most")),
        Show("Wilson bounds, not valid", interval("naive", signed=False)),
    )
    sources = {
        "rows": "Weights are the sweep's own counts.",
        "census": "The sweep's rows only bound the weights; a category that was audited whole "
        "settles them.",
        "declared": "The sweep's rows only bound the weights; they are as the study declares them.",
        "bounds": "The rows at hand do not determine the weights, so there is no corrected rate.",
    }
    table = Table(
        f"Corrected rate. {title}: share of exposed gold that answers assert as asked",
        [Panel(judge, columns, kept) for judge, kept in by_judge(rows)],
        (
            "Matcher: share of exposed items that it credits. Corrected: the same share by the "
            "judge's verdicts, each category weighted by its units in the frame.",
            "Clusters are resampled whole within each category. The last column weights Wilson "
            "bounds instead; it ignores clusters and takes both categories at their worst at "
            "once, and is there for comparison only.",
            "Left out: units of n11 and of n10 without a verdict, or excluded. Least and most: the "
            "rate if none, or all, of them were asserted as asked.",
            *sorted({sources[r["weights_from"]] for r in rows}),
        ),
    )
    return cautioned(table, rows)


def frame_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the frame pooled over models, whole before cells."""

    def order(row: Row) -> tuple[Any, ...]:
        return CATEGORIES.index(row["category"]), row["template"] != ALL, row["template"]

    return positions(sorted((r for r in rows if r["model"] == POOLED), key=order))


def frame(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return frame and sample by cell; rows as of `frame_table_rows`."""
    columns = (
        Show("Category", category, "left"),
        Show("Template", text("template"), "left"),
        Show("Gold type", text("gold_type"), "left"),
        Show("Units", integer("n")),
        Show("by rows", bounded("none", lambda r: r["n_low"], lambda r: r["n_high"])),
        Show("Known by", text("source"), "left"),
        Show("Audited", integer("n_sampled")),
        Show("Proportional", integer("n_allocated")),
    )
    shown = [{**r, "none": None} for r in rows if r["n_high"]]
    return Table(
        f"Audit frame. {title}: gold items of all answers, and those audited",
        (Panel("", columns, shown),),
        (
            "By rows: what the sweep's rows alone allow. Proportional: the sample as a "
            "proportional allocation over cells would spread it.",
        ),
    )


def traits_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the traits of gold titles in order, judge by judge."""

    def order(row: Row) -> tuple[Any, ...]:
        places = TITLE_TRAITS.index(row["mechanism"]), CATEGORIES.index(row["category"])
        return panel_order(row), *places

    return positions(sorted(headline_rows(rows), key=order))


def traits(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return frame units and verdicts by trait of title; rows as of `traits_rows`."""
    columns = (
        Show("Trait of the gold title", text("mechanism"), "left"),
        Show("Titles", integer("n_titles")),
        Show("Category", category, "left"),
        Show("Units", bounded("n", lambda r: r["n_low"], lambda r: r["n_high"])),
        Show("Audited", integer("n_sampled")),
        Show("Correct", integer("n_correct")),
    )
    table = Table(
        f"Traits of gold titles. {title}: frame units that may mislead the matcher",
        [Panel(judge, columns, [r for r in kept if r["n_high"]]) for judge, kept in by_judge(rows)],
        (
            "gold_substring_of_subject: the title stands within a subject's, so the question "
            "restated earns credit. gold_unspaced_camel: its words run together. "
            "gold_single_token: it is one word.",
            "a..b: the sweep's rows say how many items an answer omits, not which.",
        ),
    )
    return cautioned(table, rows)


_PART = "audit"
LAYOUTS = {
    "audit_corrected": Layout(
        "studies/audit_corrected",
        AUDIT_CORRECTED,
        TABLE_AUDIT_CORRECTED,
        corrected_table_rows,
        corrected,
        part=_PART,
        rubric="relation",
    ),
    "audit_frame": Layout(
        "studies/audit_frame", AUDIT_FRAME, TABLE_AUDIT_FRAME, frame_table_rows, frame, part=_PART
    ),
    "audit_mechanisms": Layout(
        "studies/audit_mechanisms",
        AUDIT_MECHANISMS,
        TABLE_AUDIT_MECHANISMS,
        traits_rows,
        traits,
        part=_PART,
        rubric="relation",
    ),
}
