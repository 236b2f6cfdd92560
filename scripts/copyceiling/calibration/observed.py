"""Verdicts of one judge under one rubric and form, beside what is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.calibration.items import unit_id_of
from copyceiling.errors import ArtefactError, listing
from copyceiling.judging.harness import GRADED

Row = Mapping[str, Any]
Key = tuple[str, str, str]  # judge, rubric, form


@dataclass(frozen=True)
class Observation:
    """One case: the item, and what the judge made of it."""

    item: Row
    judged: Row

    @property
    def scored(self) -> bool:
        """Whether there is a verdict."""
        return bool(self.judged["status"] == GRADED)

    @property
    def verdict(self) -> str | int | None:
        """The label or the grade, None where there is none."""
        name = "score" if self.item["rubric"] == "grade" else "label"
        value: str | int | None = self.judged[name]
        return value

    @property
    def right(self) -> bool:
        """Whether the verdict is the one known; no verdict is not."""
        if not self.scored:
            return False
        if self.item["rubric"] == "grade":
            return bool(self.item["low"] <= self.judged["score"] <= self.item["high"])
        return bool(self.judged["label"] == self.item["label"])


@dataclass(frozen=True)
class Panel:
    """All observations of one judge, rubric and form.

    Attributes:
        key: Judge, rubric, form.
        all: Every case, in order of unit, order and repeat.
    """

    key: Key
    all: Sequence[Observation]

    @property
    def base(self) -> list[Observation]:
        """One case an item: first order, first repeat."""
        return [o for o in self.all if o.judged["order"] == 0 and o.judged["repeat"] == 0]

    def turned(self) -> dict[str, Observation]:
        """The cases with options and lists backwards, by item id."""
        return {o.item["item_id"]: o for o in self.all if o.judged["order"] == 1}

    def by_id(self) -> dict[str, Observation]:
        """The base cases by item id."""
        return {o.item["item_id"]: o for o in self.base}

    def repeats(self) -> list[list[Observation]]:
        """The cases of the first order, an inner list an item, where there is more than one."""
        found: dict[str, list[Observation]] = {}
        for o in self.all:
            if o.judged["order"] == 0:
                found.setdefault(o.item["item_id"], []).append(o)
        return [several for several in found.values() if len(several) > 1]


def panels_of(items: Sequence[Row], judgements: Sequence[Row]) -> list[Panel]:
    """Put items and judgements together, in order of judge, rubric and form.

    Raises:
        ArtefactError: A judgement is of an item that there is not.
    """
    by_unit = {unit_id_of(row): row for row in items}
    strange = sorted({r["unit_id"] for r in judgements} - by_unit.keys())
    if strange:
        raise ArtefactError(
            f"{len(strange)} judged unit(s) are no calibration items:\n{listing(strange)}\n"
            "Items and verdicts are of different runs. Build both: snakemake calibration"
        )
    found: dict[Key, list[Observation]] = {}
    for row in judgements:
        key = row["judge"], row["rubric"], row["form"]
        found.setdefault(key, []).append(Observation(by_unit[row["unit_id"]], row))
    return [Panel(key, found[key]) for key in sorted(found)]
