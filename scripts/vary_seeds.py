"""Measures exposure over question seeds, eligibility thresholds and block budgets, without a model.

Settings: varied (the study's ``seeds`` section), corpus, questions and scaffold (its sections),
statistics.
Inputs: classes, preamble, snapshots (other versions of the corpus, or none).
Outputs: runs (a row a seed and setting), seeds (their spread).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import write
from copyceiling.artefacts.stress_schemas import SEED_RUNS, SEEDS_STUDY
from copyceiling.corpus.read import read_corpus
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.seeds import (
    SNAPSHOT_AXIS,
    Own,
    SeedRunner,
    Variant,
    question_seeds,
    run_rows,
    summary_rows,
    variants,
)
from copyceiling.sweep import Settings


def main(
    *,
    classes: Path,
    preamble: Path,
    snapshots: Any,
    runs: Path,
    seeds: Path,
    varied: Any,
    corpus: Any,
    questions: Any,
    scaffold: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    settings = Settings(**statistics)
    before = preamble.read_text(encoding="utf-8").strip()
    budget, drawn = scaffold["budget_tokens"], question_seeds(settings.seed, varied["n"])
    changes = variants(questions, budget, varied["thresholds"], varied["budgets"])
    found, mine = run_rows(SeedRunner(read_classes(classes), scaffold, before), changes, drawn)
    own: Own = mine
    for path, snapshot in zip(snapshots, varied["snapshots"], strict=True):
        other = {**corpus, "package": None, **snapshot, "path": str(path)}
        change = Variant(SNAPSHOT_AXIS, snapshot["version"], questions, budget)
        # One corpus at a time in memory.
        rows, theirs = run_rows(
            SeedRunner(read_corpus(other)[0].classes, scaffold, before), [change], drawn
        )
        found, own = [*found, *rows], {**own, **theirs}
    write(runs, found, SEED_RUNS, made)
    write(seeds, summary_rows(found, own, settings), SEEDS_STUDY, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
