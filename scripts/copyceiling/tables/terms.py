"""Table 8: terms of extracted assertions that name a class of the corpus.

Source: paper Table 8.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.artefacts.overview_schemas import TABLE8, TERMS
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.layout import Layout, Row, positions


def table8_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 8: arms by the share of their terms that resolves."""

    def order(row: Row) -> tuple[Any, ...]:
        return row["resolved"] is None, -(row["resolved"] or 0.0), row["arm"]

    return positions(sorted(rows, key=order))


def table8(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 8; rows as of `table8_rows`, none where a study has no assertions."""
    percent = f"{100 * level:g} %"
    columns = (
        Show("Arm", text("arm"), "left"),
        Show("Assertions", integer("n_assertions")),
        Show("without terms", integer("n_without_terms")),
        Show("Episodes", integer("n_episodes")),
        Show("Terms", integer("n_terms")),
        Show("by title", integer("by_title")),
        Show("by slug", integer("by_slug")),
        Show("by synonym", integer("by_synonym")),
        Show("no word left", integer("n_unmatchable")),
        Show("Resolved", number("resolved")),
        Show("naive (Wilson)", interval("wilson", signed=False)),
        Show("by episode", interval("episode", signed=False)),
        Show("Confidence", number("confidence", 2)),
        Show("s/episode", number("seconds", 0)),
        Show("Garbled names", integer("n_garbled")),
    )
    panels = (Panel(f"intervals {percent}", columns, rows),) if rows else ()
    return Table(
        f"Table 8. {title}: terms of extracted assertions that name a class of the corpus",
        panels,
        _READING if rows else (),
    )


_READING = (
    "A term resolves if, normalised, it equals a class's title, else the words of its slug, else "
    "one of its synonyms; nothing less than the whole. It says where extracted words land, not "
    "whether an assertion is true.",
    "Terms of one episode stand or fall together, so the interval by episode is the primary one; "
    "n/a with fewer than two episodes, or where rows name none.",
    "Confidence is what the model states of itself. Garbled names are counted by the study's list "
    "of patterns alone; n/a where it has none. Unresolved terms: terms/items.parquet.",
)


def _notes(study: Mapping[str, Any]) -> list[str]:
    """Say, where a study has no assertion rows, why the table is empty and how to fill it."""
    if study["terms"]["assertions"] is not None:
        return []
    released = study["sweep"]["source"] == "release"
    why = (
        "Study '{}' has no assertion rows: they were not released with the others, and nothing is "
        "filled in from published numbers."
        if released
        else "Study '{}' has no assertion rows."
    )
    return [
        why.format(study["study"]),
        "To give some, write one JSON object a line with id, arm, terms (a list) and, where "
        "known, episode, text, confidence, seconds: snakemake table8 --config "
        "'terms={assertions: rows.jsonl}'. data/smoke/assertions.jsonl is an example.",
    ]


LAYOUTS = {"table8": Layout("studies/terms", TERMS, TABLE8, table8_rows, table8, notes=_notes)}
