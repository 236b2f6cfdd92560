"""Resampling: exact sums, worked examples, and what it must not depend on."""

import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from copyceiling.stats import (
    Interval,
    Partition,
    Ratios,
    bootstrap_intervals,
    bootstrap_ratios,
    cluster_counts,
    mean_intervals,
    named_rng,
    resampling,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT

FRACTIONS = st.lists(
    st.builds(Fraction, st.integers(-5, 5), st.integers(1, 6)), min_size=2, max_size=12
)


@settings(deadline=None)
@given(FRACTIONS)
def test_means_are_exact(values: list[Fraction]) -> None:
    assert Ratios.of([values]).means() == [float(sum(values) / len(values))]


def test_two_rows_by_hand() -> None:
    """Rows 0 and 1: a resample's mean is 0, 1/2 or 1 with probability 1/4, 1/2, 1/4."""
    ratios = Ratios.of([[Fraction(0), Fraction(1)]])
    samples = bootstrap_ratios(
        ratios.numerators, np.array([1, 1]), Partition.rows(2), seed=1, resamples=20_000
    )
    values, counts = np.unique(samples, return_counts=True)
    assert values.tolist() == [0.0, 0.5, 1.0]
    # Six standard errors of a share over 20,000 draws.
    assert counts / 20_000 == pytest.approx([0.25, 0.5, 0.25], abs=6 * 0.0036)


def test_clusters_pool_their_rows() -> None:
    """Clusters {0, 0, 0} and {1}: resampled means are 0, 1/4 and 1, not 0, 1/2 and 1."""
    part = Partition.by("domain", ["a", "a", "a", "b"])
    samples = bootstrap_ratios(
        np.array([[0], [0], [0], [1]]), np.ones(4, dtype=np.int64), part, seed=1, resamples=500
    )
    assert sorted(set(samples.ravel().tolist())) == [0.0, 0.25, 1.0]


@settings(deadline=None)
@given(FRACTIONS, st.integers(0, 2**32))
def test_order_of_rows_does_not_matter_for_clusters(values: list[Fraction], seed: int) -> None:
    labels = [f"c{i % 3}" for i in range(len(values))]
    order = random.Random(seed).sample(range(len(values)), len(values))

    def intervals(at: list[int]) -> object:
        part = Partition.by("domain", [labels[i] for i in at])
        return mean_intervals(Ratios.of([[values[i] for i in at]]), part, seed=5, resamples=200)

    assert intervals(list(range(len(values)))) == intervals(order)


def test_models_are_resampled_together() -> None:
    """Two models that differ by a constant differ by it in every resample."""
    rng = np.random.default_rng(0)
    one = rng.integers(0, 10, 50)
    both = np.stack([one, one + 3], axis=1)
    samples = bootstrap_ratios(both, np.full(50, 10), Partition.rows(50), seed=3, resamples=300)
    assert samples[:, 1] - samples[:, 0] == pytest.approx(np.full(300, 0.3), abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(1, 30), st.integers(0, 2**32))
def test_kept_weights_are_the_drawn_ones(n: int, resamples: int, seed: int) -> None:
    """Whether a table of weights is kept for the next call changes no resample, nor how often."""
    values = np.random.default_rng(seed).integers(-9, 10, (n, 2))
    part = Partition.by("domain", [str(i // 2) for i in range(n)])

    def samples() -> bytes:
        found = bootstrap_ratios(values, np.ones(n, dtype=int), part, seed=9, resamples=resamples)
        return found.tobytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "_KEPT", 0)
        drawn = samples()
    assert samples() == drawn
    assert samples() == drawn


def test_draws_do_not_move() -> None:
    """Golden: frozen artefacts rest on these draws. Moving them moves every published interval."""
    counts = cluster_counts(4, 3, named_rng(42, "bootstrap:domain:4"))
    assert counts.tolist() == [[0, 2, 1, 1], [2, 1, 1, 0], [3, 0, 1, 0]]
    (found,) = mean_intervals(
        Ratios.of([[Fraction(i * i % 7, 3) for i in range(20)]]), Partition.rows(20), seed=42
    )
    assert (found.low, found.high) == pytest.approx((29 / 60, 0.9), abs=1e-15)


def test_undefined_is_missing() -> None:
    one = mean_intervals(Ratios.of([[Fraction(1)]]), Partition.rows(1), seed=1, resamples=100)
    assert (one[0].low, one[0].high) == (None, None)
    single = Partition.by("domain", ["a", "a"])
    found = mean_intervals(Ratios.of([[Fraction(0), Fraction(1)]]), single, seed=1, resamples=100)
    assert found[0].low is None, "one cluster has no interval, not one of width zero"
    empty = bootstrap_intervals(
        np.array([[1], [0]]), np.array([1, 0]), Partition.rows(2), seed=1, resamples=100
    )
    assert empty[0].low is None, "a resample without denominator leaves it undefined"
    assert Ratios.of([[]]).means() == [None]


@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 2), st.sampled_from("abc")), max_size=8)
)
def test_what_no_resample_moves_has_no_interval(rows: list[tuple[int, int, str]]) -> None:
    """Oracle: whether the ratios of all resamples are one; else the interval is the usual one."""
    rows = [(above if below else 0, below, c) for above, below, c in rows]
    above, below = (np.array([r[i] for r in rows], dtype=np.int64) for i in (0, 1))
    part = Partition.by("domain", [c for *_, c in rows])
    how = {"seed": 3, "resamples": 200}
    (usual,) = bootstrap_intervals(above[:, None], below, part, **how)
    (found,) = bootstrap_intervals(above[:, None], below, part, **how, flat=False)
    if usual.low is None:
        assert found == usual
        return
    drawn = bootstrap_ratios(above[:, None], below, part, **how)
    # The same number reached by other sums may differ in its last bit.
    still = np.ptp(drawn) < 1e-12
    assert found == (Interval(None, None) if still else usual)


def test_sums_that_would_not_be_exact_are_refused() -> None:
    primes = [Fraction(1, p) for p in (999_983, 999_979, 999_961)]
    with pytest.raises(OverflowError):
        Ratios.of([primes])


def test_seeds_are_named() -> None:
    draws = {name: named_rng(42, name).integers(0, 2**60) for name in ("a", "b", "bootstrap:row:3")}
    assert len(set(draws.values())) == 3
    assert named_rng(42, "a").integers(0, 2**60) == draws["a"]
    assert named_rng(43, "a").integers(0, 2**60) != draws["a"]
    counts = cluster_counts(5, 100, named_rng(42, "a"))
    assert counts.shape == (100, 5) and set(counts.sum(axis=1)) == {5.0}


def test_slow_libraries_wait_until_they_are_needed() -> None:
    """Importing scipy.stats or statsmodels takes longer than a whole resampling job."""
    probe = (
        "import sys, copyceiling.stats\n"
        "print(sorted({n.split('.')[0] for n in sys.modules} & {'scipy', 'statsmodels', 'pandas'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        cwd=ROOT / "scripts",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_interval_of_a_normal_mean_is_near_its_theory() -> None:
    """Outside source: the mean of n values has standard error s/sqrt(n); 1.96 of them each way."""
    rng = np.random.default_rng(1)
    values = rng.integers(0, 1000, 400)
    (found,) = bootstrap_intervals(
        values[:, None], np.full(400, 1), Partition.rows(400), seed=9, resamples=10_000
    )
    half = 1.96 * values.std() / 20
    assert found.low == pytest.approx(values.mean() - half, abs=0.06 * half * 2)
    assert found.high == pytest.approx(values.mean() + half, abs=0.06 * half * 2)
