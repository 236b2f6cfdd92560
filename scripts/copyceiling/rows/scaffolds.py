"""Scaffolds as artefact rows."""

from copyceiling.questions import Question
from copyceiling.requests import build_messages
from copyceiling.rows import Row
from copyceiling.scaffold import Scaffold, estimate_tokens


def scaffold_row(question: Question, scaffold: Scaffold, preamble: str) -> Row:
    """Return one question's scaffold as a row of `SCAFFOLDS`."""
    shown = build_messages(preamble, scaffold.block, question.prompt)
    injected = shown[0].content if scaffold.block else ""
    return {
        "question_id": question.id,
        "seeds": [{"slug": s.slug, "score": s.score} for s in scaffold.seeds],
        "block": scaffold.block,
        "block_sha256": scaffold.sha256,
        "injected_tokens": estimate_tokens(injected),
        "n_sections": scaffold.n_sections,
        "engaged": bool(scaffold.block),
        "preamble": preamble,
        "prompt": question.prompt,
    }
