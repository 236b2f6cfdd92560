"""The page on the re-score says what the frozen rows of `go` give, number by number."""

import re
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.rescore_schemas import (
    NEIGHBOURS,
    RESCORE,
    RESCORE_CEILING,
    RESCORED_EXPOSURE,
    RESCORED_ITEMS,
)
from copyceiling.artefacts.schemas import ITEMS
from copyceiling.artefacts.store import rows
from copyceiling.published.expected import load_published
from copyceiling.published.rescore import EMBEDDER
from copyceiling.render import integer, interval, number
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import POOLED

from tests.conftest import ROOT
from tests.test_findings_stress import table

PAGE = (ROOT / "docs" / "findings" / "rescore.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
SHOWN = ("smollm2-135m", "qwen2.5-coder-0.5b", "reader-extract", "reader-lead")
MATCHERS = ("paper", "cosine@0.80", "cosine@0.85", "cosine@0.90")
Rows = dict[tuple[str, str], Any]


@pytest.fixture(scope="module")
def results(go_clone: Path) -> Path:
    return go_clone / "results" / "go" / "studies"


@pytest.fixture(scope="module")
def gains(results: Path) -> Rows:
    read = rows(results / "rescore.parquet", RESCORE)
    return {(r["model"], r["matcher"]): r for r in read if r["policy"] == "as_received"}


@pytest.fixture(scope="module")
def sides(results: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    ceilings = rows(results / "rescore_ceiling.parquet", RESCORE_CEILING)
    near = rows(results / "neighbours.parquet", NEIGHBOURS)
    return {r["matcher"]: r for r in ceilings}, {r["matcher"]: r for r in near}


def test_the_gains(gains: Rows) -> None:
    shown = table(PAGE, "Matcher")
    assert tuple(shown) == MATCHERS
    gain, bounds = number("gain", signed=True), interval("gain_domain")
    for matcher, cells in shown.items():
        found = [gains[model, matcher] for model in SHOWN]
        assert cells == [f"{gain(r)} {bounds(r)}" for r in found], matcher


def test_every_interval_of_a_model_lies_below_zero(gains: Rows) -> None:
    models = [r for r in gains.values() if r["group"] == "model" and r["model"] != POOLED]
    assert len(models) == 2 * len(MATCHERS)
    assert all(r["gain_domain_high"] < 0 and r["gain_naive_high"] < 0 for r in models)


def test_the_counts(gains: Rows) -> None:
    shown = table(PAGE, "Pooled models")
    for matcher in MATCHERS:
        row = gains[POOLED, matcher]
        assert shown[matcher] == [str(row[n]) for n in ("n11", "n10", "n01", "n00")]
    assert f"is {gains[POOLED, MATCHERS[1]]['n01']} of {gains[POOLED, 'paper']['n_gold']}" in TEXT
    hits, *kept = (gains[POOLED, m]["n_lexical_kept"] for m in MATCHERS)
    assert f"Of the {hits} hits in scaffold answers {kept[0]}, {kept[1]} and {kept[2]} are" in TEXT


def test_what_is_said_of_readers_and_questions(gains: Rows) -> None:
    gain = number("gain", signed=True)
    lead = [gain(gains["reader-lead", m]) for m in MATCHERS[:2]]
    assert f"goes from {lead[0]} to {lead[1]} at 0.80" in TEXT
    reader, small = gains["reader-lead", MATCHERS[1]], gains["smollm2-135m", MATCHERS[1]]
    assert reader["gain_domain_low"] < small["gain"] < reader["gain_domain_high"]
    raw = number("raw_recall")
    large = [gains["qwen2.5-coder-0.5b", m] for m in MATCHERS[:2]]
    copy = gains["reader-copy", MATCHERS[1]]
    assert f"from {raw(large[0])} to {raw(large[1])} for the larger model" in TEXT
    assert f"a reader that returns the question has {raw(copy)}" in TEXT
    uplift = [number("uplift", signed=True)(r) for r in large]
    assert f"({uplift[1]} at 0.80, {uplift[0]} under the paper's)" in TEXT


def test_the_ceilings_and_the_neighbours(sides: tuple[dict[str, Any], dict[str, Any]]) -> None:
    ceilings, near = sides
    lines = PAGE[PAGE.index("## What the encoder cannot tell apart") :]
    shown = table(lines, "Matcher")
    for matcher in MATCHERS:
        own, titles = ceilings[matcher], near[matcher]
        assert shown[matcher] == [
            number("ceiling")(own),
            str(own["n_exposed"]),
            str(own["question_exposed"]),
            number("share")(titles),
            str(titles["unlexical"]),
        ]
        assert (own["n_gold"], titles["of"]) == (459, 1500)
    falling = [ceilings[m]["ceiling"] for m in MATCHERS]
    assert falling == sorted(falling, reverse=True)
    lax = near[MATCHERS[1]]
    assert f"and {lax['unlexical']} of them the paper's matcher keeps apart" in TEXT
    assert 4 / 5 < lax["share"] < 6 / 7, "five in six"
    alone = ceilings[MATCHERS[1]]["question_exposed"]
    assert f"finds {alone} of 459 gold names in the question" in TEXT
    assert 1 / 3 < alone / 459 < 0.36, "one gold name in three"


def test_what_a_high_threshold_loses(results: Path) -> None:
    folder = results.parent
    asked = {q.id: q for q in read_questions(folder / "questions.parquet")}
    contexts = [
        asked[r["question_id"]].gold[r["item"]].title
        for r in rows(folder / "rescore/exposure.parquet", RESCORED_EXPOSURE)
        if r["arm"] == "scaffold" and r["exposed"] and r["cosine"] < 9000
    ]
    cut = [t for t in contexts if re.search(r"[\n;,:()\[\]{}]", t)]
    assert f"Of the {len(contexts)} names that" in TEXT and f"not, {len(cut)} hold a comma" in TEXT
    assert "cellular process" in set(contexts) - set(cut)
    cell = ("question_id", "model", "arm", "item")
    path = {
        tuple(r[k] for k in cell): r["path"]
        for model in SHOWN[:2]
        for r in rows(folder / f"items/{model}.parquet", ITEMS)
    }
    lost = [
        path[key]
        for r in rows(folder / "rescore/items.parquet", RESCORED_ITEMS)
        if r["arm"] == "scaffold" and r["recovered"] and r["cosine"] < 9000
        if (key := tuple(r[k] for k in cell)) in path
    ]
    bag = lost.count("word_bag")
    assert f"Of the {len(lost)} that 0.90 loses {bag} are credits of the word bag" in TEXT


def test_the_published_ceilings(shared: Path) -> None:
    """Our own column takes an encoder and minutes; what stands beside it is published."""
    published = load_published(shared / "reference" / "expected.yaml")
    values = {p.key: p.value for p in published}
    lines = PAGE[PAGE.index("## The paper's contexts") :]
    shown = table(lines, "Matcher")
    assert f"published with `{EMBEDDER}`" in lines
    for matcher in MATCHERS[1:]:
        name = matcher.partition("@")[2]
        model = "glm-4.6"
        exposed = sum(values[f"rescore.{model}@{name}.{cell}"] for cell in ("n11", "n10"))
        row = {"n": exposed, "c": values[f"rescore.ceiling@{name}"]}
        assert shown[matcher][2:] == [number("c", 4)(row), integer("n")(row)]
    row = {"n": values["ceiling.exposed_items"], "c": values["ceiling.macro"]}
    assert shown["paper"] == [number("c", 4)(row), integer("n")(row)] * 2
