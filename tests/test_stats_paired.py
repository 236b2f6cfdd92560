"""The signed-rank test against enumeration and scipy, Holm by hand, and their properties."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from copyceiling.errors import StatisticsError
from copyceiling.stats import holm, signed_rank
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

# Few sizes, so that most lists have ties and zeros.
TIED = st.lists(st.integers(-3, 3), max_size=12)
HALVES = st.lists(st.builds(Fraction, st.integers(-4, 4), st.integers(1, 3)), max_size=10)
P_VALUES = st.lists(st.floats(0.0, 1.0), max_size=15)
# statsmodels collects garbage at each call, which takes longer than the rest of the test.
HOLM = settings(deadline=None, max_examples=15)


def enumerated(differences: list[int] | list[Fraction]) -> float:
    """The definition: average ranks from scipy, all 2^n choices of signs one by one."""
    nonzero = [d for d in differences if d]
    if not nonzero:
        return 1.0
    ranks = scipy_stats.rankdata([float(abs(d)) for d in nonzero])
    seen = abs(sum(r for r, d in zip(ranks, nonzero, strict=True) if d > 0) - ranks.sum() / 2)
    plus = np.array(list(product([0, 1], repeat=len(nonzero)))) @ ranks
    return float(np.mean(np.abs(plus - ranks.sum() / 2) >= seen - 1e-9))


def test_signed_rank_by_hand() -> None:
    """Differences 2, -1, 1, 0, 3: sizes 1 1 2 3 have ranks 1.5 1.5 3 4; T+ = 8.5, T- = 1.5.

    T+ is at least 8.5 when all four are positive (10) or one of the 1.5 is not (8.5, twice): 3 of
    16 choices, and as many on the other side: p = 6/16. r = (8.5 - 1.5)/10 = 0.7.
    """
    found = signed_rank([2, -1, 1, 0, 3])
    assert (found.n, found.n_nonzero) == (5, 4)
    assert (found.wins, found.losses, found.ties) == (3, 1, 1)
    assert (found.t_plus, found.t_minus) == (8.5, 1.5)
    assert (found.p, found.rank_biserial) == (0.375, 0.7)


@settings(deadline=None)
@given(st.one_of(TIED, HALVES))
def test_signed_rank_is_full_enumeration(differences: list[int] | list[Fraction]) -> None:
    assert signed_rank(differences).p == pytest.approx(enumerated(differences), abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(st.sets(st.integers(1, 1000), min_size=1, max_size=40), st.randoms())
def test_signed_rank_is_scipys_without_ties(sizes: set[int], rng: random.Random) -> None:
    """Outside source: scipy.stats.wilcoxon, exact, which knows neither ties nor zeros."""
    differences = [size * rng.choice([-1, 1]) for size in sorted(sizes)]
    outside = scipy_stats.wilcoxon(differences, method="exact", alternative="two-sided")
    found = signed_rank(differences)
    assert found.p == pytest.approx(outside.pvalue, rel=1e-12)
    assert min(found.t_plus, found.t_minus) == outside.statistic


@settings(deadline=None)
@given(st.one_of(TIED, HALVES), st.randoms())
def test_signed_rank_is_symmetric_and_blind_to_order(
    differences: list[int] | list[Fraction], rng: random.Random
) -> None:
    found = signed_rank(differences)
    turned = signed_rank([-d for d in differences])
    assert turned.p == found.p and 0 < found.p <= 1
    assert (turned.t_plus, turned.t_minus) == (found.t_minus, found.t_plus)
    assert (turned.wins, turned.losses, turned.ties) == (found.losses, found.wins, found.ties)
    if found.rank_biserial is not None:
        assert turned.rank_biserial == -found.rank_biserial and abs(found.rank_biserial) <= 1
    mixed = list(differences)
    rng.shuffle(mixed)
    assert signed_rank(mixed) == found
    assert signed_rank([7 * d for d in differences]) == found, "ranks have no unit"


@settings(deadline=None)
@given(TIED)
def test_ranks_add_up(differences: list[int]) -> None:
    found = signed_rank(differences)
    n = found.n_nonzero
    assert found.t_plus + found.t_minus == n * (n + 1) / 2
    assert found.wins + found.losses == n == found.n - found.ties


@pytest.mark.parametrize("differences", [[], [0], [0, 0, 0]])
def test_no_pair_that_differs(differences: list[int]) -> None:
    found = signed_rank(differences)
    assert (found.p, found.rank_biserial, found.n_nonzero) == (1.0, None, 0)
    assert found.ties == found.n == len(differences)


def test_hundreds_of_pairs_stay_exact() -> None:
    """All 300 one way: 2 of 2^300 choices, far below what a float sum could tell from zero."""
    assert signed_rank([1] * 300).p == 2.0**-299
    assert signed_rank(range(1, 301)).p == 2.0**-299
    assert signed_rank([1] * 150 + [-1] * 150).p == 1.0


def test_large_n_nears_the_normal() -> None:
    """Outside source: the normal approximation, whose error at n = 200 is far below 0.005."""
    rng = np.random.default_rng(4)
    differences = [int(d) for d in rng.integers(-40, 50, 200)]
    outside = scipy_stats.wilcoxon(differences, method="approx", correction=True)
    assert signed_rank(differences).p == pytest.approx(outside.pvalue, abs=0.005)


def test_holm_by_hand() -> None:
    """0.01, 0.04, 0.03 ascending: 3 x 0.01, 2 x 0.03, and 1 x 0.04 raised to the 0.06 before it."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == [] and holm([0.2]) == [0.2]


@HOLM
@given(P_VALUES)
def test_holm_is_monotone_and_never_smaller(ps: list[float]) -> None:
    adjusted = holm(ps)
    assert len(adjusted) == len(ps)
    ranked = [a for _, a in sorted(zip(ps, adjusted, strict=True))]
    assert ranked == sorted(ranked)
    for p, a in zip(ps, adjusted, strict=True):
        assert p <= a <= min(1.0, len(ps) * p + 1e-12)


@HOLM
@given(P_VALUES, st.randoms())
def test_holm_goes_with_the_order(ps: list[float], rng: random.Random) -> None:
    order = list(range(len(ps)))
    rng.shuffle(order)
    adjusted = holm(ps)
    assert holm([ps[i] for i in order]) == [adjusted[i] for i in order]


def test_holm_names_every_value_that_is_no_p() -> None:
    with pytest.raises(StatisticsError) as error:
        holm([0.5, float("nan"), 0.1, -0.2, 1.5])
    for named in ("3 of 5", "place 1: nan", "place 3: -0.2", "place 4: 1.5"):
        assert named in str(error.value)
