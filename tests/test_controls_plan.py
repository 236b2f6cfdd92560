"""The plan of the controls: its cells, prompts and references, and what infeasible cells become."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from copyceiling.arms.asking import messages_of, prompts_of
from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.control_schemas import CONTROL_CELLS
from copyceiling.artefacts.judged_schemas import ANSWERS, BLOCK_EXPOSURE, GRADES
from copyceiling.artefacts.store import to_table
from copyceiling.calibration.relations import relations_of
from copyceiling.cohorts import ARMS, FAMILIES, build_cohorts
from copyceiling.config import load_study
from copyceiling.controls.blocks import Case, Infeasible, case_of
from copyceiling.controls.derangement import Limits
from copyceiling.controls.fill import Sections
from copyceiling.controls.plan import (
    Settings,
    block_exposure_rows,
    cell_rows,
    make_blocks,
    prompt_rows,
    reference_rows,
)
from copyceiling.controls.unasked import unasked_rows
from copyceiling.flow import flow_rows
from copyceiling.paired import contrast_rows
from copyceiling.requests import build_messages
from copyceiling.scaffold import ScaffoldEngine

from tests.conftest import ROOT, make_class
from tests.control_cases import case, question
from tests.judged_rows import SETTINGS, answer, grade
from tests.oracles import hit

ALL = tuple(load_study(ROOT / "config/studies/smoke.yaml")["controls"]["arms"])
PREAMBLE = "Take these notes."
CLASSES = [
    make_class(f"s{i:02d}", title=f"Loaf{i:02d} Kind", definition=f"Baked food {i:02d}. It keeps.")
    for i in range(40)
]
ENGINE = ScaffoldEngine(CLASSES)
# The last question has nothing retrieved, the one before a block longer than any other.
CASES = [case(i, CLASSES[3 * i : 3 * i + 3], [f"Loaf{3 * i:02d} Kind"], ENGINE) for i in range(5)]
CASES.append(case(5, CLASSES[15:24], ["Gold05"], ENGINE))
CASES.append(case(6, [], ["Gold06"]))


def settings(**more: Any) -> Settings:
    return replace(Settings(ALL, "sentences", "forms", "matching", Limits(), 42), **more)


def retrieved(cases: list[Case]) -> dict[str, dict[str, Any]]:
    return {
        c.id: {
            "block": c.block,
            "block_tokens": c.tokens,
            "engaged": bool(c.block),
            "path": "LexicalHit" if c.block else "NoMatch",
            "top_score": 9.0 if c.block else None,
            "effective_budget": 1500 if c.block else None,
            "seeds": list(c.slugs),
            "generation": "g",
            "class_count": 40,
        }
        for c in cases
    }


def planned(**more: Any) -> tuple[Any, list[dict[str, Any]], list[dict[str, Any]]]:
    made = make_blocks(CASES, CASES, Sections(CLASSES, ENGINE), settings(**more))
    return made, prompt_rows(CASES, made, PREAMBLE, retrieved(CASES)), cell_rows(CASES, made)


def test_every_planned_cell_is_there_made_or_with_a_reason() -> None:
    made, prompts, cells = planned()
    to_table(prompts, ARM_PROMPTS)
    to_table(cells, CONTROL_CELLS)
    assert len(cells) == len(CASES) * len(ALL)
    assert Counter(c["status"] for c in cells)["made"] == len(prompts)
    for cell in cells:
        assert (cell["status"] == "infeasible") == (cell["reason"] is not None)
        assert (cell["block_tokens"] is None) == (cell["status"] == "infeasible")
    lacking = {(c["question_id"], c["arm"]) for c in cells if c["status"] == "infeasible"}
    # Without a block of its own a question is asked raw, and served as it is: nothing else.
    assert {arm for q, arm in lacking if q == "q0006"} == set(ALL) - {"raw", "served"}
    assert ("q0005", "irrelevant") in lacking, "no other block is as long"
    assert isinstance(made["q0005"]["irrelevant"], Infeasible)


def test_what_each_arm_shows() -> None:
    made, prompts, _ = planned()
    rows = {(r["question_id"], r["arm"]): r for r in prompts}
    c = CASES[0]
    assert (rows[c.id, "raw"]["system"], rows[c.id, "raw"]["engaged"]) == (None, False)
    assert rows[c.id, "true"]["system"] == c.block, "the bare block, no preamble"
    # The very messages of the sweep, so that the calls have its keys.
    sweep = build_messages(PREAMBLE, c.block, c.question.prompt)
    assert messages_of(rows[c.id, "served"]) == sweep
    assert messages_of(rows[c.id, "raw"]) == build_messages("", "", c.question.prompt)
    assert messages_of(rows["q0006", "served"]) == messages_of(rows["q0006", "raw"])
    for arm in ALL[2:]:
        row = rows[c.id, arm]
        assert row["system"] == row["block"] == made[c.id][arm].text
        assert row["user"] == c.question.prompt
    assert rows[c.id, "irrelevant"]["donor"] in {x.id for x in CASES[1:5]}
    (prompt,) = [p for p in prompts_of(prompts) if p.question_id.endswith(c.id)]
    assert sorted(prompt.arms) == sorted(ALL), "all arms of a question are one plan"


def test_exposure_is_measured_of_every_block() -> None:
    _, prompts, cells = planned()
    measured = {(r["question_id"], r["arm"]): r for r in cells}
    for row in prompts:
        c = next(c for c in CASES if c.id == row["question_id"])
        gold = [item.title for item in c.question.gold]
        cell = measured[c.id, row["arm"]]
        n = sum(hit(title, row["block"]) for title in gold)
        assert row["n_gold_block"] == cell["n_gold_block"] == n
        if row["block"]:
            proxy = [*(s.title for s in c.seeds), *c.subjects]
            found = sum(hit(title, row["block"]) for title in proxy)
            assert (row["n_proxy"], row["n_proxy_block"]) == (len(proxy), found)
            assert cell["n_proxy_block"] == found
        else:
            assert row["n_proxy"] is None, "no block, no exposure: not an exposure of 0"
    strict = [r for r in cells if r["arm"] == "masked" and r["status"] == "made"]
    assert strict and all(r["n_proxy_block_strict"] == 0 for r in strict)
    disjoint = [r for r in prompts if r["arm"] == "answer_disjoint"]
    assert disjoint and all(r["n_gold_block"] == r["n_gold_exposed"] == 0 for r in disjoint)


def test_masking_leaves_the_words_of_a_name_and_no_name() -> None:
    """The bag of words finds them apart; the strict matcher, which asks for the title, does not."""
    loaf = make_class("s", title="Sourdough Loaf", definition="A loaf that sourdough raises.")
    one = case(1, [loaf], ["Gold"], ScaffoldEngine([loaf]))
    made = make_blocks([one], [one], Sections([loaf], ENGINE), settings(arms=("true", "masked")))
    cells = {r["arm"]: r for r in cell_rows([one], made)}
    counts = ("n_proxy_block", "n_proxy_block_strict")
    assert [cells["true"][n] for n in counts] == [1, 1]
    assert [cells["masked"][n] for n in counts] == [1, 0]


def test_the_published_forms_are_settings() -> None:
    """They change the arm that they are of, and no other."""
    ours, _, _ = planned()
    cases = {"splitter": "shuffled", "mask": "masked", "donors": "irrelevant"}
    for name, form in (("splitter", "released"), ("mask", "released"), ("donors", "greedy")):
        theirs, _, cells = planned(**{name: form})
        to_table(cells, CONTROL_CELLS)
        arms = {arm for q in ours for arm in ALL if ours[q][arm] != theirs[q][arm]}
        assert arms == {cases[name]}, name
    greedy, _, _ = planned(donors="greedy")
    lent = [greedy[c.id]["irrelevant"].donor for c in CASES[:6]]
    assert lent == ["q0001", *["q0000"] * 5], "one template: the first other one lends to all"
    released, _, _ = planned(mask="released")
    assert "Entity-1" not in released["q0000"]["masked"].text, "no slug stands in the text"


def test_block_exposure_by_arm() -> None:
    _, prompts, _ = planned()
    found = {r["arm"]: r for r in block_exposure_rows(prompts)}
    to_table(found.values(), BLOCK_EXPOSURE)
    assert set(found) == set(ALL) - {"raw"}
    true = [r for r in prompts if r["arm"] == "true"]
    shares = [r["n_proxy_block"] / r["n_proxy"] for r in true]
    assert found["true"]["n"] == len(true) == 6
    assert found["true"]["mean"] == pytest.approx(sum(shares) / 6)
    assert found["true"]["n_full"] == shares.count(1.0)
    assert found["masked"]["max"] < found["true"]["min"]


def test_references_are_what_the_graph_says() -> None:
    study = load_study(ROOT / "config/studies/smoke.yaml")
    said = relations_of(
        list(study["questions"]["wording"]["relations"]), study["judging"]["relations"]
    )
    rows = reference_rows(CASES[:1], {"x0": "Rye Loaf"}, said)
    to_table(rows, REFERENCES)
    assert rows[0]["reference"] == "Rye Loaf requires Loaf00 Kind."
    assert (rows[0]["gold"], rows[0]["set"]) == (["Loaf00 Kind"], "T-REL")


def test_the_same_seed_makes_the_same_plan_whatever_the_order() -> None:
    made = planned()[0]
    again = make_blocks(
        CASES[::-1], CASES[::-1], Sections(CLASSES[::-1], ScaffoldEngine(CLASSES)), settings()
    )
    assert made == again
    other = planned(seed=43)[0]
    for arm in ("shuffled", "irrelevant", "fluent_noise", "answer_disjoint"):
        assert any(made[c.id][arm] != other[c.id][arm] for c in CASES), arm
    for arm in ("served", "raw", "true", "masked"):
        assert all(made[c.id][arm] == other[c.id][arm] for c in CASES), arm


def test_the_released_splitter_is_a_setting() -> None:
    ours, released = planned()[0], planned(splitter="released")[0]
    assert ours[CASES[0].id]["shuffled"] != released[CASES[0].id]["shuffled"]
    assert ours[CASES[0].id]["true"] == released[CASES[0].id]["true"]


def test_arms_are_a_setting() -> None:
    made = planned(arms=("true", "raw"))[0]
    assert all(set(arms) == {"true", "raw"} for arms in made.values())


def test_a_case_holds_the_seeds_that_the_block_shows() -> None:
    row = {
        "seeds": [{"slug": f"s0{i}", "score": 9.0} for i in range(3)],
        "n_sections": 2,
        "block": "b",
    }
    found = case_of(question(1, ["Gold"]), row, {c.slug: c for c in CLASSES})
    assert found.slugs == ("s00", "s01")
    assert found.subjects == ("x1",), "a subject that is no class goes by its slug"


def test_infeasible_cells_are_planned_and_never_asked() -> None:
    _, prompts, cells = planned()
    answers = [
        answer(r["question_id"], r["arm"], of_set=r["set"], cohort="controls") for r in prompts
    ]
    unasked = unasked_rows(cells, answers)
    to_table([*answers, *unasked], ANSWERS)
    assert len(answers) + len(unasked) == len(CASES) * len(ALL)
    grades = [
        grade(r["question_id"], r["arm"], 3, of_set=r["set"], cohort="controls") for r in prompts
    ]
    to_table(grades, GRADES)
    (cohort,) = build_cohorts([*answers, *unasked], grades)
    flow = {r["arm"]: r for r in flow_rows([cohort]) if r["set"] == "pooled"}
    lacking = Counter(c["arm"] for c in cells if c["status"] == "infeasible")
    for arm in ALL:
        assert flow[arm]["planned"] == len(CASES)
        assert flow[arm]["attempted"] == len(CASES) - lacking[arm]
        assert flow[arm]["n_unknown"] == 0
    found = contrast_rows([cohort], SETTINGS)
    pooled = {
        (r["first"], r["second"]): r
        for r in found
        if (r["policy"], r["scope"]) == ("as_failure", "pooled")
    }
    # A cell that could not be made is no failure of its arm.
    assert pooled["true", "irrelevant"]["n"] == len(CASES) - lacking["irrelevant"]
    assert pooled["true", "irrelevant"]["n_failed"] == 0


def test_the_placebo_joins_the_family_and_the_published_contrasts_stay() -> None:
    contrasts = FAMILIES["controls"].contrasts
    published = (
        *((arm, "raw") for arm in ("served", "true", "shuffled", "masked", "irrelevant")),
        ("fluent_noise", "raw"),
        *(("true", arm) for arm in ("shuffled", "masked", "irrelevant", "fluent_noise")),
        ("served", "true"),
    )
    assert contrasts[:11] == published
    assert set(contrasts[11:]) == {("answer_disjoint", "raw"), ("true", "answer_disjoint")}
    assert set(ALL) <= set(ARMS)
    # Rows without the arm have neither contrast, so Holm's families are what they were.
    grades = [
        grade(f"q{i}", arm, (i + k) % 6, cohort="controls")
        for i in range(6)
        for k, arm in enumerate(("served", "raw", "true", "shuffled"))
    ]
    found = contrast_rows(build_cohorts([], grades), SETTINGS)
    assert {r["n_family"] for r in found if r["scope"] == "pooled" and r["n_family"]} == {5}
