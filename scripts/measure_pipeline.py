"""Times the stages of a grounded request, and looks up how long models took on record.

Settings: settings (the study's ``scaffold`` section), models (labels of those called), source
(where the sweep's rows come from), called (whether the production study asked models itself).
Inputs: classes, questions, scaffolds, frozen (frozen calls and their SHA256SUMS, or nothing),
answers (of the production study, or nothing).
Outputs: pipeline.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import ANSWERS
from copyceiling.artefacts.overview_schemas import PIPELINE
from copyceiling.artefacts.schemas import CALLS, SCAFFOLDS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.jobs import run
from copyceiling.latencies import Latencies, latencies_of, served_latencies, without_latency
from copyceiling.pipeline import Request, machine, measure, pipeline_rows
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine


def main(
    *,
    classes: Path,
    questions: Path,
    scaffolds: Path,
    frozen: Any,
    answers: Any,
    pipeline: Path,
    settings: Any,
    models: Sequence[str],
    source: str,
    called: bool,
    made: Any,
) -> None:
    """Run the step; see the header."""
    engine = ScaffoldEngine(
        read_classes(classes),
        relation_order=settings["relation_order"] or RELATION_ORDER,
        budget_tokens=settings["budget_tokens"],
        max_seeds=settings["max_seeds"],
        hops=settings["hops"],
    )
    preambles = {r["question_id"]: r["preamble"] for r in rows(scaffolds, SCAFFOLDS)}
    requests = [
        Request(q.id, q.retrieval_text, preambles[q.id], q.prompt)
        for q in read_questions(questions)
    ]
    shown = {q: arms["scaffold"] for q, arms in read_messages(scaffolds).items()}
    calls = _calls(frozen, models, source)
    if answers:
        calls += served_latencies(rows(answers, ANSWERS), own=called)
    write(
        pipeline, pipeline_rows(measure(engine, requests, shown), calls, machine()), PIPELINE, made
    )


def _calls(frozen: Any, models: Sequence[str], source: str) -> list[Latencies]:
    """Return what is on record of each model's calls."""
    if source == "release":
        return [without_latency(f"{len(models)} released models", "no latency in released scores")]
    files = {path.stem: path for path in frozen if path.suffix == ".parquet"}
    if files:
        check_frozen(list(files.values()), *(p for p in frozen if p.suffix != ".parquet"))
    found = [
        latencies_of(model, rows(files[model], CALLS))
        if model in files
        else without_latency(model, "no frozen calls")
        for model in models
    ]
    return found or [without_latency("", "the study calls no model")]


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
