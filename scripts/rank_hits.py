"""Ranks the classes nearest to each question and rewrite by vector: replays frozen hits, or embeds.

Settings: encoder, how (replay, live or deep), cache (folder of vectors), study.
Inputs: classes, questions, rewrites, frozen (hits and their SHA256SUMS, or nothing).
Outputs: hits.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.artefacts.stress_schemas import HITS, STRESS_REWRITES
from copyceiling.embedding import EmbedderSpec
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.stress.hits import Plan, find


def main(
    *,
    classes: Path,
    questions: Path,
    rewrites: Path,
    frozen: Any,
    hits: Path,
    encoder: Any,
    how: Any,
    cache: str,
    study: str,
    made: Any,
) -> None:
    """Run the step; see the header."""
    asked = [q.retrieval_text for q in read_questions(questions)]
    asked += [r["text"] for r in rows(rewrites, STRESS_REWRITES) if r["text"] is not None]
    plan = Plan(tuple(dict.fromkeys(asked)), read_classes(classes), EmbedderSpec(**encoder))
    had: list[dict[str, Any]] = []
    if frozen:
        file, sums = frozen
        check_frozen([file], sums)
        had = rows(file, HITS)
    write(hits, find(plan, had, how, Path(cache), study), HITS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
