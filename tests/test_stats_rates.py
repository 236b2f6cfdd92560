"""Wilson intervals, kappa and the margin: worked examples, outside sources, properties, faults."""

import random
from math import sqrt

import pytest
from copyceiling.errors import StatisticsError
from copyceiling.stats import Agreement, Interval, kappa, wilson, within_margin
from hypothesis import assume, given, settings
from hypothesis import strategies as st

LABELS = ("absent", "correct", "name_only")
PAIRS = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=30)


def columns(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_wilson_by_hand() -> None:
    """8 of 10 at z = 1.959964: centre (0.8 + z^2/20)/(1 + z^2/10) = 0.716742, half 0.226580."""
    found = wilson(8, 10)
    assert (found.low, found.high) == pytest.approx((0.490162, 0.943318), abs=1e-5)


@settings(deadline=None)
@given(st.integers(1, 3000), st.data(), st.sampled_from([(0.9, 1.6448536), (0.95, 1.9599640)]))
def test_wilson_is_the_score_interval(
    n: int, data: st.DataObject, level_z: tuple[float, float]
) -> None:
    """The bounds are where the score statistic |k/n - b| / sqrt(b(1-b)/n) equals z."""
    k, (level, z) = data.draw(st.integers(0, n)), level_z
    found = wilson(k, n, level)
    assert found.low is not None and found.high is not None
    assert 0 <= found.low <= k / n <= found.high <= 1
    assert found.low < found.high
    for bound in (found.low, found.high):
        gap = abs(k / n - bound)
        assert gap == pytest.approx(z * sqrt(bound * (1 - bound) / n), abs=1e-6)


@settings(deadline=None)
@given(st.integers(1, 500), st.data())
def test_wilson_of_failures_mirrors_successes(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    one, other = wilson(k, n), wilson(n - k, n)
    assert one.low is not None and other.high is not None
    assert one.low == pytest.approx(1 - other.high, abs=1e-12)


def test_wilson_without_trials_is_missing() -> None:
    assert wilson(0, 0) == Interval(None, None)
    assert wilson(0, 60).low == 0.0 and wilson(60, 60).high == 1.0


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (1, 0)])
def test_wilson_refuses_more_successes_than_trials(k: int, n: int) -> None:
    with pytest.raises(StatisticsError, match=f"{k} successes in {n} trials"):
        wilson(k, n)


def test_kappa_by_hand() -> None:
    """Of 50 items 20 are yes-yes, 15 no-no, 5 yes-no, 10 no-yes: agreement 0.7.

    Chance is 0.5 x 0.6 + 0.5 x 0.4 = 0.5, so kappa is (0.7 - 0.5)/(1 - 0.5) = 0.4.
    """
    pairs = [("y", "y")] * 20 + [("n", "n")] * 15 + [("y", "n")] * 5 + [("n", "y")] * 10
    found = kappa(*columns(pairs), ("y", "n"))
    assert (found.n, found.agreement) == (50, 0.7)
    assert found.kappa == pytest.approx(0.4, abs=1e-12)


@settings(deadline=None)
@given(PAIRS, st.randoms())
def test_kappa_is_its_definition(pairs: list[tuple[str, str]], rng: random.Random) -> None:
    first, second = columns(pairs)
    found = kappa(first, second, LABELS)
    assert found == kappa(second, first, LABELS), "the raters are alike"
    n = len(pairs)
    chance = sum(first.count(x) * second.count(x) for x in LABELS)
    if n == 0 or chance == n * n:
        assert found.kappa is None
        return
    same = sum(a == b for a, b in pairs)
    assert found.kappa == pytest.approx((same * n - chance) / (n * n - chance), abs=1e-12)
    assert -1 <= found.kappa <= 1 and found.agreement == same / n
    assert (found.kappa == 1) == (same == n)
    rng.shuffle(pairs)
    assert kappa(*columns(pairs), LABELS) == found


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from(LABELS)] * 2, st.integers(0, 4)), max_size=20))
def test_weights_are_repetitions(rows: list[tuple[str, str, int]]) -> None:
    """A whole weight w is the same as the item standing there w times; n still counts items."""
    pairs = [(a, b) for a, b, _ in rows]
    repeated = [(a, b) for a, b, w in rows for _ in range(w)]
    found = kappa(*columns(pairs), LABELS, [w for _, _, w in rows])
    outside = kappa(*columns(repeated), LABELS)
    assert found == Agreement(len(rows), outside.agreement, outside.kappa)


def test_equal_weights_change_nothing() -> None:
    pairs = [("absent", "correct"), ("correct", "correct"), ("absent", "absent")]
    plain, weighed = kappa(*columns(pairs), LABELS), kappa(*columns(pairs), LABELS, [2.5] * 3)
    assert plain.kappa is not None
    assert weighed.kappa == pytest.approx(plain.kappa, abs=1e-12)


def test_kappa_that_is_undefined_is_missing() -> None:
    assert kappa([], [], LABELS) == Agreement(0, None, None)
    same = ["absent", "absent"]
    assert kappa(same, same, LABELS) == Agreement(2, 1.0, None), "chance alone agrees fully"
    assert kappa(same, same, LABELS, [0, 0]) == Agreement(2, None, None)
    apart = kappa(same, ["correct", "correct"], LABELS)
    assert (apart.agreement, apart.kappa) == (0.0, 0.0), "two labels, and chance agreement 0"


def test_kappa_names_every_fault() -> None:
    with pytest.raises(StatisticsError) as error:
        kappa(["absent", "maybe"], ["Correct", "absent"], LABELS, [1.0, float("nan")])
    for named in ("first rater: 'maybe'", "second rater: 'Correct'", "item 1: weight nan"):
        assert named in str(error.value)
    with pytest.raises(StatisticsError, match="2 labels by the first rater, 1 by the second"):
        kappa(["absent", "absent"], ["absent"], LABELS)


def test_margin_by_hand() -> None:
    """STUDIES section 3: the whole interval inside plus or minus 0.25."""
    assert within_margin(Interval(0.0, 0.1333), 0.25) is True
    assert within_margin(Interval(-0.63, 0.05), 0.25) is False
    assert within_margin(Interval(-0.25, 0.02), 0.25) is False, "a bound on the margin is not in"
    assert within_margin(Interval(None, None), 0.25) is None
    with pytest.raises(StatisticsError, match="margin 0"):
        within_margin(Interval(0.0, 0.1), 0.0)


@settings(deadline=None)
@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.01, 1))
def test_margin_is_symmetric_and_grows(a: float, b: float, margin: float) -> None:
    low, high = sorted([a, b])
    inside = within_margin(Interval(low, high), margin)
    assert inside is within_margin(Interval(-high, -low), margin)
    assert inside is (max(abs(low), abs(high)) < margin)
    assume(inside)
    assert within_margin(Interval(low, high), 2 * margin)
