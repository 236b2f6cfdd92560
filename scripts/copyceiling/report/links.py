"""Which rows of the evidence a cell of a table counts, as addresses within the page.

An address is ``#evidence?`` and filters; `assets/filter.js` reads them. Tables 3, 4 and 5 have
links, for their cells count gold items and answers of the sweep.
"""

from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from copyceiling.render import Panel, Row, Show
from copyceiling.report.evidence.records import SWEEP
from copyceiling.requests import STATUSES
from copyceiling.sweep import POLICIES, POOLED

# Text of a cell, piece by piece, each with the address it leads to.
Pieces = Sequence[tuple[str, str | None]]
Filters = Mapping[str, str]
# A cell of the four, where `x` is what rows do not say: n1x is exposed, recovered or not.
EXPOSED, RECOVERED = "n11.n10.n1x", "n11.n01"


def address(**filters: str) -> str:
    """Return the address of the rows that filters leave."""
    return f"#evidence?{urlencode({'part': SWEEP, **filters})}"


def pieces(table: str, panel: Panel, show: Show, row: Row) -> Pieces:
    """Return a cell's text with its links.

    Args:
        table: Name of the table.
        panel: The panel the cell is in.
        show: Its column.
        row: Its row.
    """
    text = show.cell(row)
    linked = _LINKED.get(table)
    return linked(panel, show, row, text) if linked else [(text, None)]


def _base(row: Row) -> dict[str, str]:
    pooled = {"group": "model"} if row["model"] == POOLED else {"model": row["model"]}
    return {**pooled, "matcher": row["matcher"], "policy": row["policy"]}


_TABLE4: Mapping[str, Filters] = {
    "n": {"arm": "scaffold"},
    "Raw": {"arm": "raw"},
    "Scaffold": {"arm": "scaffold"},
    "Uplift": {},
    "Ceiling": {"arm": "scaffold"},
    "Gain": {"arm": "scaffold"},
}


def _table4(panel: Panel, show: Show, row: Row, text: str) -> Pieces:
    if any(column.heading == "Cut in either" for column in panel.columns):
        return _ledger(show.heading, row, text)
    found = _TABLE4.get(show.heading)
    return [(text, None if found is None else address(**_base(row), **found))]


def _ledger(heading: str, row: Row, text: str) -> Pieces:
    """Return the links of the panel on how completions ended, over all cells of the plan."""
    every = {"model": row["model"]}
    if heading in ("Raw", "Scaffold"):
        arm = heading.lower()
        counts = [(row[f"{arm}_{status}"], status) for status in STATUSES]
        out: list[tuple[str, str | None]] = []
        for n, status in counts:
            if n:
                out += [(", ", None)] if out else []
                out.append((f"{n} {status}", address(**every, arm=arm, status=status)))
        return out or [(text, None)]
    if heading == "Cut in either":
        return _counted(text, row["n_truncated_either"], {**every, "arm": "scaffold", "cut": "1"})
    if heading.startswith("Retried "):
        arm = heading.removeprefix("Retried ")
        return _counted(text, row[f"{arm}_retried"], {**every, "arm": arm, "retried": "1"})
    policy = heading.partition(":")[0]
    if policy in POLICIES and text != "same":
        return [(text, address(**every, arm="scaffold", policy=policy))]
    return [(text, None)]


def _counted(text: str, n: int | None, filters: Filters) -> Pieces:
    """Link a count; where nothing was counted there is nothing to open."""
    return [(text, address(**filters) if n else None)]


_TABLE5: Mapping[str, tuple[str, Filters]] = {
    "Gold": ("n_gold", {}),
    "Exposed": ("n_exposed", {"cell": EXPOSED}),
    "Recovered": ("n_hits", {"cell": RECOVERED}),
    **{name: (name, {"cell": name}) for name in ("n11", "n10", "n01", "n00")},
    "Utilisation": ("n_exposed", {"cell": EXPOSED}),
    "n10 any": ("n10_any", {"cell": "n10", "type": "any"}),
    "of these, compliant": ("n10_compliant", {"cell": "n10", "type": "any", "compliant": "1"}),
    "Omission": ("n_exposed", {"cell": EXPOSED}),
    "omission, adjusted": ("n_exposed", {"cell": EXPOSED, "compliant": "0"}),
    "Retried": ("n_retried", {"retried": "1"}),
}
# What may be in a cell where rows only bound it.
_POSSIBLY = {
    RECOVERED: "n11.n01.n1x.n0x",
    "n11": "n11.n1x",
    "n10": "n10.n1x",
    "n01": "n01.n0x",
    "n00": "n00.n0x",
}


def _table5(_panel: Panel, show: Show, row: Row, text: str) -> Pieces:
    column, filters = _TABLE5.get(show.heading, ("", {}))
    if not column or row[column] == 0:
        return [(text, None)]
    cell = filters.get("cell")
    if row["n11"] is None and cell in _POSSIBLY:
        filters = {**filters, "cell": _POSSIBLY[cell]}
    return [(text, address(**_base(row), arm="scaffold", **filters))]


def _table3(panel: Panel, show: Show, row: Row, text: str) -> Pieces:
    """Return the links of the audit: units by category and by a field's value.

    Panels of counts have a row a category and a column a value; panels of shares a row a value.
    """
    found = _value(show.heading, row)
    if found is None or text == "0":
        return [(text, None)]
    unit = {k: row[k] for k in ("judge", "form", "category")}
    return [(text, address(**unit, audit=row["part"], **found))]


def _value(heading: str, row: Row) -> dict[str, str] | None:
    """Return what a cell of Table 3 counts beyond its line, None if it counts nothing."""
    if heading == ("of" if "value" in row else "Units"):
        return {}
    if "value" in row:
        return {row["field"]: row["value"]} if heading in ("Units", "Share") else None
    names = {name.replace("_", " "): name for name in row if name not in _LINE}
    return {row["field"]: names[heading]} if heading in names else None


_LINE = ("judge", "form", "part", "field", "category", "of")

_LINKED: Mapping[str, Callable[[Panel, Show, Row, str], Pieces]] = {
    "table3": _table3,
    "table4": _table4,
    "table5": _table5,
}
