"""The shuffled arm: properties against a brute-force oracle, and cases by hand."""

import re
from collections import Counter

import numpy as np
import pytest
from copyceiling.controls.blocks import Infeasible, peel, wrap
from copyceiling.controls.shuffle import (
    SPLITTERS,
    released_units,
    sentences,
    shuffled,
    units,
)
from copyceiling.scaffold import FOOTER, HEADER
from copyceiling.stats import named_rng
from hypothesis import given
from hypothesis import strategies as st

from tests.control_cases import texts

BLOCK = wrap(
    [
        "## Sourdough Loaf (baking)\n"
        "Bread raised by yeast, e.g. a wild one. It keeps (see Fig. 2. It is long.) well. "
        'S. cerevisiae is used: "It rises." Then bake.\n'
        "is-a: Bread; ancestors: Baked Food\n"
        "relations: requires: Starter Culture, Wheat Flour; produced_by: Oven Baking\n"
        "- Starter Culture: Raw material of flour. It lives.",
        "## Bread (baking)\nBaked food.",
    ]
)
UNITS = [
    "## Sourdough Loaf (baking)",
    "Bread raised by yeast, e.g. a wild one.",
    "It keeps (see Fig. 2. It is long.) well.",
    'S. cerevisiae is used: "It rises."',
    "Then bake.",
    "is-a: Bread; ancestors: Baked Food",
    "relations: requires: Starter Culture, Wheat Flour; produced_by: Oven Baking",
    "- Starter Culture: Raw material of flour. It lives.",
    "## Bread (baking)",
    "Baked food.",
]


def rng(seed: int = 1) -> np.random.Generator:
    return named_rng(seed, "test")


def test_sentences_headings_and_list_items_are_the_units() -> None:
    assert units(peel(BLOCK)) == UNITS


def test_the_released_rule_parts_relations_from_their_targets() -> None:
    """STUDIES section 4, checked construction fact 2."""
    pieces = released_units(peel(BLOCK))
    assert "requires:" in pieces and "Starter Culture, Wheat Flour;" in pieces
    assert not any(piece.startswith("relations: requires: Starter") for piece in pieces)


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_a_shuffle_by_hand(splitter: str) -> None:
    text = shuffled(BLOCK, rng(), splitter)
    assert isinstance(text, str) and text != BLOCK
    cut = SPLITTERS[splitter].cut
    assert Counter(cut(peel(BLOCK))) == Counter(cut(peel(text))) or splitter == "released"
    lines = text.split("\n")
    assert (lines[0], lines[-1]) == (HEADER, FOOTER)
    assert sorted(re.sub(r"\s", "", text)) == sorted(re.sub(r"\s", "", BLOCK))
    assert len(lines) == 3 if splitter == "released" else len(lines) == len(UNITS) + 2


@given(st.lists(texts(), min_size=1, max_size=4), st.integers(0, 99))
def test_every_unit_survives_a_shuffle_whole(parts: list[str], seed: int) -> None:
    block = wrap(parts)
    text = shuffled(block, rng(seed))
    before = units(peel(block))
    if isinstance(text, Infeasible):
        assert len(set(before)) < 2
        return
    assert Counter(units(peel(text))) == Counter(before)
    assert units(peel(text)) != before
    assert sorted(re.sub(r"\s", "", text)) == sorted(re.sub(r"\s", "", block))


@given(st.text(alphabet="aB.!? ()\"'e:;\n-", max_size=60))
def test_cutting_into_sentences_loses_nothing_and_is_done_once(text: str) -> None:
    found = sentences(text)
    assert re.sub(r"\s", "", "".join(found)) == re.sub(r"\s", "", text)
    assert [again for s in found for again in sentences(s)] == found
    for s in found:
        assert s == s.strip() and s


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_one_seed_one_order_another_seed_another(splitter: str) -> None:
    orders = [shuffled(BLOCK, rng(seed), splitter) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_a_block_of_one_sentence_has_no_other_order() -> None:
    assert isinstance(shuffled(wrap(["Bread."]), rng()), Infeasible)
    assert isinstance(shuffled(wrap(["Bread.\nBread."]), rng()), Infeasible)
    two = shuffled(wrap(["A.\nB."]), rng())
    assert two == wrap(["B.\nA."]), "an order that reads as before is drawn again"
