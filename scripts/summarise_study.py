"""Fills in what the study's artefacts show on each question of the overview.

Settings: policy (of completions that are not ok), level (of intervals).
Inputs: parts (the studies' artefacts that there are; told apart by file name).
Outputs: overview.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.overview_schemas import OVERVIEW
from copyceiling.artefacts.store import describe, rows, write
from copyceiling.difference import SCHEMAS
from copyceiling.jobs import run
from copyceiling.observed import Reading
from copyceiling.overview import overview_rows


def main(*, parts: Sequence[Path], overview: Path, policy: str, level: float, made: Any) -> None:
    """Run the step; see the header."""
    found = {path.stem: rows(path, SCHEMAS[describe(path)["schema"]]) for path in parts}
    write(overview, overview_rows(found, Reading(policy, level)), OVERVIEW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
