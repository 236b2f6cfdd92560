"""Verdicts of the judged studies: blind to arm and model, asked once, never a default score."""

import json
from typing import Any

import pytest
from copyceiling.arms.grading import grade_cases, grade_rows, is_gradable, unit_id
from copyceiling.artefacts.judged_schemas import GRADES
from copyceiling.artefacts.judging_schemas import JUDGEMENTS
from copyceiling.artefacts.store import to_table
from copyceiling.cohorts import POOLED, build_cohorts
from copyceiling.errors import CopyCeilingError
from copyceiling.flow import flow_rows
from copyceiling.judging.harness import STATUSES
from copyceiling.judging.session import Session
from copyceiling.paired import AS_FAILURE, COMPLETE_CASE, pair_scores
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.arms.made import Rows, completed, plan
from tests.judging.made import RUBRICS, SEED, Script, judge_spec
from tests.judging.test_replies import HOSTILE_GRADES

PROMPTS, REFERENCES = plan(2)
GOOD = '{"score": 4, "reason": "a point is missing"}'


def judged(completions: Rows, *plays: Any) -> tuple[Rows, Script]:
    """Return the grades of one judge that plays a script, and the script."""
    script = Script(*plays)
    session = Session(judge_spec(), RUBRICS["span"], SEED, script)
    session.judge(grade_cases(REFERENCES, completions), RUBRICS["grade"], "ours")
    to_table(session.judgements, JUDGEMENTS)
    found = grade_rows(completions, {"played": session.judgements}, "ours")
    to_table(found, GRADES)
    return found, script


def own(call: Any) -> str:
    """Answer each call with a text of its own."""
    return f"answer {call.key}"


def test_equal_answers_to_a_question_are_judged_once() -> None:
    found, script = judged(completed(PROMPTS, lambda _: "The same."), GOOD)
    assert len(found) == len(PROMPTS) and len(script.calls) == len(REFERENCES)
    assert {row["score"] for row in found} == {4}
    # Two questions of the general kind have the same prompt in both arms, so one call and answer.
    _, script = judged(completed(PROMPTS, own), GOOD)
    assert len(script.calls) == len({(r["question_id"], r["user"], r["system"]) for r in PROMPTS})


def test_a_judge_is_blind_to_arm_model_and_cohort() -> None:
    completions = completed(PROMPTS, own)
    _, script = judged(completions, GOOD)
    shown = "\n".join(m.content for call in script.calls for m in call.messages)
    for word in ("served", "harness", "played", "production"):
        assert word not in shown, word
    other = [{**row, "arm": "other", "model": "another"} for row in completions]
    assert [*map(unit_id, completions)] == [*map(unit_id, other)], "nor does the code tell"


@pytest.mark.parametrize("text", HOSTILE_GRADES.values(), ids=HOSTILE_GRADES)
def test_a_hostile_reply_is_no_score(text: str) -> None:
    found, _ = judged(completed(PROMPTS, own), text)
    assert {row["status"] for row in found} <= {"unparsed", "empty"}
    assert {row["score"] for row in found} == {None}


@pytest.mark.parametrize(
    ("play", "status"),
    [
        ((GOOD, {"finish": "length"}), "truncated"),
        ((GOOD, {"refused": True}), "refused"),
        ((GOOD, {"finish": "error", "error": "e"}), "error"),
    ],
)
def test_a_judging_that_failed_takes_its_pair_out_and_fails_no_answer(
    play: Any, status: str
) -> None:
    completions = completed(PROMPTS, own)
    found, _ = judged(completions, play)
    assert {(row["status"], row["score"]) for row in found} == {(status, None)}
    answers = [{**row, "attempted": True, "n_chars": len(row["answer"])} for row in completions]
    for cohort in build_cohorts(answers, found):
        for policy in (COMPLETE_CASE, AS_FAILURE):
            pairs = pair_scores(cohort, cohort.cells, *cohort.family.contrasts[0], policy)
            assert not pairs.units and not pairs.n_failed and not pairs.n_unknown


def test_how_judging_ended_and_what_the_cap_cut_reach_the_flow() -> None:
    """In the form that counts: the cap of another form cuts no answer of this one."""
    long = ["word " * 2000, "short"]
    for form, cut in (("ours", 0), ("capped", 1)):
        completions = completed(PROMPTS, lambda call: long[call.key < "8"])
        session = Session(judge_spec(), RUBRICS["span"], SEED, Script((GOOD, {"finish": "length"})))
        session.judge(grade_cases(REFERENCES, completions), RUBRICS["grade"], form)
        grades = grade_rows(completions, {"played": session.judgements}, form)
        to_table(grades, GRADES)
        n_long = sum(len(row["answer"]) > 100 for row in completions)
        assert 0 < n_long < len(completions)
        assert [row["cut"] for row in grades] == [
            bool(cut) and len(row["answer"]) > 100 for row in completions
        ]
        flow = [r for r in flow_rows(build_cohorts([], grades)) if r["set"] == POOLED]
        assert sum(r["judge_cut"] for r in flow) == cut * n_long
        assert sum(r["judge_truncated"] for r in flow) == len(completions)
        assert {r["graded"] for r in flow} == {0}


def test_answers_without_text_are_absent_and_fail_only_where_that_is_asked_for() -> None:
    """Empty, and cut before any text came; a blind judge is never shown them."""
    texts = iter(["", None, " \n", *["text"] * 20])
    completions = completed(PROMPTS, lambda _: next(texts))
    found, script = judged(completions, GOOD)
    lacking = [row for row in found if row["status"] == "absent"]
    # The third arm's call came first in its question, whichever it is: three cells or more.
    assert len(lacking) >= 3 and {row["score"] for row in lacking} == {None}
    assert all("text" in call.messages[-1].content for call in script.calls)
    answers = [
        {**row, "attempted": True, "n_chars": len(row["answer"].strip())} for row in completions
    ]
    (general, production) = build_cohorts(answers, found)
    pairs = pair_scores(production, production.cells, "served", "raw", AS_FAILURE)
    assert pairs.n_failed and (0 in [s for both in pairs.scores for s in both])
    complete = pair_scores(production, production.cells, "served", "raw", COMPLETE_CASE)
    assert len(complete.units) < len(pairs.units)
    assert all(0 not in both for both in complete.scores) and general.name == "general"


@settings_of(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_whatever_is_answered_and_replied_ends_in_one_status(text: str) -> None:
    completions = completed(PROMPTS, lambda _: text)
    found, _ = judged(completions, json.dumps({"score": 5, "reason": "r"}), text)
    assert {row["status"] for row in found} <= {*STATUSES, "absent"}
    for row, completion in zip(found, completions, strict=True):
        assert (row["score"] is not None) == (row["status"] == "graded")
        assert is_gradable(completion) or row["status"] == "absent"


def test_what_is_missing_is_named() -> None:
    completions = completed(PROMPTS, own)
    with pytest.raises(
        CopyCeilingError, match=f"no reference:\n  - .*{REFERENCES[0]['question_id']}"
    ):
        grade_cases(REFERENCES[1:], completions)
    session = Session(judge_spec(), RUBRICS["span"], SEED, Script(GOOD))
    session.judge(grade_cases(REFERENCES, completions)[1:], RUBRICS["grade"], "ours")
    with pytest.raises(CopyCeilingError, match=r"(?s)answer\(s\) have no verdict.*played: "):
        grade_rows(completions, {"played": session.judgements}, "ours")
