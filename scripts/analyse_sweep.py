"""Computes the sweep study: uplift, ceiling, gain and the exposure decomposition.

Settings: readers (labels of reference readers), statistics (seed, resamples, level).
Inputs: scores of all models.
Outputs: sweep, decomposition.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.artefacts.study_schemas import DECOMPOSITION, SWEEP
from copyceiling.jobs import run
from copyceiling.sweep import Settings, decomposition_rows, sweep_rows


def main(
    *, scores: Any, sweep: Path, decomposition: Path, readers: Any, statistics: Any, made: Any
) -> None:
    """Run the step; see the header."""
    found = [row for path in scores for row in rows(path, SCORES)]
    settings = Settings(**statistics)
    write(sweep, sweep_rows(found, frozenset(readers), settings), SWEEP, made)
    write(
        decomposition, decomposition_rows(found, frozenset(readers), settings), DECOMPOSITION, made
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
