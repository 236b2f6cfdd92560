"""Rewrites and attempts as artefact rows, and their counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.questions import Question
from copyceiling.stress.gate import KINDS
from copyceiling.stress.rewriting import ENDINGS, Rewrite

_GOLD = ("gold_verbatim", "gold_words")
Row = Mapping[str, Any]


def rewrite_row(rewrite: Rewrite, rewriter: str) -> dict[str, Any]:
    """Return how one question ended, as a row of `STRESS_REWRITES`."""
    tried = [a for a in rewrite.attempts if a.text.strip()]
    return {
        "question_id": rewrite.task.question.id,
        "rewriter": rewriter,
        "ending": rewrite.ending,
        "text": rewrite.text,
        "how": rewrite.attempts[-1].how if rewrite.text else None,
        "n_attempts": len(tried),
        "banned": list(rewrite.task.banned),
        "error": rewrite.error,
    }


def attempt_rows(rewrite: Rewrite) -> list[dict[str, Any]]:
    """Return every attempt at one question, as rows of `STRESS_ATTEMPTS`."""
    return [
        {
            "question_id": rewrite.task.question.id,
            "attempt": a.number,
            "text": a.text,
            "how": a.how,
            "words_ok": not any(r.kind == "title_word" for r in a.reasons),
            "gold_ok": not any(r.kind in _GOLD for r in a.reasons),
            "verdict": a.verdict,
            "reasons": [str(r) for r in a.reasons],
        }
        for a in rewrite.attempts
    ]


def rewriting_rows(
    rewrites: Sequence[Row], attempts: Sequence[Row], questions: Sequence[Question]
) -> list[dict[str, Any]]:
    """Return the rows of `REWRITING`: endings, attempts, reasons, templates and ways."""
    (rewriter,) = {r["rewriter"] for r in rewrites} or {""}
    template = {q.id: q.template for q in questions}
    accepted = [r for r in rewrites if r["ending"] == "accepted"]
    kinds = ({r.partition(":")[0] for r in a["reasons"]} for a in attempts)
    reasons = Counter(kind for found in kinds for kind in found)
    of_template = Counter(template[r["question_id"]] for r in rewrites)
    by_template = Counter(template[r["question_id"]] for r in accepted)
    counted: list[tuple[str, Mapping[str, int], Mapping[str, int] | int]] = [
        ("ending", _counts(ENDINGS, (r["ending"] for r in rewrites)), len(rewrites)),
        ("attempts", Counter(str(r["n_attempts"]) for r in rewrites), len(rewrites)),
        ("reason", {kind: reasons[kind] for kind in KINDS}, len(attempts)),
        ("template", {name: by_template[name] for name in of_template}, of_template),
        ("how", Counter(r["how"] for r in accepted), len(accepted)),
    ]
    return [
        {
            "rewriter": rewriter,
            "measure": measure,
            "value": value,
            "count": count,
            "of": of if isinstance(of, int) else of[value],
        }
        for measure, found, of in counted
        for value, count in sorted(found.items())
    ]


def _counts(values: Sequence[str], found: Any) -> dict[str, int]:
    counted = Counter(found)
    return {value: counted[value] for value in values}
