"""Computes the diagnostics: what the contexts share and exposure rests on; of judged answers more.

Settings: statistics (seed, resamples, level), rules (judges that are no models).
Inputs: scaffolds, exposure; of the judged parts that the study has: production_answers,
production_grades, controls_answers, controls_grades; card (calibration of the judges, or nothing),
grade (the rubric of the grades, or nothing).
Outputs: diagnostics.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.cautions import grade_cautions
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
from copyceiling.artefacts.paired_schemas import DIAGNOSTICS
from copyceiling.artefacts.schemas import EXPOSURE, SCAFFOLDS
from copyceiling.artefacts.store import rows, write
from copyceiling.diagnostics import credit_rows, retrieval_rows
from copyceiling.jobs import run
from copyceiling.judged_diagnostics import judged_rows
from copyceiling.sweep import Settings


def main(
    *,
    scaffolds: Path,
    exposure: Path,
    production_answers: Any,
    production_grades: Any,
    controls_answers: Any,
    controls_grades: Any,
    card: Any,
    grade: Any,
    diagnostics: Path,
    statistics: Any,
    rules: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    answers = [r for p in (production_answers, controls_answers) if p for r in rows(p, ANSWERS)]
    grades = [r for p in (production_grades, controls_grades) if p for r in rows(p, GRADES)]
    exposed = rows(exposure, EXPOSURE)
    said = [text for text in grade_cautions(grades, rules, card, grade).values() if text]
    caution = " ".join(dict.fromkeys(said)) or None
    found = [
        *retrieval_rows(rows(scaffolds, SCAFFOLDS), exposed),
        *credit_rows(exposed),
        *judged_rows(answers, grades, Settings(**statistics), rules),
    ]
    judged = [{**row, "caution": caution if row["judges"] else None} for row in found]
    write(diagnostics, judged, DIAGNOSTICS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
