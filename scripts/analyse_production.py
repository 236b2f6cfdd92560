"""Computes the production study: paired contrasts of judged answers, and their flow.

Settings: statistics (seed, resamples, level).
Inputs: answers, grades.
Outputs: contrasts, flow.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW
from copyceiling.artefacts.store import rows, write
from copyceiling.cohorts import build_cohorts
from copyceiling.flow import flow_rows
from copyceiling.jobs import run
from copyceiling.paired import contrast_rows
from copyceiling.sweep import Settings


def main(
    *, answers: Path, grades: Path, contrasts: Path, flow: Path, statistics: Any, made: Any
) -> None:
    """Run the step; see the header."""
    cohorts = build_cohorts(rows(answers, ANSWERS), rows(grades, GRADES))
    write(contrasts, contrast_rows(cohorts, Settings(**statistics)), CONTRASTS, made)
    write(flow, flow_rows(cohorts), FLOW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
