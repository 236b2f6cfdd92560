"""The diagnostics, a panel each (docs/findings)."""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.paired_schemas import DIAGNOSTICS, TABLE_DIAGNOSTICS
from copyceiling.render import MISSING, Panel, Show, Table, integer, text
from copyceiling.tables.contrasts import graded, groups
from copyceiling.tables.layout import Layout, Row, positions

_DIGITS = {"share": 3, "points": 2, "score": 2, "tokens": 1, "donors": 2}


def diagnostics_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the diagnostics in order of name and description."""
    return positions(sorted(rows, key=lambda row: (row["name"], row["what"])))


def diagnostics(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the diagnostics as a table; rows as of `diagnostics_rows`."""
    columns = (
        Show("What", text("what"), "left"),
        Show("Value", _value),
        Show("Unit", text("unit"), "left"),
        Show(f"interval {100 * level:g} %", _bounds),
        Show("n", integer("n")),
        Show("of", integer("of")),
        Show("From", text("source"), "left"),
    )
    panels = [Panel(name[0].capitalize(), columns, found) for name, found in groups(rows, "name")]
    table = Table(
        f"Diagnostics. {title}: what else the rows show",
        panels,
        (
            "docs/findings says of each what it is, and what it does and does not change.",
            "A split by what came of the answers compares no randomised groups.",
            "Two judgings with the same score throughout are one, read into two cohorts.",
        ),
    )
    return graded(table, rows)


def _number(row: Row, value: float | None) -> str:
    if value is None:
        return MISSING
    sign = "+" if row["unit"] == "points" else ""
    return f"{value:{sign}.{_DIGITS[row['unit']]}f}"


def _value(row: Row) -> str:
    return _number(row, row["value"])


def _bounds(row: Row) -> str:
    if row["value_low"] is None:
        return ""
    return f"[{_number(row, row['value_low'])}, {_number(row, row['value_high'])}]"


LAYOUTS = {
    "diagnostics": Layout(
        "studies/diagnostics",
        DIAGNOSTICS,
        TABLE_DIAGNOSTICS,
        diagnostics_rows,
        diagnostics,
        rubric="grade",
    ),
}
