"""Rewrites questions by a model, each under the gate: from frozen calls, or live ones.

Settings: spec (the model that rewrites), judge (the one that compares answers), subset (questions
to draw, or none for all), seed, boilerplate, attempts, gold_words, study, mode, live.
Inputs: classes, questions, prompts (three files), frozen (calls and their SHA256SUMS, or nothing).
Outputs: rewrites, attempt_rows (every text tried), calls (every call, to freeze).
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import write
from copyceiling.artefacts.stress_schemas import STRESS_ATTEMPTS, STRESS_REWRITES
from copyceiling.completions import Lookup, lookup_of
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_frozen
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.stress.census import attempt_rows as rows_of
from copyceiling.stress.census import rewrite_row
from copyceiling.stress.prompting import LIVE, ModelRewriter, Prompts, call_rows
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
    had = read_frozen(frozen)

    def lookup(of: ModelSpec) -> Lookup:
        ask = partial(_ask, of, live) if mode == "live" else None
        return lookup_of(had, of, study, LIVE, ask)

    rewriter = ModelRewriter(model, comparer, texts, lookup(model), lookup(comparer))
    found = rewrite_all(tasks, rewriter, attempts)
    made = {**made, "prompts_sha256": texts.sha256}
    write(calls, call_rows(rewriter.asked), CALLS, made)
    write(attempt_rows, [row for r in found for row in rows_of(r)], STRESS_ATTEMPTS, made)
    write(rewrites, [rewrite_row(r, model.model) for r in found], STRESS_REWRITES, made)


def _ask(model: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(model, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
