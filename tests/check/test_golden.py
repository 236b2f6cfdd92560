"""Numbers worked by hand on rows small enough to do so."""

from typing import Any

import pytest
from copyceiling.check import check_rows, page

from tests.check.made import only, report, row


def test_one_row_by_hand() -> None:
    """Gold: rye flour (shown, named), table salt (neither): ceiling 1/2, recall 1/2, gain 0."""
    m = only(report([row(1)]))
    assert (m.n11, m.n10, m.n01, m.n00) == (1, 0, 0, 1)
    assert (m.ceiling, m.exposed_fraction, m.recall, m.gain) == (0.5, 0.5, 0.5, 0.0)
    assert m.utilisation == 1.0 and m.n_question == 0
    assert m.gain_naive.low is None, "one row has no interval"


def test_three_rows_by_hand() -> None:
    """Shown/named of (flour, salt) a row, recall - ceiling:

    q1 shown 1, named 1: 1/2 - 1/2 = 0; q2 shown 1, named 0 of it and salt: 1/2 - 1/2 = 0 with one
    omission and one find; q3 shown both, named none: 0 - 1 = -1. Gain -1/3, utilisation 1/4.
    """
    rows = [
        row(1),
        row(2, answer="Table salt."),
        row(3, context="rye flour and table salt", answer="nothing"),
    ]
    m = only(report(rows))
    assert (m.n11, m.n10, m.n01, m.n00) == (1, 3, 1, 1)
    assert m.ceiling == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert m.recall == pytest.approx(1 / 3)
    assert m.gain == pytest.approx(-1 / 3)
    assert m.utilisation == 0.25


def test_any_collapses_in_scores_and_not_in_counts() -> None:
    """One of two shown names suffices: recall 1, ceiling 1, gain 0; one omission, compliant."""
    rows = [row(1, gold_type="any", context="rye flour, table salt")]
    m = only(report(rows))
    assert (m.recall, m.ceiling, m.gain, m.exposed_fraction) == (1.0, 1.0, 0.0, 1.0)
    assert (m.n11, m.n10, m.n10_any, m.n10_compliant) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("context", "exposed"),
    [
        (None, 0),
        ("rye flour", 1),
        (["rye", "flour"], 1),  # joined by one space
        ([{"role": "system", "content": "rye"}, {"role": "user", "content": "flour"}], 1),
        ([{"role": "user", "content": [{"type": "text", "text": "rye flour"}]}], 1),
        ([{"text": "rye flour"}], 1),
        ([{"page_content": "rye flour", "metadata": {"table": "salt"}}], 1),
        ([{"role": "user", "content": [{"type": "image", "image": "x"}]}], 0),
    ],
)
def test_forms_of_context(context: Any, exposed: int) -> None:
    m = only(report([row(1, context=context)]))
    assert m.n11 + m.n10 == exposed


def test_the_question_exposes_too_and_alone() -> None:
    """Without context the question is the visible input; it names the salt."""
    rows = [row(1, question="Why table salt?", context=None)]
    found = report(rows)
    m = only(found)
    assert (m.n_question, m.n10, m.question_ceiling, m.ceiling) == (1, 1, 0.5, 0.5)
    assert found.systems[0].n_without_context == 1


def test_any_name_of_an_item_counts() -> None:
    """The page has the alias, the answer the title: exposed and recovered."""
    gold = [{"title": "Rye Flour", "aliases": ["Roggenmehl", "ライ麦粉"]}]
    m = only(report([row(1, gold=gold, context="Roggenmehl")]))
    assert (m.n11, m.recall, m.ceiling) == (1, 1.0, 1.0)


def test_names_that_normalise_to_nothing() -> None:
    """An alias in another script is no name; an item with only such names is unmatchable."""
    gold = [
        {"title": "ライ麦粉", "aliases": ["Rye Flour"]},
        {"title": "ライ麦粉", "aliases": ["塩"]},
    ]
    found = report([row(1, gold=gold)])
    m = only(found)
    assert found.systems[0].n_unmatchable == 1
    assert (m.n11, m.n00) == (1, 1), "it stays in the accounting, as neither"


def test_strict_beside_paper() -> None:
    """`ion` stands inside `ionic`: credit by the paper's matcher, none at word boundaries."""
    found = report([row(1, gold=["Ion"], context="ionic", answer="ionic")])
    assert (only(found).n11, only(found, "strict").n11) == (1, 0)
    assert (only(found, "strict").ceiling, only(found, "strict").gain) == (0.0, 0.0)


def test_statuses_and_policies_by_hand() -> None:
    """q1 named (1/2), q2 empty, q3 cut but named (1/2), q4 refused without text.

    As received (1/2 + 0 + 1/2 + 0)/4 = 1/4; as wrong 1/8; complete case q1 alone 1/2.
    """
    rows = [
        row(1),
        row(2, answer=None),
        row(3, status="truncated"),
        row(4, answer="", status="refused"),
    ]
    found = report(rows)
    assert found.systems[0].status == {
        "ok": 1, "empty": 1, "truncated": 1, "refused": 1, "error": 0
    }  # fmt: skip
    policies = {p: only(found, policy=p) for p in ("as_received", "as_wrong", "complete_case")}
    assert [m.recall for m in policies.values()] == [0.25, 0.125, 0.5]
    assert [m.n for m in policies.values()] == [4, 4, 1]
    assert [m.n11 for m in policies.values()] == [2, 1, 1]


