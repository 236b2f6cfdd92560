"""The controls without a judge: measures by arm and contrasts, by hand and against plain sums."""

from fractions import Fraction
from typing import Any

import pytest
from copyceiling.artefacts.arm_schemas import ARM_RECALL
from copyceiling.artefacts.control_schemas import CONTROL_CELLS, CONTROLS_RECALL, TABLE7_RECALL
from copyceiling.artefacts.store import to_table
from copyceiling.cohorts import FAMILIES
from copyceiling.controls.recall import recall_study
from copyceiling.render import markdown
from copyceiling.stats import holm, signed_rank
from copyceiling.sweep import POLICIES
from copyceiling.tables.controls_recall import table7_recall, table7_recall_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judged_rows import SETTINGS

Row = dict[str, Any]
ARMS = ("raw", "true", "shuffled", "answer_disjoint")


def cell(q: int, arm: str, *, made: bool = True, **more: Any) -> Row:
    row = {column.name: None for column in CONTROL_CELLS.columns}
    given = {"n_gold_block": 1, "n_gold_block_strict": 1, "n_proxy_block": 1}
    block = {**given, "block_tokens": 0 if arm == "raw" else 90, "block_sha256": f"{q}{arm}"}
    return {
        **row,
        "cohort": "controls",
        "set": "T-REL" if q % 2 else "T-TAX",
        "question_id": f"q{q}",
        "arm": arm,
        "status": "made" if made else "infeasible",
        "reason": None if made else "no donor",
        "true_tokens": 100,
        "n_gold": 2,
        "n_proxy": 4,
        "n_proxy_block_strict": 0 if made else None,
        **(block if made else {}),
        **more,
    }


def recall(q: int, arm: str, hits: int, exposed: int, status: str = "ok", **more: Any) -> Row:
    both = min(hits, exposed)
    return {
        "cohort": "controls",
        "set": "T-REL" if q % 2 else "T-TAX",
        "question_id": f"q{q}",
        "arm": arm,
        "model": "m",
        "matcher": "paper",
        "status": status,
        "template": "T-REL",
        "domain": f"d{q % 3}",
        "gold_type": "all",
        "n_gold": 2,
        "n_exposed": exposed,
        "n_hits": hits,
        "n11": both,
        "n10": exposed - both,
        "n01": hits - both,
        "n00": 2 - exposed - hits + both,
        "recall_num": hits,
        "recall_den": 2,
        "ceiling_num": exposed,
        "ceiling_den": 2,
        "signature": "s",
        **more,
    }


def study(cells: list[Row], answers: list[Row]) -> dict[tuple[str, ...], Row]:
    to_table(cells, CONTROL_CELLS)
    to_table(answers, ARM_RECALL)
    found = recall_study(cells, answers, SETTINGS)
    to_table(found, CONTROLS_RECALL)
    names = ("matcher", "policy", "scope", "first", "second")
    return {tuple(r[n] for n in names): r for r in found}


def example() -> tuple[list[Row], list[Row]]:
    """Six questions. true: q0 has no answer; answer_disjoint: q5 could not be made.

    Hits of raw 0 0 1 0 0 0; of true (0, empty) 2 2 2 1 2, exposed 2 each; of shuffled 2 each;
    of answer_disjoint 0 0 1 0 0, exposed 0.
    """
    cells = [cell(q, arm) for q in range(6) for arm in ARMS]
    cells[-1] = cell(5, "answer_disjoint", made=False)
    hits = {
        "raw": (0, 0, 1, 0, 0, 0),
        "true": (0, 2, 2, 2, 1, 2),
        "shuffled": (2,) * 6,
        "answer_disjoint": (0, 0, 1, 0, 0),
    }
    exposed = {"raw": 0, "true": 2, "shuffled": 2, "answer_disjoint": 0}
    answers = [
        recall(q, arm, h, exposed[arm], "empty" if (arm, q) == ("true", 0) else "ok")
        for arm in ARMS
        for q, h in enumerate(hits[arm])
    ]
    return cells, answers


