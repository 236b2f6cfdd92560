"""What came of each gold item, the study of it, and its tables."""

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.wrapper_schemas import (
    WRAPPER_CONTRASTS,
    WRAPPER_FLOW,
    WRAPPER_ITEMS,
    WRAPPER_OUTCOMES,
    WRAPPER_RATES,
)
from copyceiling.config import ROOT
from copyceiling.render import markdown
from copyceiling.requests import STATUSES
from copyceiling.stats import holm, signed_rank
from copyceiling.sweep import POLICIES, POOLED, Settings
from copyceiling.tables.wrappers import contrasts, contrasts_rows, rates, rates_rows
from copyceiling.wrappers.analysis import CONTRASTS, MEASURES, contrast_rows, flow_rows, rate_rows
from copyceiling.wrappers.outcomes import OUTCOMES, outcome, outcome_rows, scope_of
from copyceiling.wrappers.phrases import load_phrases
from copyceiling.wrappers.texts import ARMS
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.conftest import snakemake

PHRASES = load_phrases(ROOT / "config" / "wrappers" / "phrases.yaml")
SETTINGS = Settings(seed=7, resamples=100, level=0.95)
TITLES = ("Rye Flour", "Sea Salt")


def item(i: int, exposed: bool, **fields: Any) -> dict[str, Any]:
    return {
        "set": "withheld",
        "question_id": "q1",
        "item": i,
        "slug": TITLES[i].lower().replace(" ", "-"),
        "title": TITLES[i],
        "others": [TITLES[1 - i], "Rye Bread"],
        "template": "T-REL",
        "domain": "baking",
        "path": "substring" if exposed else "none",
        "exposed": exposed,
        "exposed_strict": exposed,
        "question_exposed": False,
        "question_words": 0.0,
        "withheld": not exposed,
        **fields,
    }


def ends(answer: str, status: str = "ok") -> dict[tuple[int, str], str]:
    """The outcome by item and matcher of one answer; item 0 is shown, item 1 left out."""
    cell = {
        "set": "withheld",
        "question_id": "q1",
        "arm": "neutral",
        "model": "m",
        "status": status,
        "answer": answer,
    }
    found = outcome_rows([item(0, True), item(1, False)], [cell], PHRASES)
    assert {(r["item"], r["scope"]) for r in found} == {(0, "shown"), (1, "left_out")}
    return {(r["item"], r["matcher"]): r["outcome"] for r in found}


@pytest.mark.parametrize(
    ("answer", "status", "shown", "left_out"),
    [
        ("Rye flour.", "ok", "recovered", "omitted"),
        ("Rye flour and sea salt.", "ok", "recovered", "recovered"),
        ("Rye flour. It does not require sea salt.", "ok", "recovered", "contradicted"),
        ("The only ingredient is rye flour.", "ok", "recovered", "contradicted"),
        ("Rye bread has no ingredients.", "ok", "contradicted", "contradicted"),
        ("Rye flour. The notes do not say what else.", "ok", "recovered", "abstained"),
        ("I do not know.", "ok", "abstained", "abstained"),
        ("I am not sure, perhaps sea salt.", "ok", "abstained", "recovered"),
        ("Rye flour and", "truncated", "recovered", "truncated"),
        ("I do not know, for the", "truncated", "abstained", "abstained"),
        ("", "empty", "failed", "failed"),
        ("", "truncated", "truncated", "truncated"),
        ("Sea salt.", "refused", "failed", "failed"),
        ("", "error", "failed", "failed"),
    ],
)
def test_outcomes_of_answers(answer: str, status: str, shown: str, left_out: str) -> None:
    for matcher in ("paper", "strict"):
        found = ends(answer, status)
        assert (found[0, matcher], found[1, matcher]) == (shown, left_out)


def test_matchers_part_where_words_are_scattered() -> None:
    found = ends("Salt from the sea is what it takes, flour too.")
    assert (found[1, "paper"], found[1, "strict"]) == ("recovered", "omitted")


def test_an_item_that_matchers_disagree_on_is_in_no_scope_of_the_strict_one() -> None:
    between = item(0, True, exposed_strict=False)
    assert scope_of(between, "paper") == "shown" and scope_of(between, "strict") is None
    assert scope_of(item(1, False), "strict") == "left_out"


@pytest.mark.parametrize(
    ("share", "near"), [(None, False), (0.49, False), (0.5, True), (1.0, True)]
)
def test_an_item_in_the_words_of_the_question_is_near(share: float | None, near: bool) -> None:
    cell = {"set": "withheld", "question_id": "q1", "arm": "raw", "model": "m"}
    (first, _) = outcome_rows(
        [item(1, False, question_words=share)], [{**cell, "status": "ok", "answer": ""}], PHRASES
    )
    assert first["near"] is near


FLAGS = list(product((False, True), repeat=4))


