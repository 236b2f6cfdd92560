"""Sets the cosines of visible inputs and answers beside what the paper's matcher finds.

Settings: none.
Inputs: questions, scaffolds, exposure, cosines, titles, confusion, classes, completions and matched
(items) of all models, or none.
Outputs: shown (a row a gold item and arm), answered (a row a gold item and answer), neighbours (a
row a sampled title).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.rescore_schemas import (
    COSINES,
    RESCORED_EXPOSURE,
    RESCORED_ITEMS,
    TITLE_COSINES,
    TITLE_NEIGHBOURS,
)
from copyceiling.artefacts.schemas import COMPLETIONS, EXPOSURE, ITEMS
from copyceiling.artefacts.store import rows, write
from copyceiling.artefacts.study_schemas import CONFUSION
from copyceiling.jobs import run
from copyceiling.rescore.items import exposure_rows, item_rows, lookup
from copyceiling.rescore.neighbours import neighbour_rows
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions


def main(
    *,
    questions: Path,
    scaffolds: Path,
    exposure: Path,
    cosines: Path,
    titles: Path,
    confusion: Path,
    classes: Path,
    completions: Any,
    matched: Any,
    shown: Path,
    answered: Path,
    neighbours: Path,
    made: Any,
) -> None:
    """Run the step; see the header."""
    asked, found = read_questions(questions), lookup(rows(cosines, COSINES))
    lexical = rows(exposure, EXPOSURE)
    write(
        shown,
        exposure_rows(asked, read_messages(scaffolds), lexical, found),
        RESCORED_EXPOSURE,
        made,
    )
    answers = [row for path in completions for row in rows(path, COMPLETIONS)]
    lexical_items = [row for path in matched for row in rows(path, ITEMS)]
    write(answered, item_rows(asked, answers, lexical_items, found), RESCORED_ITEMS, made)
    near = neighbour_rows(
        rows(confusion, CONFUSION), read_classes(classes), rows(titles, TITLE_COSINES)
    )
    write(neighbours, near, TITLE_NEIGHBOURS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
