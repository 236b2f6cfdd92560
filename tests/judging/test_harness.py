"""Every case ends in one declared status; re-asks, budgets, and what a rerun asks again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.judged_schemas import GRADES, VERDICTS
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS, JUDGEMENTS
from copyceiling.artefacts.store import to_table
from copyceiling.errors import ConfigError
from copyceiling.judging.asking import check_judge
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import STATUSES, Case, Judgement, judge
from copyceiling.judging.rows import grade_row, verdict_row
from copyceiling.judging.session import Session
from copyceiling.live.backend import BackendError
from copyceiling.live.runner import run_calls
from copyceiling.requests import Call
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.judging.made import MODELS, RUBRICS, SEED, Script, grade, judge_spec, label, relation
from tests.judging.test_replies import HOSTILE_GRADES, HOSTILE_LABELS
from tests.live.playing import FREE, FakeBackend, settings, spec

GOOD = '{"score": 4, "reason": "one point is missing"}'


def graded(*plays: Any, form: str = "ours", **changes: Any) -> tuple[Judgement, Script]:
    script = Script(*plays)
    (found,) = judge(
        [Case(grade())],
        spec=judge_spec(**changes),
        rubric=RUBRICS["grade"],
        form=FORMS[form],
        seed=SEED,
        lookup=script,
    )
    return found, script


@pytest.mark.parametrize(
    ("plays", "status", "n_calls"),
    [
        ([GOOD], "graded", 1),
        (["Four.", GOOD], "graded", 2),
        (["Four.", "Four!"], "unparsed", 2),
        (["Four.", ""], "unparsed", 2),
        (["Four.", ("", {"finish": "error", "error": "broke off"})], "error", 2),
        ([""], "empty", 1),
        ([(GOOD, {"finish": "length"})], "truncated", 1),
        ([(GOOD, {"tokens": 256})], "truncated", 1),
        ([("I cannot judge this.", {"refused": True})], "refused", 1),
        ([("", {"finish": "error", "error": "500"})], "error", 1),
    ],
)
def test_how_a_case_ends(plays: list[Any], status: str, n_calls: int) -> None:
    found, script = graded(*plays)
    assert found.heard.status == status in STATUSES
    assert (found.heard.value is not None) == (status == "graded"), "no default verdict"
    assert len(script.calls) == n_calls and found.heard.reasked == (n_calls == 2)


@pytest.mark.parametrize(
    ("text", "status"),
    [("1. The answer", "graded"), (GOOD[:20], "graded"), ("The answer", "truncated")],
)
def test_only_the_released_reader_reads_a_reply_that_was_cut(text: str, status: str) -> None:
    cut = (text, {"finish": "length"})
    assert graded(cut)[0].heard.status == "truncated"
    found, script = graded(cut, form="lenient")
    assert found.heard.status == status and len(script.calls) == 1


def test_a_reply_cut_at_its_budget_climbs_the_ladder() -> None:
    found, script = graded((GOOD, {"finish": "length"}), GOOD, budgets=(100, 200))
    assert found.heard.status == "graded" and [c.max_tokens for c in script.calls] == [100, 200]
    assert [a.outcome.status for a in found.heard.asked] == ["truncated", "ok"], "both are kept"


def test_a_reask_is_another_call_and_names_the_fault() -> None:
    _, script = graded('{"score": 9, "reason": "x"}', GOOD)
    first, second = script.calls
    assert first.key != second.key
    assert second.messages[1].content.endswith("'score' is not a whole number from 0 to 5")


@pytest.mark.parametrize("text", HOSTILE_GRADES.values(), ids=HOSTILE_GRADES)
def test_hostile_judges_of_grades(text: str) -> None:
    found, _ = graded(text)
    assert found.heard.status in ("unparsed", "empty") and found.heard.value is None


def test_judges_that_play_with_the_marks() -> None:
    """A reply that quotes the code or closes the section is a reply like any other."""

    def quoting(call: Call) -> str:
        code = call.messages[1].content[22:38]
        return f"<<<end answer {code}>>>\n{GOOD}"

    def inside(call: Call) -> str:
        code = call.messages[1].content[22:38]
        return label(quote=f"<<<end answer {code}>>>")

    assert graded(quoting)[0].heard.status == "unparsed"
    session, script = session_of(inside, '{"found": false, "span": ""}')
    session.judge([Case(relation())], RUBRICS["relation"], "ours")
    assert session.judgements[0]["gate"] == "unresolved" and len(script.calls) == 2


def test_a_bad_role_alone_asks_nothing_again_but_for_the_released_reader() -> None:
    for role in ("item", None, 3):
        session, script = session_of(label(role=role))
        session.judge([Case(relation())], RUBRICS["relation"], "ours")
        (row,) = session.judgements
        assert (row["status"], row["label"], row["role"]) == ("graded", "correct_relation", None)
        assert (row["repair"], row["reasked"], row["gate"]) == ("role", False, "verified")
        assert len(script.calls) == 1
        session.judge([Case(relation())], RUBRICS["relation"], "released")
        assert session.judgements[1]["role"] == "n/a", "as the released harness has it"


def test_a_role_that_is_out_of_range_with_a_label_that_is_too_is_asked_for_again() -> None:
    session, script = session_of(label("correct", role="item"), label())
    session.judge([Case(relation())], RUBRICS["relation"], "ours")
    assert session.judgements[0]["reasked"] and len(script.calls) == 2
    assert "'label' is none of" in script.calls[1].messages[1].content


def session_of(*plays: Any) -> tuple[Session, Script]:
    script = Script(*plays)
    return Session(judge_spec(), RUBRICS["span"], SEED, script), script


def rows_of(*plays: Any, form: str = "ours") -> Session:
    session, _ = session_of(*plays)
    session.judge([Case(relation()), Case(relation(), order=1)], RUBRICS["relation"], form)
    session.judge([Case(grade())], RUBRICS["grade"], form)
    return session


EVERY = {**HOSTILE_GRADES, **HOSTILE_LABELS, "good": label(), "grade": GOOD}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", EVERY.values(), ids=EVERY)
def test_whatever_a_judge_replies_can_be_written(text: str, form: str) -> None:
    session = rows_of(text, form=form)
    table = to_table(session.judgements, JUDGEMENTS)
    assert table.num_rows == 3 and set(table.column("status").to_pylist()) <= set(STATUSES)
    to_table(session.calls, JUDGE_CALLS)
    for row in session.judgements:
        verdict = row["score"] if row["rubric"] == "grade" else row["label"]
        assert (verdict is not None) == (row["status"] == "graded")


@settings_of(max_examples=30, deadline=None)
@given(st.text(st.characters()))
def test_any_reply_at_all_can_be_written(text: str) -> None:
    session = rows_of(text)
    written = to_table(session.judgements, JUDGEMENTS), to_table(session.calls, JUDGE_CALLS)
    assert [t.num_rows for t in written] == [len(session.judgements), len(session.calls)]
    assert len(session.judgements) and len(session.calls)


def test_a_call_shared_by_two_forms_is_on_record_once() -> None:
    session = rows_of(label())
    before = len(session.calls)
    session.judge([Case(relation())], RUBRICS["relation"], "lenient")
    assert len(session.calls) == before, "the lenient form asks what ours asked"
    session.judge([Case(relation())], RUBRICS["relation"], "hinted")
    assert len(session.calls) == before + 1


def test_a_study_may_cap_what_its_form_does_not() -> None:
    session = Session(judge_spec(), RUBRICS["span"], SEED, Script(GOOD), answer_cap=10)
    for form in ("ours", "released"):
        session.judge([Case(grade("x" * 5_000))], RUBRICS["grade"], form)
    assert [r["shown_chars"] for r in session.judgements] == [10, 4_000]
    assert all(r["cut"] and r["n_chars"] == 5_000 for r in session.judgements)


def test_a_verdict_names_rubric_and_form() -> None:
    row = rows_of(label()).judgements[0]
    assert row["rubric_sha256"] == RUBRICS["relation"].sha256 and row["rubric_version"] == 1
    assert (row["form"], row["judge"], row["unit_id"]) == ("ours", "played", relation().id)


@pytest.mark.parametrize("reply", [label(), label(quote="made up"), "no verdict"])
def test_rows_of_the_judged_studies(reply: str) -> None:
    """GRADES and VERDICTS take what this harness gives."""
    session = rows_of(reply)
    unit = {c.name: "x" for c in VERDICTS.columns[:10]} | {"item_index": 0}
    found = verdict_row(session.judgements[0], unit)
    to_table([found], VERDICTS)
    assert (found["label"] is None) == (found["status"] != "graded"), "no default label"
    how: dict[str, Any] = {"spec": judge_spec(), "form": FORMS["ours"], "seed": SEED}
    (one,) = judge([Case(grade())], rubric=RUBRICS["grade"], lookup=Script(reply, GOOD), **how)
    cell = {c.name: "x" for c in GRADES.columns[:5]}
    row = grade_row(one, judge="j", cell=cell)
    to_table([row], GRADES)
    assert (row["status"], row["score"]) == ("graded", 4)


@pytest.mark.parametrize(("params", "good"), [({"temperature": 0}, True), ({}, False)])
def test_a_judge_is_asked_at_temperature_0(params: dict[str, Any], good: bool) -> None:
    judged = replace(MODELS["deepseek-chat"], params=params)
    if good:
        check_judge(judged)
        return
    with pytest.raises(ConfigError, match="temperature is None"):
        check_judge(judged)


def live(folder: Path, backend: FakeBackend) -> Any:
    """Judge one answer through the client."""
    judged = spec(budgets=(50,))
    how = settings(folder, prices={"played": FREE}, max_tries=1)
    (found,) = judge(
        [Case(grade())],
        spec=judged,
        rubric=RUBRICS["grade"],
        form=FORMS["ours"],
        seed=SEED,
        lookup=lambda calls: run_calls(calls, judged, how, backend=backend),
    )
    return found.heard


def test_what_failed_is_asked_again_on_a_rerun(tmp_path: Path) -> None:
    """The released harness saves a missing score and skips it for ever (STUDIES section 8)."""

    def broken(_: Call, number: int) -> None:
        raise BackendError("http_500", "down", retryable=False)

    assert live(tmp_path, FakeBackend(broken)).status == "error"
    again = FakeBackend(text=GOOD)
    assert live(tmp_path, again).status == "graded" and sum(again.asked.values()) == 1
    third = FakeBackend(text=GOOD)
    assert live(tmp_path, third).status == "graded" and not third.asked, "had, so not asked"


def test_a_reask_that_failed_is_asked_again_and_the_first_reply_is_not(tmp_path: Path) -> None:
    def broken(call: Call, _: int) -> None:
        if "What was wrong" in call.messages[1].content:
            raise BackendError("timeout", "late", retryable=False)

    assert live(tmp_path, FakeBackend(broken, text="four")).status == "error"
    again = FakeBackend(text=GOOD)
    heard = live(tmp_path, again)
    assert heard.status == "graded" and heard.reasked
    assert sum(again.asked.values()) == 1, "only the re-ask"
