"""Reads the released paraphrase stress set: exposure under rewritten questions.

Settings: gates (counts that the study declares).
Inputs: questions, exposure; the released files of part ``paraphrase``, a keyword a slot of
`layout.PARTS`.
Outputs: rewrites; files.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import RELEASED_FILES, REWRITES
from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.released.layout import PARTS, released_rows
from copyceiling.released.paraphrase import import_paraphrase
from copyceiling.released.reading import Reader
from copyceiling.rows.questions import read_questions
from copyceiling.scoring import exposed_by_arm


def main(
    *,
    questions: Path,
    exposure: Path,
    rewrite_rows: Path,
    files: Path,
    gates: Mapping[str, int],
    made: Any,
    **slots: Sequence[Path],
) -> None:
    """Run the step; see the header."""
    reader = Reader("paraphrase")
    known = {q.id: q for q in read_questions(questions)}
    exposed = exposed_by_arm(rows(exposure, EXPOSURE))
    found = import_paraphrase(reader, slots, known, exposed, gates)
    reader.stop()
    write(rewrite_rows, found, REWRITES, made)
    paths = [path for given in slots.values() for path in given]
    listed = released_rows("paraphrase", PARTS["paraphrase"], paths, reader.counts)
    write(files, listed, RELEASED_FILES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