@pytest.mark.parametrize("status", STATUSES)
def test_every_item_has_one_outcome(status: str) -> None:
    for credited, denied, closed, declined in FLAGS:
        says = {"credited": credited, "denied": denied, "closed": closed, "declined": declined}
        found = outcome(status=status, **says)
        assert found in OUTCOMES
        assert (found == "failed") == (status in ("empty", "refused", "error"))
        if found != "failed":
            assert (found == "recovered") == (credited and not denied)
            assert found != "omitted" or not any(says.values())
            assert found != "truncated" or status == "truncated"


def made(arms: dict[str, list[list[str]]], statuses: dict[str, list[str]]) -> list[dict[str, Any]]:
    """Outcome rows of one model and set: arm to the outcomes of each question's items."""
    return [
        {
            "set": "withheld",
            "question_id": f"q{q}",
            "arm": arm,
            "model": "m",
            "item": i,
            "matcher": "paper",
            "domain": f"d{q % 3}",
            "scope": "left_out",
            "status": statuses[arm][q],
            "near": i == 1,
            "credited": name == "recovered",
            "denied": False,
            "closed": False,
            "declined": False,
            "outcome": name,
            "signature": "",
        }
        for arm, questions in arms.items()
        for q, names in enumerate(questions)
        for i, name in enumerate(names)
    ]


@st.composite
def studies(draw: st.DrawFn) -> list[dict[str, Any]]:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=6))
    arms = {
        arm: [[draw(st.sampled_from(OUTCOMES)) for _ in range(n)] for n in sizes] for arm in ARMS
    }
    statuses = {
        arm: [draw(st.sampled_from(("ok", "truncated", "empty"))) for _ in sizes] for arm in ARMS
    }
    return made(arms, statuses)


@settings(max_examples=10, deadline=None)
@given(studies())
def test_counts_add_up_under_every_policy(study: list[dict[str, Any]]) -> None:
    found = rate_rows(study, SETTINGS)
    assert len(found) == len(ARMS) * len(POLICIES)
    for row in found:
        assert sum(row[name] for name in OUTCOMES) == row["n_items"]
        of = [r for r in study if r["arm"] == row["arm"]]
        assert row["credited_near"] <= row["credited"]
        if row["policy"] == "as_received":
            assert {n: row[n] for n in OUTCOMES} == {
                n: Counter(r["outcome"] for r in of)[n] for n in OUTCOMES
            }
            assert row["credited_near"] == sum(r["credited"] and r["near"] for r in of)
        elif row["policy"] == "complete_case":
            assert row["n_items"] == sum(r["status"] == "ok" for r in of)
            assert (row["rate"] is None) == (row["n_items"] == 0)
        else:
            assert row["credited"] == sum(r["credited"] and r["status"] == "ok" for r in of)
            assert row["n_items"] == len(of)


@settings(max_examples=10, deadline=None)
@given(studies())
def test_contrasts_are_those_of_a_plain_count(study: list[dict[str, Any]]) -> None:
    found = contrast_rows(study, SETTINGS)
    assert len(found) == len(CONTRASTS) * len(POLICIES) * len(MEASURES)
    for row in found:
        if row["policy"] != "as_received" or row["measure"] != "recovered":
            continue
        totals, differences = Counter[str](), []
        for q in sorted({r["question_id"] for r in study}):
            shares = {}
            for arm in (row["first"], row["second"]):
                of = [r for r in study if (r["arm"], r["question_id"]) == (arm, q)]
                hits = sum(r["outcome"] == "recovered" for r in of)
                totals[arm] += hits
                shares[arm] = Fraction(hits, len(of))
            differences.append(shares[row["first"]] - shares[row["second"]])
        n = sum(r["arm"] == "raw" for r in study)
        assert row["n_items"] == n
        assert row["diff"] == pytest.approx((totals[row["first"]] - totals[row["second"]]) / n)
        if len(differences) > 1:
            assert row["p"] == signed_rank(differences).p
        if len(set(differences)) > 1:
            assert row["diff_question_low"] <= row["diff_question_high"]
        else:
            assert row["diff_question_low"] is None, "no resample differs"
        if len(differences) < 2:
            assert row["p"] is row["p_holm"] is None


def test_holm_runs_over_the_contrasts_of_one_measure() -> None:
    n = 8
    arms = {arm: [["omitted"]] * n for arm in ARMS}
    arms["supplement"] = [["recovered"]] * n
    found = contrast_rows(made(arms, {arm: ["ok"] * n for arm in ARMS}), SETTINGS)
    family = [r for r in found if (r["measure"], r["policy"]) == ("recovered", "complete_case")]
    assert [(r["first"], r["second"]) for r in family] == list(CONTRASTS)
    assert [r["p_holm"] for r in family] == holm([r["p"] for r in family])
    assert {r["n_family"] for r in family} == {7}
    # Of 2^8 choices of signs, the two with all alike are as extreme: p = 2/256, times the 7 tested.
    (strong,) = (r for r in family if (r["first"], r["second"]) == ("supplement", "neutral"))
    assert strong["p"] == 2 / 256 and strong["p_holm"] == pytest.approx(14 / 256)
    assert (strong["diff"], strong["wins"], strong["losses"]) == (1.0, n, 0)


