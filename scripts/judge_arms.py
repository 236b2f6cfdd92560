"""Has one judge grade the answers of a judged study's part: replays its frozen calls, or asks.

Settings: spec (the judge), study, part, answer_cap, seed, mode, live.
Inputs: references, completions (of every model), grade and span (rubric files), frozen (calls and
their SHA256SUMS, or nothing).
Outputs: judgements, calls.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.grading import grade_cases
from copyceiling.arms.settings import command
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, REFERENCES
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.calibration.reference import reference_lookup
from copyceiling.completions import Lookup, replay_lookup
from copyceiling.jobs import run
from copyceiling.judging.asking import check_judge
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.rubrics import load_rubric
from copyceiling.judging.session import Session
from copyceiling.models import ModelSpec, spec_of


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
    lookup = _lookup(judge, frozen, study, part, mode, live)
    session = Session(judge, load_rubric(span, "span"), seed, lookup, answer_cap=answer_cap)
    session.judge(cases, load_rubric(grade, "grade"), DEFAULT_FORM)
    write(judgements, session.judgements, JUDGEMENTS, made)
    write(calls, session.calls, JUDGE_CALLS, made)


def _lookup(judge: ModelSpec, frozen: Any, study: str, part: str, mode: str, live: Any) -> Lookup:
    if judge.is_reference:
        return reference_lookup(judge)
    if mode == "live":
        # Imported here alone: a replay must not load LiteLLM, nor need it installed.
        from copyceiling.live.client import live_lookup

        return live_lookup(judge, live)
    if not frozen:
        return replay_lookup({}, judge, study, command(part))
    calls, sums = frozen
    check_frozen([calls], sums)
    return replay_lookup(read_judge_calls(calls), judge, study, command(part))


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
