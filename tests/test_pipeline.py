"""The stages of a request: the same text as the engine's, medians by hand, latencies left out."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copyceiling.artefacts.hashing import content_hash
from copyceiling.artefacts.overview_schemas import PIPELINE, TABLE1
from copyceiling.artefacts.store import describe, rows, to_table
from copyceiling.errors import ArtefactError
from copyceiling.latencies import latencies_of, served_latencies, without_latency
from copyceiling.manifest import scan
from copyceiling.pipeline import (
    STAGES,
    WHOLE,
    Measured,
    Request,
    measure,
    pass_through,
    pipeline_rows,
)
from copyceiling.render import markdown
from copyceiling.requests import build_messages
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens
from copyceiling.tables.pipeline import table1, table1_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import make_class

CLASSES = [
    make_class("red-ball", definition="A ball that is red.", relations={"uses": ("red-cube",)}),
    make_class("red-cube", definition="c" * 300, parents=("solid",)),
    make_class("solid", definition="A body with volume."),
    make_class("blue-ball", definition="b" * 500),
]
WORD = st.sampled_from("red ball cube solid blue the of x 42 balls".split())


def ticking(steps: list[int]) -> Callable[[], int]:
    """A clock that advances by these steps, over and over."""
    at: Iterator[int] = itertools.accumulate(itertools.cycle(steps), initial=0)
    return lambda: next(at)


def frozen_of(engine: ScaffoldEngine, requests: list[Request]) -> dict[str, Any]:
    return {
        r.id: build_messages(r.preamble, engine.scaffold(r.query).block, r.prompt) for r in requests
    }


@settings(deadline=None)
@given(st.lists(WORD, max_size=8).map(" ".join), st.integers(1, 400), st.integers(1, 4))
def test_the_stages_give_what_the_engine_gives(query: str, budget: int, seeds: int) -> None:
    engine = ScaffoldEngine(CLASSES, budget_tokens=budget, max_seeds=seeds)
    passage = pass_through(engine, Request("q", query, "Read this.", "Which?"))
    scaffold = engine.scaffold(query)
    assert passage.messages == build_messages("Read this.", scaffold.block, "Which?")
    assert passage.sizes[0] == len(query) and passage.sizes[3] == len(scaffold.seeds)
    assert passage.sizes[5] == estimate_tokens(scaffold.block) <= budget
    assert len(passage.times) == len(STAGES) == len(passage.sizes) - 1
    assert all(t >= 0 for t in passage.times)


def test_each_stage_has_its_own_time() -> None:
    """A clock of 1, 2, 4, ... ns between readings: no stage takes another's."""
    steps = [1, 2, 4, 8, 16, 32]
    passage = pass_through(
        ScaffoldEngine(CLASSES), Request("q", "red ball", "", "red ball"), ticking(steps)
    )
    assert list(passage.times) == steps


def test_medians_and_percentiles_by_hand() -> None:
    """Three requests, three passes. Stage 0 of request i takes i + 1, 10(i + 1), i + 1 ms."""
    stages = len(STAGES)
    later = np.zeros((3, 3, stages), dtype=np.int64)
    for i in range(3):
        later[:, i, 0] = np.array([i + 1, 10 * (i + 1), i + 1]) * 1_000_000
        later[:, i, 1] = [1_000_000, 0, 9_000_000]
    first = np.full((3, stages), 7_000_000, dtype=np.int64)
    sizes = np.arange(3 * (stages + 1)).reshape(3, stages + 1)
    found = pipeline_rows(Measured(first, later, sizes), [], "a machine")
    assert [r["stage"] for r in found] == [*(s.name for s in STAGES), WHOLE]
    # Medians over passes are 1, 2, 3 ms; their 95th percentile 2 + 0.9.
    assert (found[0]["median_ms"], found[0]["p95_ms"]) == (2.0, pytest.approx(2.9))
    assert (found[1]["median_ms"], found[2]["median_ms"]) == (1.0, 0.0)
    # Of the whole: sums a pass are 2, 10, 10; 3, 20, 11; 4, 30, 12: medians 10, 11, 12. The sum
    # of the stages' own medians would be 3.
    assert found[-1]["median_ms"] == 11.0
    assert (found[0]["first_ms"], found[-1]["first_ms"]) == (7.0, 42.0)
    assert (found[0]["size_in"], found[0]["size_out"]) == (7.0, 8.0)
    assert (found[-1]["size_in"], found[-1]["size_out"]) == (7.0, 13.0)
    assert {r["passes"] for r in found} == {3} and {r["n"] for r in found} == {3}


def test_passes_are_as_many_as_time_allows() -> None:
    requests = [Request("q1", "red ball", "", "red ball"), Request("q2", "solid", "", "solid")]
    frozen = frozen_of(ScaffoldEngine(CLASSES), requests)

    def passes(nanoseconds: int) -> int:
        engine = ScaffoldEngine(CLASSES)
        return len(measure(engine, requests, frozen, ticking([nanoseconds])).later)

    # 2 requests of 7 readings and one before and after: 15 steps a pass.
    assert passes(1) == 25, "no more than needed"
    assert passes(20_000_000) == 13, "4 s / 0.3 s"
    assert passes(10**10) == 3, "no fewer than a median needs"


