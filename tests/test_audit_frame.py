"""The audit's frame: what rows, a census and a declaration say of it, and its allocation."""

from collections import Counter
from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import AUDIT_FRAME, AUDIT_MECHANISMS
from copyceiling.artefacts.store import to_table
from copyceiling.audit.allocate import largest_remainder
from copyceiling.audit.corrected import Weights
from copyceiling.audit.frame import Answer, answers, frame_rows, settle, weights_of
from copyceiling.audit.labels import CATEGORIES
from copyceiling.audit.traits import Material, audit_mechanism_rows, title_traits
from copyceiling.errors import ArtefactError
from copyceiling.questions import GoldItem, Question
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from tests.test_audit import judged, verdict


def test_largest_remainder_of_the_human_sample() -> None:
    """STUDIES section 5: 120 of 240, 120, 60 and 3 units are 68, 34, 17 and 1."""
    sizes = {"n11": 240, "n10": 120, "n00": 60, "n01": 3}
    assert largest_remainder(120, sizes) == {"n11": 68, "n10": 34, "n00": 17, "n01": 1}
    assert largest_remainder(3, {"b": 1, "a": 1, "c": 4}) == {"b": 0, "a": 1, "c": 2}, (
        "ties by name"
    )
    assert largest_remainder(5, {"a": 0}) == {"a": 0}


@limits(deadline=None)
@given(st.integers(0, 300), st.dictionaries(st.text("abc", max_size=3), st.integers(0, 90)))
def test_largest_remainder_is_proportional(quota: int, sizes: dict[str, int]) -> None:
    shares = largest_remainder(quota, sizes)
    total = sum(sizes.values())
    assert sum(shares.values()) == min(quota, total)
    for name, share in shares.items():
        assert 0 <= share <= sizes[name]
        assert abs(share * total - min(quota, total) * sizes[name]) < max(total, 1)


Item = tuple[bool, bool, bool]  # exposed, credited, audited
worlds = st.lists(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1), max_size=6
)


def category(item: Item) -> str:
    return f"n{int(item[0])}{int(item[1])}"


def score(number: int, items: list[Item], *, n11: int | None = None) -> dict[str, Any]:
    return {
        "model": "m",
        "question_id": f"q{number}",
        "arm": "scaffold",
        "status": "ok",
        "matcher": "paper",
        "template": "T-REL",
        "gold_type": "all",
        "n_gold": len(items),
        "n_exposed": sum(i[0] for i in items),
        "n_hits": sum(i[1] for i in items),
        "n11": n11,
    }


def audited(world: list[list[Item]], census: str | None) -> list[dict[str, Any]]:
    return [
        verdict(q, item_index=i, category=category(item))
        for q, items in enumerate(world)
        for i, item in enumerate(items)
        if item[2] or category(item) == census
    ]


@limits(deadline=None)
@given(worlds, st.sampled_from(CATEGORIES))
def test_a_census_of_any_category_settles_every_cell(world: list[list[Item]], census: str) -> None:
    scores = [score(q, items) for q, items in enumerate(world)]
    rows = frame_rows(answers(scores), audited(world, census), census, None)
    to_table(rows, AUDIT_FRAME)
    true = Counter(category(item) for items in world for item in items)
    for row in rows:
        assert row["n"] == true[row["category"]]
        assert row["n_low"] <= row["n"] <= row["n_high"]


@limits(deadline=None)
@given(worlds)
def test_margins_bound_the_truth_and_titles_of_hits_settle_it(world: list[list[Item]]) -> None:
    true = Counter(category(item) for items in world for item in items)
    plain = frame_rows(answers(score(q, i) for q, i in enumerate(world)), [], None, None)
    for row in plain:
        assert row["n_low"] <= true[row["category"]] <= row["n_high"]
        assert row["n"] in (None, true[row["category"]])
    named = [
        score(q, items, n11=sum(category(i) == "n11" for i in items))
        for q, items in enumerate(world)
    ]
    exact = frame_rows(answers(named), [], None, None)
    assert {(r["category"], r["n"], r["source"]) for r in exact} == {
        (c, true[c], "rows") for c in CATEGORIES if world
    }


