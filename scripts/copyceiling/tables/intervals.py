"""What intervals over questions and over domains resample, said in a table's notes.

Source: DESIGN section 5.
"""

from collections.abc import Sequence
from math import comb

from copyceiling.tables.layout import Row

# Clusters; below, an interval over clusters is no primary one. A convention: at ten there are
# 92,378 different resamples, at five 126, and a percentile of few values is one of these values.
FEW_DOMAINS = 10
_NAIVE = "Naive intervals draw single questions instead, as if none were like another"


def interval_notes(n_domains: int) -> list[str]:
    """Return what the intervals resample, and a caution where the domains are few."""
    if n_domains >= FEW_DOMAINS:
        return [
            f"Intervals by domain, the primary ones, resample {n_domains} whole domains: a "
            f"resample draws {n_domains} domains with replacement and takes every question of "
            f"each, for questions of one domain are like one another. {_NAIVE}, and are often "
            "too narrow."
        ]
    notes = [
        "Intervals by domain resample whole domains: a resample draws as many domains as there "
        f"are, with replacement, and takes every question of each. {_NAIVE}."
    ]
    if n_domains < 2:
        return [*notes, f"Of fewer than two domains ({n_domains} here) there is no interval."]
    # Drawing n of n with replacement gives so many different samples.
    resamples = comb(2 * n_domains - 1, n_domains)
    caution = (
        f"An interval over {n_domains} domains says little and is no primary one: there are only "
        f"{resamples:,} different resamples of them, so it may be far too narrow. Take "
        f"{FEW_DOMAINS} domains or more before you rest a conclusion on it."
    )
    return [*notes, caution]


def flat_notes(rows: Sequence[Row], *names: str) -> list[str]:
    """Say what an interval without width means, where there is one.

    Args:
        rows: Rows that are shown.
        names: Of their intervals: ``<name>_low`` and ``<name>_high``.
    """
    ends = [(row[f"{name}_low"], row[f"{name}_high"]) for row in rows for name in names]
    if not any(low is not None and low == high for low, high in ends):
        return []
    return [
        "An interval without width: every question (or every domain) has the same value, so every "
        "resample has it too. It does not say that the value is known exactly."
    ]
