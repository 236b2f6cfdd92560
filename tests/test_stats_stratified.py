"""The corrected rate against resampling one by one, and what must leave it as it was."""

import random

import numpy as np
import pytest
from copyceiling.errors import StatisticsError
from copyceiling.stats import CorrectedRate, Stratum, corrected_rate, named_rng, wilson
from hypothesis import given, settings
from hypothesis import strategies as st

UNITS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("abcde")), min_size=1, max_size=15)


def stratum(weight: int, units: list[tuple[int, str]]) -> Stratum:
    return Stratum(
        weight, np.array([hit for hit, _ in units], dtype=np.int64), [name for _, name in units]
    )


def rate(*strata: Stratum, resamples: int = 300, seed: int = 1) -> CorrectedRate:
    return corrected_rate(strata, name="question", seed=seed, resamples=resamples, level=0.9)


def one_by_one(strata: list[Stratum], seed: int, resamples: int) -> list[float]:
    """The definition: as many clusters as there are, drawn one by one, their units pooled."""
    drawn = []
    for i, one in enumerate(strata):
        names = sorted(set(one.clusters))
        rng = named_rng(seed, f"stratified:question:{i}")
        drawn.append((names, rng.integers(0, len(names), size=(resamples, len(names))).tolist()))
    out = []
    for r in range(resamples):
        value = 0.0
        for one, (names, picks) in zip(strata, drawn, strict=True):
            units = [
                hit
                for pick in picks[r]
                for hit, cluster in zip(one.successes.tolist(), one.clusters, strict=True)
                if cluster == names[pick]
            ]
            value += one.weight * sum(units) / len(units)
        out.append(value / sum(one.weight for one in strata))
    return out


def test_corrected_rate_by_hand() -> None:
    """Frame of 30 and 10: 1 of 2 right, and 3 of 4: (30 x 1/2 + 10 x 3/4)/40 = 0.5625.

    Two clusters a stratum, both resampled: the first gives 0, 1/2, 1, the second 1/2, 3/4, 1, so
    each resample is one of nine values between (0 + 5)/40 and (30 + 10)/40, the extremes having
    chance 1/16 each, and a 90 % interval is exactly those two.
    """
    found = rate(
        stratum(30, [(0, "a"), (1, "b")]),
        stratum(10, [(1, "a"), (0, "a"), (1, "b"), (1, "b")]),
        resamples=10_000,
    )
    assert found.value == 0.5625
    assert (found.low, found.high) == (0.125, 1.0)
    assert found.n_clusters == (2, 2)
    low = [wilson(1, 2, 0.9).low or 0.0, wilson(3, 4, 0.9).low or 0.0]
    assert found.naive_low == pytest.approx((30 * low[0] + 10 * low[1]) / 40, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(UNITS, UNITS, st.integers(1, 50), st.integers(1, 50))
def test_corrected_rate_is_resampling_one_by_one(
    first: list[tuple[int, str]], second: list[tuple[int, str]], w1: int, w2: int
) -> None:
    strata = [stratum(w1, first), stratum(w2, second)]
    found = rate(*strata, resamples=60, seed=5)
    sizes = [len({name for _, name in units}) for units in (first, second)]
    assert found.n_clusters == tuple(sizes)
    if min(sizes) < 2:
        assert (found.low, found.high) == (None, None)
        return
    samples = one_by_one(strata, 5, 60)
    bounds = np.quantile(samples, [0.05, 0.95]).tolist()
    assert [found.low, found.high] == pytest.approx(bounds, abs=1e-12)


@settings(deadline=None)
@given(UNITS, UNITS, st.integers(0, 2**32))
def test_order_of_units_does_not_matter(
    first: list[tuple[int, str]], second: list[tuple[int, str]], seed: int
) -> None:
    mixed = random.Random(seed).sample(first, len(first))
    a, b = stratum(9, second), stratum(3, first)
    assert rate(a, b, resamples=50) == rate(a, stratum(3, mixed), resamples=50)


@settings(deadline=None)
@given(UNITS, UNITS)
def test_failures_mirror_successes(
    first: list[tuple[int, str]], second: list[tuple[int, str]]
) -> None:
    strata = [stratum(7, first), stratum(2, second)]
    turned = [Stratum(s.weight, 1 - s.successes, s.clusters) for s in strata]
    found, other = rate(*strata, resamples=50), rate(*turned, resamples=50)
    assert found.value is not None and other.value is not None
    assert other.value == pytest.approx(1 - found.value, abs=1e-12)
    if found.low is not None:
        assert other.high == pytest.approx(1 - found.low, abs=1e-12)
        assert 0 <= found.low <= (found.high or 0.0) <= 1


def test_strata_have_streams_of_their_own() -> None:
    """A larger sample of one stratum leaves the draws of the other as they were."""
    plain = [(i % 2, f"q{i}") for i in range(9)]
    certain, more = ([(1, f"q{i}") for i in range(n)] for n in (4, 40))
    one, other = (rate(stratum(1, sample), stratum(1, plain)) for sample in (certain, more))
    # The first stratum succeeds in every resample, so only the second's draws move the interval.
    assert (one.low, one.high) == (other.low, other.high)
    assert one.low != one.high
    again = rate(stratum(1, plain), stratum(1, certain))
    assert (again.low, again.high) != (one.low, one.high), "the place is part of the seed"


def test_whole_clusters_give_wider_intervals_than_units() -> None:
    """Four questions of ten equal units each: as units they look ten times as many."""
    together = [(i % 2, f"q{i}") for i in range(4) for _ in range(10)]
    apart = [(hit, f"{name}-{i}") for i, (hit, name) in enumerate(together)]
    wide, narrow = (rate(stratum(1, units), resamples=2000) for units in (together, apart))
    assert wide.low is not None and wide.high is not None
    assert narrow.low is not None and narrow.high is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_undefined_is_missing() -> None:
    two, one = stratum(5, [(1, "a"), (0, "b")]), stratum(5, [(1, "a"), (0, "a")])
    found = rate(two, one)
    assert (found.value, found.low, found.n_clusters) == (0.5, None, (2, 1))
    assert found.naive_low is not None, "Wilson does not ask for clusters"
    empty = rate(two, stratum(5, []))
    assert empty == CorrectedRate(None, None, None, None, None, (2, 0))
    assert rate() == CorrectedRate(None, None, None, None, None, ())
    unweighted = rate(two, stratum(0, []))
    assert (unweighted.value, unweighted.low) == (0.5, rate(two).low), "no weight, no part"


def test_every_fault_of_the_strata_is_named() -> None:
    bad = [
        Stratum(-1, np.array([1, 2], dtype=np.int64), ["a", "b"]),
        Stratum(1, np.array([1], dtype=np.int64), ["a", "b"]),
    ]
    with pytest.raises(StatisticsError) as error:
        rate(*bad)
    for named in ("weight -1", "successes hold [2]", "stratum 1: 1 units but 2 clusters"):
        assert named in str(error.value)
