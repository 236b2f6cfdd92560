"""Rewrites questions from the corpus's own synonyms and definitions, without a model.

Settings: boilerplate, attempts, gold_words, seed.
Inputs: classes, questions, glossary (a file, or nothing).
Outputs: rewrites, attempt_rows (every text tried).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import write
from copyceiling.artefacts.stress_schemas import STRESS_ATTEMPTS, STRESS_REWRITES
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.stress.census import attempt_rows as rows_of
from copyceiling.stress.census import rewrite_row
from copyceiling.stress.rewriting import rewrite_all, task_of
from copyceiling.stress.synonyms import SynonymRewriter, parse_glossary


def main(
    *,
    classes: Path,
    questions: Path,
    glossary: Any,
    rewrites: Path,
    attempt_rows: Path,
    boilerplate: Sequence[str],
    attempts: int,
    gold_words: bool,
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    corpus = read_classes(classes)
    plain = parse_glossary(glossary.read_text(encoding="utf-8"), glossary.name) if glossary else {}
    titles = {c.slug: c.title for c in corpus}
    tasks = [
        task_of(q, titles, boilerplate, gold_words=gold_words) for q in read_questions(questions)
    ]
    found = rewrite_all(tasks, SynonymRewriter(corpus, plain, seed), attempts)
    write(attempt_rows, [row for r in found for row in rows_of(r)], STRESS_ATTEMPTS, made)
    write(rewrites, [rewrite_row(r, "synonyms") for r in found], STRESS_REWRITES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
