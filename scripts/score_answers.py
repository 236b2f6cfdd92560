"""Counts, for each answer of one model, which gold items are exposed and which recovered.

Settings: none.
Inputs: questions, exposure, completions.
Outputs: scores (counts a question), items (a row a gold item).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import COMPLETIONS, EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import Gold, exposed_by_arm, score_cell


def main(
    *, questions: Path, exposure: Path, completions: Path, scores: Path, item_rows: Path, made: Any
) -> None:
    """Run the step; see the header."""
    gold = {q.id: Gold.of(q) for q in read_questions(questions)}
    exposed = exposed_by_arm(rows(exposure, EXPOSURE))
    scored = [
        score_cell(gold[cell["question_id"]], exposed[cell["question_id"], cell["arm"]], cell)
        for cell in rows(completions, COMPLETIONS)
    ]
    write(item_rows, [row for cell in scored for row in cell.items], ITEMS, made)
    write(scores, [row for cell in scored for row in cell.scores], SCORES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
