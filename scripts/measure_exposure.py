"""Says of each gold item whether the shown text, or the question alone, exposes it.

Settings: none.
Inputs: questions, scaffolds.
Outputs: exposure.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import Gold, exposure_rows


def main(*, questions: Path, scaffolds: Path, exposure: Path, made: Any) -> None:
    """Run the step; see the header."""
    shown = read_messages(scaffolds)
    rows = [
        row
        for q in read_questions(questions)
        for row in exposure_rows(Gold.of(q), shown[q.id]["scaffold"])
    ]
    write(exposure, rows, EXPOSURE, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
