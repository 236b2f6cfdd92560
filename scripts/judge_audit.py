"""Has one judge label the audited units: from its frozen calls, or live ones.

Settings: spec (the judge), study, forms, answer_cap, seed, mode, live.
Inputs: units (what is shown), hints (the sample, where a form shows what the matcher credits),
relation and span (rubric files), frozen (calls and their SHA256SUMS, or nothing).
Outputs: judgements, calls.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_unit_schemas import AUDIT_SAMPLE, AUDIT_UNITS
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.settings import LIVE
from copyceiling.audit.units import judge_units
from copyceiling.calibration.reference import reference_lookup
from copyceiling.completions import lookup_of
from copyceiling.jobs import run
from copyceiling.judging.asking import check_judge
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import Case
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.rubrics import load_rubric
from copyceiling.judging.session import Session
from copyceiling.models import ModelSpec, spec_of
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_frozen


def main(
    *,
    units: Path,
    hints: Any,
    relation: Path,
    span: Path,
    frozen: Any,
    judgements: Path,
    calls: Path,
    spec: Any,
    study: str,
    forms: Sequence[str],
    answer_cap: int | None,
    seed: int,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    judge = spec_of(spec)
    check_judge(judge)
    shown = rows(units, AUDIT_UNITS)
    credited = {r["code"]: r["credited"] for r in rows(hints, AUDIT_SAMPLE)} if hints else None
    if judge.is_reference:
        lookup = reference_lookup(judge)
    else:
        ask = partial(_ask, judge, live) if mode == "live" else None
        lookup = lookup_of(read_frozen(frozen, read_judge_calls), judge, study, LIVE, ask)
    session = Session(judge, load_rubric(span, "span"), seed, lookup, answer_cap=answer_cap)
    rubric = load_rubric(relation, "relation")
    for form in forms:
        seen = judge_units(shown, credited if FORMS[form].matcher_hint else None)
        session.judge([Case(unit) for unit in seen], rubric, form)
    write(judgements, session.judgements, JUDGEMENTS, made)
    write(calls, session.calls, JUDGE_CALLS, made)


def _ask(judge: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(judge, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
