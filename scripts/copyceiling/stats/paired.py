"""Tests on paired differences: the exact conditional signed-rank test, and Holm's adjustment.

Source: paper section 9; STUDIES section 0.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from copyceiling.errors import StatisticsError, listing


@dataclass(frozen=True)
class SignedRank:
    """Exact conditional signed-rank test of paired differences.

    Attributes:
        n: Pairs.
        n_nonzero: Pairs that differ; only these are ranked.
        wins: Pairs with a positive difference.
        losses: Pairs with a negative difference.
        ties: Pairs without a difference.
        t_plus: Sum of the ranks of positive differences; a multiple of 1/2.
        t_minus: Sum of the ranks of negative differences; a multiple of 1/2.
        p: Two-sided p, in (0, 1]; 1 where no pair differs.
        rank_biserial: Matched-pairs rank-biserial correlation (T+ - T-)/(T+ + T-), in [-1, 1];
            None where no pair differs.
    """

    n: int
    n_nonzero: int
    wins: int
    losses: int
    ties: int
    t_plus: float
    t_minus: float
    p: float
    rank_biserial: float | None


def signed_rank(differences: Sequence[int | Fraction]) -> SignedRank:
    """Test whether paired differences lie about zero, by the signs of their ranks.

    Zero differences are dropped and tied sizes share their average rank. Given the ranks, each of
    the 2^n choices of signs is as likely as another; p is the share of those whose T+ lies at
    least as far from its mean as the one observed. All of it is integers, so p is exact up to its
    last rounding, and does not depend on the order of the pairs.

    Args:
        differences: One a pair, exact: differences of floats would break ties by rounding.
    """
    nonzero = [Fraction(d) for d in differences if d != 0]
    ranks = _doubled_ranks([abs(d) for d in nonzero])
    plus = sum(rank for rank, d in zip(ranks, nonzero, strict=True) if d > 0)
    minus = sum(ranks) - plus
    wins = sum(d > 0 for d in nonzero)
    return SignedRank(
        n=len(differences),
        n_nonzero=len(nonzero),
        wins=wins,
        losses=len(nonzero) - wins,
        ties=len(differences) - len(nonzero),
        t_plus=plus / 2,
        t_minus=minus / 2,
        p=_two_sided(ranks, plus, minus),
        rank_biserial=(plus - minus) / (plus + minus) if nonzero else None,
    )


def _doubled_ranks(sizes: Sequence[Fraction]) -> list[int]:
    """Return twice the average rank of each size: first plus last place of those equal to it."""
    ordered = sorted(sizes)
    return [bisect_left(ordered, x) + 1 + bisect_right(ordered, x) for x in sizes]


def _two_sided(ranks: Sequence[int], plus: int, minus: int) -> float:
    if plus == minus:
        return 1.0
    # Turning every sign swaps T+ and T-, so the two tails hold equally many choices of signs.
    return float(Fraction(2 * _signs_up_to(ranks, min(plus, minus)), 2 ** len(ranks)))


def _signs_up_to(ranks: Sequence[int], bound: int) -> int:
    """Return how many of the 2^n choices of signs give a doubled T+ of at most `bound`.

    The dynamic programme counts[t + rank] += counts[t] on one big integer, whose digit t in base
    2^(n+1) is counts[t]: a shift and a sum a rank, in the interpreter's own arithmetic. Ranks
    count in units of their common divisor (2 where no sizes are tied).
    """
    bits, unit = len(ranks) + 1, gcd(*ranks)
    kept = (1 << bits * (bound // unit + 1)) - 1
    counts = 1
    for rank in sorted(ranks):
        if rank > bound:
            break
        counts = (counts + (counts << bits * (rank // unit))) & kept
    # A number leaves the sum of its digits on division by base - 1; the sum, at most 2^n, is less.
    return counts % ((1 << bits) - 1)


def holm(p: Sequence[float]) -> list[float]:
    """Adjust p-values by Holm's step-down over the family given, in the order given.

    Args:
        p: Unrounded p-values, each in [0, 1]; may be empty.

    Raises:
        StatisticsError: Some value is no p-value; all are named.
    """
    wrong = [f"place {i}: {x!r}" for i, x in enumerate(p) if not 0 <= x <= 1]
    if wrong:
        raise StatisticsError(
            f"Holm's adjustment: {len(wrong)} of {len(p)} values are no p-values in [0, 1]:\n"
            f"{listing(wrong)}\nLeave contrasts that could not be tested out of the family."
        )
    if not p:
        return []
    # Imported where it is used: statsmodels takes 1.5 s to import, and most jobs need none of it.
    from statsmodels.stats.multitest import multipletests

    return [float(x) for x in multipletests(p, method="holm")[1]]
