"""Has one judge grade the answers of a judged study's part: from its frozen calls, or live.

Settings: spec (the judge), study, part, answer_cap, seed, mode, live.
Inputs: references, completions (of every model), grade and span (rubric files), frozen (calls and
their SHA256SUMS, or nothing).
Outputs: judgements, calls.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.arms.grading import grade_cases
from copyceiling.arms.settings import command
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, REFERENCES
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.calibration.reference import reference_lookup
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
    references: Path,
    completions: Sequence[Path],
    grade: Path,
    span: Path,
    frozen: Any,
    judgements: Path,
    calls: Path,
    spec: Any,
    study: str,
    part: str,
    answer_cap: int | None,
    seed: int,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    judge = spec_of(spec)
    check_judge(judge)
    answers = [row for path in completions for row in rows(path, ARM_COMPLETIONS)]
    cases = grade_cases(rows(references, REFERENCES), answers)
    if judge.is_reference:
        lookup = reference_lookup(judge)
    else:
        ask = partial(_ask, judge, live) if mode == "live" else None
        lookup = lookup_of(read_frozen(frozen, read_judge_calls), judge, study, command(part), ask)
    session = Session(judge, load_rubric(span, "span"), seed, lookup, answer_cap=answer_cap)
    session.judge(cases, load_rubric(grade, "grade"), DEFAULT_FORM)
    write(judgements, session.judgements, JUDGEMENTS, made)
    write(calls, session.calls, JUDGE_CALLS, made)


def _ask(judge: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(judge, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
