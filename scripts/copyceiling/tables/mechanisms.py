"""How the matcher comes to credit gold items, for studies that have the answers.

Source: paper section 10.2 and Table 3 (lower panel), STUDIES section 5.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.audit_schemas import (
    MECHANISMS,
    RUN_TOGETHER,
    TABLE_MECHANISMS,
    TABLE_RUN_TOGETHER,
)
from copyceiling.audit import mechanisms as census
from copyceiling.audit.labels import CATEGORIES
from copyceiling.render import Panel, Show, Table, integer, text
from copyceiling.sweep import POOLED
from copyceiling.tables.layout import Layout, Row, positions


def mechanisms_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the census in order: pooled, models, readers; mechanisms as they are listed."""

    def order(row: Row) -> tuple[Any, ...]:
        return (
            row["model"] != POOLED,
            row["group"] != "model",
            row["model"],
            census.MECHANISMS.index(row["mechanism"]),
            CATEGORIES.index(row["category"]),
        )

    return positions(sorted(rows, key=order))


def mechanisms(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the census, a row a model and mechanism; rows as of `mechanisms_rows`."""
    lines: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        line = lines.setdefault((row["model"], row["mechanism"]), {**row})
        line[row["category"]] = row["n"]
    columns = (
        Show("Model", text("model"), "left"),
        Show("Mechanism", text("mechanism"), "left"),
        *(Show(category, integer(category)) for category in CATEGORIES),
    )
    sizes = {row["category"]: row["of"] for row in rows if row["model"] == POOLED}
    whole = ", ".join(f"{category} {sizes[category]:,}" for category in CATEGORIES if sizes)
    pooled = [line for (model, _), line in lines.items() if model == POOLED]
    each = [line for (model, _), line in lines.items() if model != POOLED]
    return Table(
        f"Mechanisms. {title}: how the matcher comes to credit a gold item, or not to",
        (
            Panel(f"Models together ({whole or 'none'}), units with the property", columns, pooled),
            Panel("Each model and reference reader", columns, each),
        ),
        (
            "A unit is one gold item of one answer of the scaffold arm; n11 exposed and credited, "
            "n10 exposed and omitted, n01 credited unexposed, n00 neither.",
            "gold_substring_of_subject: the title stands within a subject's. gold_unspaced_camel: "
            "its words run together. gold_single_token: it is one word. gold_in_question: the "
            "question alone exposes it.",
            "matched_by_word_bag_only: credited though the title itself is not there. "
            "credit_inside_word: its title begins or ends within a word. compliant_omission: "
            "another item answered a question that asks for any one. spaced_form_in_answer: a "
            "run-together title missed though its words stand there apart.",
        ),
    )


def run_together_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the run-together titles by name."""
    return positions(sorted(rows, key=lambda r: r["title"]))


def run_together(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the run-together titles with what became of them; rows as of `run_together_rows`."""
    columns = (
        Show("Gold title", text("title"), "left"),
        Show("Words apart", text("spaced"), "left"),
        Show("Units", integer("n")),
        Show("Credited as a substring", integer("n_substring")),
        Show("by words", integer("n_word_bag")),
        Show("Omitted, words apart there", integer("n_spaced")),
        Show("not there", integer("n_absent")),
    )
    return Table(
        f"Run-together titles. {title}: gold titles without spaces, models together",
        (Panel("", columns, rows),),
        () if rows else ("No gold title of this study is written so.",),
    )


LAYOUTS = {
    "mechanisms": Layout(
        "studies/mechanisms",
        MECHANISMS,
        TABLE_MECHANISMS,
        mechanisms_rows,
        mechanisms,
        part="answers",
        printed_panels=1,
    ),
    "run_together": Layout(
        "studies/run_together",
        RUN_TOGETHER,
        TABLE_RUN_TOGETHER,
        run_together_rows,
        run_together,
        part="answers",
    ),
}
