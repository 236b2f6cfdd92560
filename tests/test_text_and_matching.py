"""Normalisation and the two matchers."""

import pytest
from copyceiling.matching import Text, Title, match
from copyceiling.text import normalise, slugify
from hypothesis import given
from hypothesis import strategies as st

from tests import oracles

ANY_TEXT = st.text(max_size=60)
# Few letters, so that titles do occur in texts.
NEAR_TEXT = st.text(alphabet="abcde AB-_.\n\t12é", max_size=60)


@given(ANY_TEXT | NEAR_TEXT)
def test_normalise_is_idempotent_and_equals_the_oracle(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert once == oracles.normalise(text)


@given(NEAR_TEXT, NEAR_TEXT)
def test_match_equals_the_oracle(title: str, text: str) -> None:
    found = match(Title.of(title), Text.of(text))
    assert found.paper == oracles.hit(title, text)
    assert not found.strict or found.paper, "strict credit without credit"


@given(NEAR_TEXT, NEAR_TEXT, NEAR_TEXT)
def test_text_around_a_title_never_takes_strict_credit_away(a: str, title: str, b: str) -> None:
    found = match(Title.of(title), Text.of(f"{a} {title} {b}"))
    assert found.strict == bool(normalise(title))


@pytest.mark.parametrize(
    ("title", "text", "path", "strict"),
    [
        ("Cell Growth", "on cell-growth.", "substring", True),
        ("cell", "cellular", "substring", False),
        # 4 of 5 long words are exactly 0.8; 3 of 4 are 0.75.
        ("alpha bravo charlie delta echos", "echos delta charlie bravo", "word_bag", False),
        ("alpha bravo charlie delta", "delta charlie bravo", "none", False),
        ("of a in", "in a of", "none", False),
        ("WebRTC", "Web RTC", "none", False),
        ("知識グラフ", "知識グラフ", "unmatchable", False),
        ("", "anything", "unmatchable", False),
        ("anything", "", "none", False),
    ],
)
def test_paths(title: str, text: str, path: str, strict: bool) -> None:
    """Worked by hand from STUDIES section 0."""
    found = match(Title.of(title), Text.of(text))
    assert (found.path, found.strict) == (path, strict)


def test_slugify() -> None:
    assert slugify("Data Management (Infrastructure)") == "data-management-infrastructure"
    assert slugify("知識") == ""
