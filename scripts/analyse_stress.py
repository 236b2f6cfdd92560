"""Computes the stress study: ceilings by retrieval under rewriting, and the census of rewrites.

Settings: statistics (seed, resamples, level).
Inputs: questions, rewrites, attempts, exposure, signals, trial_rewrites and trial_attempts (of
models that rewrite too, or none).
Outputs: stress, rewriting.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import rows, write
from copyceiling.artefacts.stress_schemas import (
    ARM_EXPOSURE,
    REWRITING,
    SIGNALS,
    STRESS,
    STRESS_ATTEMPTS,
    STRESS_REWRITES,
)
from copyceiling.jobs import run
from copyceiling.rows.questions import read_questions
from copyceiling.stress.analysis import stress_rows
from copyceiling.stress.census import rewriting_rows
from copyceiling.sweep import Settings


def main(
    *,
    questions: Path,
    rewrites: Path,
    attempts: Path,
    exposure: Path,
    signals: Path,
    trial_rewrites: Sequence[Path],
    trial_attempts: Sequence[Path],
    stress: Path,
    rewriting: Path,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = stress_rows(
        rows(exposure, ARM_EXPOSURE), rows(signals, SIGNALS), Settings(**statistics)
    )
    write(stress, found, STRESS, made)
    asked = read_questions(questions)
    sets = zip([rewrites, *trial_rewrites], [attempts, *trial_attempts], strict=True)
    counted = [
        row
        for ended, tried in sets
        for row in rewriting_rows(rows(ended, STRESS_REWRITES), rows(tried, STRESS_ATTEMPTS), asked)
    ]
    write(rewriting, counted, REWRITING, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