def test_several_sets_are_also_pooled() -> None:
    one = made({arm: [["omitted"], ["recovered"]] for arm in ARMS}, {a: ["ok"] * 2 for a in ARMS})
    two = [{**r, "set": "retrieval", "credited": False, "outcome": "omitted"} for r in one]
    found = {
        r["set"]: r for r in rate_rows(one + two, SETTINGS)
        if (r["arm"], r["policy"]) == ("raw", "as_received")
    }  # fmt: skip
    assert {s: (r["n_questions"], r["n_items"], r["credited"]) for s, r in found.items()} == {
        "withheld": (2, 2, 1), "retrieval": (2, 2, 0), POOLED: (4, 4, 1),
    }  # fmt: skip


def test_tables_say_what_they_rest_on() -> None:
    nothing = made({arm: [["omitted"]] * 3 for arm in ARMS}, {arm: ["ok"] * 3 for arm in ARMS})
    study = rate_rows(nothing, SETTINGS)
    shown = markdown(rates(rates_rows(study, "as_received"), "Toy", "as_received", 0.95))
    assert "no left-out gold but what is near is recovered by m (paper matcher). What" in shown
    assert "No judge" in shown and "| m       | withheld | raw" in shown
    found = contrasts_rows(contrast_rows(nothing, SETTINGS), "as_received")
    text = markdown(contrasts(found, "Toy", "as_received", 0.95))
    assert "Credited in no arm, so not printed: m (" in text and "n01; paper matcher*" not in text
    assert "omitted; paper" not in text
    some = made({arm: [["recovered"]] * 3 for arm in ARMS}, {arm: ["ok"] * 3 for arm in ARMS})
    shown = markdown(rates(rates_rows(rate_rows(some, SETTINGS), "as_wrong"), "Toy", "x", 0.95))
    assert "Unaided" not in shown


def test_the_smoke_study_end_to_end(smoke: Path) -> None:
    """Readers bracket the ablation: a copy shows no left-out item and all shown ones."""
    items = rows(smoke / "wrappers" / "items.parquet", WRAPPER_ITEMS)
    prompts = rows(smoke / "wrappers" / "prompts.parquet", ARM_PROMPTS)
    ended = [
        row
        for path in sorted((smoke / "wrappers" / "completions").glob("*.parquet"))
        for row in rows(path, ARM_COMPLETIONS)
    ]
    outcomes = rows(smoke / "wrappers" / "outcomes.parquet", WRAPPER_OUTCOMES)
    models = {row["model"] for row in ended}
    assert models == {"reader-copy", "reader-extract", "reader-silent"}
    assert len(ended) == len(models) * len(prompts)
    assert len(outcomes) == len(models) * len(ARMS) * 2 * len(items)
    answers = {(r["question_id"], r["arm"], r["model"]): r["answer"] for r in ended}
    titles = {(r["question_id"], r["item"]): r["title"] for r in items}
    for row in outcomes:
        if row["matcher"] == "paper":
            answer = answers[row["question_id"], row["arm"], row["model"]]
            assert row["credited"] == oracles.hit(titles[row["question_id"], row["item"]], answer)
    study = {
        (r["model"], r["scope"], r["arm"]): r
        for r in rows(smoke / "studies" / "wrappers.parquet", WRAPPER_RATES)
        if (r["matcher"], r["policy"]) == ("paper", "as_received")
    }
    for arm in ARMS:
        copy = study["reader-copy", "left_out", arm]
        assert copy["credited"] == 0 and copy["omitted"] == copy["n_items"] >= 12
        shown = study["reader-copy", "shown", arm]
        assert shown["recovered"] == (0 if arm == "raw" else shown["n_items"])
        silent = study["reader-silent", "left_out", arm]
        assert silent["failed"] == silent["n_items"]
    flow = rows(smoke / "studies" / "wrapper_flow.parquet", WRAPPER_FLOW)
    assert all(sum(r[s] for s in STATUSES) == r["planned"] for r in flow)
    assert flow_rows(outcomes, ended)[0]["planned"] == len({r["question_id"] for r in items})
    assert rows(smoke / "studies" / "wrapper_contrasts.parquet", WRAPPER_CONTRASTS)
    printed = (smoke / "tables" / "wrappers.md").read_text(encoding="utf-8")
    assert "but what is near is recovered by reader-copy (paper matcher), " in printed


def test_a_study_without_wrappers_says_what_it_takes(tmp_path: Path) -> None:
    done = snakemake(
        "wrappers", "--configfile", "config/studies/smoke.yaml", "--config",
        f"results={tmp_path}/r", "wrappers=null",
    )  # fmt: skip
    assert done.returncode and "has no wrappers" in done.stderr
    assert "set its section 'wrappers' and name models" in done.stderr
