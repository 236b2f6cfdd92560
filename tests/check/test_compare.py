"""Systems in pairs: the sign-flip test against all assignments of signs, Holm by hand."""

from itertools import product

import numpy as np
import pytest
from copyceiling.check import compare
from copyceiling.check.compare import holm, sign_flip_p
from hypothesis import given
from hypothesis import strategies as st

from tests.check.made import report, row

SUMS = st.lists(st.integers(-9, 9), min_size=1, max_size=9)


def flip(sums: list[int], resamples: int = 20_000) -> tuple[float | None, bool]:
    return sign_flip_p(np.array(sums, dtype=np.int64), seed=1, resamples=resamples)


@given(SUMS)
def test_exact_p_against_all_assignments(sums: list[int]) -> None:
    p, exact = flip(sums)
    assert exact
    if not any(sums):
        assert p is None
        return
    reached = [abs(sum(s * x for s, x in zip(signs, sums, strict=True)))
               for signs in product((-1, 1), repeat=len(sums))]  # fmt: skip
    assert p == pytest.approx(np.mean([r >= abs(sum(sums)) for r in reached]))


def test_five_of_five_by_hand() -> None:
    """All five differences positive: 2 of 32 assignments are as far out."""
    assert flip([3, 3, 3, 3, 3]) == (pytest.approx(0.0625), True)
    assert flip([0, 0, 3, -3]) == (1.0, True), "ties do not count, and a balance is no difference"


def test_drawn_p_is_near_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = [5, 4, 4, 3, -1, 2, 2, -2, 1, 6, -3, 1]
    exact, _ = flip(sums)
    monkeypatch.setattr(compare, "_EXACT_SUM", 0)
    drawn, counted = flip(sums)
    assert not counted and exact is not None
    # Six standard errors of a share over 20,000 draws.
    assert drawn == pytest.approx(exact, abs=6 * (exact * (1 - exact) / 20_000) ** 0.5)
    assert drawn == flip(sums)[0], "the same seed draws the same"
    smallest, _ = flip([1] * 200, resamples=99)
    assert smallest == 1 / 100


def test_holm_by_hand() -> None:
    """.01 x 3 = .03; .03 x 2 = .06; .04 x 1 = .04, raised to the .06 before it."""
    assert holm([0.01, 0.04, None, 0.03]) == pytest.approx([0.03, 0.06, None, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == [] and holm([None]) == [None]


def test_pairs_by_hand() -> None:
    """Four shared questions; `a` names the flour in all, `b` in none: difference 1/2 each.

    Clusters c0 {0, 1}, c1 {2, 3}: all 4 signings of two equal sums are (2, 0, 0, -2), p = 1/2.
    By row it would be 2/16.
    """
    rows = [
        *[row(i, system="a", cluster=f"c{i // 2}") for i in range(4)],
        *[row(i, system="b", cluster=f"c{i // 2}", answer="no") for i in range(4)],
        row(9, system="b"),
    ]
    found = report(rows)
    assert [(p.first, p.second, p.quantity) for p in found.pairs] == [
        ("a", "b", "recall"),
        ("a", "b", "gain"),
    ]
    for p in found.pairs:
        assert (p.n, p.n_clusters, p.difference, p.n_mismatched) == (4, 2, 0.5, 0)
        assert (p.p, p.p_exact, p.p_holm) == (0.5, True, 1.0)
        assert (p.naive.low, p.cluster.high) == (0.5, 0.5)
    bare = report([{**r, "cluster": None} for r in rows])
    assert [p.p for p in bare.pairs] == [0.125, 0.125]
    assert [p.p_holm for p in bare.pairs] == [0.25, 0.25]


def test_ids_that_were_not_asked_alike_are_left_out_and_counted() -> None:
    rows = [row(i, system=s) for i in range(5) for s in "ab"]
    rows[0] = row(0, system="a", question="What else?")
    rows[2] = row(1, system="a", gold=["Table Salt"])
    rows[4] = row(2, system="a", gold=["Table Salt", "Rye Flour"])  # order is no difference
    found = report(rows)
    assert [(p.n, p.n_mismatched) for p in found.pairs] == [(3, 2), (3, 2)]


def test_systems_without_shared_questions_have_no_difference() -> None:
    (pair, _) = report([row(1, system="a"), row(2, system="b")]).pairs
    assert (pair.n, pair.difference, pair.p, pair.p_holm) == (0, None, None, None)


def test_system_and_arm() -> None:
    rows = [row(1, system="s", arm="x"), row(1, arm="x"), row(1), row(1, system="s")]
    assert [s.system for s in report(rows).systems] == ["s", "s/x", "system", "x"]