def test_arms_by_hand() -> None:
    found = study(*example())
    row = found["paper", "as_received", "pooled", "true", ""]
    assert (row["planned"], row["infeasible"], row["not_ok"], row["n"]) == (6, 0, 1, 6)
    assert (row["recall"], row["ceiling"]) == (pytest.approx(0.75), 1.0)
    assert row["gain"] == pytest.approx(-0.25)
    assert row["recall_low"] <= 0.75 <= row["recall_high"]
    case = found["paper", "complete_case", "pooled", "true", ""]
    assert (case["n"], case["recall"]) == (5, pytest.approx(0.9))
    lacking = found["paper", "as_received", "pooled", "answer_disjoint", ""]
    assert (lacking["planned"], lacking["infeasible"], lacking["n"]) == (6, 1, 5)
    assert lacking["recall"] == pytest.approx(0.1), "what could not be made is no zero"


def test_contrasts_by_hand() -> None:
    found = study(*example())
    row = found["paper", "as_received", "pooled", "true", "answer_disjoint"]
    # q0..q4: 0-0, 2-0, 2-1, 2-0, 1-0, in halves.
    assert (row["n"], row["infeasible"], row["wins"], row["losses"], row["ties"]) == (5, 1, 4, 0, 1)
    assert row["recall"] == pytest.approx((0 + 2 + 1 + 2 + 1) / 10)
    assert row["ceiling"] == 1.0
    assert row["gain"] == pytest.approx(0.6 - 1.0)
    assert row["p"] == signed_rank([0, 2, 1, 2, 1]).p
    same = found["paper", "as_received", "pooled", "true", "shuffled"]
    assert (same["recall"], same["ceiling"]) == (pytest.approx(-0.25), 0.0)
    placebo = found["paper", "as_received", "pooled", "answer_disjoint", "raw"]
    assert (placebo["recall"], placebo["p"], placebo["ties"]) == (0.0, 1.0, 5)
    assert placebo["recall_low"] is placebo["recall_domain_high"] is None, "no pair differs"
    # All ceilings differ by one, so nothing tells how they could vary; gains do vary.
    assert row["ceiling_low"] is None and row["gain_low"] < row["gain_high"]


def test_the_intersection_is_of_the_questions_of_every_arm() -> None:
    found = study(*example())
    rows = {k[3:]: r for k, r in found.items() if k[1:3] == ("as_received", "intersection")}
    assert {r["n"] for r in rows.values()} == {5}
    assert {r["infeasible"] for r in rows.values()} == {0}
    strict = {r["n"] for k, r in found.items() if k[1:3] == ("complete_case", "intersection")}
    assert strict == {4}
    assert all(r["p"] is None for k, r in found.items() if k[1:3] == ("complete_case", "T-TAX"))


def test_holm_runs_over_the_tested_contrasts_of_a_scope() -> None:
    found = study(*example())
    family = [
        found["paper", "as_received", "pooled", *pair]
        for pair in FAMILIES["controls"].contrasts
        if ("paper", "as_received", "pooled", *pair) in found
    ]
    assert [(r["first"], r["second"]) for r in family] == [
        ("true", "raw"),
        ("shuffled", "raw"),
        ("true", "shuffled"),
        ("answer_disjoint", "raw"),
        ("true", "answer_disjoint"),
    ]
    assert [r["p_holm"] for r in family] == holm([r["p"] for r in family])
    assert {r["n_family"] for r in family} == {5}
    assert all(r["p_holm"] is None for r in found.values() if not r["second"])


def test_fewer_pairs_than_declared_are_shown_and_not_tested() -> None:
    found = study(*example())
    row = found["paper", "as_received", "T-REL", "true", "raw"]
    assert row["n"] == 3 and row["recall"] == pytest.approx((2 + 2 + 2) / 6)
    assert row["recall_low"] is row["gain_domain_high"] is row["p"] is row["p_holm"] is None


