"""Table 3: verdicts of the semantic audit, and their rates in three readings.

Source: paper section 10.2 and Table 3, STUDIES section 5.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copyceiling.artefacts.audit_schemas import (
    AUDIT_CONFUSION,
    AUDIT_RATES,
    TABLE3,
    TABLE_AUDIT_RATES,
)
from copyceiling.audit.confusion import PARTS, REPAIRS
from copyceiling.audit.labels import CATEGORIES, GATES, LABELS, READINGS, ROLES, RULES, UNPARSED
from copyceiling.audit.rates import BY, STRATA
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.layout import Layout, Row, positions

_PART_NAMES = {"sample": "Sample of the scaffold arm", "raw_hits": "Hits of the raw arm"}
_CATEGORY_NAMES = {
    "n11": "n11 exposed, credited",
    "n10": "n10 exposed, omitted",
    "n01": "n01 credited unexposed",
    "n00": "n00 neither",
}
# Field of the counts to the heading of its panel and the columns that it always has.
_PANELS = {
    "label": ("verdict, before the quote gate", LABELS),
    "role": ("role of the item", ROLES),
    "gate": ("quote gate", GATES),
    "repair": ("how repaired quotes stand in the answer", REPAIRS),
}


def table3_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 3: by part, field and category, values as they are listed."""
    listed = [*LABELS, UNPARSED, *ROLES, *GATES, *REPAIRS]
    fields = [*_PANELS, "cell", "model"]

    def order(row: Row) -> tuple[Any, ...]:
        value = row["value"]
        return (
            PARTS.index(row["part"]),
            fields.index(row["field"]),
            CATEGORIES.index(row["category"]),
            listed.index(value) if value in listed else len(listed),
            value,
        )

    return positions(sorted(rows, key=order))


def table3(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 3; rows as of `table3_rows`."""
    panels = []
    for part in [p for p in PARTS if any(r["part"] == p for r in rows)]:
        kept = [r for r in rows if r["part"] == part]
        for field, (what, always) in _PANELS.items():
            heading = f"{_PART_NAMES[part]}: {what}"
            panels.append(_pivot(heading, [r for r in kept if r["field"] == field], always))
        shares = [r for r in kept if r["field"] == "label" and r["n"]]
        columns = (
            Show("Category", category, "left"),
            Show("Verdict", text("value"), "left"),
            Show("Units", integer("n")),
            Show("of", integer("of")),
            Show("Share", number("share")),
            Show(f"Wilson {100 * level:g} %", interval("wilson", signed=False)),
        )
        panels.append(Panel(f"{_PART_NAMES[part]}: shares", columns, shares))
    return Table(
        f"Table 3. {title}: what the matcher credits, and what a judge says the answer asserts",
        panels,
        (
            "A unit is one gold item of one answer. The judge is a model, not a person.",
            "correct_relation: the answer asserts the relation that was asked for; name_only: it "
            "names the item without that.",
            "unresolved: the quote given for the verdict stands nowhere in the answer, and asking "
            "once more brought none that does.",
        ),
    )


def category(row: Row) -> str:
    """Return a row's category, for people."""
    return _CATEGORY_NAMES[row["category"]]


def _pivot(heading: str, rows: Sequence[Row], always: Sequence[str]) -> Panel:
    """Return a panel with a row a category and a column a value."""
    values = [*always, *(v for v in dict.fromkeys(r["value"] for r in rows) if v not in always)]
    counts = {(r["category"], r["value"]): r["n"] for r in rows}
    lines = [
        {"category": c, "of": next(r["of"] for r in rows if r["category"] == c)}
        | {value: counts.get((c, value), 0) for value in values}
        for c in CATEGORIES
        if any(r["category"] == c for r in rows)
    ]
    columns = [Show("Category", category, "left")]
    columns += [Show(value.replace("_", " "), integer(value)) for value in values]
    return Panel(heading, [*columns, Show("Units", integer("of"))], lines)


def rates_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rates in order: whole before groups, by category, rate and reading."""
    strata = list(STRATA)
    names = [[rate.name for rate in rates] for rates in STRATA.values()]
    kinds = ["all", *BY]

    def order(row: Row) -> tuple[Any, ...]:
        stratum = strata.index((row["part"], row["category"]))
        return (
            kinds.index(row["by"]),
            RULES.index(row["rule"]),
            stratum,
            row["group"],
            names[stratum].index(row["rate"]),
            READINGS.index(row["reading"]),
        )

    return positions(sorted(rows, key=order))


def rates(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the rates in the three readings, then by group; rows as of `rates_rows`."""
    percent = f"{100 * level:g} %"
    panels = [
        Panel(
            f"All units, intervals {percent}",
            _reading_columns(),
            _readings([r for r in rows if r["by"] == "all" and r["rule"] == "as_run"]),
        ),
        Panel(
            "Credited units, if a repaired quote had to stand in the answer but for white space",
            _reading_columns(),
            _readings(
                r for r in rows if r["rule"] == "verbatim" and r["category"] in ("n11", "n01")
            ),
        ),
    ]
    for by in BY:
        kept = [r for r in rows if r["by"] == by and r["reading"] == "stands"]
        heading = f"By {by.replace('_', ' ')}, verdicts as they stand, Wilson {percent}"
        panels.append(Panel(heading, _group_columns(), kept))
    return Table(
        f"Audit rates. {title}: what the audited units amount to, in three readings",
        panels,
        (
            "An unresolved verdict stands, is withdrawn (the item counts as absent) or is excluded "
            "with its unit.",
            "Brackets: Wilson, which takes units for independent; by question: the verdicts as "
            "they stand, questions resampled whole, missing where no unit or every unit counts.",
            "Less favourable: the reading, of stands and withdrawn, that speaks less for the "
            "matcher.",
        ),
    )


def _readings(rows: Any) -> list[dict[str, Any]]:
    """Put the three readings of a rate into one line."""
    lines: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        line = lines.setdefault((row["part"], row["category"], row["rate"]), {**row, "less": None})
        line[row["reading"]] = row
        if row["leaning"] == "less":
            line["less"] = row["reading"]
    return list(lines.values())


def _reading_columns() -> list[Show]:
    return [
        Show("Category", category, "left"),
        Show("Rate", text("rate"), "left"),
        *(Show(reading.capitalize(), _reading(reading)) for reading in READINGS),
        Show("by question", interval("question", signed=False)),
        Show("Less favourable", lambda row: row["less"] or "same", "left"),
    ]


def _reading(name: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        found: Mapping[str, Any] | None = row.get(name)
        if found is None or found["share"] is None:
            return MISSING
        bounds = interval("wilson", signed=False)(found)
        return f"{found['k']}/{found['n']} = {found['share']:.3f} {bounds}"

    return cell


def _group_columns() -> list[Show]:
    return [
        Show("Category", category, "left"),
        Show("Group", text("group"), "left"),
        Show("Rate", text("rate"), "left"),
        Show("k", integer("k")),
        Show("n", integer("n")),
        Show("Share", number("share")),
        Show("Wilson", interval("wilson", signed=False)),
    ]


LAYOUTS = {
    "table3": Layout(
        "studies/audit_confusion", AUDIT_CONFUSION, TABLE3, table3_rows, table3, part="audit"
    ),
    "audit_rates": Layout(
        "studies/audit",
        AUDIT_RATES,
        TABLE_AUDIT_RATES,
        rates_rows,
        rates,
        part="audit",
        printed_panels=3,
    ),
}
