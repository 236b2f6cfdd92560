"""Computes the negative controls: paired contrasts of judged answers, flow and block exposure.

Settings: statistics (seed, resamples, level).
Inputs: answers, grades, block_exposure (an aggregate), production (answers of the production study,
which the controls grade again; none where the study has none).
Outputs: contrasts, flow.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS, BLOCK_EXPOSURE, GRADES
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW
from copyceiling.artefacts.store import rows, write
from copyceiling.cohorts import build_cohorts
from copyceiling.flow import flow_rows
from copyceiling.jobs import run
from copyceiling.paired import contrast_rows
from copyceiling.sweep import Settings


def main(
    *,
    answers: Path,
    grades: Path,
    block_exposure: Path,
    production: Any,
    contrasts: Path,
    flow: Path,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    lent = rows(production, ANSWERS) if production else []
    cohorts = build_cohorts([*lent, *rows(answers, ANSWERS)], rows(grades, GRADES))
    write(contrasts, contrast_rows(cohorts, Settings(**statistics)), CONTRASTS, made)
    write(flow, flow_rows(cohorts, rows(block_exposure, BLOCK_EXPOSURE)), FLOW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
