"""The mechanism census: hand-made units, and the answers of the shipped study."""

from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import MECHANISMS, RUN_TOGETHER
from copyceiling.artefacts.schemas import COMPLETIONS, EXPOSURE, ITEMS
from copyceiling.artefacts.store import rows, to_table
from copyceiling.audit.mechanisms import MECHANISMS as NAMES
from copyceiling.audit.mechanisms import (
    Unit,
    mechanism_rows,
    run_together_rows,
    units_of,
)
from copyceiling.audit.traits import spaced
from copyceiling.matching import Text, Title, match
from copyceiling.questions import GoldItem, Question
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions

from tests.conftest import ROOT


def unit(
    gold: str, answer: str, *, subject: str = "Something Else", exposed: bool = True, **given: Any
) -> Unit:
    """A unit whose credit comes from the matcher itself."""
    found = match(Title.of(gold), Text.of(answer))
    gold_type = given.pop("gold_type", "all")
    asked = Question("q1", "k", "d", "T", ("s",), "p", "p", (GoldItem("g", gold),), gold_type)
    fields: dict[str, Any] = {
        "model": "m",
        "in_question": False,
        "answered": found.paper,
        **given,
    }
    return Unit(
        question=asked,
        item=0,
        subjects=[subject],
        exposed=exposed,
        path=found.path,
        at_boundary=found.strict,
        answer=Text.of(answer).norm,
        **fields,
    )


@pytest.mark.parametrize(
    ("made", "category", "expected"),
    [
        (unit("Computing", "It is computing.", subject="Affective Computing"), "n11",
         {"gold_substring_of_subject", "gold_single_token"}),
        (unit("Edge Computing", "computing at the edge"), "n11", {"matched_by_word_bag_only"}),
        (unit("Art", "a smart contract"), "n11", {"gold_single_token", "credit_inside_word"}),
        (unit("GraphQL", "It uses GraphQL."), "n11", {"gold_unspaced_camel", "gold_single_token"}),
        (unit("SustainabilityReporting", "sustainability reporting"), "n10",
         {"gold_unspaced_camel", "gold_single_token", "spaced_form_in_answer"}),
        (unit("SustainabilityReporting", "no idea"), "n10",
         {"gold_unspaced_camel", "gold_single_token"}),
        (unit("Edge Node", "the other one", gold_type="any", answered=True), "n10",
         {"compliant_omission"}),
        (unit("Edge Node", "the other one", answered=True), "n10", set()),
        (unit("Edge Node", "edge node", exposed=False, in_question=True), "n01",
         {"gold_in_question"}),
        (unit("Edge Node", "", exposed=False), "n00", set()),
    ],
)  # fmt: skip
def test_mechanisms_of_a_unit(made: Unit, category: str, expected: set[str]) -> None:
    assert made.category == category
    assert {name for name, has in made.mechanisms().items() if has} == expected


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("DeFi", "De Fi"),
        ("EdDSA", "Ed DSA"),
        ("MultiAccessEdgeComputing", "Multi Access Edge Computing"),
        ("Web3Platform", "Web3 Platform"),
        ("Plain Title", "Plain Title"),
    ],
)
def test_spaced_form(title: str, words: str) -> None:
    """STUDIES section 5: a space between [a-z0-9] and [A-Z]."""
    assert spaced(title) == words


def test_census_pools_models_without_readers() -> None:
    made = [
        unit("GraphQL", "graphql"),
        unit("GraphQL", "graph ql", model="n"),
        unit("GraphQL", "nothing", model="n"),
        unit("GraphQL", "graphql", model="reader-copy"),
    ]
    readers = frozenset({"reader-copy"})
    found = mechanism_rows(made, readers)
    to_table(found, MECHANISMS)
    counts = {(r["model"], r["mechanism"], r["category"]): (r["n"], r["of"]) for r in found}
    assert counts["(pooled)", "gold_unspaced_camel", "n11"] == (1, 1)
    assert counts["(pooled)", "spaced_form_in_answer", "n10"] == (1, 2)
    assert counts["reader-copy", "gold_unspaced_camel", "n11"] == (1, 1)
    assert {r["mechanism"] for r in found} == set(NAMES)
    together = run_together_rows(made, readers)
    to_table(together, RUN_TOGETHER)
    assert together == [
        {"title": "GraphQL", "spaced": "Graph QL", "n": 3, "n_substring": 1, "n_word_bag": 0,
         "n_spaced": 1, "n_absent": 1}
    ]  # fmt: skip


def test_the_answers_of_the_shipped_study() -> None:
    """Census against the score rows: its categories are their cells, its paths their credits."""
    results = ROOT / "results" / "go"
    model = "smollm2-135m"
    if not (results / "items" / f"{model}.parquet").exists():
        pytest.skip("results/go is not built (make table4)")
    items = rows(results / "items" / f"{model}.parquet", ITEMS)
    units = units_of(
        read_questions(results / "questions.parquet"),
        {c.slug: c.title for c in read_classes(results / "corpus" / "classes.parquet")},
        rows(results / "exposure.parquet", EXPOSURE),
        items,
        rows(results / "completions" / f"{model}.parquet", COMPLETIONS),
    )
    for made in units:
        found = match(Title.of(made.title), Text(made.answer))
        assert (found.path, found.strict) == (made.path, made.at_boundary)
    shown = [r for r in items if r["arm"] == "scaffold"]
    assert len(units) == len(shown) > 0
    census = mechanism_rows(units, frozenset())
    pooled = {(r["mechanism"], r["category"]): r for r in census if r["model"] == "(pooled)"}
    credited = sum(pooled["gold_in_question", c]["of"] for c in ("n11", "n01"))
    assert credited == sum(r["recovered"] for r in shown)
    by_words = sum(pooled["matched_by_word_bag_only", c]["n"] for c in ("n11", "n01"))
    assert by_words == sum(r["path"] == "word_bag" for r in shown)
    inside = pooled["credit_inside_word", "n11"]["n"]
    assert inside == sum(r["path"] == "substring" and not r["recovered_strict"] for r in shown)
