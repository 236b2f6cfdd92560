"""Makes answers from the graph whose right verdict is known, to calibrate judges on.

Settings: relations (how the study's relations are said), kinds (relation types asked for),
per_construct (items), seed.
Inputs: classes, questions.
Outputs: answers (the items).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import CALIBRATION_ITEMS
from copyceiling.artefacts.store import write
from copyceiling.calibration.build import calibration_items
from copyceiling.calibration.items import item_rows
from copyceiling.calibration.relations import relations_of
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions


def main(
    *,
    classes: Path,
    questions: Path,
    answers: Path,
    relations: Any,
    kinds: Sequence[str],
    per_construct: int,
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = calibration_items(
        read_classes(classes),
        read_questions(questions),
        relations_of(kinds, relations),
        count=per_construct,
        seed=seed,
    )
    write(answers, item_rows(found), CALIBRATION_ITEMS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
