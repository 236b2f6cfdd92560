"""A calibration item: an answer made from the graph, with what is right to say of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from copyceiling.judging.units import Unit, grade_unit, relation_unit

Row = dict[str, Any]


@dataclass(frozen=True)
class Item:
    """One calibration item; see `CALIBRATION_ITEMS` for the columns of the same names.

    Attributes:
        rubric: ``relation`` or ``grade``.
        construct: How the answer was made.
        number: Place among the items of its construct.
        answer: The answer to judge.
        shown: Columns that say what the judge is shown beside the answer.
        right: Columns that say what is right: ``label`` and ``role``, or ``low``, ``high`` and
            ``rank``.
        base: Item that this one is a variant of, None for a base item.
        demand: Verdict that the injected text asks for.
    """

    rubric: str
    construct: str
    number: int
    source: str
    domain: str
    phrasing: str
    answer: str
    shown: Mapping[str, Any]
    right: Mapping[str, Any]
    language: str = "en"
    base: str | None = None
    demand: str | None = None

    @property
    def id(self) -> str:
        """Construct and number."""
        return f"{self.construct}-{self.number:03d}"


_SHOWN = (
    *("question", "relation", "edge", "item", "gold", "gold_type", "credited"),
    *("reference", "key_points"),
)
_RIGHT = ("label", "role", "low", "high", "rank")


def item_rows(items: Iterable[Item]) -> list[Row]:
    """Return items as rows of `CALIBRATION_ITEMS`."""
    return [
        {
            "rubric": x.rubric,
            "item_id": x.id,
            "construct": x.construct,
            "number": x.number,
            "source": x.source,
            "domain": x.domain,
            "phrasing": x.phrasing,
            "language": x.language,
            "base": x.base,
            "demand": x.demand,
            "answer": x.answer,
            **{name: x.right.get(name) for name in _RIGHT},
            **{name: _plain(x.shown.get(name)) for name in _SHOWN},
        }
        for x in items
    ]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def unit_of(row: Mapping[str, Any]) -> Unit:
    """Return what a judge is shown of a row of `CALIBRATION_ITEMS`."""
    unit_id = unit_id_of(row)
    if row["rubric"] == "grade":
        return grade_unit(
            unit_id,
            question=row["question"],
            reference=row["reference"],
            key_points=row["key_points"],
            answer=row["answer"],
        )
    return relation_unit(
        unit_id,
        question=row["question"],
        relation=row["relation"],
        edge=row["edge"],
        item=row["item"],
        gold=row["gold"],
        gold_type=row["gold_type"],
        answer=row["answer"],
        credited=row["credited"],
    )


def unit_id_of(row: Mapping[str, Any]) -> str:
    """Return the id of an item's unit."""
    return f"calibration|{row['rubric']}|{row['item_id']}"
