"""Rewrites questions by a model, each under the gate: replays frozen calls, or asks live.

Settings: spec (the model that rewrites), judge (the one that compares answers), subset (questions
to draw, or none for all), seed, boilerplate, attempts, gold_words, study, mode, live.
Inputs: classes, questions, prompts (three files), frozen (calls and their SHA256SUMS, or nothing).
Outputs: rewrites, attempt_rows (every text tried), calls (every call, to freeze).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import check_frozen, write
from copyceiling.artefacts.stress_schemas import STRESS_ATTEMPTS, STRESS_REWRITES
from copyceiling.completions import Lookup, replay_lookup
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.rows.completions import read_outcomes
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.stress.census import attempt_rows as rows_of
from copyceiling.stress.census import rewrite_row
from copyceiling.stress.prompting import ModelRewriter, Prompts, call_rows
from copyceiling.stress.rewriting import drawn, rewrite_all, task_of


def main(
    *,
    classes: Path,
    questions: Path,
    prompts: Sequence[Path],
    frozen: Any,
    rewrites: Path,
    attempt_rows: Path,
    calls: Path,
    spec: Any,
    judge: Any,
    subset: int | None,
    seed: int,
    boilerplate: Sequence[str],
    attempts: int,
    gold_words: bool,
    study: str,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    titles = {c.slug: c.title for c in read_classes(classes)}
    model, comparer = spec_of(spec), spec_of(judge)
    asked = drawn(read_questions(questions), subset, seed, model.model)
    tasks = [task_of(q, titles, boilerplate, gold_words=gold_words) for q in asked]
    texts = Prompts(*(path.read_text(encoding="utf-8") for path in prompts))
    rewriter = ModelRewriter(
        model,
        comparer,
        texts,
        _lookup(model, frozen, study, mode, live),
        _lookup(comparer, frozen, study, mode, live),
    )
    found = rewrite_all(tasks, rewriter, attempts)
    made = {**made, "prompts_sha256": texts.sha256}
    write(calls, call_rows(rewriter.asked), CALLS, made)
    write(attempt_rows, [row for r in found for row in rows_of(r)], STRESS_ATTEMPTS, made)
    write(rewrites, [rewrite_row(r, model.model) for r in found], STRESS_REWRITES, made)


def _lookup(model: ModelSpec, frozen: Any, study: str, mode: str, live: Any) -> Lookup:
    if mode == "live":
        # Imported here alone: a replay must not load LiteLLM, nor need it installed.
        from copyceiling.live.client import live_lookup

        return live_lookup(model, live)
    if not frozen:
        return replay_lookup({}, model, study)
    calls, sums = frozen
    check_frozen([calls], sums)
    return replay_lookup(read_outcomes(calls), model, study)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
