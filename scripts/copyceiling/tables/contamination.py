"""Template contamination: what the wording of the questions does to retrieval."""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.stress_schemas import (
    CONTAMINATION,
    INTRUDERS,
    TABLE_CONTAMINATION,
    TABLE_INTRUDERS,
)
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.intervals import flat_notes, interval_notes
from copyceiling.tables.layout import Layout, Row, positions

_SHOWN = 15  # intruders in the renderings; the artefact has all


def contamination_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in printed order: the prompt, then the titles, by matcher."""
    return positions(sorted(rows, key=lambda r: (r["query"] != "prompt", r["matcher"])))


def contamination(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the table; rows as of `contamination_rows`."""
    clusters = rows[0]["n_domains"] if rows else 0
    columns = (
        Show("Retrieval sees", text("query"), "left"),
        Show("Matcher", text("matcher"), "left"),
        Show("n", integer("n")),
        Show("Ceiling", number("ceiling")),
        Show("Exposed", number("exposed_fraction")),
        Show("Difference", number("difference", signed=True)),
        Show("naive", interval("difference_naive")),
        Show("by domain", interval("difference_domain")),
        Show("better", integer("n_better")),
        Show("worse", integer("n_worse")),
        Show("Tokens", number("tokens", 0)),
        Show("Seeds", number("seeds", 2)),
        Show("Subject first", number("subjects_first")),
        Show("Foreign", number("foreign", 2)),
    )
    return Table(
        f"Template contamination. {title}: retrieval by the whole prompt and by titles alone",
        (Panel(f"intervals {100 * level:g} %", columns, rows),),
        (
            "titles: the subjects' titles, joined; no word of the wording. The model sees the same "
            "question either way. Difference is of mean ceilings, titles minus prompt.",
            "Subject first: questions whose first seed is what they are about. Foreign: mean seeds "
            "whose title shares no word with a subject's.",
            *interval_notes(clusters),
            *flat_notes(rows, "difference_naive", "difference_domain"),
        ),
    )


def intruder_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in printed order: most questions first."""
    return positions(sorted(rows, key=lambda r: (r["both"] - r["prompt"], r["slug"])))


def intruders(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the classes that the wording brings in; rows as of `intruder_rows`."""
    columns = (
        Show("Class", text("title"), "left"),
        Show("Seed by prompt", integer("prompt")),
        Show("by titles", integer("titles")),
        Show("by both", integer("both")),
        Show("First by prompt", integer("first")),
        Show("Questions", integer("questions")),
    )
    left = len(rows) - _SHOWN
    more = (f"{left} more classes take a seed on fewer questions.",) if left > 0 else ()
    return Table(
        f"Intruders. {title}: classes that the wording, not the subject, brings into blocks",
        (Panel("", columns, rows[:_SHOWN]),),
        ("Counts are of questions for which a class is a seed.", *more),
    )


LAYOUTS = {
    "contamination": Layout(
        "studies/contamination",
        CONTAMINATION,
        TABLE_CONTAMINATION,
        contamination_rows,
        contamination,
    ),
    "intruders": Layout("studies/intruders", INTRUDERS, TABLE_INTRUDERS, intruder_rows, intruders),
}
