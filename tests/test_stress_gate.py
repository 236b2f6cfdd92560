"""The gate of the paraphrase stress: STUDIES section 2, parts (i), (ii) and (iii)."""

import re

import pytest
from copyceiling.stress.gate import (
    Reason,
    banned_in,
    content_words,
    mechanical_reasons,
    same_answers,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import oracles

TEXT = st.text(st.sampled_from("abcé 1-',.AB"), max_size=30)
WORD = st.sampled_from(["ab", "abc", "abca", "cab", "b1", "1"])


def test_content_words() -> None:
    """Three letters or more, no function word, no boilerplate, each once, in order."""
    found = content_words(
        ["Regulation of the AI-driven gene X", "Gene regulation by DNA"], ["gene"]
    )
    assert found == ("regulation", "driven", "dna")


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("What raises bread dough?", []),
        ("What does yeasty dough need?", ["title_word: yeast"]),  # starts with the word
        ("What do wild YEASTS need?", ["title_word: yeast"]),
        ("What is non-yeast dough?", ["title_word: yeast"]),  # a hyphen separates words
        ("What does brewyeast need?", []),  # holds the word, but does not start with it
        ("Is it flour?", ["gold_verbatim: Flour"]),
        ("Is it wholemealflourish?", ["gold_verbatim: Flour"]),  # a substring, no word boundary
        ("Does yeast need flour?", ["title_word: yeast", "gold_verbatim: Flour"]),  # all gathered
    ],
)
def test_words_and_gold(text: str, reasons: list[str]) -> None:
    assert [str(r) for r in mechanical_reasons(text, ["yeast"], ["Flour"])] == reasons


def test_gold_in_other_order_is_turned_down_only_where_the_study_says_so() -> None:
    text = "Which heat of the baking oven?"
    assert mechanical_reasons(text, [], ["Oven Baking Heat"]) == ()
    strict = mechanical_reasons(text, [], ["Oven Baking Heat"], gold_words=True)
    assert strict == (Reason("gold_words", "Oven Baking Heat"),)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TEXT, st.lists(WORD, max_size=4), st.lists(TEXT, max_size=3))
def test_gate_equals_the_specification(text: str, banned: list[str], gold: list[str]) -> None:
    """Step by step, as STUDIES section 2 has it."""
    found = oracles.normalise(text).split()
    words = [b for b in banned if any(w == b or w.startswith(b) for w in found)]
    assert list(banned_in(text, banned)) == words
    titles = [t for t in gold if oracles.normalise(t) and oracles.normalise(t) in " ".join(found)]
    reasons = mechanical_reasons(text, banned, gold)
    assert [r.detail for r in reasons if r.kind == "title_word"] == words
    assert [r.detail for r in reasons if r.kind == "gold_verbatim"] == titles
    credited = [t for t in gold if oracles.hit(t, text)]
    full = mechanical_reasons(text, banned, gold, gold_words=True)
    assert [r.detail for r in full if r.kind != "title_word"] == credited


@pytest.mark.parametrize(
    ("reply", "same"),
    [("YES", True), (" yes, they do\n", True), ("No", False), ("", False), ("It says YES", False)],
)
def test_same_answers(reply: str, same: bool) -> None:
    assert same_answers(reply) is same


@settings(deadline=None)
@given(st.lists(st.text(max_size=12), max_size=3))
def test_content_words_are_what_the_gate_can_find(titles: list[str]) -> None:
    """A title that is repeated is always turned down, unless it has no content word."""
    banned = content_words(titles)
    assert all(re.fullmatch(r"[a-z0-9]{3,}", w) for w in banned)
    assert banned_in(" ".join(titles), banned) == banned
