"""Lays out a table as Parquet, CSV, Markdown, LaTeX and HTML, and prints it.

Settings: table (which), title, policy, level.
Inputs: study (the artefact that the table shows).
Outputs: parquet, csv, md, tex, html.
"""

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
    made: Any,
) -> None:
    """Run the step; see the header."""
    layout = LAYOUTS[table]
    found = layout.rows(rows(study, layout.study), policy)
    publish_table(
        layout.table(found, title, policy, level),
        found,
        layout.schema,
        {"parquet": parquet, "csv": csv, "md": md, "tex": tex, "html": html},
        made,
        layout.printed_panels,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
