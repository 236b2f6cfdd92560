"""Statuses, the plan, the ladder of budgets and the reference readers."""

from collections.abc import Sequence

import pytest
from copyceiling.completions import (
    Lookup,
    Prompt,
    call_of,
    complete,
    frozen_first,
    lookup_of,
    plan,
    replay_lookup,
)
from copyceiling.config import ROOT
from copyceiling.errors import MissingCompletionsError
from copyceiling.models import ModelSpec, load_models
from copyceiling.requests import (
    ARMS,
    Call,
    Message,
    Outcome,
    Status,
    build_messages,
    classify,
    visible_input,
)
from hypothesis import given
from hypothesis import strategies as st

MODELS = load_models(ROOT / "config" / "models.tsv")


@pytest.mark.parametrize(
    ("answer", "reason", "tokens", "refused", "status"),
    [
        ("text", "stop", 5, False, "ok"),
        ("text", None, None, False, "ok"),
        ("", "stop", 0, False, "empty"),
        (" \n", "stop", 2, False, "empty"),
        ("text", "length", 5, False, "truncated"),
        ("text", "stop", 10, False, "truncated"),
        ("", "length", 10, False, "truncated"),
        ("no", "stop", 5, True, "refused"),
        ("", "content_filter", 0, False, "refused"),
        ("text", "error", 5, False, "error"),
    ],
)
def test_classify(
    answer: str, reason: str | None, tokens: int | None, refused: bool, status: str
) -> None:
    """DESIGN section 5, each rule; the budget is 10 tokens."""
    assert classify(answer, reason, tokens, 10, refused=refused) == status


def ladder(*budgets: int) -> ModelSpec:
    fields = MODELS["smollm2-135m"].__dict__
    return ModelSpec(**{**fields, "model": "m", "budgets": budgets})


PROMPTS = plan(
    {f"q{i}": {"raw": (Message("user", f"q{i}"),), "scaffold": (Message("user", f"s{i}"),)}
     for i in range(6)}, "m", ARMS, None, 1,
)  # fmt: skip


class Script:
    """A lookup that plays a status for each (first letter + number of the prompt, budget)."""

    def __init__(self, statuses: dict[tuple[str, int], Status]) -> None:
        self.statuses = statuses
        self.asked: list[tuple[str, int]] = []

    def __call__(self, calls: Sequence[Call]) -> dict[str, Outcome]:
        found = {}
        for c in calls:
            name = (c.messages[-1].content, c.max_tokens)
            self.asked.append(name)
            status = self.statuses.get(name, "ok")
            found[c.key] = Outcome(c.key, status, "" if status == "empty" else "x", None, 1, 1, 2)
        return found


def test_a_pair_climbs_together() -> None:
    script = Script({("q1", 10): "truncated", ("s2", 10): "empty", ("s2", 20): "empty"})
    cells = {(c.question_id, c.arm): c for c in complete(ladder(10, 20), PROMPTS, script)}
    assert {q for q, b in script.asked if b == 20} == {"q1", "s1", "q2", "s2"}
    for q in ("q1", "q2"):
        assert {cells[q, arm].budget for arm in ARMS} == {20}, "no contrast mixes budgets"
        assert {cells[q, arm].tries for arm in ARMS} == {4}, "tries of both budgets are kept"
    assert cells["q2", "scaffold"].outcome.status == "empty"
    assert cells["q0", "raw"].budget == 10 and cells["q0", "raw"].n_calls == 1


def test_one_budget_never_climbs_and_refusals_do_not() -> None:
    script = Script({("q1", 10): "truncated", ("q2", 10): "refused", ("q3", 10): "error"})
    complete(ladder(10), PROMPTS, script)
    assert len(script.asked) == 12
    script = Script({("q2", 10): "refused", ("q3", 10): "error"})
    complete(ladder(10, 20), PROMPTS, script)
    assert len(script.asked) == 12


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["q0", "q1", "s0", "s1", "s5"]), st.sampled_from([10, 20, 30])),
        st.sampled_from(["ok", "empty", "truncated", "refused", "error"]),
    )
)
def test_every_planned_cell_ends_in_exactly_one_status(
    statuses: dict[tuple[str, int], Status],
) -> None:
    cells = complete(ladder(10, 20, 30), PROMPTS, Script(statuses))
    assert [(c.question_id, c.arm) for c in cells] == [
        (p.question_id, arm) for p in PROMPTS for arm in ARMS
    ]
    for a, b in zip(cells[::2], cells[1::2], strict=True):
        assert a.budget == b.budget and a.n_calls == b.n_calls


