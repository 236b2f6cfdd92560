"""Lays out the confusion census as Parquet, CSV, Markdown and LaTeX, and prints it.

Settings: title, policy, level.
Inputs: confusion.
Outputs: parquet, csv, md, tex.
"""

from pathlib import Path
from typing import Any

from copyceiling import tables
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import CONFUSION, TABLE_CONFUSION
from copyceiling.jobs import run
from copyceiling.publish import publish_table


def main(
    *,
    confusion: Path,
    parquet: Path,
    csv: Path,
    md: Path,
    tex: Path,
    title: str,
    policy: str,
    level: float,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = tables.confusion_rows(rows(confusion, CONFUSION))
    publish_table(
        tables.confusion(title, found),
        found,
        TABLE_CONFUSION,
        {"parquet": parquet, "csv": csv, "md": md, "tex": tex},
        made,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