@pytest.mark.parametrize("answer", [None, "", "  \n", float("nan"), ...])
def test_a_missing_answer_is_empty_not_wrong(answer: Any) -> None:
    found = report([row(1, answer=answer), row(2)])
    assert found.systems[0].status["empty"] == 1
    assert only(found, policy="complete_case").recall == 0.5


def test_no_complete_case_is_missing_not_zero() -> None:
    m = only(report([row(1, answer=None)]), policy="complete_case")
    assert m.n == 0
    assert (m.recall, m.ceiling, m.gain, m.utilisation, m.question_share) == (None,) * 5


def test_uplift_is_over_rows_that_have_a_raw_answer() -> None:
    """q1: 1/2 - 0; q2: 1/2 - 1/2; q3 has none. Uplift (1/2 + 0)/2 over two rows."""
    rows = [row(1, raw_answer="sugar"), row(2, raw_answer="table salt"), row(3)]
    found = report(rows)
    m = only(found)
    assert (m.n, m.n_raw, m.raw_recall, m.uplift) == (3, 2, 0.25, 0.25)
    assert sum(found.systems[0].raw_status.values()) == 2
    silent = only(report([row(1, raw_answer="")]))
    assert (silent.n_raw, silent.raw_recall) == (1, 0.0), "an empty answer is an answer that came"


def test_question_that_everybody_answers_has_no_utilisation_to_divide_by() -> None:
    m = only(report([row(1, context="", question="?")]))
    assert m.utilisation is None and m.n01 == 1 and m.gain == 0.5


def test_two_rows_interval_by_hand() -> None:
    """Gains 0 and -1: resampled means are 0, -1/2, -1 with 1/4, 1/2, 1/4, so 95 % is [-1, 0].

    One cluster holds both: no clustered interval. Two clusters: the same as by row.
    """
    rows = [row(1), row(2, context="rye flour, table salt", answer="no")]
    m = only(check_rows(rows))
    assert (m.gain, m.gain_naive.low, m.gain_naive.high) == (-0.5, -1.0, 0.0)
    assert (m.n_clusters, m.gain_cluster.low) == (0, None)
    one = only(check_rows([{**r, "cluster": "c"} for r in rows]))
    assert (one.n_clusters, one.gain_cluster.low) == (1, None)
    two = only(check_rows([{**r, "cluster": i} for i, r in enumerate(rows)]))
    assert (two.gain_cluster.low, two.gain_cluster.high) == (-1.0, 0.0)


def test_rows_without_cluster_stand_alone_beside_stated_ones() -> None:
    """Clusters {q1, q2}, {q3}, {q4}, even where an id has a cluster's name."""
    rows = [row(1, cluster="c"), row(2, cluster="c"), row(3), row(4, id="c")]
    found = report(rows)
    assert only(found).n_clusters == 3
    assert found.systems[0].n_without_cluster == 2


def test_many_sizes_of_gold_are_summed_to_within_a_hair() -> None:
    """Sizes 1..60 have a common multiple beyond exact sums; the mean is right to 1e-9."""
    rows = [
        row(n, gold=[f"item{i}x" for i in range(n)], context="item0x", answer="item0x")
        for n in range(1, 61)
    ]
    found = report(rows)
    assert not found.exact
    assert only(found).recall == pytest.approx(sum(1 / n for n in range(1, 61)) / 60, abs=1e-9)
    assert only(found).gain == 0.0
    assert report(rows[:20]).exact


def test_what_one_row_says_of_the_sign() -> None:
    """One row has no interval, so the page does not speak of one, whatever the gain."""
    for answer, gain in (("rye flour", "+0.000"), ("table salt, rye flour", "+0.500")):
        text = page(report([row(1, answer=answer)]))
        assert f"gain {gain}" in text and "one row gives no interval" in text
        assert "told apart" not in text and "1 row, 1 system" in text
    assert "one row gives" not in page(report([row(1), row(2)]))


def test_gold_that_may_be_a_list_in_one_text_is_pointed_out() -> None:
    """Names with a comma inside, lists of several, and ends of a name are not."""
    joined = ["Danube; Inn", "Danube, Inn, Ilz", "a|b"]
    plain = ["1,2-diol", "Danube;", "Inn"]
    rows = [row(i, gold=[title]) for i, title in enumerate(joined + plain)]
    found = report([*rows, row(9, gold=["Danube; Inn", "Ilz"])])
    assert found.systems[0].n_joined == 3
    assert "3 rows with a single gold name that holds ; or | or a comma" in page(found)
    assert "single gold name" not in page(report(rows[3:]))


def test_rows_without_context_are_counted_in_the_closing_sentence() -> None:
    text = page(report([row(1), row(2, context=None), row(3, context=[])]))
    assert "No context was given for 2 of 3 rows, so the ceiling there is of the question" in text
    assert "No context was given" not in page(report([row(1), row(2)]))
