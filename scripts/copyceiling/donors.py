"""Whose block a question is shown instead of its own: the greedy rule replayed, and its reuse.

The released rule scans the engaged questions in order and takes the first one of another set that
shares no seed with the recipient, else the first such one of its own set, else none. It is no
derangement: the first questions of the list lend to nearly all. Source: STUDIES section 4.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.cohorts import Row, Unit, unit_of
from copyceiling.diagnostics import diagnostic, share

DONORS = "donors"
REPLAYED = "greedy rule"
RECORDED = "as recorded"


def greedy_donors(seeds: Mapping[Unit, frozenset[str]]) -> dict[Unit, Unit | None]:
    """Return each recipient's donor, None where no question qualifies.

    Args:
        seeds: Slugs shown to each engaged question, in the order that the rule scans.
    """
    return {unit: greedy_donor(unit, seeds) for unit in seeds}


def greedy_donor(unit: Unit, seeds: Mapping[Unit, frozenset[str]]) -> Unit | None:
    """Return one recipient's donor, None where no question qualifies; see `greedy_donors`."""
    disjoint = [u for u, shown in seeds.items() if u != unit and not shown & seeds[unit]]
    others = [u for u in disjoint if u.set != unit.set]
    return next(iter(others or disjoint), None)


def effective_number(counts: Sequence[int]) -> float | None:
    """Return how many donors, used equally, would repeat as much: (sum n)^2 / sum n^2.

    Returns:
        From 1 to the number of counts; None where all are 0.
    """
    squares = sum(n * n for n in counts)
    return sum(counts) ** 2 / squares if squares else None


def replayed_donors(answers: Sequence[Row]) -> dict[Unit, Unit | None]:
    """Return the donors that the greedy rule gives the engaged questions, in order of their ids.

    Args:
        answers: Rows of `ANSWERS` of one arm and one model.
    """
    seeds = {
        unit_of(r): frozenset(r["seeds"])
        for r in sorted(answers, key=lambda r: (r["set"], r["question_id"]))
        if r["engaged"] and r["seeds"] is not None
    }
    return greedy_donors(seeds)


def donor_rows(donors: Sequence[str], how: str, source: str) -> list[dict[str, Any]]:
    """Return rows of `DIAGNOSTICS`: the uses of each donor, how many there are, and effectively.

    Args:
        donors: The donor of each recipient that has one.
        how: `REPLAYED` or `RECORDED`.
        source: Artefacts.
    """
    counts = Counter(donors)
    total = len(donors)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    numbers = {
        "distinct donors": float(len(counts)),
        "donors that used equally would repeat as much": effective_number([*counts.values()]),
    }
    return [
        *(share(DONORS, f"{how}: {donor}", n, total, source) for donor, n in ranked),
        *(
            diagnostic(DONORS, f"{how}, {what}", x, unit="donors", source=source, of=total)
            for what, x in numbers.items()
        ),
    ]
