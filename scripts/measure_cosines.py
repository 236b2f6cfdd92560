"""Finds the best cosine of each text with each gold title: replays frozen ones, or embeds.

Settings: spec (the encoder), how (replay, live or deep), cache (folder of vectors), study, released
(labels of released models, none where answers are the study's own).
Inputs: questions, scaffolds, classes, confusion (whose titles are sampled), completions (of all
models, or none), checked (released counts of exposed items against ours, or none), frozen (cosines,
titles and their SHA256SUMS, or nothing).
Outputs: cosines, titles.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import EXPOSURE_CHECK
from copyceiling.artefacts.rescore_schemas import COSINES, TITLE_COSINES
from copyceiling.artefacts.schemas import COMPLETIONS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.artefacts.study_schemas import CONFUSION
from copyceiling.embedding import EmbedderSpec
from copyceiling.jobs import run
from copyceiling.rescore.gate import check_contexts
from copyceiling.rescore.neighbours import titles_of
from copyceiling.rescore.plan import plan_of
from copyceiling.rescore.source import Frozen, Wanted, find
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions


def main(
    *,
    questions: Path,
    scaffolds: Path,
    classes: Path,
    confusion: Path,
    completions: Any,
    checked: Any,
    frozen: Any,
    cosines: Path,
    titles: Path,
    spec: Any,
    how: Any,
    cache: str,
    study: str,
    released: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    asked = read_questions(questions)
    if released:
        check = [row for path in checked for row in rows(path, EXPOSURE_CHECK)]
        check_contexts(check, released, len(asked))
    answers = [row for path in completions for row in rows(path, COMPLETIONS)]
    corpus = read_classes(classes)
    of = dict(zip((c.slug for c in corpus), titles_of(corpus), strict=True))
    wanted = Wanted(
        plan_of(asked, read_messages(scaffolds), answers),
        list(of.values()),
        [of[row["title_slug"]] for row in rows(confusion, CONFUSION)],
    )
    found = find(wanted, _frozen(frozen), EmbedderSpec(**spec), how, Path(cache), study)
    write(cosines, found.cosines, COSINES, made)
    write(titles, found.titles, TITLE_COSINES, made)


def _frozen(files: Any) -> Frozen:
    if not files:
        return Frozen((), ())
    texts, titles, sums = files
    check_frozen([texts, titles], sums)
    return Frozen(rows(texts, COSINES), rows(titles, TITLE_COSINES))


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
