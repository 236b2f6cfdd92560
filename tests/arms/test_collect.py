"""Answers, recall and the check of prompt tokens, against their definitions and an oracle."""

from typing import Any

import pytest
from copyceiling.arms.collect import answer_rows, recall_rows
from copyceiling.arms.injection import check_injection
from copyceiling.arms.recall import recall_study_rows
from copyceiling.artefacts.arm_schemas import ARM_RECALL, RECALL_STUDY
from copyceiling.artefacts.judged_schemas import ANSWERS
from copyceiling.artefacts.store import to_table
from copyceiling.errors import CopyCeilingError
from copyceiling.matching import Text, match_all
from copyceiling.requests import Call
from copyceiling.scoring import Gold, score_cell
from copyceiling.sweep import Settings
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.arms.made import QUESTIONS, Rows, completed, plan

PROMPTS, REFERENCES = plan(3)
SETTINGS = Settings(seed=7, resamples=100, level=0.95)


def echo(call: Call) -> str:
    """Answer with all that was shown, as the copy reader does."""
    return " ".join(m.content for m in call.messages)


def test_answers_carry_the_end_and_what_was_served() -> None:
    found = answer_rows(PROMPTS, completed(PROMPTS, lambda _: "", 10, 20))
    to_table(found, ANSWERS)
    assert {(r["status"], r["budget"], r["rerun"], r["n_chars"]) for r in found} == {
        ("empty", 20, True, 0)
    }
    served = next(r for r in found if r["arm"] == "served")
    assert served["engaged"] and served["path"] == "LexicalHit" and served["seeds"]
    assert served["generation"] == "bakery@1" and served["class_count"] > 0
    raw = next(r for r in found if r["arm"] == "raw")
    assert (raw["engaged"], raw["path"], raw["injected_tokens"]) == (False, None, 0)


def test_answers_say_which_prompts_are_the_same() -> None:
    """The general questions without a block: the question alone, as the bare arm is asked it."""
    found = {
        (r["cohort"], r["set"], r["question_id"], r["arm"]): r["prompt_sha256"]
        for r in answer_rows(PROMPTS, completed(PROMPTS, echo))
    }
    shown = {
        (r["cohort"], r["set"], r["question_id"], r["arm"]): (r["system"], r["user"])
        for r in PROMPTS
    }
    assert {(found[a] == found[b]) == (shown[a] == shown[b]) for a in shown for b in shown} == {
        True
    }
    assert 1 < len({*found.values()}) < len(found)


def test_cells_that_do_not_fit_the_plan_are_named() -> None:
    completions = completed(PROMPTS, echo)
    with pytest.raises(CopyCeilingError, match=r"1 cell\(s\):\n  - planned, not ended: .*/raw of"):
        answer_rows(PROMPTS, [r for r in completions if r is not _raw(completions)])
    with pytest.raises(CopyCeilingError, match="ended, not planned"):
        answer_rows(PROMPTS[1:], completions)
    with pytest.raises(CopyCeilingError, match="do not fit the plan"):
        answer_rows(PROMPTS, [])


def _raw(rows: Rows) -> dict[str, Any]:
    return next(r for r in rows if r["arm"] == "raw")


TITLES = sorted({title for row in REFERENCES for title in row["gold"]})


@settings_of(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([*TITLES, "no such thing"]), max_size=4))
def test_recall_is_the_sweeps_own_scorer(named: list[str]) -> None:
    """Oracle: `score_cell`, on the exposure of the same visible input."""
    completions = completed(PROMPTS, lambda _: "; ".join(named))
    found = recall_rows(PROMPTS, REFERENCES, completions)
    to_table(found, ARM_RECALL)
    by_id = {q.id: q for q in QUESTIONS}
    assert {r["question_id"] for r in found} == {r["question_id"] for r in REFERENCES if r["gold"]}
    for row in found:
        gold = Gold.of(by_id[row["question_id"]])
        prompt = next(p for p in PROMPTS if all(p[k] == row[k] for k in ("question_id", "arm")))
        shown = " ".join(filter(None, (prompt["system"], prompt["user"])))
        exposure = [
            {m: match.by(m) for m in ("paper", "strict")}
            for match in match_all(gold.titles, Text.of(shown))
        ]
        cell = {"model": "m", "arm": row["arm"], "status": "ok", "tries": 1}
        want = score_cell(gold, exposure, {**cell, "answer": "; ".join(named)}).scores
        (right,) = (w for w in want if w["matcher"] == row["matcher"])
        names = ("n_gold", "n_exposed", "n_hits", "n11", "n10", "n01", "n00", "recall_num",
                 "recall_den", "ceiling_num", "ceiling_den", "template", "gold_type")  # fmt: skip
        assert {n: row[n] for n in names} == {n: right[n] for n in names}