def test_missing_completions_are_counted_and_named() -> None:
    spec = ladder(10)
    calls = [call_of(spec, p.arms["raw"], 10) for p in PROMPTS]
    frozen = {c.key: Outcome(c.key, "ok", "x", "stop", 1, 1) for c in calls[:2]}
    with pytest.raises(MissingCompletionsError) as e:
        replay_lookup(frozen, spec, "toy")(calls)
    text = str(e.value)
    assert "4 of 6 completions were never frozen" in text and calls[2].key[:16] in text
    assert "--config mode=live" in text and "copyceiling freeze" in text


STATUSES: list[Status] = ["ok", "empty", "truncated", "refused", "error"]


@given(
    st.dictionaries(st.integers(0, 5), st.sampled_from(STATUSES)),
    st.lists(st.integers(0, 5), max_size=8),
)
def test_a_live_run_asks_what_has_no_frozen_answer_in_one_batch(
    frozen: dict[int, Status], asked: list[int]
) -> None:
    """An error is no answer; all else is, though it be empty, cut or refused."""
    spec = ladder(10)
    every = [call_of(spec, p.arms["raw"], 10) for p in PROMPTS]
    had = {
        every[i].key: Outcome(every[i].key, status, f"frozen {i}", "stop", 1, 1)
        for i, status in frozen.items()
    }
    batches: list[list[Call]] = []

    def ask(calls: Sequence[Call]) -> dict[str, Outcome]:
        batches.append(list(calls))
        return {c.key: Outcome(c.key, "ok", "live", "stop", 1, 1) for c in calls}

    found = frozen_first(had, ask)([every[i] for i in asked])
    rest = [i for i in asked if frozen.get(i, "error") == "error"]
    assert batches == ([[every[i] for i in rest]] if rest else [])
    for i in asked:
        assert found[every[i].key].answer == ("live" if i in rest else f"frozen {i}")


def test_a_replay_asks_nobody_and_keeps_frozen_errors() -> None:
    spec = ladder(10)
    one, other = (call_of(spec, p.arms["raw"], 10) for p in PROMPTS[:2])
    frozen = {one.key: Outcome(one.key, "error", "", None, None, None, error="gone")}
    replay: Lookup = lookup_of(frozen, spec, "toy", "snakemake x", None)
    assert replay([one])[one.key].status == "error"
    with pytest.raises(MissingCompletionsError, match="snakemake x"):
        replay([one, other])


def test_a_subset_is_drawn_by_name_and_grows() -> None:
    shown = {f"q{i:03d}": {"raw": (Message("user", "x"),)} for i in range(100)}
    few, more = ([p.question_id for p in plan(shown, "m", ["raw"], n, 42)] for n in (10, 40))
    assert len(few) == 10 and few == sorted(few) and set(few) < set(more)
    assert few != [p.question_id for p in plan(shown, "other", ["raw"], 10, 42)]


@pytest.mark.parametrize(
    "change",
    [
        {"target": "t2"},
        {"revision": "r2"},
        {"params": {"temperature": 1}},
        {"max_tokens": 11},
        {"messages": (Message("user", "other"),)},
        {"messages": (Message("system", "x"),)},
        {"repeat": 1},
    ],
)
def test_anything_that_is_asked_moves_the_key(change: dict[str, object]) -> None:
    base = {"target": "t", "revision": "r", "params": {"temperature": 0}, "max_tokens": 10}
    one = Call(**base, messages=(Message("user", "x"),))  # type: ignore[arg-type]
    other = Call(**{**one.__dict__, **change})
    assert one.key != other.key
    again = Call(**{**one.__dict__, "params": {"temperature": 0}})
    assert one.key == again.key


BLOCK = (
    "[ONTOLOGY CONTEXT]\n## Ball (toys)\nA round toy.\nrelations: uses: Air\n[END ONTOLOGY CONTEXT]"
)


def test_reference_readers() -> None:
    shown = build_messages("Notes.", BLOCK, "What does a ball use?")
    prompts = [Prompt("q1", {"scaffold": shown})]
    answers = {
        name: complete(MODELS[f"reader-{name}"], prompts, Script({}))[0].outcome
        for name in ("copy", "silent", "lead", "extract")
    }
    assert answers["copy"].answer == visible_input(shown)
    assert (answers["silent"].answer, answers["silent"].status) == ("", "empty")
    assert answers["lead"].answer == "Notes.\n\n".strip() + "\n## Ball (toys)\nA round toy."
    assert answers["extract"].answer == "## Ball (toys)"


def test_without_a_block_the_question_stands_alone() -> None:
    assert build_messages("Notes.", "", "Q?") == (Message("user", "Q?"),)
    assert visible_input(build_messages("N.", "B", "Q?")) == "N.\n\nB Q?"
