"""Freezes the context block of each question, byte for byte.

Settings: the study's ``scaffold`` section.
Inputs: classes, questions, preamble (text before the block).
Outputs: scaffolds.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import SCAFFOLDS
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.rows.scaffolds import scaffold_row
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine


def main(
    *, classes: Path, questions: Path, preamble: Path, scaffolds: Path, settings: Any, made: Any
) -> None:
    """Run the step; see the header."""
    engine = ScaffoldEngine(
        read_classes(classes),
        relation_order=settings["relation_order"] or RELATION_ORDER,
        budget_tokens=settings["budget_tokens"],
        max_seeds=settings["max_seeds"],
        hops=settings["hops"],
    )
    before = preamble.read_text(encoding="utf-8").strip()
    rows = [
        scaffold_row(q, engine.scaffold(q.retrieval_text), before)
        for q in read_questions(questions)
    ]
    write(scaffolds, rows, SCAFFOLDS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
