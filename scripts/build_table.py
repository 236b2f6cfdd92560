"""Lays out a table as Parquet, CSV, Markdown, LaTeX and HTML, and prints it.

Settings: table (which), title, policy, level, notes (what the study adds).
Inputs: study (the artefact that the table shows), card (calibration of the judges whose verdicts it
shows, or nothing).
Outputs: parquet, csv, md, tex, html.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import CALIBRATION
from copyceiling.artefacts.store import rows
from copyceiling.jobs import run
from copyceiling.publish import publish_table
from copyceiling.tables import LAYOUTS
from copyceiling.tables.cards import with_cards


def main(
    *,
    study: Path,
    card: Any,
    parquet: Path,
    csv: Path,
    md: Path,
    tex: Path,
    html: Path,
    table: str,
    title: str,
    policy: str,
    level: float,
    notes: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    layout = LAYOUTS[table]
    found = layout.rows(rows(study, layout.study), policy)
    cards = [row for path in card for row in rows(path, CALIBRATION)]
    shown = layout.table(found, title, policy, level)
    shown = with_cards(shown, found, cards, layout.rubric, level)
    publish_table(
        replace(shown, notes=(*shown.notes, *notes)),
        found,
        layout.schema,
        {"parquet": parquet, "csv": csv, "md": md, "tex": tex, "html": html},
        made,
        layout.printed_panels,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
