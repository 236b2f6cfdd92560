"""Reads one model's released rows, scores its answers where they are at hand, and checks both.

Settings: model.
Inputs: questions, exposure; raw_results, raw_scores, scaffold_results, scaffold_scores (JSONL, a
file each or nothing).
Outputs: scores; items (a row a gold item where there are answers, else none).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.released.sweep import ArmFiles, import_sweep
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import exposed_by_arm


def main(
    *,
    questions: Path,
    exposure: Path,
    raw_results: Sequence[Path],
    raw_scores: Sequence[Path],
    scaffold_results: Sequence[Path],
    scaffold_scores: Sequence[Path],
    scores: Path,
    item_rows: Path,
    model: str,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = import_sweep(
        {
            "raw": ArmFiles(raw_results, raw_scores),
            "scaffold": ArmFiles(scaffold_results, scaffold_scores),
        },
        model,
        read_questions(questions),
        exposed_by_arm(rows(exposure, EXPOSURE)),
    )
    write(scores, found.scores, SCORES, made)
    write(item_rows, found.items, ITEMS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
