"""Draws questions with gold answers from the corpus, or loads a released question file.

Settings: the study's ``questions`` section, seed.
Inputs: classes; released (a question file, or nothing).
Outputs: questions.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import QUESTIONS
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.questions import QuestionGenerator, check_wording, load_questions
from copyceiling.retrieval import RetrievalIndex
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import question_rows


def main(
    *, classes: Path, released: Any, questions: Path, settings: Any, seed: int, made: Any
) -> None:
    """Run the step; see the header."""
    corpus = read_classes(classes)
    if released:
        found = load_questions(released, [c.slug for c in corpus])
    else:
        if not settings["allow_wording_seeds"]:
            check_wording(RetrievalIndex(corpus), settings["wording"])
        found = QuestionGenerator(corpus, settings).generate(seed)
    write(questions, question_rows(found), QUESTIONS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
