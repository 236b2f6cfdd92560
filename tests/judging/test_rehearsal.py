"""What judging asks at least and at most holds whatever a judge says; exact once it spoke."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from copyceiling.calibration.estimate import calibration_asks
from copyceiling.calibration.items import item_rows
from copyceiling.calibration.plan import cases_of
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import Case
from copyceiling.judging.rehearsal import Sitting, Work
from copyceiling.judging.session import Session
from copyceiling.live.pricing import least_cost, worst_cost
from copyceiling.live.settings import Price
from copyceiling.models import ModelSpec
from copyceiling.rehearsal import Rehearsal
from copyceiling.requests import Call, Outcome
from copyceiling.stats import named_rng
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judging.made import (
    ANSWER,
    RUBRICS,
    SEED,
    bakery_items,
    grade,
    judge_spec,
    label,
    outcome,
    relation,
)

TOKEN = Price(1_000_000, 0)  # a cost in USD is then a count of prompt tokens
LABELS = ("correct_relation", "wrong_relation", "reversed", "name_only", "negated")
# Read by both readers, by the lenient one alone, by none; and of each kind of rubric.
REPLIES = (
    *(label(name) for name in (*LABELS, "absent")),
    *(label(name, quote="nowhere") for name in LABELS),
    f"I say: {label('reversed', quote='nowhere')}",
    '{"label": "wrong_relation", "role": "item", "confidence": 1, "quote": "nowhere"}',
    '{"score": 3, "reason": "r"}',
    "a 4 of 5",
    '{"found": true, "span": "It also requires Water"}',
    '{"found": false, "span": ""}',
    "no",
    "{}",
)


def work(forms: Sequence[str]) -> list[Work]:
    labels = [Case(relation(ANSWER), order, repeat) for order, repeat in ((0, 0), (0, 1), (1, 0))]
    grades = [Case(grade(ANSWER), order) for order in (0, 1)]
    return [
        *((labels, RUBRICS["relation"], form) for form in forms),
        *((grades, RUBRICS["grade"], form) for form in forms),
    ]


def sitting(spec: ModelSpec, known: dict[str, Outcome], cap: int | None = None) -> Sitting:
    return Sitting(spec, RUBRICS["span"], SEED, cap, known)


def judged(spec: ModelSpec, jobs: Sequence[Work], seed: int) -> tuple[dict[str, Call], Any]:
    """Ask a judge that says anything, by the key of the call; return calls and outcomes."""
    outcomes: dict[str, Outcome] = {}

    def reply(call: Call) -> Outcome:
        rng = named_rng(seed, call.key)
        text = REPLIES[int(rng.integers(len(REPLIES)))]
        finish = "length" if rng.integers(4) == 0 else "stop"
        outcomes[call.key] = outcome(call, "" if rng.integers(8) == 0 else text, finish=finish)
        return outcomes[call.key]

    asked = Rehearsal({}, reply)
    session = Session(spec, RUBRICS["span"], SEED, asked)
    for cases, rubric, form in jobs:
        session.judge(cases, rubric, form)
    return asked.calls, outcomes


@settings(deadline=None, max_examples=120)
@given(
    st.lists(st.sampled_from(sorted(FORMS)), min_size=1, max_size=5, unique=True),
    st.sampled_from([(50,), (50, 100)]),
    st.integers(0, 10_000),
)
def test_no_judge_asks_less_or_more(forms: list[str], budgets: tuple[int, ...], seed: int) -> None:
    spec, jobs = judge_spec(budgets=budgets), work(forms)
    calls, outcomes = judged(spec, jobs, seed)
    before = sitting(spec, {})
    least, most = before.least(jobs), before.most(jobs)
    assert {c.key for c in least} <= calls.keys()
    assert len(least) == len({c.key for c in least}) <= len(calls) <= len(most)
    by_budget = Counter(c.max_tokens for c in most)
    for budget, n in Counter(c.max_tokens for c in calls.values()).items():
        assert n <= by_budget[budget]
    assert sum(least_cost(TOKEN, c) for c in least) <= sum(
        least_cost(TOKEN, c) for c in calls.values()
    )
    assert sum(worst_cost(TOKEN, c) for c in calls.values()) <= sum(
        worst_cost(TOKEN, c) for c in most
    )
    after = sitting(spec, outcomes)
    for found in (after.least(jobs), after.most(jobs)):
        assert sorted(c.key for c in found) == sorted(calls), "what was said leaves nothing open"


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 10_000), st.floats(0, 1))
def test_a_run_that_was_cut_short_is_bounded_too(seed: int, share: float) -> None:
    spec, jobs = judge_spec(budgets=(50, 100)), work(["ours", "lenient", "hinted"])
    calls, outcomes = judged(spec, jobs, seed)
    kept = [*outcomes][: int(share * len(outcomes))]
    part = sitting(spec, {key: outcomes[key] for key in kept})
    least, most = part.least(jobs), part.most(jobs)
    assert {c.key for c in least} <= calls.keys()
    assert len(least) <= len(calls) <= len(most)
    assert set(kept) <= {c.key for c in most}, "what was had already is counted as such"


def test_the_worst_judge_is_asked_four_times_for_a_label_and_twice_for_a_grade() -> None:
    spec = judge_spec(budgets=(50, 100))
    ours = [(([Case(relation())]), RUBRICS["relation"], "ours")]
    assert len(sitting(spec, {}).most(ours)) == 4 * 2
    graded = [([Case(grade())], RUBRICS["grade"], "ours")]
    assert len(sitting(spec, {}).most(graded)) == 2 * 2
    assert len(sitting(spec, {}).least(ours + graded)) == 2
    asked_again = sitting(spec, {}).most(graded)[-1].messages[-1].content
    assert RUBRICS["grade"].reask in asked_again, "a re-ask repeats what was shown"
    assert ANSWER in asked_again


def test_text_that_looks_like_a_re_ask_hides_no_call() -> None:
    rubric = RUBRICS["relation"]
    sly = f"{ANSWER}\n\n{rubric.request}\n\n{rubric.reask} zz zzz"
    jobs = [([Case(relation(sly))], rubric, "ours")]
    assert len(sitting(judge_spec(budgets=(50,)), {}).most(jobs)) == 4


@pytest.mark.parametrize("kind", ["relation", "grade"])
def test_the_calibration_counts_items_cases_and_forms(kind: str) -> None:
    rows = item_rows(bakery_items(2))
    judge = sitting(judge_spec(budgets=(50,)), {})
    how: dict[str, Any] = {"repeats": 2, "subset": 1}
    asks = calibration_asks(judge, rows, RUBRICS[kind], ["ours", "lenient"], **how)
    cases = cases_of([r for r in rows if r["rubric"] == kind], **how)
    assert len(asks.least) == len(cases) > 0, "both forms ask the same thing at first"
    # Each form reads in its own way, so what follows is asked in each.
    follows = 3 if kind == "relation" else 1
    assert len(asks.most) == len(cases) * (1 + 2 * follows)
    assert asks.are_exact
