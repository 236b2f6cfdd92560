"""The study of the re-score: from cosines to recall, ceiling and gain, and neighbouring titles."""

import re
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.rescore_schemas import RESCORE
from copyceiling.artefacts.store import rows
from copyceiling.errors import EmbeddingError
from copyceiling.rescore.cosines import hits
from copyceiling.rescore.items import item_rows
from copyceiling.rescore.neighbours import measure_neighbours, replay_neighbours, titles_digest
from copyceiling.rescore.plan import digest
from copyceiling.rescore.study import matcher_name
from copyceiling.sweep import POOLED
from copyceiling.text import normalise
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.embedders import StubEmbedder
from tests.rescore_toy import THRESHOLDS, Toy, phrases, question

some_golds = st.sampled_from(["cell wall", "root hair", "growth of root"])
golds = st.lists(some_golds, min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(golds, st.sampled_from(["all", "any"]), phrases, phrases), min_size=2, max_size=4
    )
)
def test_a_copy_has_no_gain_and_the_cells_add_up(drawn: list[tuple[Any, str, str, str]]) -> None:
    toy = Toy(
        [question(i, d[0], d[1], f"d{i % 2}") for i, d in enumerate(drawn)], [d[2] for d in drawn]
    )
    said = {f"q{i:04d}": d[3] for i, d in enumerate(drawn)}
    found, ceilings = toy.run(
        {"reader-copy": toy.copy, "model": lambda q, arm: said[q]}, StubEmbedder()
    )
    names = ["paper", *map(matcher_name, THRESHOLDS)]
    n_gold = sum(len(q.gold) for q in toy.questions)
    for name in names:
        copy = found["reader-copy", name]
        assert copy["gain"] == 0 and copy["gain_naive_low"] == copy["gain_domain_high"] == 0
        assert copy["scaffold_recall"] == ceilings[name]["ceiling"]
        assert copy["ceiling"] == found["model", name]["ceiling"] == ceilings[name]["ceiling"]
        assert copy["n10"] == copy["n01"] == 0
        for model in ("model", "reader-copy", POOLED):
            row = found[model, name]
            assert row["n11"] + row["n10"] + row["n01"] + row["n00"] == row["n_gold"] == n_gold
            assert row["n_lexical_kept"] <= row["n_lexical"]
        assert found["model", name]["n11"] == found[POOLED, name]["n11"], "readers are not pooled"
    for tighter, looser in ((3, 2), (2, 1)):
        assert found["model", names[tighter]]["n11"] <= found["model", names[looser]]["n11"]


def test_any_collapses_on_both_sides() -> None:
    """One of two items of an any-question is enough, for the answer and for the context alike."""
    toy = Toy(
        [
            question(0, ["cell wall", "root hair"], "any", "a"),
            question(1, ["cell wall", "root hair"], "all", "b"),
        ],
        ["the cell wall", "the cell wall"],
    )
    found, ceilings = toy.run({"model": lambda q, arm: "root hair"}, StubEmbedder())
    row = found["model", "cosine@0.90"]
    assert row["scaffold_recall"] == (1 + 0.5) / 2 and row["ceiling"] == (1 + 0.5) / 2
    assert (row["n11"], row["n10"], row["n01"], row["n00"]) == (0, 2, 2, 0), "counts never do"
    assert ceilings["cosine@0.90"]["ceiling"] == 0.75 and ceilings["cosine@0.90"]["n_exposed"] == 2


def test_the_question_is_part_of_the_context() -> None:
    """It exposes an item in both arms, and nothing in an answer that leaves it out."""
    asked = [question(0, ["what of 0"], "all", "a"), question(1, ["root"], "all", "b")]
    toy = Toy(asked, ["x", "y"])
    found, ceilings = toy.run({"model": lambda q, arm: "no idea"}, StubEmbedder())
    assert ceilings["cosine@0.90"]["question_exposed"] == 1
    assert ceilings["cosine@0.90"]["n_exposed"] == 1
    assert found["model", "cosine@0.90"]["n10"] == 1


def test_an_answer_without_words_misses_and_is_not_a_cosine_of_zero() -> None:
    toy = Toy([question(0, ["root"], "all", "a")], ["the root"])
    cells = [{"question_id": "q0000", "model": "m", "arm": "scaffold", "answer": " .. "}]
    lexical = [{**cells[0], "item": 0, "recovered": False}]
    (row,) = item_rows(toy.questions, cells, lexical, {})
    assert row["cosine"] is None and hits([None], 1) == [False]


# -- neighbouring titles


@given(st.lists(phrases.map(normalise), min_size=2, max_size=8))
@settings(max_examples=40, deadline=None)
def test_neighbours_equal_brute_force(found: list[str]) -> None:
    stub = StubEmbedder()
    measured = {r["title"]: r["cosine"] for r in measure_neighbours(found, found, stub)}
    for i, title in enumerate(found):
        others = [
            sum(a * b for a, b in zip(stub.vector(title), stub.vector(other), strict=True))
            for j, other in enumerate(found)
            if j != i and other and title
        ]
        if others:
            assert abs(measured[digest(title)] - round(max(others) * 10_000)) <= 1
        else:
            assert digest(title) not in measured


def test_neighbours_are_of_these_classes_and_no_others() -> None:
    stub, found = StubEmbedder(), ["cell wall", "root"]
    frozen = measure_neighbours(found, found, stub)
    assert len(replay_neighbours(found, ["root"], frozen, stub.identity)) == 1
    with pytest.raises(EmbeddingError, match="for these 3 classes"):
        replay_neighbours([*found, "hair"], ["root"], frozen, stub.identity)
    assert titles_digest(["a", "b"]) != titles_digest(["b", "a"])


# -- the shipped study


def test_the_smoke_study_replays_its_frozen_cosines(smoke: Path) -> None:
    found = rows(smoke / "studies/rescore.parquet", RESCORE)
    copy = [r for r in found if r["model"] == "reader-copy"]
    assert {r["matcher"] for r in copy} == {"paper", *map(matcher_name, THRESHOLDS)}
    assert all(r["gain"] == 0 for r in copy)
    text = (smoke / "tables/rescore.md").read_text(encoding="utf-8")
    assert re.search(r"reader-copy +\| cosine@0.90 .*\+0\.000", text)
    assert "weights sha256 8199be6f699a395f" in text
    for kind in ("svg", "png"):
        assert (smoke / f"figures/rescore.{kind}").stat().st_size > 1000
