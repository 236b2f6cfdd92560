"""Counts over every gold item of every answer how the matcher comes to credit it, or not to.

Settings: readers (labels of reference readers).
Inputs: questions, classes, exposure, item_rows and completions of all models.
Outputs: mechanisms, run_together.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import MECHANISMS, RUN_TOGETHER
from copyceiling.artefacts.schemas import COMPLETIONS, EXPOSURE, ITEMS
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.mechanisms import mechanism_rows, run_together_rows, units_of
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions


def main(
    *,
    questions: Path,
    classes: Path,
    exposure: Path,
    item_rows: Any,
    completions: Any,
    mechanisms: Path,
    run_together: Path,
    readers: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    units = units_of(
        read_questions(questions),
        {c.slug: c.title for c in read_classes(classes)},
        rows(exposure, EXPOSURE),
        [row for path in item_rows for row in rows(path, ITEMS)],
        [row for path in completions for row in rows(path, COMPLETIONS)],
    )
    write(mechanisms, mechanism_rows(units, frozenset(readers)), MECHANISMS, made)
    write(run_together, run_together_rows(units, frozenset(readers)), RUN_TOGETHER, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
