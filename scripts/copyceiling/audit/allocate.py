"""Spreads a sample over the cells of a frame in proportion to their size.

Source: paper section 10.2, STUDIES section 5.
"""

from collections.abc import Mapping


def largest_remainder(quota: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return how many of a quota each cell gets, by the method of the largest remainder.

    Each cell gets the whole part of its proportional share; what is left goes one by one to the
    largest fractional parts, ties by name. No cell can get more than it holds.

    Args:
        quota: Units to draw, not negative; a quota above all sizes together draws everything.
        sizes: Cell to its units.

    Returns:
        Cell to units, in the order of ``sizes``; they sum to the quota, or to all sizes.
    """
    return _shares(min(quota, sum(sizes.values())), sizes)


def spread(quota: int, weights: Mapping[str, int], sizes: Mapping[str, int]) -> dict[str, int]:
    """Return how many of a quota each cell gets in proportion to declared weights.

    What a full cell cannot take goes to those with room, again in proportion to their weights.

    Args:
        quota: Units to draw, not negative.
        weights: Cell to its weight, not negative; a cell of weight 0 gets nothing.
        sizes: Cell to its units; the same cells.

    Returns:
        Cell to units, in the order of ``sizes``; they sum to the quota, or to all units of cells
        with a weight.
    """
    given = dict.fromkeys(sizes, 0)
    while left := quota - sum(given.values()):
        room = {
            name: weights[name] for name in sizes if weights[name] and given[name] < sizes[name]
        }
        if not room:
            break
        for name, share in _shares(left, room).items():
            given[name] += min(share, sizes[name] - given[name])
    return given


def _shares(quota: int, weights: Mapping[str, int]) -> dict[str, int]:
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(weights, 0)
    # Integers throughout, so that equal remainders are equal on every machine.
    shares = {name: quota * weight // total for name, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda name: (-(quota * weights[name] % total), name))
    for name in by_remainder[: quota - sum(shares.values())]:
        shares[name] += 1
    return shares
