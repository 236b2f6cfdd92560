"""Has one judge judge the calibration items: from its frozen calls, or live ones.

Settings: spec (the judge), relations and kinds (how the study's relations are said, for judges that
are rules), study, forms, answer_cap, repeats, subset (items a construct), seed, mode, live.
Inputs: answers (the items), relation, grade and span (rubric files), frozen (calls and their
SHA256SUMS, or nothing).
Outputs: judgements, calls.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judging_schemas import CALIBRATION_ITEMS, JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.plan import LIVE, cases_of
from copyceiling.calibration.reference import reference_lookup
from copyceiling.calibration.relations import relations_of
from copyceiling.completions import lookup_of
from copyceiling.jobs import run
from copyceiling.judging.asking import check_judge
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.rubrics import load_rubric
from copyceiling.judging.session import Session
from copyceiling.models import ModelSpec, spec_of
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_frozen


def main(
    *,
    answers: Path,
    relation: Path,
    grade: Path,
    span: Path,
    frozen: Any,
    judgements: Path,
    calls: Path,
    spec: Any,
    relations: Any,
    kinds: Sequence[str],
    study: str,
    forms: Sequence[str],
    answer_cap: int | None,
    repeats: int,
    subset: int | None,
    seed: int,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    judge = spec_of(spec)
    check_judge(judge)
    found = rows(answers, CALIBRATION_ITEMS)
    if judge.is_reference:
        known = relations_of(kinds, relations)
        lookup = reference_lookup(judge, [*known.values()])
    else:
        ask = partial(_ask, judge, live) if mode == "live" else None
        lookup = lookup_of(read_frozen(frozen, read_judge_calls), judge, study, LIVE, ask)
    session = Session(judge, load_rubric(span, "span"), seed, lookup, answer_cap=answer_cap)
    for rubric in (load_rubric(relation, "relation"), load_rubric(grade, "grade")):
        of_kind = [row for row in found if row["rubric"] == rubric.kind]
        for form in forms:
            session.judge(cases_of(of_kind, repeats, subset), rubric, form)
    write(judgements, session.judgements, JUDGEMENTS, made)
    write(calls, session.calls, JUDGE_CALLS, made)


def _ask(judge: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(judge, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
