"""Gates of the hybrid: thresholds, the split they are chosen on, and what their arms then are."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from copyceiling.questions import GoldItem, Question
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.semantic import Hit
from copyceiling.stress.analysis import FREE_ARMS, GATED_ARMS, ORACLE_OF, Study, stress_rows
from copyceiling.stress.arms import (
    ARMS,
    Asked,
    Found,
    boilerplate,
    exposure_rows,
    retrieve,
    signal_row,
)
from copyceiling.stress.gates import ABSENCE, ABSENCE_THRESHOLD, CHOSEN, Gate, choose, halves
from copyceiling.sweep import Settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class

RANK, SCORE = CHOSEN
SETTINGS = Settings(seed=1, resamples=200, level=0.95)
# Ranks are at least 1, scores at least 2.
SEEN = st.lists(st.none() | st.integers(2, 6), min_size=1, max_size=8)


def signals(gate: Gate, values: Sequence[Any]) -> list[dict[str, Any]]:
    return [{gate.signal: v} for v in values]


@pytest.mark.parametrize("gate", CHOSEN, ids=lambda g: g.name)
@settings(deadline=None)
@given(values=SEEN)
def test_thresholds_reach_from_never_to_always(gate: Gate, values: list[int | None]) -> None:
    seen = signals(gate, values)
    fired = [{i for i, s in enumerate(seen) if gate.fires(s, t)} for t in gate.thresholds(seen)]
    assert fired[0] == set() and (len(fired) == 1 or fired[-1] == set(range(len(seen))))
    distinct = {v for v in values if v is not None}
    # Every way to tell the questions apart by one threshold is among them, each once.
    assert len(fired) <= len(distinct) + 2
    for cut in distinct:
        apart = {
            i for i, v in enumerate(values) if v is None or (v > cut if gate.above else v < cut)
        }
        assert apart in fired


@pytest.mark.parametrize("gate", CHOSEN, ids=lambda g: g.name)
@settings(deadline=None)
@given(data=st.data())
def test_choice_equals_trying_all(gate: Gate, data: st.DataObject) -> None:
    values = data.draw(SEEN)
    score = st.lists(st.integers(0, 3), min_size=len(values), max_size=len(values))
    lexical, other = ([Fraction(x, 3) for x in data.draw(score)] for _ in range(2))
    seen = signals(gate, values)
    chosen = choose(gate, seen, lexical, other)

    def total(threshold: float) -> Fraction:
        fired = (gate.fires(s, threshold) for s in seen)
        return sum(
            (o if f else x for f, x, o in zip(fired, lexical, other, strict=True)), Fraction(0)
        )

    best = max(total(t) for t in gate.thresholds(seen))
    assert total(chosen) == best
    least = min(
        sum(gate.fires(s, t) for s in seen) for t in gate.thresholds(seen) if total(t) == best
    )
    assert sum(gate.fires(s, chosen) for s in seen) == least


def test_absence_fires_only_where_nothing_is_found() -> None:
    fires = [ABSENCE.fires({"n_lexical": n}, ABSENCE_THRESHOLD) for n in (0, 1, 4)]
    assert fires == [True, False, False]


def question(number: int, slugs: Sequence[str], prompt: str = "What?") -> Question:
    return Question(
        f"q{number:04d}", f"k{number}", f"d{number % 3}", "T", tuple(slugs), prompt, prompt,
        (GoldItem("flour", "Flour"), GoldItem("heat", "Heat")), "all",
    )  # fmt: skip


SLUGS = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=2, unique=True)


@settings(deadline=None)
@given(st.lists(SLUGS, min_size=1, max_size=30), st.integers(0, 99))
def test_questions_that_share_a_subject_stay_together(slugs: list[list[str]], seed: int) -> None:
    asked = [question(i, s) for i, s in enumerate(slugs)]
    found = halves(asked, seed)
    for a in asked:
        for b in asked:
            if set(a.class_slugs) & set(b.class_slugs):
                assert found[a.id] == found[b.id]
    assert halves(list(reversed(asked)), seed) == found
    assert set(found.values()) <= {"chosen", "held_out"}


def test_halves_are_near_in_size_and_drawn_by_seed() -> None:
    asked = [question(i, [f"s{i // 3}"]) for i in range(120)]
    found = [halves(asked, seed) for seed in (1, 2)]
    assert found[0] != found[1]
    assert [sum(h == "chosen" for h in f.values()) for f in found] == [60, 60]


@pytest.fixture(scope="module")
def engine() -> ScaffoldEngine:
    bread = make_class("bread", definition="Baked.", relations={"requires": ("flour", "heat")})
    return ScaffoldEngine([bread, make_class("flour"), make_class("heat"), make_class("graph")])


def test_arms_differ_in_their_seeds_alone(engine: ScaffoldEngine) -> None:
    asked = Asked(question(1, ["bread"], "What does Bread in the Graph require?"), "original")
    found = retrieve(asked, engine, [Hit("bread", 0.9), Hit("heat", 0.5)], [Hit("flour", 0.7)])
    rows = {r["arm"]: r for r in exposure_rows(asked, found, engine, "Mind this.")}
    assert tuple(rows) == ARMS
    assert rows["lexical"]["seeds"] == ["bread", "graph"]
    assert rows["semantic"]["seeds"] == ["bread", "heat"]
    assert rows["semantic_titles"]["seeds"] == ["flour"]
    assert rows["fused"]["seeds"] == ["bread", "graph", "heat"]
    assert [rows[a]["n_exposed"] for a in ARMS] == [2, 2, 1, 2]
    assert {r["n_alone"] for r in rows.values()} == {0}


def test_a_gate_sees_the_query_without_the_words_of_the_wording(engine: ScaffoldEngine) -> None:
    prompt = "What does Bread in the Graph require?"
    wording = boilerplate({prompt: ["Bread"]}, ["Take two"])
    assert wording == {"what", "does", "in", "the", "graph", "require", "take", "two"}
    asked = Asked.rewritten(question(1, ["bread"]), "What is in the graph?", "title")
    row = signal_row(asked, Found((), (), ()), engine, wording, "chosen")
    assert (
        row["stripped_score"] is None and row["top_score"] is None and row["disagreement"] is None
    )
    assert asked.question.retrieval_text == "What is in the graph?"


COUNT = st.integers(0, 2)
CELL = st.tuples(COUNT, COUNT, COUNT, COUNT, st.none() | st.integers(1, 21), st.integers(0, 4))
WORLD = st.lists(st.tuples(CELL, CELL, st.booleans()), min_size=1, max_size=8)


def world(cells: Sequence[Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    exposure, seen = [], []
    for i, (original, rewritten, held_out) in enumerate(cells):
        for version, (*counts, rank, n) in (("original", original), ("rewritten", rewritten)):
            for arm, k in zip(ARMS, counts, strict=True):
                exposure.append(
                    {"question_id": f"q{i}", "version": version, "arm": arm, "domain": f"d{i % 3}",
                     "seeds": [], "tokens": 10 * k, "gold_type": "all", "n_gold": 2,
                     "n_exposed": k, "n_exposed_strict": k // 2, "n_alone": 0, "n_alone_strict": 0}
                )  # fmt: skip
            seen.append(
                {"question_id": f"q{i}", "version": version, "how": "title" if i % 2 else "part",
                 "half": "held_out" if held_out else "chosen", "subjects": [], "n_lexical": n,
                 "top_score": None, "stripped_score": None if rank is None else 22.0 - rank,
                 "disagreement": rank}
            )  # fmt: skip
    return exposure, seen


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(WORLD)
def test_every_gated_arm_is_one_of_its_two_and_none_beats_the_oracle(cells: list[Any]) -> None:
    study = Study(*world(cells))
    for q in study.ids:
        for version in ("original", "rewritten"):
            of = {a: study.outcome(q, version, a, "paper") for a in (*FREE_ARMS, *GATED_ARMS)}
            for gate in (ABSENCE, *CHOSEN):
                arm = of[gate.name]
                source = gate.turns_to if arm.fired else "lexical"
                assert (arm.score, arm.tokens) == (of[source].score, of[source].tokens)
            assert of["oracle"].score == max(of[a].score for a in ORACLE_OF)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(WORLD)
def test_a_hybrid_whose_gate_never_fires_is_lexical_retrieval(cells: list[Any]) -> None:
    study = Study(*world(cells))
    study.thresholds = {gate.name: gate.never for gate in CHOSEN}
    for q in study.ids:
        lexical = study.outcome(q, "rewritten", "lexical", "paper")
        for arm in GATED_ARMS:
            found = study.outcome(q, "rewritten", arm, "paper")
            assert (found.score, found.tokens, found.fired) == (
                lexical.score,
                lexical.tokens,
                False,
            )


def test_rows_by_hand() -> None:
    """Two questions by hand: lexical retrieval loses the first once rewritten, not the second."""
    cells = [
        ((2, 2, 0, 2, 1, 4), (0, 2, 0, 2, 21, 4), True),
        ((2, 0, 0, 1, 1, 4), (2, 0, 0, 1, 1, 4), True),
    ]
    rows = stress_rows(*world(cells), SETTINGS)
    at = {(r["scope"], r["version"], r["arm"]): r for r in rows if r["matcher"] == "paper"}
    lexical = at["all", "rewritten", "lexical"]
    assert (lexical["n"], lexical["ceiling"], lexical["difference"]) == (2, 0.5, 0.0)
    semantic = at["all", "rewritten", "semantic"]
    assert (semantic["difference"], semantic["n_better"], semantic["n_worse"]) == (0.0, 1, 1)
    assert at["all", "original", "semantic"]["difference"] == -0.5
    assert at["all", "rewritten", "oracle"]["ceiling"] == 1.0
    assert at["all", "rewritten", "absence"]["fired"] == 0.0
    failing = at["failing", "rewritten", "fused"]
    assert (failing["n"], failing["difference"], failing["difference_naive_low"]) == (1, 1.0, None)
    # Nothing was there to choose a threshold on, so the gate never fires.
    hybrid = at["held_out", "rewritten", "hybrid_disagreement"]
    assert (hybrid["fired"], hybrid["threshold"], hybrid["difference"]) == (0.0, None, 0.0)
    assert ("all", "rewritten", "hybrid_disagreement") not in at, "half of them chose its threshold"
    assert at["names", "original", "lexical"]["n"] == at["definitions", "original", "lexical"]["n"]


def test_a_question_without_a_rewrite_counts_in_neither_version() -> None:
    exposure, seen = world([((2, 2, 2, 2, 1, 4), (0, 0, 0, 0, 1, 4), True)] * 2)
    kept = [r for r in seen if (r["question_id"], r["version"]) != ("q1", "rewritten")]
    rows = stress_rows(exposure, kept, SETTINGS)
    assert {r["n"] for r in rows if r["scope"] == "all"} == {1}
