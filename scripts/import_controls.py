"""Reads the released negative controls: answers, grades, block exposure, and their files.

Settings: gates (counts that the study declares).
Inputs: the released files of part ``controls``, a keyword a slot of `layout.PARTS`.
Outputs: answers, grades, block_exposure (cohorts controls and controls_first); files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS, BLOCK_EXPOSURE, GRADES, RELEASED_FILES
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.released.controls import import_controls
from copyceiling.released.layout import PARTS, released_rows
from copyceiling.released.reading import Reader


def main(
    *,
    answers: Path,
    grades: Path,
    block_exposure: Path,
    files: Path,
    gates: Mapping[str, int],
    made: Any,
    **slots: Sequence[Path],
) -> None:
    """Run the step; see the header."""
    reader = Reader("controls")
    found = import_controls(reader, slots, gates)
    reader.stop()
    write(answers, found.answers, ANSWERS, made)
    write(grades, found.grades, GRADES, made)
    write(block_exposure, found.exposure, BLOCK_EXPOSURE, made)
    paths = [path for given in slots.values() for path in given]
    rows = released_rows("controls", PARTS["controls"], paths, reader.counts)
    write(files, rows, RELEASED_FILES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
