"""Computes the production study: paired contrasts of judged answers, and their flow.

Settings: statistics (seed, resamples, level), rules (judges that are no models).
Inputs: answers, grades, card (calibration of the judges, or nothing), grade (the rubric of the
grades, or nothing).
Outputs: contrasts, flow.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.cautions import grade_cautions
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
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
    cohorts = build_cohorts(rows(answers, ANSWERS), graded)
    write(contrasts, contrast_rows(cohorts, Settings(**statistics), cautions), CONTRASTS, made)
    write(flow, flow_rows(cohorts, cautions=cautions), FLOW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
