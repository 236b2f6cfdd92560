"""Lays out Table 4 as Parquet, CSV, Markdown and LaTeX, and prints it.

Settings: title, policy, level.
Inputs: sweep.
Outputs: parquet, csv, md, tex.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import SWEEP, TABLE4
from copyceiling.jobs import run
from copyceiling.publish import publish_table
from copyceiling.tables import table4, table4_rows


def main(
    *,
    sweep: Path,
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
    found = table4_rows(rows(sweep, SWEEP), policy)
    publish_table(
        table4(title, found, policy, level),
        found,
        TABLE4,
        {"parquet": parquet, "csv": csv, "md": md, "tex": tex},
        made,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
