"""Table 1: the stages of a grounded request, and what each costs.

Source: paper Table 1. Sizes reproduce; latencies do not, and are no part of the table's identity.
"""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.overview_schemas import PIPELINE, TABLE1
from copyceiling.render import MISSING, Panel, Show, Table, integer, text
from copyceiling.tables.layout import Layout, Row


def table1_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 1 in order of the stages."""
    return [dict(row) for row in sorted(rows, key=lambda row: row["position"])]


def _sized(what: str, size: str, unit: str) -> Callable[[Row], str]:
    """Return a cell that names what passes, and how much of it in the median."""

    def cell(row: Row) -> str:
        name, amount, of = row[what], row[size], row[unit]
        if amount is None:
            return str(name)
        return f"{name}: {amount:,g}" + ("" if of == name else f" {of}")

    return cell


def _latency(name: str, per_ms: float) -> Callable[[Row], str]:
    """Return a cell of a latency at three digits, in units of which ``per_ms`` make one ms."""

    def cell(row: Row) -> str:
        value = row[name]
        if value is None:
            return MISSING
        shown = value * per_ms
        return f"{shown:,.0f}" if shown >= 100 else f"{shown:#.3g}"

    return cell


def _latencies(unit: str, per_ms: float) -> tuple[Show, Show]:
    return (
        Show(f"Median, {unit}", _latency("median_ms", per_ms)),
        Show(f"95th percentile, {unit}", _latency("p95_ms", per_ms)),
    )


def table1(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return Table 1; rows as of `table1_rows`."""
    free = [row for row in rows if not row["needs_model"]]
    called = [row for row in rows if row["needs_model"]]
    about = (
        Show("Takes (median)", _sized("takes", "size_in", "unit_in"), "left"),
        Show("Gives (median)", _sized("gives", "size_out", "unit_out"), "left"),
    )
    n = free[0]["n"] if free else 0
    panels = [
        Panel(
            f"Stages that need no model, over {n:,} questions",
            (
                Show("Stage", text("stage"), "left"),
                *about,
                *_latencies("µs", 1000.0),
                Show("at first sight, µs", _latency("first_ms", 1000.0)),
            ),
            free,
        ),
        Panel(
            "Stages that call a model",
            (
                Show("Stage", text("stage"), "left"),
                Show("Model", lambda row: row["model"] or MISSING, "left"),
                *about,
                Show("Calls", integer("n")),
                *_latencies("s", 0.001),
                Show("Latency", text("status"), "left"),
            ),
            called,
        ),
    ]
    return Table(
        f"Table 1. {title}: the stages of a grounded request", panels, _notes(free, called)
    )


def _notes(free: Sequence[Row], called: Sequence[Row]) -> list[str]:
    notes = [
        "Takes, gives: the median over questions, tokens estimated at four characters each. "
        "Retrieval is by words alone; a class that scores below 2.0 is no seed, and without seeds "
        "there is no block. Nothing but these stages decides what a model is shown.",
        "A question's latency is the median over repeats; at first sight: the first time that it "
        "is asked of an index that has kept no terms of it. Reading the corpus and building the "
        "index come once, before, and are not counted.",
    ]
    if free and free[0]["machine"]:
        notes.append(
            f"Measured on {free[0]['machine']}, {free[0]['passes']} repeats. Latencies do not "
            "reproduce and are no part of the table's content hash."
        )
    if any(row["median_ms"] is not None for row in called):
        notes.append(
            "Latencies of models are those on record, of grounded calls, from the machines and "
            "under the load that they were made with: they do not compare models."
        )
    return notes


LAYOUTS = {"table1": Layout("studies/pipeline", PIPELINE, TABLE1, table1_rows, table1)}
