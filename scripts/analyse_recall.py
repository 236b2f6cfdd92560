"""Computes the recall of gold titles by arm of a judged study's part: the outcome without a judge.

Settings: statistics (seed, resamples, level).
Inputs: recall (gold that each answer names).
Outputs: study.
"""

from pathlib import Path
from typing import Any

from copyceiling.arms.recall import recall_study_rows
from copyceiling.artefacts.arm_schemas import ARM_RECALL, RECALL_STUDY
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.sweep import Settings


def main(*, recall: Path, study: Path, statistics: Any, made: Any) -> None:
    """Run the step; see the header."""
    found = recall_study_rows(rows(recall, ARM_RECALL), Settings(**statistics))
    write(study, found, RECALL_STUDY, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
