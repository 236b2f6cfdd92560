"""Verdicts and judges' calls as artefact rows, and back.

Source: DESIGN sections 3 and 5.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.store import rows
from copyceiling.judging.asking import Asked
from copyceiling.judging.forms import Form
from copyceiling.judging.gate import Gate
from copyceiling.judging.harness import Judgement
from copyceiling.judging.prompts import clean
from copyceiling.judging.replies import Grade
from copyceiling.judging.rubrics import Rubric
from copyceiling.requests import Outcome
from copyceiling.rows.completions import outcome_of

Row = dict[str, Any]


def judgement_row(
    judgement: Judgement, gated: Gate | None, *, judge: str, rubric: Rubric, form: Form
) -> Row:
    """Return a judgement as a row of `JUDGEMENTS`."""
    heard, prompt = judgement.heard, judgement.prompt
    asked = [*heard.asked, *(gated.asked if gated else ())]
    return {
        "judge": judge,
        "rubric": rubric.kind,
        "rubric_version": rubric.version,
        "rubric_sha256": rubric.sha256,
        "form": form.name,
        "unit_id": judgement.case.unit.id,
        "order": judgement.case.order,
        "repeat": judgement.case.repeat,
        "key": heard.asked[-1].call.key,
        "status": heard.status,
        **_said(heard.value),
        "fault": heard.fault,
        "repair": heard.repair,
        "reasked": heard.reasked,
        **_gated(gated),
        "n_chars": len(clean(judgement.case.unit.answer)),
        # A space was put into each broken token, and is no character of the answer.
        "shown_chars": len(prompt.answer) - prompt.n_broken,
        "cut": prompt.cut,
        "n_broken": prompt.n_broken,
        "n_calls": len(asked),
        **{name: _sum(asked, name) for name in ("prompt_tokens", "completion_tokens", "cost_usd")},
    }


def _said(value: Any) -> Row:
    names = ("label", "score", "role", "confidence", "quote", "reason")
    return {name: getattr(value, name, None) for name in names}


def _gated(gated: Gate | None) -> Row:
    stands = gated.standing if gated else None
    return {
        "gate": gated.result if gated else None,
        "conceded": gated.conceded if gated else None,
        "span": gated.span if gated else None,
        "verbatim": stands.verbatim if stands else None,
        "normalised": stands.normalised if stands else None,
        "gate_fault": gated.fault if gated else None,
    }


def _sum(asked: Iterable[Asked], name: str) -> Any:
    values = [getattr(a.outcome, name) for a in asked]
    return None if None in values else sum(values)


def call_rows(
    found: Iterable[tuple[Judgement, Gate | None]], *, judge: str, rubric: Rubric
) -> list[Row]:
    """Return every distinct call as a row of `JUDGE_CALLS`, in order of first asking."""
    out: dict[str, Row] = {}
    for judgement, gated in found:
        for asked in (*judgement.heard.asked, *(gated.asked if gated else ())):
            o = asked.outcome
            outcome = {name: getattr(o, name) for name in Outcome.__dataclass_fields__}
            row = {
                **outcome,
                "answer": clean(o.answer),
                "judge": judge,
                "rubric": rubric.kind,
                "unit_id": judgement.case.unit.id,
                "purpose": asked.purpose,
                "repeat": asked.call.repeat,
                "budget": asked.call.max_tokens,
            }
            out.setdefault(o.key, row)
    return list(out.values())


def read_judge_calls(path: Path) -> dict[str, Outcome]:
    """Read a judge's frozen calls by key."""
    return {r["key"]: outcome_of(r) for r in rows(path, JUDGE_CALLS)}


def grade_row(judgement: Judgement, *, judge: str, cell: Mapping[str, str]) -> Row:
    """Return a grade as a row of `judged_schemas.GRADES`.

    Args:
        judgement: Of a rubric of kind ``grade``.
        judge: Label of the judge.
        cell: The columns cohort, set, question_id, arm and model.
    """
    heard = judgement.heard
    score = heard.value.score if isinstance(heard.value, Grade) else None
    cut = judgement.prompt.cut
    return {**cell, "judge": judge, "status": heard.status, "score": score, "cut": cut}


def verdict_row(row: Mapping[str, Any], unit: Mapping[str, Any]) -> Row:
    """Return a judgement as a row of `judged_schemas.VERDICTS`.

    A unit without a label has the gate ``not_needed``: there is no quote to check.

    Args:
        row: Row of `JUDGEMENTS` under the rubric of six labels.
        unit: The columns that say which unit (part, unit_id, model, question_id, item_index,
            gold_slug, gold_title, category, template, gold_type).
    """
    same = ("judge", "form", "rubric_sha256", "status", "label", "role", "confidence")
    return {
        **unit,
        **{name: row[name] for name in same},
        "quoted": None if row["quote"] is None else bool(row["quote"]),
        "repaired_reply": row["reasked"] or row["repair"] is not None,
        "gate": row["gate"] or "not_needed",
        "verbatim": row["verbatim"],
        "normalised": row["normalised"],
    }
