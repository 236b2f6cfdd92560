"""Lays out a table as Parquet, CSV, Markdown, LaTeX and HTML, and prints it.

Settings: table (which), title, policy, level, notes (what the study adds).
Inputs: study (the artefact that the table shows).
Outputs: parquet, csv, md, tex, html.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import rows
from copyceiling.jobs import run
from copyceiling.publish import publish_table
from copyceiling.tables import LAYOUTS


def main(
    *,
    study: Path,
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
    shown = layout.table(found, title, policy, level)
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
