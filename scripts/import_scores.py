"""Reads one model's released score rows and checks them against the recomputed exposure.

Settings: model.
Inputs: questions, exposure, raw and scaffold (released score files, JSONL).
Outputs: scores.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import EXPOSURE, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.release import import_scores
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import exposed_by_arm


def main(
    *,
    questions: Path,
    exposure: Path,
    raw: Path,
    scaffold: Path,
    scores: Path,
    model: str,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = import_scores(
        {"raw": raw, "scaffold": scaffold},
        model,
        read_questions(questions),
        exposed_by_arm(rows(exposure, EXPOSURE)),
    )
    write(scores, found, SCORES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
