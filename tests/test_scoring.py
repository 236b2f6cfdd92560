"""Accounting: the counts sum, the ceiling is symmetric, the readers bracket every model."""

from typing import Any

import pytest
from copyceiling.matching import MATCHERS
from copyceiling.questions import GoldItem, Question
from copyceiling.requests import ARMS, build_messages, visible_input
from copyceiling.scoring import (
    Gold,
    count,
    exposed_by_arm,
    exposure_rows,
    question_score,
    score_cell,
)
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.lists(st.sampled_from("alpha beta gamma delta of x ion ionic".split()), max_size=8)
TEXTS = WORDS.map(" ".join)


def question(titles: list[str], gold_type: str) -> Question:
    gold = tuple(GoldItem(f"g{i}", t) for i, t in enumerate(titles))
    return Question(
        "q1",
        "k",
        "d",
        "T-REL",
        ("s",),
        "What is beta?",
        "",
        gold,
        gold_type,
        gold[:1],  # type: ignore[arg-type]
    )


def scored(q: Question, block: str, arm: str, answer: str) -> list[dict[str, Any]]:
    gold = Gold.of(q)
    exposure = exposed_by_arm(exposure_rows(gold, build_messages("", block, q.prompt)))
    cell = {"model": "m", "arm": arm, "status": "ok", "answer": answer, "tries": 1}
    return score_cell(gold, exposure[q.id, arm], cell).scores


@given(
    st.lists(TEXTS, min_size=1, max_size=5), TEXTS, TEXTS, st.sampled_from(["all", "any"]),
    st.sampled_from(ARMS),
)  # fmt: skip
def test_counts_sum_and_never_collapse(
    titles: list[str], block: str, answer: str, gold_type: str, arm: str
) -> None:
    rows = scored(question(titles, gold_type), block, arm, answer)
    assert [r["matcher"] for r in rows] == list(MATCHERS)
    for r in rows:
        assert r["n11"] + r["n10"] + r["n01"] + r["n00"] == r["n_gold"] == len(titles)
        assert r["n11"] + r["n10"] == r["n_exposed"]
        assert r["n11"] + r["n01"] == r["n_hits"]
        assert 0 <= r["recall_num"] <= r["recall_den"]
    assert rows[0]["n_hits"] >= rows[1]["n_hits"], "strict credit is credit"


@given(st.lists(TEXTS, min_size=1, max_size=5), TEXTS, st.sampled_from(["all", "any"]))
def test_the_visible_input_scored_as_an_answer_is_the_ceiling(
    titles: list[str], block: str, gold_type: str
) -> None:
    """The paper's executable invariant (section 5.1), for both matchers and both arms."""
    q = question(titles, gold_type)
    for arm, shown in (
        ("scaffold", build_messages("", block, q.prompt)),
        ("raw", build_messages("", "", q.prompt)),
    ):
        for r in scored(q, block, arm, visible_input(shown)):
            assert (r["recall_num"], r["recall_den"]) == (r["ceiling_num"], r["ceiling_den"])
            assert r["n10"] == r["n01"] == 0


@pytest.mark.parametrize(
    ("hits", "n", "kind", "score"),
    [(0, 3, "all", (0, 3)), (2, 3, "all", (2, 3)), (0, 3, "any", (0, 1)), (2, 3, "any", (1, 1))],
)
def test_any_collapse(hits: int, n: int, kind: str, score: tuple[int, int]) -> None:
    assert question_score(hits, n, kind) == score


def test_count() -> None:
    c = count([True, True, False, False], [True, False, True, False])
    assert (c.n11, c.n10, c.n01, c.n00) == (1, 1, 1, 1)
    with pytest.raises(ValueError):
        count([True], [])


def test_a_title_in_another_script_is_counted_apart() -> None:
    (row, _) = scored(question(["知識", "alpha"], "all"), "alpha", "scaffold", "alpha 知識")
    assert (row["n_unmatchable"], row["n_gold"], row["n11"], row["n00"]) == (1, 2, 1, 1)
