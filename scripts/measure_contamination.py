"""Retrieves each question by its whole prompt and by its subjects' titles alone, and compares.

Settings: scaffold (the study's section), statistics (seed, resamples, level).
Inputs: classes, questions, preamble.
Outputs: contamination, intruders (classes that the wording brings in).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import write
from copyceiling.artefacts.stress_schemas import CONTAMINATION, INTRUDERS
from copyceiling.contamination import contamination_rows, intruder_rows, retrieve
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine
from copyceiling.sweep import Settings


def main(
    *,
    classes: Path,
    questions: Path,
    preamble: Path,
    contamination: Path,
    intruders: Path,
    scaffold: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    corpus = read_classes(classes)
    engine = ScaffoldEngine(
        corpus,
        relation_order=scaffold["relation_order"] or RELATION_ORDER,
        budget_tokens=scaffold["budget_tokens"],
        max_seeds=scaffold["max_seeds"],
        hops=scaffold["hops"],
    )
    titles = {c.slug: c.title for c in corpus}
    before = preamble.read_text(encoding="utf-8").strip()
    found = retrieve(read_questions(questions), titles, engine, before)
    write(contamination, contamination_rows(found, Settings(**statistics)), CONTAMINATION, made)
    write(intruders, intruder_rows(found, titles), INTRUDERS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
