"""Seeds and snapshots: how far exposure moves over questions, thresholds and budgets."""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.stress_schemas import SEEDS_STUDY, TABLE_SEEDS
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number
from copyceiling.seeds import AS_IS, BUDGET_AXIS, SNAPSHOT_AXIS
from copyceiling.tables.layout import Layout, Row, positions

_HEADINGS = {
    "ceiling": ("Copy ceiling", 3),
    "exposed_fraction": ("Share of gold exposed", 3),
    "alone": ("Question alone", 3),
    "tokens": ("Tokens of the block", 0),
    "n": ("Questions", 0),
}


def seeds_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in printed order: by measure, the study as it is first, budgets last."""

    def order(row: Row) -> tuple[Any, ...]:
        setting = row["setting"]
        return (
            row["matcher"] != "paper",
            list(_HEADINGS).index(row["measure"]),
            row["axis"] != AS_IS,
            row["axis"] in (BUDGET_AXIS, SNAPSHOT_AXIS),
            row["axis"],
            float(setting) if setting.replace(".", "", 1).isdigit() else -1.0,
            setting,
        )

    return positions(sorted(rows, key=order))


def seeds(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the table of seeds; rows as of `seeds_rows`."""
    panels = []
    for measure, (heading, digits) in _HEADINGS.items():
        kept = [r for r in rows if (r["measure"], r["matcher"]) == (measure, "paper")]
        bounds = () if measure == "n" else _bounds(digits)
        panels.append(Panel(heading, (*_columns(digits), *bounds), kept))
    strict = [r for r in rows if (r["measure"], r["matcher"]) == ("ceiling", "strict")]
    panels.append(Panel("Copy ceiling, strict matcher", (*_columns(3), *_bounds(3)), strict))
    return Table(
        f"Seeds and snapshots. {title}: exposure over question seeds and settings",
        panels,
        (
            "No model answers. Mean, SD, least and greatest are over question seeds, one value a "
            "seed; the study's own seed is one of them.",
            f"Intervals ({100 * level:g} %) are of the study's own seed: they resample its frozen "
            "questions, naive or by whole domains, and cannot see another draw of questions.",
            "Others inside: other seeds whose mean lies inside the interval by domain.",
        ),
    )


def _setting(row: Row) -> str:
    return str(row["axis"]) if row["axis"] == AS_IS else f"{row['axis']} = {row['setting']}"


def _inside(row: Row) -> str:
    return MISSING if row["inside"] is None else f"{row['inside']} of {row['n_seeds'] - 1}"


def _columns(digits: int) -> tuple[Show, ...]:
    return (
        Show("Setting", _setting, "left"),
        Show("Seeds", integer("n_seeds")),
        Show("Mean", number("mean", digits)),
        Show("SD", number("sd", digits + 1)),
        Show("Least", number("min", digits)),
        Show("Greatest", number("max", digits)),
        Show("Own seed", number("study", digits)),
    )


def _bounds(digits: int) -> tuple[Show, ...]:
    return (
        Show("naive", interval("study_naive", digits, signed=False)),
        Show("by domain", interval("study_domain", digits, signed=False)),
        Show("others inside", _inside),
    )


LAYOUTS = {
    "seeds": Layout("studies/seeds", SEEDS_STUDY, TABLE_SEEDS, seeds_rows, seeds, part="seeds"),
}
