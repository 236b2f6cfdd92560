"""Which calibration items a judge is given, how often and in which order things are shown.

A base item is judged in the first order, as often as the study repeats calls, and once more with
the options of the rubric and the lists of the item backwards. A variant is judged once: it is
compared with its base.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.calibration.items import unit_of
from copyceiling.judging.harness import Case

ORDERS = (0, 1)
# What asks judges for verdicts that were never frozen.
LIVE = "snakemake calibration --config mode=live"


def cases_of(items: Sequence[Mapping[str, Any]], repeats: int, subset: int | None) -> list[Case]:
    """Return the cases of one rubric, in order of item, order and repeat.

    Args:
        items: Rows of `CALIBRATION_ITEMS` of one rubric.
        repeats: Calls of the same prompt of a base item, at least 1.
        subset: Items a construct, None for all. Variants come with the items they vary.
    """
    kept = [row for row in items if subset is None or row["number"] < subset]
    cases = []
    for row in kept:
        unit = unit_of(row)
        once = row["base"] is not None
        cases += [Case(unit, 0, repeat) for repeat in range(1 if once else repeats)]
        cases += [] if once else [Case(unit, order, 0) for order in ORDERS[1:]]
    return cases
