"""Renders study rows as Markdown, LaTeX and HTML; numbers are rounded here and only here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from tabulate import tabulate

Row = Mapping[str, Any]
MISSING = "n/a"


@dataclass(frozen=True)
class Show:
    """One displayed column: its heading, how a row becomes its cell, and its alignment."""

    heading: str
    cell: Callable[[Row], str]
    align: str = "right"


@dataclass(frozen=True)
class Panel:
    """One block of a table: a heading ("" for none), columns and rows."""

    heading: str
    columns: Sequence[Show]
    rows: Sequence[Row]


@dataclass(frozen=True)
class Table:
    """A table as displayed: caption, panels below one another, and notes."""

    caption: str
    panels: Sequence[Panel]
    notes: Sequence[str] = ()


def number(name: str, digits: int = 3, *, signed: bool = False) -> Callable[[Row], str]:
    """Return a cell function for a float column; missing shows as such, never as 0."""
    sign = "+" if signed else ""

    def cell(row: Row) -> str:
        value = row[name]
        return MISSING if value is None else f"{value:{sign}.{digits}f}"

    return cell


def interval(name: str, digits: int = 3, *, signed: bool = True) -> Callable[[Row], str]:
    """Return a cell function for ``<name>_low`` and ``<name>_high``."""
    sign = "+" if signed else ""

    def cell(row: Row) -> str:
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        if low is None or high is None:
            return MISSING
        return f"[{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"

    return cell


def integer(name: str) -> Callable[[Row], str]:
    """Return a cell function for an integer column."""

    def cell(row: Row) -> str:
        return MISSING if row[name] is None else f"{row[name]:,}"

    return cell


def bounded(
    name: str, low: Callable[[Row], int], high: Callable[[Row], int]
) -> Callable[[Row], str]:
    """Return a cell function for a count that rows may only bound: exact, or ``low..high``."""

    def cell(row: Row) -> str:
        if row[name] is not None:
            return f"{row[name]:,}"
        return f"{low(row):,}..{high(row):,}"

    return cell


def text(name: str) -> Callable[[Row], str]:
    """Return a cell function for a text column."""

    def cell(row: Row) -> str:
        return str(row[name])

    return cell


def markdown(table: Table) -> str:
    """Return the table as Markdown: caption above, panels, notes below."""
    parts = [f"**{table.caption}**"]
    for panel in table.panels:
        if panel.heading:
            parts.append(f"*{panel.heading}*")
        parts.append(_tabulate(panel, "pipe"))
    if table.notes:
        parts.append("\n".join(f"- {note}" for note in table.notes))
    return "\n\n".join(parts) + "\n"


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }}
body {{ margin: 2rem; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; border-bottom: 1px solid #8886; text-align: left; }}
td {{ vertical-align: top; overflow-wrap: anywhere; }}
th {{ position: sticky; top: 0; background: Canvas; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def html(table: Table) -> str:
    """Return the table as a page of its own: no scripts, nothing fetched, all text escaped."""
    parts = [f"<h1>{escape(table.caption)}</h1>"]
    for panel in table.panels:
        if panel.heading:
            parts.append(f"<h2>{escape(panel.heading)}</h2>")
        parts.append(_tabulate(panel, "html"))
    if table.notes:
        notes = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
        parts.append(f"<ul>{notes}</ul>")
    return _PAGE.format(title=escape(table.caption), body="\n".join(parts))


def latex(table: Table) -> str:
    """Return the table's panels as LaTeX ``tabular`` (booktabs), the rest as comments."""
    parts = [f"% {table.caption}"]
    for panel in table.panels:
        if panel.heading:
            parts.append(f"% {panel.heading}")
        parts.append(_tabulate(panel, "latex_booktabs"))
    parts.extend(f"% {note}" for note in table.notes)
    return "\n".join(parts) + "\n"


def _tabulate(panel: Panel, form: str) -> str:
    cells = [[column.cell(row) for column in panel.columns] for row in panel.rows]
    return str(
        tabulate(
            cells,
            [column.heading for column in panel.columns],
            tablefmt=form,
            colalign=[column.align for column in panel.columns] if cells else None,
            disable_numparse=True,
        )
    )
