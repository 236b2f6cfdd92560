"""Computes the re-score: recall, ceiling and gain at each threshold, beside the paper's matcher.

Settings: thresholds (in ten-thousandths), readers, statistics (seed, resamples, level).
Inputs: questions, shown, answered, near (titles and their neighbours), scores (of all models, or
none).
Outputs: rescore (no row where the study has no answers), ceiling, neighbours.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.rescore_schemas import (
    NEIGHBOURS,
    RESCORE,
    RESCORE_CEILING,
    RESCORED_EXPOSURE,
    RESCORED_ITEMS,
    TITLE_NEIGHBOURS,
)
from copyceiling.artefacts.schemas import SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.rescore.study import (
    ceiling_rows,
    neighbour_counts,
    rescore_rows,
    score_rows,
)
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import Settings


def main(
    *,
    questions: Path,
    shown: Path,
    answered: Path,
    near: Path,
    scores: Any,
    rescore: Path,
    ceiling: Path,
    neighbours: Path,
    thresholds: Any,
    readers: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    asked, settings = read_questions(questions), Settings(**statistics)
    exposure, items = rows(shown, RESCORED_EXPOSURE), rows(answered, RESCORED_ITEMS)
    lexical = [row for path in scores for row in rows(path, SCORES)]
    scored = score_rows(asked, lexical, items, exposure, thresholds)
    found = rescore_rows(scored, items, frozenset(readers), thresholds, settings)
    write(rescore, found, RESCORE, made)
    write(ceiling, ceiling_rows(asked, exposure, thresholds, settings), RESCORE_CEILING, made)
    write(neighbours, neighbour_counts(rows(near, TITLE_NEIGHBOURS), thresholds), NEIGHBOURS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
