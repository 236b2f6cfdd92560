"""Reads the released semantic audit: verdicts with what the quote gate made of them.

Settings: gates (counts that the study declares), labels (label in file names to model).
Inputs: questions, exposure; the released files of part ``audit``, a keyword a slot of
`layout.PARTS`.
Outputs: verdicts; files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import RELEASED_FILES, VERDICTS
from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.released.audit import Material, import_audit
from copyceiling.released.layout import PARTS, released_rows
from copyceiling.released.reading import Reader
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import exposed_by_arm


def main(
    *,
    questions: Path,
    exposure: Path,
    verdict_rows: Path,
    files: Path,
    gates: Mapping[str, int],
    labels: Mapping[str, str],
    made: Any,
    **slots: Sequence[Path],
) -> None:
    """Run the step; see the header."""
    reader = Reader("audit")
    known = {q.id: q for q in read_questions(questions)}
    material = Material(known, exposed_by_arm(rows(exposure, EXPOSURE)), labels)
    found = import_audit(reader, slots, material, gates)
    reader.stop()
    write(verdict_rows, found, VERDICTS, made)
    paths = [path for given in slots.values() for path in given]
    listed = released_rows("audit", PARTS["audit"], paths, reader.counts)
    write(files, listed, RELEASED_FILES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
