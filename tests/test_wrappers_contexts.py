"""Contexts that leave gold out, and the prompts around them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from copyceiling.arms.asking import prompts_of
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.errors import ConfigError
from copyceiling.questions import Question, QuestionGenerator
from copyceiling.requests import visible_input
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.wrappers.contexts import (
    OMISSIONS,
    Context,
    ContextMaker,
    arm_messages,
    choose,
    pool_rows,
    without,
)
from copyceiling.wrappers.phrases import load_phrases
from copyceiling.wrappers.plan import item_rows, prompt_rows, text_rows
from copyceiling.wrappers.texts import ARMS, RAW, WRAPPERS, Wrapper, load_wrappers
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.conftest import make_class

TEXTS = ROOT / "config" / "wrappers" / "texts.yaml"
TOLD = load_wrappers(TEXTS)
STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")
CLASSES = read_corpus({**STUDY["corpus"], "path": str(ROOT / STUDY["corpus"]["path"])})[0].classes
BUDGET = 200
ENGINE = ScaffoldEngine(CLASSES, budget_tokens=BUDGET)
ASKED = QuestionGenerator(CLASSES, STUDY["questions"]).generate(7)


def strayed(questions: Sequence[Question]) -> list[Question]:
    """The questions, each with the retrieval of another: their contexts miss the point."""
    others = [*questions[5:], *questions[:5]]
    return [
        replace(q, retrieval_text=o.retrieval_text) for q, o in zip(questions, others, strict=True)
    ]


def drawn(
    questions: Sequence[Question],
    omissions: Sequence[str] = OMISSIONS,
    count: int | None = 6,
    seed: int = 7,
    told: Sequence[Wrapper] = TOLD,
    engine: ScaffoldEngine = ENGINE,
) -> list[Context]:
    maker = ContextMaker(CLASSES, engine, told, seed)
    chosen, _ = choose(lambda o: [maker.candidate(q, o) for q in questions], omissions, count, seed)  # type: ignore[arg-type]
    return chosen


MIXED = [*strayed(ASKED[:23]), *ASKED[23:]]
CHOSEN = drawn(MIXED)
PAIR = next(q.key for q in ASKED if len(q.gold) == 2 and q.gold_type == "all")


def test_both_sets_are_drawn_and_share_no_question() -> None:
    by_set = {name: {c.question.id for c in CHOSEN if c.omission == name} for name in OMISSIONS}
    assert {name: len(ids) for name, ids in by_set.items()} == {"retrieval": 6, "withheld": 6}
    assert not by_set["retrieval"] & by_set["withheld"]


def test_arms_differ_in_the_wrapper_alone() -> None:
    for context in CHOSEN:
        shown = arm_messages(TOLD, context.block, context.question.prompt)
        assert list(shown) == list(ARMS)
        assert [m.content for m in shown[RAW]] == [context.question.prompt]
        rest = set()
        for wrapper in TOLD:
            system, user = shown[wrapper.arm]
            assert system.content.startswith(wrapper.text)
            rest.add((system.content.removeprefix(wrapper.text), user.content))
        assert rest == {(f"\n\n{context.block}", context.question.prompt)}


def test_every_question_has_gold_that_no_arm_shows_and_all_arms_show_the_same() -> None:
    """By a matcher written apart, on the whole visible input as the rows have it."""
    rows = prompt_rows(CHOSEN, TOLD, BUDGET)
    titles = {c.question.id: [g.title for g in c.question.gold] for c in CHOSEN}
    items = item_rows(CHOSEN, {c.slug: c.title for c in CLASSES})
    for prompt in prompts_of(rows):
        question_id = prompt.question_id.split("/")[-1]
        stated = [r["exposed"] for r in items if r["question_id"] == question_id]
        assert not all(stated)
        for arm, messages in prompt.arms.items():
            text = visible_input(messages)
            found = [oracles.hit(title, text) for title in titles[question_id]]
            assert arm == RAW or found == stated, (question_id, arm)
            assert not any(f and not s for f, s in zip(found, stated, strict=True))
    assert {len(p.arms) for p in prompts_of(rows)} == {5} and len(rows) == 5 * len(CHOSEN)
    for row in rows:
        exposed = sum(r["exposed"] for r in items if r["question_id"] == row["question_id"])
        assert row["arm"] == RAW or row["n_gold_exposed"] == exposed
        assert [len(set(r["others"]) & set(titles[r["question_id"]])) for r in items] == [
            len(titles[r["question_id"]]) - 1 for r in items
        ]
        assert row["engaged"] == (row["arm"] != RAW) and row["block_tokens"] <= BUDGET


def test_share_of_a_title_in_the_question() -> None:
    for row in item_rows(CHOSEN, {c.slug: c.title for c in CLASSES}):
        asked = next(c.question.prompt for c in CHOSEN if c.question.id == row["question_id"])
        long_words = [w for w in oracles.normalise(row["title"]).split() if len(w) >= 4]
        there = set(oracles.normalise(asked).split())
        share = sum(w in there for w in long_words) / len(long_words) if long_words else None
        assert row["question_words"] == share


def test_a_withheld_item_is_gone_and_others_stay() -> None:
    for context in (c for c in CHOSEN if c.omission == "withheld"):
        gold = {g.slug: m.paper for g, m in zip(context.question.gold, context.shown, strict=True)}
        assert [slug for slug, exposed in gold.items() if not exposed] == [context.withheld]
        assert context.withheld not in context.seeds
        whole = ENGINE.scaffold(context.question.retrieval_text).block
        title = next(g.title for g in context.question.gold if g.slug == context.withheld)
        assert oracles.hit(title, whole) and not oracles.hit(title, context.block)


slugs = st.sampled_from([c.slug for c in CLASSES[:6]])


@given(
    st.lists(slugs, unique=True), st.lists(slugs, unique=True), st.lists(slugs, unique=True), slugs
)
def test_without_takes_out_one_name_and_nothing_else(
    parents: list[str], ancestors: list[str], targets: list[str], gone: str
) -> None:
    c = make_class(
        "bun",
        parents=tuple(parents),
        ancestors=tuple(ancestors),
        relations={"uses": tuple(targets)},
    )
    less = without(c, gone)
    for before, after in (
        (c.parents, less.parents),
        (c.ancestors, less.ancestors),
        (c.relations["uses"], less.relations["uses"]),
    ):
        assert list(after) == [s for s in before if s != gone]
    assert replace(less, parents=c.parents, ancestors=c.ancestors, relations=c.relations) == c
    assert without(c, None) is c


def test_no_wrapper_text_names_gold_or_speaks_as_an_answer_does() -> None:
    phrases = load_phrases(ROOT / "config" / "wrappers" / "phrases.yaml")
    titles = [g.title for q in ASKED for g in (*q.gold, *q.gold_extra)]
    for wrapper in TOLD:
        assert not [t for t in titles if oracles.hit(t, wrapper.text)]
    # A reader that copies what it is shown neither declines nor denies.
    for context in CHOSEN:
        for messages in arm_messages(TOLD, context.block, context.question.prompt).values():
            copied = visible_input(messages)
            assert not phrases.declines(copied) and not phrases.closes(copied)
            assert not any(phrases.denies(copied, g.title, ()) for g in context.question.gold)


@pytest.mark.parametrize("loud", [1, 4])
def test_a_context_whose_gold_a_wrapper_names_is_left_out(loud: int) -> None:
    (victim,) = (c for c in drawn(ASKED, ["withheld"], None) if c.question.key == PAIR)
    titles = " ".join(g.title for g in victim.question.gold)
    told = [*TOLD[:-loud], *(replace(w, text=f"{w.text} {titles}.") for w in TOLD[-loud:])]
    found = ContextMaker(CLASSES, ENGINE, told, 7).candidate(victim.question, "withheld")
    assert found.context is None and found.reason == "wrapper_exposes"


def test_questions_with_shown_gold_come_first() -> None:
    pool = strayed(ASKED)
    found = drawn(pool, ["retrieval"], None)
    both = {c.question.id for c in found if c.n_shown}
    assert 0 < len(both) < len(found)
    for count in range(1, len(found)):
        few = {c.question.id for c in drawn(pool, ["retrieval"], count)}
        assert few <= both if count <= len(both) else both < few


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 20))
def test_a_larger_draw_holds_the_smaller(seed: int, count: int) -> None:
    few, more = (
        {(c.question.id, c.withheld) for c in drawn(ASKED, ["withheld"], n, seed)}
        for n in (count, count + 3)
    )
    assert few <= more and len(few) <= count
    again = {(c.question.id, c.withheld) for c in drawn(ASKED[::-1], ["withheld"], count, seed)}
    assert few == again


def test_the_pool_says_why_a_question_has_no_context() -> None:
    maker = ContextMaker(CLASSES, ENGINE, TOLD, 7)
    chosen, seen = choose(lambda o: [maker.candidate(q, o) for q in ASKED], ["withheld"], 4, 7)
    rows = pool_rows(seen, chosen)
    assert len(rows) == len(ASKED) and sum(r["chosen"] for r in rows) == len(chosen) == 4
    by_id = {q.id: q for q in ASKED}
    for row in rows:
        q = by_id[row["question_id"]]
        if q.gold_type == "any":
            assert row["reason"] == "any_of_gold"
        elif len(q.gold) == 1:
            assert row["reason"] == "single_gold"
        assert (row["reason"] is None) == (row["n_left_out"] is not None)
        assert row["reason"] is None or not row["chosen"]
        if row["reason"] is None:
            assert row["n_left_out"] >= 1 and row["n_shown"] + row["n_left_out"] == row["n_gold"]


def test_a_set_without_questions_says_what_stands_in_the_way() -> None:
    with pytest.raises(ConfigError, match=r"no question's context leaves gold out") as error:
        drawn(ASKED, ["retrieval"])
    assert "all_exposed: " in str(error.value) and "wrappers.budget_tokens" in str(error.value)
    with pytest.raises(ConfigError, match="no_block: "):
        drawn(ASKED, ["withheld"], engine=ENGINE.with_budget(10))


def test_wrappers_share_their_opening_and_differ_in_one_instruction() -> None:
    assert tuple(w.arm for w in TOLD) == WRAPPERS and len({w.sha256 for w in TOLD}) == 4
    opening = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))["opening"].strip()
    assert all(w.text.startswith(f"{opening} ") for w in TOLD)
    assert [r["arm"] for r in text_rows(TOLD)] == list(WRAPPERS)


def test_a_file_of_wrappers_with_faults_names_them(tmp_path: Path) -> None:
    document = yaml.safe_load(TEXTS.read_text(encoding="utf-8"))
    file = tmp_path / "texts.yaml"

    def fault(**changes: object) -> str:
        file.write_text(yaml.safe_dump({**document, **changes}, sort_keys=False))
        with pytest.raises(ConfigError) as error:
            load_wrappers(file)
        return str(error.value)

    told = document["wrappers"]
    assert "field 'more' is unknown" in fault(more=1)
    assert "'version' must be a int" in fault(version=True)
    assert "it must name authoritative, incomplete" in fault(wrappers={"neutral": "x"})
    assert "'supplement' must be text" in fault(wrappers={**told, "supplement": " "})
    assert "have one text" in fault(wrappers={**told, "neutral": told["supplement"]})
