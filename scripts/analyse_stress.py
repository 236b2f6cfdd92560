"""Computes the stress study: ceilings by retrieval under rewriting, and the census of rewrites.

Settings: statistics (seed, resamples, level).
Inputs: questions, rewrites, attempts, exposure, signals.
Outputs: stress, rewriting.
"""

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
    counted = rewriting_rows(
        rows(rewrites, STRESS_REWRITES), rows(attempts, STRESS_ATTEMPTS), read_questions(questions)
    )
    write(rewriting, counted, REWRITING, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
