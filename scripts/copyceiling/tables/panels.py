"""Tables of several judges: a set of panels a judge, and what their cards say across the top."""

from collections.abc import Sequence

from copyceiling.audit.panels import HEADLINES, of_panel, panel_order
from copyceiling.calibration.banner import stamp
from copyceiling.render import Table
from copyceiling.tables.layout import Row


def by_judge(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Return the rows of each judge and form with a name for its panels; "" where there is one."""
    keys = list(dict.fromkeys((r["judge"], r["form"]) for r in sorted(rows, key=panel_order)))
    if len(keys) < 2:
        return [("", list(rows))]
    return [(judge_name(*key), of_panel(rows, key)) for key in keys]


def heading(name: str, text: str) -> str:
    """Return the heading of a judge's panel."""
    return f"{name}. {text}" if name else text


def judge_name(judge: str, form: str) -> str:
    """Return a judge for people, with the form where it is not the headline one."""
    return judge if form in HEADLINES else f"{judge}, form {form}"


def cautioned(table: Table, rows: Sequence[Row]) -> Table:
    """Return a table with what the cards of its judges say against them across its top."""
    ordered = sorted(rows, key=panel_order)
    said = list(dict.fromkeys(r["caution"] for r in ordered if r["caution"] is not None))
    return stamp(table, " ".join(said) or None)
