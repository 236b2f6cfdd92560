"""Computes the negative controls without a judge: recall, ceiling and gain by arm, and contrasts.

Settings: statistics (seed, resamples, level).
Inputs: cells (every planned cell), recall (gold that each answer names).
Outputs: study.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_RECALL
from copyceiling.artefacts.control_schemas import CONTROL_CELLS, CONTROLS_RECALL
from copyceiling.artefacts.store import rows, write
from copyceiling.controls.recall import recall_study
from copyceiling.jobs import run
from copyceiling.sweep import Settings


def main(*, cells: Path, recall: Path, study: Path, statistics: Any, made: Any) -> None:
    """Run the step; see the header."""
    found = recall_study(
        rows(cells, CONTROL_CELLS), rows(recall, ARM_RECALL), Settings(**statistics)
    )
    write(study, found, CONTROLS_RECALL, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
