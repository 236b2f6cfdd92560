"""Computes each judge's calibration card and confusion.

Settings: rules (labels of judges that are rules), floors, statistics (seed, resamples, level).
Inputs: answers (the items), judgements of all judges.
Outputs: card, confusion.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import (
    CALIBRATION,
    CALIBRATION_CONFUSION,
    CALIBRATION_ITEMS,
    JUDGEMENTS,
)
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.card import card_rows, confusion_rows
from copyceiling.jobs import run
from copyceiling.sweep import Settings


def main(
    *,
    answers: Path,
    judgements: Any,
    card: Path,
    confusion: Path,
    rules: Sequence[str],
    floors: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    made_of = rows(answers, CALIBRATION_ITEMS)
    found = [row for path in judgements for row in rows(path, JUDGEMENTS)]
    settings = Settings(**statistics)
    write(
        card,
        card_rows(made_of, found, rules=frozenset(rules), floors=floors, settings=settings),
        CALIBRATION,
        made,
    )
    write(confusion, confusion_rows(made_of, found), CALIBRATION_CONFUSION, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