def study(completions: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    found = recall_study_rows(recall_rows(PROMPTS, REFERENCES, completions), SETTINGS)
    to_table(found, RECALL_STUDY)
    return {(r["matcher"], r["policy"], r["scope"], r["arm"]): r for r in found}


def test_a_copy_of_the_input_has_no_gain_in_any_arm() -> None:
    for row in study(completed(PROMPTS, echo)).values():
        # The gain of all questions is alike, so no resample tells how it could vary.
        assert row["gain"] == 0.0 and row["gain_low"] is row["gain_high"] is None
        assert row["recall"] == row["ceiling"]
        assert (row["n10"], row["n01"]) in ((0, 0), (None, None))


def test_recall_policies_by_hand() -> None:
    """One raw answer is empty: as_wrong scores it 0, as does as_received; its pair may go."""
    first = next(p for p in PROMPTS if p["arm"] == "raw")
    found = study(
        completed(PROMPTS, lambda c: "" if c.messages[0].content == first["user"] else echo(c))
    )
    scope = "pooled" if ("paper", "as_received", "pooled", "raw") in found else first["set"]
    received, wrong, complete = (
        found["paper", policy, scope, "served"]
        for policy in ("as_received", "as_wrong", "complete_case")
    )
    assert (received["n"], wrong["n"], complete["n"]) == (3, 3, 2)
    assert received["diff"] == received["recall"] - found[
        "paper", "as_received", scope, "raw"
    ]["recall"]  # fmt: skip
    assert found["paper", "as_received", scope, "raw"]["n_not_ok"] == 1
    assert found["paper", "as_received", scope, "raw"]["diff"] is None
    assert found["paper", "as_received", scope, "raw"]["n_paired"] is None


def tokens(change: dict[str, float], factor: float = 0.25) -> tuple[Rows, Rows]:
    """Return long prompts and completions whose tokens follow their letters, but for some arms."""
    prompts = [{**p, "block": p["block"] * 9, "system": p["system"] and p["system"] * 9}
               for p in PROMPTS if p["cohort"] == "production"]  # fmt: skip
    completions = completed(prompts, lambda _: "x")
    for row, prompt in zip(completions, prompts, strict=True):
        system, user = len(prompt["system"] or ""), len(prompt["user"])
        extra = change.get(f"{row['question_id']}/{row['arm']}", change.get(row["arm"], 0))
        row["prompt_tokens"] = int((system * (1 + extra) + user) * factor) + 35
        if row["arm"] == "raw":
            row["prompt_tokens"] += int(extra * 1000)
    return prompts, completions


@pytest.mark.parametrize("factor", [0.17, 0.25, 0.28])
def test_blocks_shown_once_pass(factor: float) -> None:
    prompts, completions = tokens({}, factor)
    assert check_injection(prompts, completions) == 3
    unknown = [{**row, "prompt_tokens": None} for row in completions]
    assert check_injection(prompts, unknown) == 0, "no tokens counted, nothing said"


ONE = f"{QUESTIONS[1].id}/served"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"served": 1}, "median.*shown more than once"),
        ({"served": -0.9}, "median.*not shown whole"),
        ({ONE: 1}, f"{QUESTIONS[1].id}.*shown more than once"),
        ({ONE: -1}, f"{QUESTIONS[1].id}.*not shown whole"),
        ({"raw": 1}, "arm raw.*more was shown than was sent"),
    ],
)
def test_blocks_shown_twice_or_not_at_all_are_refused(change: dict[str, float], said: str) -> None:
    """STUDIES section 4, fact 4: only the prompt tokens show that one block was sent."""
    with pytest.raises(CopyCeilingError, match=said):
        check_injection(*tokens(change))


def test_gold_counts_do_not_hang_on_the_order_of_questions() -> None:
    completions = completed(PROMPTS, echo)
    backwards = recall_rows(PROMPTS[::-1], REFERENCES[::-1], completions)
    assert backwards == recall_rows(PROMPTS, REFERENCES, completions)
