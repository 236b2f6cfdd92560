"""The shuffled and masked arms: properties against brute-force oracles, and cases by hand."""

import random
import re
from collections import Counter

import numpy as np
import pytest
from copyceiling.controls.blocks import Infeasible, peel, wrap
from copyceiling.controls.mask import masked, surface_forms
from copyceiling.controls.shuffle import (
    SPLITTERS,
    released_units,
    sentences,
    shuffled,
    units,
)
from copyceiling.matching import Text, Title, match
from copyceiling.scaffold import FOOTER, HEADER, ScaffoldEngine
from copyceiling.stats import named_rng
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class
from tests.control_cases import WORDS, corpora, texts

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


def left(title: str, text: str) -> bool:
    """Brute force: are the title's words somewhere in the text, one after another?"""
    wanted, there = (re.findall(r"[^\W_]+", x.lower()) for x in (title, text))
    n = len(wanted)
    return n > 0 and any(there[i : i + n] == wanted for i in range(len(there) - n + 1))


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), max_size=4), texts(30))
def test_no_form_of_a_title_is_left(titles: list[list[str]], text: str) -> None:
    seeds = [
        make_class(f"{'-'.join(t)}-{i}", title=("-" if i % 2 else " ").join(t))
        for i, t in enumerate(titles)
    ]
    result = masked(text, seeds)
    there = [c for c in seeds if left(c.title, text) or left(c.slug, text)]
    if isinstance(result, Infeasible):
        assert not there
        return
    for c in seeds:
        assert not left(c.title, result) and not left(c.slug, result)
        assert not match(Title.of(c.title), Text.of(result)).strict or not c.title.isascii()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpora(most=6))
def test_no_title_of_a_rendered_block_is_left(classes: list) -> None:  # type: ignore[type-arg]
    seeds = classes[:3]
    block, n = ScaffoldEngine(classes).block([c.slug for c in seeds])
    assume(n == len(seeds))
    result = masked(block, seeds)
    assert isinstance(result, str) and result != block
    assert not any(left(c.title, result) for c in seeds)
    assert result.count("\n") == block.count("\n"), "lines stay lines"


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), st.integers(0, 9))
def test_plurals_and_longer_words_stay(title: list[str], k: int) -> None:
    name = " ".join(title)
    text = f"## {name}\nMany {name}s and un{name} and {name}{k}x stay."
    result = masked(text, [make_class("x-y-z", title=name)])
    assert isinstance(result, str)
    tail = text.split("\n")[1]
    if len(title) == 1 and not name.isdigit():
        assert result.split("\n")[1] == tail


SEEDS = [
    make_class("client-side-validation", title="Client-Side Validation"),
    make_class("large-language-model-llm", title="Large Language Model (LLM)"),
    make_class("datagovernance", title="DataGovernance"),
    make_class("catalytic-activity-acting-on-rna", title="catalytic activity, acting on RNA"),
    make_class("validation", title="Validation"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Client-Side Validation (web)", "## Entity-1 (web)"),
        ("client side validation; CLIENT_SIDE/VALIDATION", "Entity-1; Entity-1"),
        ("a Large Language Model (LLM) is", "a Entity-2 is"),
        ("Large language models, a large language model, LLM", None),
        ("(see Large Language Model (LLM))", "(see Entity-2)"),
        ("Data Governance and DataGovernance", "Entity-3 and Entity-3"),
        ("Catalytic activity, acting on RNA; validation", "Entity-4; Entity-5"),
        ("invalidation, validations, validation", "invalidation, validations, Entity-5"),
        # A name that runs over the end of a list item: both items stay items.
        ("- client\n- side, validation.", "- Entity-1\n- Entity-1, Entity-1."),
    ],
)
def test_masks_by_hand(text: str, expected: str | None) -> None:
    expected = expected or "Large language models, a Entity-2, Entity-2"
    assert masked(text, SEEDS) == expected


def test_another_label_where_entity_spells_a_name() -> None:
    seeds = [make_class("entity", title="Entity"), make_class("x", title="1 Cell")]
    assert masked("An entity has 1 cell.", seeds) == "An Item-1 has Item-2."
    # "Entity-1 Cell" would complete the second name.
    seeds = [make_class("wall", title="Wall"), make_class("x", title="1 Cell")]
    text = masked("Wall cell; 1 cell.", seeds)
    assert isinstance(text, str) and not left("1 Cell", text)


def test_a_short_name_of_one_class_gives_way_to_the_title_of_another() -> None:
    seeds = [
        make_class("a", title="exosome (RNase complex)"),
        make_class("b", title="exosome"),
    ]
    assert masked("exosome (RNase complex), exosome", seeds) == "Entity-1, Entity-2"


def test_surface_forms_of_a_title() -> None:
    assert surface_forms("Large Language Model (LLM)", "llm-1") == [
        ("large", "language", "model", "llm"),
        ("llm", "1"),
        ("large", "language", "model"),
        ("llm",),
    ]
    # What stands in brackets is no name of the class unless it abbreviates it.
    assert ("biology",) not in surface_forms("Cell (biology)", "cell")


def test_nothing_to_mask_is_infeasible() -> None:
    assert isinstance(masked("Nothing here.", [make_class("loaf")]), Infeasible)
    assert isinstance(masked("Nothing here.", []), Infeasible)


def test_the_oracle_and_the_mask_agree_on_random_text() -> None:
    r = random.Random(5)
    seeds = [make_class(f"s{i}", title=" ".join(r.choices(WORDS, k=1 + i % 3))) for i in range(4)]
    for _ in range(200):
        text = "".join(r.choice(WORDS) + r.choice(" -,.()\n") for _ in range(30))
        result = masked(text, seeds)
        assert isinstance(result, Infeasible) != any(left(c.title, text) for c in seeds)
        assert not isinstance(result, str) or not any(left(c.title, result) for c in seeds)