def test_a_text_other_than_the_frozen_one_is_refused() -> None:
    requests = [Request(f"q{i}", "red ball", "", "red ball") for i in range(3)]
    frozen = frozen_of(ScaffoldEngine(CLASSES), requests)
    frozen["q1"] = build_messages("", "another block", "red ball")
    with pytest.raises(ArtefactError, match=r"1 of 3 questions:\n  - question q1\n"):
        measure(ScaffoldEngine(CLASSES), requests, frozen)


def call(arm: str, ms: float | None) -> dict[str, Any]:
    return {"arm": arm, "latency_ms": ms, "prompt_tokens": 100, "completion_tokens": None}


def test_latencies_on_record() -> None:
    found = latencies_of("m", [call("raw", 1.0), call("scaffold", 20.0), call("scaffold", None)])
    assert (found.n, list(found.ms), found.status) == (2, [20.0], "as frozen")
    assert (list(found.prompt_tokens), list(found.completion_tokens)) == ([100, 100], [])
    assert latencies_of("m", [call("scaffold", None)]).status == "no latency on record"
    measured = Measured(
        np.ones((1, len(STAGES)), dtype=np.int64),
        np.ones((1, 1, len(STAGES)), dtype=np.int64),
        np.ones((1, len(STAGES) + 1), dtype=np.int64),
    )
    *_, known, unknown = pipeline_rows(measured, [found, without_latency("o", "why")], "")
    assert (known["median_ms"], known["size_in"], known["size_out"]) == (20.0, 100.0, None)
    assert (unknown["median_ms"], unknown["p95_ms"], unknown["status"]) == (None, None, "why")


def test_served_requests_of_a_production_study() -> None:
    def answer(of: str, arm: str, seconds: float | None) -> dict[str, Any]:
        cohort = {"cohort": "production", "set": of, "arm": arm, "model": "m"}
        return {**cohort, "latency_s": seconds, "completion_tokens": 5}

    found = served_latencies(
        [
            answer("thin", "served", 90.0),
            answer("thin", "raw", 1.0),
            answer("arcane", "served", None),
            {**answer("thin", "served", 2.0), "cohort": "controls"},
        ]
    )
    assert [(f.stage.rpartition(" ")[2], f.n, list(f.ms)) for f in found] == [
        ("arcane", 1, []),
        ("thin", 1, [90_000.0]),
    ]
    assert [f.status for f in found] == ["no latency released", "as released"]


def test_latencies_are_no_part_of_the_identity(smoke: Path) -> None:
    found = rows(smoke / "studies" / "pipeline.parquet", PIPELINE)
    free = [r for r in found if not r["needs_model"]]
    assert len(free) == len(STAGES) + 1 and all(r["n"] == 46 for r in free)
    assert all(0 < r["median_ms"] <= r["p95_ms"] for r in free)
    assert free[-1]["median_ms"] > max(r["median_ms"] for r in free[:-1])
    (model,) = (r for r in found if r["stage"] == "ask the model")
    assert (model["model"], model["n"], model["status"]) == ("smollm2-135m", 6, "as frozen")
    other = [{**r, "median_ms": 99.0, "p95_ms": 99.0, "machine": "another"} for r in found]
    same, moved = (content_hash(to_table(x, PIPELINE), PIPELINE) for x in (found, other))
    assert same == moved == describe(smoke / "studies" / "pipeline.parquet")["content_hash"]
    changed = [{**r, "size_out": (r["size_out"] or 0.0) + 1} for r in found]
    assert content_hash(to_table(changed, PIPELINE), PIPELINE) != same


def test_the_claim_leaves_out_renderings_that_show_latencies(smoke: Path) -> None:
    claimed = scan(smoke)
    assert (smoke / "tables" / "table1.md").exists()
    assert claimed["tables/table1"]["texts"] == {}
    assert {"csv", "md", "tex"} <= set(claimed["tables/table4"]["texts"])


def test_table1_reads(smoke: Path) -> None:
    found = table1_rows(rows(smoke / "tables" / "table1.parquet", TABLE1), "as_received")
    text = markdown(table1(found, "Bakery", "as_received", 0.95))
    lines = [[c.strip() for c in x.split("|")[1:-1]] for x in text.splitlines() if x[:1] == "|"]
    assert [line[0] for line in lines if line[0] in {s.name for s in STAGES}] == [
        s.name for s in STAGES
    ]
    assert "questions" in text and "Latencies do not reproduce" in text
    (words,) = (line for line in lines if line[0] == STAGES[0].name)
    assert words[1].endswith("characters") and float(words[3]) > 0
