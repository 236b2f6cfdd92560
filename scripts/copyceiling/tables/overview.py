"""Table 2: the questions asked, what was observed on each, and what stays open.

Source: paper Table 2.
"""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.overview_schemas import OVERVIEW, TABLE2
from copyceiling.overview import MEASURED
from copyceiling.render import MISSING, Panel, Show, Table, text
from copyceiling.tables.layout import Layout, Row

_OPEN = {
    "no_rows": "open: its rows hold nothing on this",
    "only_readers": "open: no model was asked, only reference readers",
    "not_in_study": "open: not part of this study",
    "not_measured": "open: nothing here measures it",
}
_DIGITS = {"share": ".3f", "signed": "+.3f", "score": "+.2f", "p": ".2g"}


def table2_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 2: questions in order, a row a finding."""
    return [dict(row) for row in sorted(rows, key=lambda r: (r["position"], r["finding"]))]


def table2(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 2: what was observed, then the instruments and what stays open."""
    first = [row for row in rows if row["finding"] == 0]
    n_open = sum(row["status"] != MEASURED for row in first)
    observed = (
        Show("#", _once(_number)),
        Show("Question", _once(text("question")), "left"),
        Show("Population", _once(_population), "left"),
        Show("Observed", _what, "left"),
        Show("Value", _value),
    )
    instruments = (
        Show("#", _number),
        Show("Instrument", text("instrument"), "left"),
        Show("What stays open", text("remains"), "left"),
    )
    return Table(
        f"Table 2. {title}: the questions, what was observed, and what stays open",
        (
            Panel(f"{n_open} of {len(first)} questions are open in this study", observed, rows),
            Panel(
                "What answers each, and what it leaves open even where it does", instruments, first
            ),
        ),
        (
            "Each question has its own outcome and population: no value can be read on the scale "
            "of another row, and none is pooled over rows.",
            f"Brackets hold {100 * level:g} % intervals: of sweeps, re-scores and rewritten "
            "questions by whole domains, of the audit by whole questions, of terms by whole "
            "episodes, of scores by pairs. a..b are the least and the greatest: over models, over "
            "readings of unresolved verdicts, or that rows allow. What survives does so after "
            "Holm's adjustment.",
        ),
    )


def _once(cell: Callable[[Row], str]) -> Callable[[Row], str]:
    """Return a cell that is filled only beside a question's first finding."""
    return lambda row: cell(row) if row["finding"] == 0 else ""


def _number(row: Row) -> str:
    return str(row["position"] + 1)


def _population(row: Row) -> str:
    return f"{row['n']:,} {row['population']}" if row["n"] is not None else ""


def _what(row: Row) -> str:
    return str(row["what"]) if row["status"] == MEASURED else _OPEN[row["status"]]


def _value(row: Row) -> str:
    """Return a finding's value: with its interval, out of its total, or between its bounds."""
    if row["status"] != MEASURED:
        return ""
    value, low, high = row["value"], row["low"], row["high"]
    if row["form"] in ("count", "bounds"):
        out_of = "" if row["of"] is None else f" of {row['of']:,}"
        return (f"{value:,.0f}" if value is not None else f"{low:,.0f}..{high:,.0f}") + out_of
    digits = _DIGITS[row["form"]]
    if value is None:
        return MISSING if low is None else f"{low:{digits}}..{high:{digits}}"
    interval = "" if low is None else f" [{low:{digits}}, {high:{digits}}]"
    return f"{value:{digits}}{interval}"


LAYOUTS = {"table2": Layout("studies/overview", OVERVIEW, TABLE2, table2_rows, table2)}
