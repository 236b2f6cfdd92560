"""Calibration cards as tables show them: in the table of the cards, and under every judged table.

Source: DESIGN sections 9 and 11; STUDIES sections 3 and 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from copyceiling.calibration.banner import DEFAULT_FORM, passes, shortfall_text, shortfalls
from copyceiling.calibration.measures import ALL
from copyceiling.render import MISSING, Panel, Show, Table, integer, number, text
from copyceiling.tables.layout import Row

KEY = ("judge", "rubric", "form")
Cell = Callable[[Row], str]
VALUE = number("value", 2)
NAMES = (
    Show("Judge", text("judge"), "left"),
    Show("Kind", text("kind"), "left"),
    Show("Form", text("form"), "left"),
)
# Kind of rubric to heading and measure of what a card tells beside accuracy.
SECOND = {"relation": ("Kappa", "kappa"), "grade": ("Known order", "known_order")}
# What a verdict should not hang on, and whether there is one.
STABILITY = (
    ("Order", "order_stability"),
    ("Length", "length_stability"),
    ("Repeat", "repeatability"),
    ("Injection", "injection_resistance"),
    ("Verdicts", "scored"),
)
# Raters that no card is made for: nobody, and those who label the sheet.
_NO_JUDGES = {"kind": ("none", "person"), "form": ("sheet",)}
_CARD_NOTE = (
    "Calibration card: what the judge makes of n answers whose right verdict is known by "
    "construction. Order, length, repeat and injection: verdicts that stay the same, of the pairs "
    "(or repeats) that have them; verdicts: cases that ended in one. The table `calibration` "
    "holds the rest."
)


def card_lines(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return a line a judge, rubric and form of `CALIBRATION`, its measures as further entries."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in KEY)
        names = (*KEY, "kind", "rubric_version")
        card = found.setdefault(key, {**{n: row[n] for n in names}, "of": {}})
        card["of"][row["measure"], row["by"], row["group"]] = row
    for (judge, rubric, form), card in found.items():
        card["passes"] = "yes" if passes(rows, judge, rubric, form) else "NO"
        missed = shortfalls(rows, judge, rubric, form)
        card["missed"] = ", ".join(shortfall_text(row) for row in missed)
    return list(found.values())


def measured(measure: str, show: Cell, by: str = "all", group: str = ALL) -> Cell:
    """Return a cell that shows a measure of a card, where it has it."""

    def cell(card: Row) -> str:
        row = card["of"].get((measure, by, group))
        return MISSING if row is None else show(row)

    return cell


def card_bounds(name: str) -> Cell:
    """Return a cell function for the interval of a measure."""

    def cell(row: Row) -> str:
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        return MISSING if low is None or high is None else f"[{low:.2f}, {high:.2f}]"

    return cell


def counted(row: Row) -> str:
    """Return a measure as ``k/n``, which shows what it rests on; its value where it is no share."""
    return VALUE(row) if row["k"] is None else f"{row['k']}/{row['n']}"


def share(row: Row) -> str:
    """Return a measure with the counts that it rests on, where it is a share of some."""
    if row["k"] is None or row["value"] is None:
        return counted(row)
    return f"{row['value']:.2f} ({counted(row)})"


def with_cards(
    table: Table, rows: Sequence[Row], card: Sequence[Row], rubric: str | None, level: float
) -> Table:
    """Return a judged table with the card of each of its judges below it, whether it passes or not.

    Args:
        table: The table.
        rows: Its rows, which name their judge (or judges) and, where there are several, the form.
        card: Rows of `CALIBRATION`; none where the study calibrates no judges.
        rubric: Kind of rubric that the verdicts were made under; None: the table shows none, and
            is returned as it is.
        level: Level of the card's intervals.
    """
    if rubric is None:
        return table
    keys = list(
        dict.fromkeys(
            (judge, r.get("form", DEFAULT_FORM))
            for r in rows
            if _judged(r)
            for judge in r.get("judges", [r.get("judge")])
        )
    )
    lines = {(c["judge"], c["form"]): c for c in card_lines(card) if c["rubric"] == rubric}
    found = [lines[key] for key in keys if key in lines]
    lacking = [f"{judge} (form {form})" for judge, form in keys if (judge, form) not in lines]
    panels, notes = [*table.panels], [*table.notes]
    if found:
        heading = f"Calibration cards of the judges, rubric {rubric}; intervals {100 * level:g} %"
        panels.append(Panel(heading, _columns(rubric), found))
        notes.append(_CARD_NOTE)
    if lacking:
        notes.append(
            f"No calibration card for the rubric {rubric}: {', '.join(lacking)}. How far these "
            "verdicts can be trusted is not known."
        )
    return replace(table, panels=tuple(panels), notes=tuple(notes))


def _judged(row: Row) -> bool:
    return all(row.get(name) not in values for name, values in _NO_JUDGES.items())


def _columns(rubric: str) -> list[Show]:
    heading, measure = SECOND[rubric]
    return [
        *NAMES,
        Show("Version", integer("rubric_version")),
        Show("Passes", text("passes")),
        Show("n", measured("accuracy", integer("n"))),
        Show("Accuracy", measured("accuracy", VALUE)),
        Show("Wilson", measured("accuracy", card_bounds("wilson"))),
        Show(heading, measured(measure, counted)),
        *(Show(name, measured(of, counted)) for name, of in STABILITY),
    ]