def test_what_the_blocks_give_away() -> None:
    cells, answers = example()
    cells += [cell(6, "true", block_sha256="0true", n_gold_block=0, n_proxy_block=4)]
    cells += [cell(6, arm, made=False) for arm in ARMS if arm != "true"]
    strict = [{**r, "matcher": "strict"} for r in answers]
    found = study(cells, [*answers, *strict])
    row = found["paper", "as_received", "pooled", "true", ""]
    assert (row["blocks"], row["texts"], row["tokens"], row["length"]) == (7, 6, 90, 0.9)
    assert row["gold_exposed"] == pytest.approx(6 * 0.5 / 7) and row["gold_none"] == 1
    assert row["proxy_exposed"] == pytest.approx((6 * 0.25 + 1) / 7) and row["proxy_none"] == 0
    whole = found["strict", "as_received", "pooled", "true", ""]
    assert (whole["proxy_exposed"], whole["proxy_none"]) == (0.0, 7)
    raw = found["paper", "as_received", "pooled", "raw", ""]
    assert raw["blocks"] == 0 and raw["gold_exposed"] is raw["tokens"] is raw["texts"] is None


counts = st.integers(0, 2)
answered = st.fixed_dictionaries(
    {a: st.none() | st.tuples(counts, counts, st.sampled_from(("ok", "empty"))) for a in ARMS}
)


@settings(deadline=None, max_examples=30)
@given(st.lists(answered, min_size=1, max_size=8))
def test_every_measure_is_the_plain_mean_of_its_questions(plan: list[dict[str, Any]]) -> None:
    cells = [cell(q, arm, made=a is not None) for q, of in enumerate(plan) for arm, a in of.items()]
    answers = [recall(q, arm, *a) for q, of in enumerate(plan) for arm, a in of.items() if a]
    if not answers:
        return
    found = study(cells, answers)
    for policy in POLICIES:
        for (_, of, scope, first, second), row in found.items():
            if (of, scope) != (policy, "pooled"):
                continue
            values = []
            for by_arm in plan:
                both = [by_arm[arm] for arm in (first, second) if arm]
                if None in both:
                    continue
                if policy == "complete_case" and any(a[2] != "ok" for a in both):
                    continue
                scored = [
                    (0 if policy == "as_wrong" and a[2] != "ok" else a[0], a[1]) for a in both
                ]
                more, *less = scored
                values.append([x - sum(y[i] for y in less) for i, x in enumerate(more)])
            assert row["n"] == len(values)
            for i, name in enumerate(("recall", "ceiling")):
                total = sum(Fraction(v[i], 2) for v in values)
                expected = float(total / len(values)) if values else None
                assert row[name] == (None if expected is None else pytest.approx(expected))
            if values:
                assert row["gain"] == pytest.approx(row["recall"] - row["ceiling"])


@settings(deadline=None, max_examples=3)
@given(st.permutations(range(6)))
def test_the_order_of_rows_counts_for_nothing(order: list[int]) -> None:
    cells, answers = example()
    mixed = [answers[i % len(answers)] for i in range(len(answers))]
    mixed.sort(key=lambda r: (order[int(r["question_id"][1:])], r["arm"]))
    assert study(cells[::-1], mixed) == study(cells, answers)


def test_the_table() -> None:
    cells, answers = example()
    strict = [{**r, "matcher": "strict"} for r in answers]
    rows = table7_recall_rows(list(study(cells, [*answers, *strict]).values()), "as_received")
    to_table(rows, TABLE7_RECALL)
    text = markdown(table7_recall(rows, "Title", "as_received", 0.95))
    panels = [line for line in text.split("\n") if line.startswith("*") and "**" not in line]
    assert panels == [
        "*Blocks, and what they give away*",
        "*Arms; m; as_received; intervals 95 %*",
        "*Contrasts; m; as_received; intervals 95 %; Holm over 5*",
        "*Contrasts on the questions of every arm; m; as_received; intervals 95 %; Holm over 5*",
    ]
    line = next(x for x in text.split("\n") if x.startswith("| true - answer_disjoint"))
    assert [x.strip() for x in line.split("|")][2:5] == ["5", "1", "+0.600"]
    assert "reasoning" not in text and "n/a" in text


def test_the_table_of_a_plan_without_gaps_shows_the_contrasts_once() -> None:
    cells, answers = example()
    cells = [c for c in cells if c["question_id"] != "q5"]
    answers = [a for a in answers if a["question_id"] != "q5"]
    rows = table7_recall_rows(list(study(cells, answers).values()), "as_received")
    panels = table7_recall(rows, "Title", "as_received", 0.95).panels
    assert [p.heading.split(";")[0] for p in panels] == [
        "Blocks, and what they give away",
        "Arms",
        "Contrasts",
    ]
