"""Puts a judged study's part together: how answers ended, what judges gave, what gold they name.

Settings: judges (labels, in order of the judgements).
Inputs: prompts, references, completions (of every model), judgements (of every judge).
Outputs: answers, grades, recall.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.collect import answer_rows, recall_rows
from copyceiling.arms.grading import grade_rows
from copyceiling.arms.injection import check_injection
from copyceiling.artefacts.arm_schemas import (
    ARM_COMPLETIONS,
    ARM_PROMPTS,
    ARM_RECALL,
    REFERENCES,
)
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
from copyceiling.artefacts.judging_schemas import JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.jobs import run


def main(
    *,
    prompts: Path,
    references: Path,
    completions: Sequence[Path],
    judgements: Sequence[Path],
    answers: Path,
    grades: Path,
    recall: Path,
    judges: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    shown = rows(prompts, ARM_PROMPTS)
    ended = [row for path in completions for row in rows(path, ARM_COMPLETIONS)]
    check_injection(shown, ended)
    verdicts = {
        judge: rows(path, JUDGEMENTS) for judge, path in zip(judges, judgements, strict=True)
    }
    write(answers, answer_rows(shown, ended), ANSWERS, made)
    write(grades, grade_rows(ended, verdicts, DEFAULT_FORM), GRADES, made)
    write(recall, recall_rows(shown, rows(references, REFERENCES), ended), ARM_RECALL, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
