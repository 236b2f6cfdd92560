"""Counts for how many titles of the corpus another title, or an antonym, earns credit.

Settings: seed, sample (titles drawn).
Inputs: classes.
Outputs: confusion.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import write
from copyceiling.artefacts.study_schemas import CONFUSION
from copyceiling.confusion import census_rows
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes


def main(*, classes: Path, confusion: Path, seed: int, sample: int, made: Any) -> None:
    """Run the step; see the header."""
    write(confusion, census_rows(read_classes(classes), seed=seed, sample=sample), CONFUSION, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
