"""Lays out Table 5 as Parquet, CSV, Markdown and LaTeX, and prints it.

Settings: title, policy, level.
Inputs: decomposition.
Outputs: parquet, csv, md, tex.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import DECOMPOSITION, TABLE5
from copyceiling.jobs import run
from copyceiling.publish import publish_table
from copyceiling.tables import table5, table5_rows


def main(
    *,
    decomposition: Path,
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
    found = table5_rows(rows(decomposition, DECOMPOSITION), policy)
    publish_table(
        table5(title, found, policy),
        found,
        TABLE5,
        {"parquet": parquet, "csv": csv, "md": md, "tex": tex},
        made,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
