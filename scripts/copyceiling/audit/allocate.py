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
    total = sum(sizes.values())
    if not total:
        return dict.fromkeys(sizes, 0)
    quota = min(quota, total)
    # Integers throughout, so that equal remainders are equal on every machine.
    shares = {name: quota * size // total for name, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: (-(quota * sizes[name] % total), name))
    for name in by_remainder[: quota - sum(shares.values())]:
        shares[name] += 1
    return shares
