"""Computes the negative controls: paired contrasts of judged answers, flow and block exposure.

Settings: statistics (seed, resamples, level), rules (judges that are no models).
Inputs: answers, grades, block_exposure (an aggregate), production (answers of the production study,
which released controls grade again; nothing where the controls asked for all their answers), cells
(every planned cell, infeasible ones too; nothing for released controls), card (calibration of the
judges, or nothing), grade (the rubric of the grades, or nothing).
Outputs: contrasts, flow.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.cautions import grade_cautions
from copyceiling.artefacts.control_schemas import CONTROL_CELLS
from copyceiling.artefacts.judged_schemas import ANSWERS, BLOCK_EXPOSURE, GRADES
from copyceiling.artefacts.paired_schemas import CONTRASTS, FLOW
from copyceiling.artefacts.store import rows, write
from copyceiling.cohorts import build_cohorts
from copyceiling.controls.unasked import unasked_rows
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
    cells: Any,
    card: Any,
    grade: Any,
    contrasts: Path,
    flow: Path,
    statistics: Any,
    rules: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    graded = rows(grades, GRADES)
    cautions = grade_cautions(graded, rules, card, grade)
    answered = rows(answers, ANSWERS)
    if production:
        answered += rows(production, ANSWERS)
    if cells:
        answered += unasked_rows(rows(cells, CONTROL_CELLS), answered)
    cohorts = build_cohorts(answered, graded)
    exposure = rows(block_exposure, BLOCK_EXPOSURE)
    write(contrasts, contrast_rows(cohorts, Settings(**statistics), cautions), CONTRASTS, made)
    write(flow, flow_rows(cohorts, exposure, cautions), FLOW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
