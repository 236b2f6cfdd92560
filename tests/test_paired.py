"""Paired contrasts, flow and diagnostics on rows small enough to work by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
from copyceiling.artefacts.paired_schemas import CONTRASTS, DIAGNOSTICS, FLOW
from copyceiling.artefacts.store import to_table
from copyceiling.cohorts import FAMILIES, Unit, build_cohorts
from copyceiling.diagnostics import COMMONEST, INSIDE_WORDS, WORD_BAG, credit_rows, retrieval_rows
from copyceiling.donors import donor_rows, effective_number, greedy_donors
from copyceiling.errors import ArtefactError, CopyCeilingError
from copyceiling.flow import flow_rows, upper_median
from copyceiling.judged_diagnostics import judged_rows, regrade_rows, scaled_budget
from copyceiling.paired import AS_FAILURE, COMPLETE_CASE, contrast_rows
from copyceiling.stats import holm
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.judged_rows import SETTINGS, answer, controls, grade, production

Rows = list[dict[str, Any]]


def contrasts(answers: Rows, grades: Rows) -> dict[tuple[str, ...], dict[str, Any]]:
    found = contrast_rows(build_cohorts(answers, grades), SETTINGS)
    to_table(found, CONTRASTS)
    return {(r["policy"], r["scope"], r["first"], r["second"]): r for r in found}


@pytest.mark.parametrize("made_up", [production, controls])
def test_the_made_up_rows_are_rows_of_their_schemas(
    made_up: Callable[[], tuple[Rows, Rows]],
) -> None:
    """In number, columns and keys; a row of which one cell is missing is refused."""
    for found, schema in zip(made_up(), (ANSWERS, GRADES), strict=True):
        assert found
        table = to_table(found, schema)
        assert table.num_rows == len(found)
        assert table.column_names == [c.name for c in schema.columns]
        key = schema.key[0]
        with pytest.raises(ArtefactError, match=key):
            to_table([{**found[0], key: None}, *found[1:]], schema)


def test_both_policies_by_hand() -> None:
    found = contrasts(*production())
    case = found[COMPLETE_CASE, "pooled", "served", "raw"]
    assert (case["n"], case["n_failed"], case["wins"], case["losses"], case["ties"]) == (
        (3, 0, 1, 1, 1)
    )
    assert (case["mean_first"], case["mean_second"]) == (10 / 3, 3.0)
    assert case["mean_diff"] == pytest.approx(1 / 3)
    # Differences +3 and -2: ranks 2 and 1, T+ 2 and T- 1; of the 4 choices of signs every one is
    # at least as far from 1.5.
    assert (case["p"], case["n_nonzero"], case["rank_biserial"]) == (1.0, 2, pytest.approx(1 / 3))
    failure = found[AS_FAILURE, "pooled", "served", "raw"]
    # The empty and the failed answer score 0; the ungraded one is no failure of its arm.
    assert (failure["n"], failure["n_failed"]) == (5, 2)
    assert failure["mean_diff"] == pytest.approx((3 + 0 + 4 - 2 - 1) / 5)


def test_holm_runs_over_the_sets_and_leaves_the_pooled_contrast_alone() -> None:
    found = contrasts(*production())
    sets = [found[AS_FAILURE, name, "served", "raw"] for name in ("s", "t")]
    assert [row["p_holm"] for row in sets] == holm([row["p"] for row in sets])
    assert [row["n_family"] for row in sets] == [2, 2]
    assert found[AS_FAILURE, "pooled", "served", "raw"]["p_holm"] is None


def test_one_pair_is_shown_and_not_tested() -> None:
    row = contrasts(*production())[COMPLETE_CASE, "t", "served", "raw"]
    assert (row["n"], row["mean_diff"]) == (1, -2.0)
    assert row["p"] is row["diff_low"] is row["p_holm"] is row["inside_margin"] is None


def test_no_pair_is_missing_not_zero() -> None:
    row = contrasts([], [grade("q", "served", 1), grade("q", "raw", None)])[
        COMPLETE_CASE, "s", "served", "raw"
    ]
    assert (row["n"], row["wins"], row["mean_diff"], row["rank_biserial"]) == (0, 0, None, None)


def test_the_margin_needs_the_whole_interval() -> None:
    def tied(scores: list[tuple[int, int]]) -> dict[str, Any]:
        rows = [
            grade(f"q{i}", arm, s)
            for i, pair in enumerate(scores)
            for arm, s in zip(("served", "raw"), pair, strict=True)
        ]
        return contrasts([], rows)[COMPLETE_CASE, "pooled", "served", "raw"]

    near = tied([(5, 5)] * 60 + [(5, 4)])
    assert near["diff_high"] < 0.25 and near["inside_margin"] is True
    wide = tied([(5, 5)] * 8 + [(5, 1)])
    assert wide["diff_low"] == 0.0 and wide["inside_margin"] is False
    # No resample of pairs that all tie, or all differ by one, is another: nothing is known.
    for alike in ([(5, 5)] * 20, [(5, 4)] * 20):
        row = tied(alike)
        assert row["diff_low"] is row["diff_high"] is row["inside_margin"] is None
        assert row["n"] == 20 and row["p"] is not None and row["mean_diff"] is not None


def test_an_unknown_end_leaves_as_failure_undetermined_and_counts_it() -> None:
    found = contrasts(*controls())
    row = found[AS_FAILURE, "pooled", "true", "raw"]
    assert (row["n_unknown"], row["n"], row["mean_diff"], row["p_holm"]) == (1, None, None, None)
    assert found[COMPLETE_CASE, "pooled", "true", "raw"]["n"] == 5
    # served - raw is graded throughout, yet its family is not whole, so it is not adjusted.
    lent = found[AS_FAILURE, "pooled", "served", "raw"]
    assert lent["n"] == 6 and lent["p"] is not None and lent["p_holm"] is None


def test_an_answer_never_asked_for_is_no_failure() -> None:
    answers, grades = controls()
    asked = [
        {**a, "attempted": False} if (a["question_id"], a["arm"]) == ("q0", "true") else a
        for a in answers
    ]
    row = contrasts(asked, grades)[AS_FAILURE, "pooled", "true", "raw"]
    assert (row["n"], row["n_failed"], row["n_unknown"]) == (5, 0, 0)


def test_holm_runs_over_the_contrasts_of_a_scope_and_the_intersection_is_of_all_arms() -> None:
    found = contrasts(*controls())
    family = [
        found[COMPLETE_CASE, "pooled", first, second]
        for first, second in FAMILIES["controls"].contrasts
        if (COMPLETE_CASE, "pooled", first, second) in found
    ]
    assert [(r["first"], r["second"]) for r in family] == [
        ("served", "raw"),
        ("true", "raw"),
        ("masked", "raw"),
        ("true", "masked"),
        ("served", "true"),
    ]
    assert [r["p_holm"] for r in family] == holm([r["p"] for r in family])
    inner = [r for key, r in found.items() if key[1] == "intersection"]
    assert len(inner) == 5 and {r["n"] for r in inner} == {5}
    assert {key[0] for key in found if key[1] == "intersection"} == {COMPLETE_CASE}


def test_controls_with_fewer_than_five_pairs_are_not_tested() -> None:
    found = contrasts(*controls(5))
    assert found[COMPLETE_CASE, "pooled", "true", "raw"]["n"] == 4
    assert found[COMPLETE_CASE, "pooled", "true", "raw"]["p"] is None
    row = found[COMPLETE_CASE, "pooled", "masked", "raw"]
    assert row["n"] == 5 and row["n_family"] == 2, "the untested ones are no part of the family"


def test_production_answers_stand_in_for_the_arms_that_controls_grade_again() -> None:
    answers, grades = controls()
    own = [answer(f"q{i}", arm, latency_s=1.0) for i in range(6) for arm in ("served", "raw")]
    own[1]["status"] = "empty"
    (cohort,) = build_cohorts([*own, *answers], grades)
    flow = {r["arm"]: r for r in flow_rows([cohort]) if r["set"] == "pooled"}
    assert (flow["served"]["attempted"], flow["served"]["truncated"]) == (6, 0)
    assert flow["raw"]["graded"] == 6, "a grade of its own counts, whatever the lender says"
    assert flow["true"]["attempted"] is None and flow["true"]["n_unknown"] == 1


def test_several_models_on_one_question_are_resampled_by_question_too() -> None:
    grades = [
        {
            **grade(f"q{q}", arm, (q + m * (arm == "harness")) % 6, cohort="general"),
            "model": f"m{m}",
        }
        for q in range(8)
        for m in range(3)
        for arm in ("harness", "bare")
    ]
    answers = [
        {**answer(f"q{q}", "harness", None, cohort="general", engaged=q < 2), "model": f"m{m}"}
        for q in range(8)
        for m in range(3)
    ]
    found = contrasts(answers, grades)
    row = found[COMPLETE_CASE, "pooled", "harness", "bare"]
    assert (row["n"], row["n_questions"]) == (24, 8)
    assert row["diff_question_low"] is not None and row["p_holm"] is None
    assert found[COMPLETE_CASE, "s_engaged", "harness", "bare"]["n"] == 6


def test_the_engaged_are_pooled_over_sets_too() -> None:
    """Of a set all of which is engaged, or none, there is no part; of all sets there is."""
    shown = {"all": range(2), "none": (), "some": range(1)}
    answers, grades = [], []
    for name, engaged in shown.items():
        for q in range(2):
            more = {"of_set": name, "cohort": "general"}
            answers.append(answer(f"q{q}", "harness", engaged=q in engaged, n_chars=9, **more))
            grades += [grade(f"q{q}", "harness", 2, **more), grade(f"q{q}", "bare", q, **more)]
    found = contrasts(answers, grades)
    sizes = {key[1]: row["n"] for key, row in found.items() if key[0] == COMPLETE_CASE}
    assert sizes == {"all": 2, "none": 2, "some": 2, "some_engaged": 1, "engaged": 3, "pooled": 6}
    # 2 - 0 and 2 - 1 of `all`, 2 - 0 of `some`.
    assert found[COMPLETE_CASE, "engaged", "harness", "bare"]["mean_diff"] == pytest.approx(5 / 3)


def test_pairs_that_were_asked_the_same_are_counted() -> None:
    """Of the pairs that count; not where rows do not say what one of them was shown."""
    answers, grades = production()
    shown = [
        {**a, "prompt_sha256": a["set"] if a["question_id"] == "q1" else a["arm"]} for a in answers
    ]
    found = contrasts(shown, grades)
    assert found[COMPLETE_CASE, "pooled", "served", "raw"]["n_same_prompt"] == 2
    assert found[AS_FAILURE, "s", "served", "raw"]["n_same_prompt"] == 1
    lacking = [{**a, "prompt_sha256": None} if i == 1 else a for i, a in enumerate(shown)]
    found = contrasts(lacking, grades)
    assert found[COMPLETE_CASE, "s", "served", "raw"]["n_same_prompt"] is None
    assert found[COMPLETE_CASE, "t", "served", "raw"]["n_same_prompt"] == 1


def test_judges_are_kept_apart() -> None:
    answers, grades = production()
    other = [{**g, "judge": "k", "score": g["score"] and 3} for g in grades]
    found = contrast_rows(build_cohorts(answers, [*grades, *other]), SETTINGS)
    means = {
        r["judge"]: r["mean_diff"]
        for r in found
        if (r["policy"], r["scope"]) == (COMPLETE_CASE, "pooled")
    }
    assert means == {"j": pytest.approx(1 / 3), "k": 0.0}


def test_undeclared_cohorts_and_arms_are_all_named() -> None:
    rows = [grade("q", "loom", 1), grade("q", "served", 1, cohort="pilot")]
    with pytest.raises(CopyCeilingError, match=r"(?s)2 thing.*'pilot'.*'loom'.*served, raw"):
        build_cohorts([], rows)


_SCORE = st.none() | st.integers(0, 5)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(_SCORE, _SCORE, st.sampled_from("st")), max_size=12), st.randoms())
def test_contrasts_equal_plain_arithmetic_in_any_order(plan: Any, shuffler: Any) -> None:
    grades = [
        grade(f"q{i}", arm, score, of_set=of_set)
        for i, (served, raw, of_set) in enumerate(plan)
        for arm, score in (("served", served), ("raw", raw))
    ]
    mixed = [*grades]
    shuffler.shuffle(mixed)
    assert contrasts([], mixed) == contrasts([], grades)
    for (policy, scope, *_), row in contrasts([], grades).items():
        if policy != COMPLETE_CASE:
            continue
        gaps = [a - b for a, b, s in plan if None not in (a, b) and scope in (s, "pooled")]
        assert row["n"] == len(gaps) == row["wins"] + row["losses"] + row["ties"]
        assert row["wins"] - row["losses"] == sum((g > 0) - (g < 0) for g in gaps)
        assert row["mean_diff"] == (pytest.approx(sum(gaps) / len(gaps)) if gaps else None)
        if row["diff_low"] is not None:
            assert min(gaps) <= row["diff_low"] <= row["diff_high"] <= max(gaps)


def test_flow_by_hand() -> None:
    found = flow_rows(build_cohorts(*production()))
    to_table(found, FLOW)
    flow = {(r["set"], r["arm"]): r for r in found}
    served, raw = flow["pooled", "served"], flow["pooled", "raw"]
    names = ("planned", "attempted", "completed", "empty", "failed", "truncated", "graded")
    assert [served[n] for n in names] == [6, 6, 5, 0, 1, 1, 5]
    assert [raw[n] for n in names] == [6, 6, 5, 1, 0, 0, 4]
    assert served["mean_score"] == (5 + 3 + 4 + 2 + 5) / 5
    assert (served["n_routed"], served["engaged"], served["engagement"]) == (4, 3, 0.75)
    assert (served["tokens_median"], served["tokens_median_upper"]) == (20.0, 20.0)
    assert (raw["latency_median"], raw["latency_median_upper"]) == (3.0, 4.0)
    assert raw["engagement"] is raw["tokens_median"] is raw["rerun"] is None


def test_flow_says_how_judging_ended() -> None:
    answers, grades = production()
    ends = ["unparsed", "truncated", "error", "refused", "empty"]
    told = [{**g, "cut": None if g["status"] == "absent" else i == 0} for i, g in enumerate(grades)]
    served = [i for i, g in enumerate(told) if g["arm"] == "served" and g["status"] == "graded"]
    for i, end in zip(served, ends, strict=True):
        told[i] = {**told[i], "status": end, "score": None}
    flow = {(r["set"], r["arm"]): r for r in flow_rows(build_cohorts(answers, told))}
    row = flow["pooled", "served"]
    assert (row["judged"], row["graded"], row["judge_cut"]) == (5, 0, 1)
    assert row["unparsed"] == 1 == row["judge_empty"] == row["judge_truncated"]
    assert row["judge_refused"] == 1 == row["judge_error"]
    assert flow["pooled", "raw"]["judged"] == flow["pooled", "raw"]["graded"] == 4
    assert flow["pooled", "raw"]["judge_cut"] == 0


def test_released_grades_do_not_tell_ends_apart() -> None:
    answers, grades = production()
    row = flow_rows(build_cohorts(answers, grades))[0]
    assert row["judged"] == row["graded"] == 3 and row["unparsed"] == 0
    assert row["judge_cut"] is row["judge_empty"] is row["judge_error"] is None


def test_upper_median_is_the_upper_of_two_middle_values() -> None:
    """STUDIES section 3: sorted[len // 2]."""
    assert [upper_median(x) for x in ([3.0, 1.0], [1.0, 2.0, 3.0], [4.0, 1.0, 2.0, 3.0])] == [
        3.0,
        2.0,
        3.0,
    ]


def test_exposure_comes_from_rows_before_an_aggregate_and_says_which() -> None:
    answers, grades = controls()
    summary = {"n": 9, "mean": 0.5, "median": 0.5, "min": 0.0, "max": 1.0, "n_zero": 1, "n_full": 2}
    aggregate = {"cohort": "controls", "arm": "true", **summary, "tokens": 100.0}
    cohorts = build_cohorts(answers, grades)
    found = {(r["set"], r["arm"]): r for r in flow_rows(cohorts, [aggregate])}
    assert found["pooled", "true"]["exposure_from"] == "released"
    assert found["pooled", "true"]["block_tokens"] == 100.0
    assert found["s", "true"]["exposure_from"] is found["pooled", "raw"]["exposure_from"] is None
    stated = [
        {**a, "exposure": i % 2 / 1, "injected_tokens": 10 * i} if a["arm"] == "true" else a
        for i, a in enumerate(answers)
    ]
    row = {
        r["arm"]: r
        for r in flow_rows(build_cohorts(stated, grades), [aggregate])
        if r["set"] == "pooled"
    }["true"]
    assert (row["exposure_from"], row["blocks"], row["exposure_mean"]) == ("rows", 6, 0.0)
    assert (row["exposure_zero"], row["exposure_full"], row["block_tokens"]) == (6, 0, 50.0)


def named(rows: Rows) -> dict[tuple[str, str], dict[str, Any]]:
    to_table(rows, DIAGNOSTICS)
    return {(r["name"], r["what"]): r for r in rows}


def test_the_gain_splits_by_what_cut_the_answers() -> None:
    found = named(judged_rows(*production(), SETTINGS))
    start = "production, j: served - raw"
    whole = found["truncation", f"{start}, neither answer cut at the budget"]
    assert (whole["n"], whole["of"], whole["value"]) == (2, 3, 1.5)
    cut = found["truncation", f"{start}, either answer cut at the budget"]
    assert (cut["n"], cut["value"]) == (1, -2.0)
    beyond = found["judge's window", f"{start}, either answer beyond 4,000 characters"]
    assert (beyond["n"], beyond["value"]) == (1, 0.0)
    texts = found["truncation", "production, all: answers cut at the budget"]
    assert (texts["n"], texts["of"]) == (1, 10), "of the answers with text"
    fine = found["neither empty nor cut", "production, served: answers"]
    assert (fine["n"], fine["of"]) == (4, 6)


def test_a_split_needs_to_know_every_answer() -> None:
    answers, grades = production()
    found = named(judged_rows(answers[1:], grades, SETTINGS))
    assert not [what for _, what in found if "served - raw" in what]


@pytest.mark.parametrize(("score", "expected"), [(3.5, 656), (2.0, 600), (8.0, 1500), (27.5, 1500)])
def test_scaled_budget(score: float, expected: int) -> None:
    """656 of 1,500 at a score of 3.5: STUDIES section 3, caveat (c); the others by section 6."""
    assert scaled_budget(1500, score) == expected


def unit(of_set: str, question: str) -> Unit:
    return Unit(of_set, question, "m")


def test_greedy_donors_by_hand() -> None:
    a1, a2, b1 = unit("a", "1"), unit("a", "2"), unit("b", "1")
    seeds = {a1: frozenset("x"), a2: frozenset("y"), b1: frozenset("y")}
    # a1 takes the other set's b1; a2 shares y with b1 and falls back on a1; b1 takes a1.
    assert greedy_donors(seeds) == {a1: b1, a2: a1, b1: a1}
    assert greedy_donors({a2: frozenset("y"), b1: frozenset("y")}) == {a2: None, b1: None}


@given(st.lists(st.tuples(st.sampled_from("ab"), st.frozensets(st.integers(0, 4))), max_size=8))
def test_greedy_donors_equal_the_rule_read_literally(plan: list[tuple[str, Any]]) -> None:
    seeds = {unit(s, str(i)): shown for i, (s, shown) in enumerate(plan)}
    expected = {}
    for recipient, shown in seeds.items():
        expected[recipient] = None
        for other in (True, False):
            for donor, theirs in seeds.items():
                fits = (donor.set != recipient.set) == other and donor != recipient
                if expected[recipient] is None and fits and not shown & theirs:
                    expected[recipient] = donor
    assert greedy_donors(seeds) == expected


@given(st.lists(st.integers(1, 50), min_size=1, max_size=9))
def test_effective_number_lies_between_one_and_the_number(counts: list[int]) -> None:
    found = effective_number(counts)
    assert found is not None and 1 - 1e-12 <= found <= len(counts) + 1e-12
    assert (abs(found - len(counts)) < 1e-9) == (len(set(counts)) == 1)


def test_donor_rows_count_uses() -> None:
    found = named(donor_rows(["x", "y", "x"], "how", "answers"))
    assert (found["donors", "how: x"]["n"], found["donors", "how: x"]["of"]) == (2, 3)
    assert found["donors", "how, distinct donors"]["value"] == 2.0
    assert effective_number([]) is None


def test_regraded_answers_are_compared_only_where_they_are_the_same_ones() -> None:
    one = [grade("q", arm, 3) for arm in ("served", "raw")]
    two = [grade("q", arm, 5, cohort="controls") for arm in ("served", "true")]
    three = [grade("q", "true", 4, cohort="controls", judge="k")]
    rows = named(regrade_rows([*one, *two, *three]))
    assert {what: (r["n"], r["of"]) for (_, what), r in rows.items()} == {
        "controls, j and production, j: same score": (0, 1),
        "controls, j and production, j: within 1": (0, 1),
        "controls, j and controls, k: same score": (0, 1),
        "controls, j and controls, k: within 1": (1, 1),
    }
    rows = named(regrade_rows([*one, *two, *three], {"k"}))
    assert {what.partition(":")[0] for _, what in rows} == {"controls, j and production, j"}, (
        "a rule is no second judge"
    )


def test_most_frequent_seeds_by_hand() -> None:
    shown = [[("k", 9.0), ("a", 2.0)], [("k", 9.0)], [("k", 4.0)], []]
    scaffolds = [{"seeds": [{"slug": s, "score": x} for s, x in row]} for row in shown]
    gold = [{"slug": s, "question_exposed": s == "k"} for s in ("k", "b")]
    found = named(retrieval_rows(scaffolds, gold))
    first = found["retrieval", "most frequent seed 1: k"]
    assert (first["n"], first["of"], first["value"]) == (3, 4, 0.75)
    score = found["retrieval", COMMONEST]
    assert (score["value"], score["n"], score["of"]) == (9.0, 2, 3)
    assert found["retrieval", "gold items that are the most frequent seed"]["n"] == 1
    assert [r["value"] for r in retrieval_rows([], [])] == [None], "no question, no share"


def test_credit_by_hand() -> None:
    def item(path: str, strict: bool, alone: bool = False) -> dict[str, Any]:
        exposed = path in ("substring", "word_bag")
        return {
            "path": path,
            "exposed": exposed,
            "exposed_strict": strict,
            "question_exposed": alone,
            "question_exposed_strict": False,
        }

    items = [
        item("substring", True),
        item("substring", False, alone=True),
        item("word_bag", False),
        item("none", False),
        item("unmatchable", False),
    ]
    found = named(credit_rows(items))
    counts = {what: (r["n"], r["of"]) for (_, what), r in found.items()}
    assert counts["items exposed"] == (3, 5)
    assert counts[INSIDE_WORDS] == counts[WORD_BAG] == (1, 3)
    assert counts["question alone exposes it"] == (1, 3)


def test_a_study_without_judged_answers_has_no_judged_diagnostics() -> None:
    assert judged_rows([], [], SETTINGS) == []
