"""Lists the released files that the sweep was computed from, and those that were not at hand.

Settings: models and arms of the sweep, labels (model to its label in file names), name of the
question file.
Inputs: sweep_files, question_file (the released files that were found).
Outputs: files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import RELEASED_FILES
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.released.layout import question_slot, released_rows, sweep_slots
from copyceiling.released.sweep import count_rows, is_reduced


def main(
    *,
    sweep_files: Sequence[Path],
    question_file: Sequence[Path],
    files: Path,
    models: Sequence[str],
    arms: Sequence[str],
    labels: Mapping[str, str],
    questions: str | None,
    made: Any,
) -> None:
    """Run the step; see the header."""
    counts = {path: count_rows(path) for path in (*sweep_files, *question_file)}
    reduced = [path for path in sweep_files if is_reduced(path)]
    slots = sweep_slots(models, arms, labels)
    found = released_rows("sweep", slots, sweep_files, counts, reduced)
    if questions is not None:
        found += released_rows("questions", [question_slot(questions)], question_file, counts)
    write(files, found, RELEASED_FILES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