def test_declared_sizes_are_taken_only_where_rows_leave_them_open() -> None:
    open_rows = answers([score(1, [(True, True, False), (False, False, False)])])
    declared = {"n11": 0, "n10": 1, "n01": 1, "n00": 0}
    frame = frame_rows(open_rows, [], None, declared)
    assert weights_of(frame) == Weights({"n11": 0, "n10": 1}, "declared")
    cells = [r for r in frame if r["template"] != "(all)"]
    assert {r["n"] for r in cells} == {None}, "the whole is declared, its parts are not"
    settled = answers([score(1, [(True, True, False)])])
    same = frame_rows(settled, [], None, {"n11": 1, "n10": 0, "n01": 0, "n00": 0})
    assert weights_of(same).source == "rows"
    with pytest.raises(
        ArtefactError, match=r"n11: audit\.frame declares 2, the sweep's rows 0\.\.1"
    ):
        frame_rows(open_rows, [], None, {**declared, "n11": 2})


def test_an_audit_that_does_not_fit_the_sweep_is_refused_with_every_fault() -> None:
    found = answers([score(1, [(True, True, False), (True, False, False)])])
    sample = [
        verdict(1, category="n11"),
        verdict(1, category="n11"),
        verdict(2),
        verdict(1, category="n00"),
    ]
    with pytest.raises(ArtefactError) as caught:
        settle(found, sample, None)
    text = str(caught.value)
    assert "m, q2: the sweep has no such answer" in text
    assert "2 n11 unit(s) audited, at most 1" in text and "1 n00 unit(s) audited, at most 0" in text
    with pytest.raises(ArtefactError, match=r"2 n11 unit\(s\) audited, 1\.\.1 by rows"):
        settle(found, sample[:2], "n11")


def test_cells_of_an_answer_move_against_each_other() -> None:
    answer = Answer("m", "q", "T", "all", n_gold=5, n_exposed=3, n_hits=2, low=0, high=2)
    found = {c: answer.bounds(c) for c in CATEGORIES}
    assert found == {"n11": (0, 2), "n10": (1, 3), "n01": (0, 2), "n00": (0, 2)}
    assert answer.fixed("n00", 1).bounds("n11") == (1, 1)


def question(number: int, titles: list[str], subject: str) -> Question:
    gold = tuple(GoldItem(t.lower(), t) for t in titles)
    return Question(f"q{number}", "k", "d", "T-REL", (subject,), "p", "p", gold, "all")


@limits(deadline=None)
@given(worlds, st.data())
def test_trait_bounds_hold_the_truth(world: list[list[Item]], data: st.DataObject) -> None:
    """Titles of one word have a trait; which items those are is drawn."""
    single = [[data.draw(st.booleans()) for _ in items] for items in world]
    titles = [["Word" if has else "Two Words" for has in flags] for flags in single]
    questions = {f"q{q}": question(q, names, "other") for q, names in enumerate(titles)}
    exposed = {(f"q{q}", i): x[0] for q, items in enumerate(world) for i, x in enumerate(items)}
    found = answers(score(q, items) for q, items in enumerate(world))
    sample = audited(world, None)
    paths = {
        ("m", f"q{q}", i): "substring" if item[1] else "none"
        for q, items in enumerate(world)
        for i, item in enumerate(items)
    }
    bounded = audit_mechanism_rows(found, sample, Material(questions, {}, exposed, {}))
    named = audit_mechanism_rows(found, sample, Material(questions, {}, exposed, paths))
    to_table(judged(bounded), AUDIT_MECHANISMS)
    for loose, exact in zip(bounded, named, strict=True):
        true = sum(
            exact["mechanism"] == "gold_single_token"
            and has
            and category(item) == exact["category"]
            for items, flags in zip(world, single, strict=True)
            for item, has in zip(items, flags, strict=True)
        )
        assert loose["n_low"] <= true <= loose["n_high"]
        assert loose["n_word_bag"] is None
        if world:
            assert (exact["n"], exact["n_word_bag"]) == (true, 0)


@pytest.mark.parametrize(
    ("gold", "subject", "expected"),
    [
        ("Computing", "Affective Computing", (True, False, True)),
        ("Affective Computing", "Affective Computing", (False, False, False)),
        ("art", "Smart Contract", (True, False, True)),
        ("GraphQL", "Query Language", (False, True, True)),
        ("Sustainability Reporting", "Reports", (False, False, False)),
        ("MultiAccess Edge", "Edge", (False, False, False)),
        ("µ", "µ-Law", (False, False, False)),
    ],
)
def test_title_traits(gold: str, subject: str, expected: tuple[bool, ...]) -> None:
    """STUDIES section 5: substring of a subject (inside a word too), run together, one word."""
    assert tuple(title_traits(gold, [subject]).values()) == expected
