"""Says what each retrieval exposes of each question, as asked and as rewritten.

Settings: scaffold (the study's section), encoder, seed.
Inputs: classes, questions, rewrites, hits, preamble.
Outputs: exposure, signals (what a gate can see).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import rows, write
from copyceiling.artefacts.stress_schemas import ARM_EXPOSURE, HITS, SIGNALS, STRESS_REWRITES
from copyceiling.embedding import EmbedderSpec
from copyceiling.jobs import run
from copyceiling.questions import Question
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine
from copyceiling.semantic import frozen_hits
from copyceiling.stress.arms import Asked, boilerplate, exposure_rows, retrieve, signal_row
from copyceiling.stress.gates import halves
from copyceiling.stress.hits import Plan, hits_by_key
from copyceiling.stress.synonyms import FRAMES


def main(
    *,
    classes: Path,
    questions: Path,
    rewrites: Path,
    hits: Path,
    preamble: Path,
    exposure: Path,
    signals: Path,
    scaffold: Any,
    encoder: Any,
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    corpus, asked = read_classes(classes), read_questions(questions)
    engine = ScaffoldEngine(
        corpus,
        relation_order=scaffold["relation_order"] or RELATION_ORDER,
        budget_tokens=scaffold["budget_tokens"],
        max_seeds=scaffold["max_seeds"],
        hops=scaffold["hops"],
    )
    titles = {c.slug: c.title for c in corpus}
    wording = boilerplate({q.prompt: [titles[s] for s in q.class_slugs] for q in asked}, FRAMES)
    versions = [*(Asked(q, "original") for q in asked), *_rewritten(asked, rewrites)]
    texts = tuple(dict.fromkeys(a.question.retrieval_text for a in versions))
    plan = Plan(texts, corpus, EmbedderSpec(**encoder))
    by_key = hits_by_key(rows(hits, HITS))
    semantic = frozen_hits(by_key, plan.keys("definition"), str(hits))
    by_title = frozen_hits(by_key, plan.keys("title"), str(hits))
    half = halves(asked, seed)
    before = preamble.read_text(encoding="utf-8").strip()
    shown: list[dict[str, Any]] = []
    seen: list[dict[str, Any]] = []
    for a in versions:
        text = a.question.retrieval_text
        found = retrieve(a, engine, semantic[text], by_title[text])
        shown += exposure_rows(a, found, engine, before)
        seen.append(signal_row(a, found, engine, wording, half[a.question.id]))
    write(exposure, shown, ARM_EXPOSURE, made)
    write(signals, seen, SIGNALS, made)


def _rewritten(asked: list[Question], rewrites: Path) -> list[Asked]:
    by_id = {q.id: q for q in asked}
    return [
        Asked.rewritten(by_id[r["question_id"]], r["text"], r["how"])
        for r in rows(rewrites, STRESS_REWRITES)
        if r["text"] is not None
    ]


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
