"""Reads the released production study: answers, grades, and which files they are from.

Settings: gates (counts that the study declares).
Inputs: the released files of part ``production``, a keyword a slot of `layout.PARTS`.
Outputs: answers, grades (cohorts production and general); files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES, RELEASED_FILES
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.released.general import import_general
from copyceiling.released.layout import PARTS, released_rows
from copyceiling.released.production import import_production
from copyceiling.released.reading import Reader


def main(
    *,
    answers: Path,
    grades: Path,
    files: Path,
    gates: Mapping[str, int],
    made: Any,
    **slots: Sequence[Path],
) -> None:
    """Run the step; see the header."""
    reader = Reader("production")
    production = import_production(reader, slots, gates)
    general = import_general(reader, slots, gates)
    reader.stop()
    write(answers, production.answers + general.answers, ANSWERS, made)
    write(grades, production.grades + general.grades, GRADES, made)
    found = [path for paths in slots.values() for path in paths]
    rows = released_rows("production", PARTS["production"], found, reader.counts)
    write(files, rows, RELEASED_FILES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
