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
from copyceiling.audit.confusion import NO_ROLE, PARTS, REPAIRS
from copyceiling.audit.labels import CATEGORIES, GATES, LABELS, READINGS, ROLES, RULES
from copyceiling.audit.panels import headline_rows, panel_order
from copyceiling.audit.rates import BY, STRATA
from copyceiling.judging.harness import STATUSES
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.layout import Layout, Row, positions
from copyceiling.tables.panels import by_judge, cautioned, heading

_PART_NAMES = {"sample": "Sample of the scaffold arm", "raw_hits": "Hits of the raw arm"}
_CATEGORY_NAMES = {
    "n11": "n11 exposed, credited",
    "n10": "n10 exposed, omitted",
    "n01": "n01 credited unexposed",
    "n00": "n00 neither",
}
_NO_ROLE_NOTE = f"{NO_ROLE}: a label that came without a role that is one of the three."
_STRICT = "Credited units, if a repaired quote had to stand in the answer but for white space"
# Field of the counts to the heading of its panel and the columns that it always has.
_PANELS = {
    "label": ("verdict, before the quote gate", LABELS),
    "role": ("role of the item", ROLES),
    "gate": ("quote gate", GATES),
    "repair": ("how repaired quotes stand in the answer", REPAIRS),
}


def table3_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 3: by judge, part, field and category, values as listed."""
    ends = [f"({status})" for status in STATUSES]
    listed = [*LABELS, *ends, *ROLES, *GATES, *REPAIRS]
    fields = [*_PANELS, "cell", "model"]

    def order(row: Row) -> tuple[Any, ...]:
        value = row["value"]
        return (
            panel_order(row),
            PARTS.index(row["part"]),
            fields.index(row["field"]),
            CATEGORIES.index(row["category"]),
            listed.index(value) if value in listed else len(listed),
            value,
        )

    return positions(sorted(headline_rows(rows), key=order))


def table3(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return Table 3; rows as of `table3_rows`."""
    panels = [p for judge, kept in by_judge(rows) for p in _verdict_panels(judge, kept, level)]
    table = Table(
        f"Table 3. {title}: what the matcher credits, and what a judge says the answer asserts",
        panels,
        (
            "A unit is one gold item of one answer.",
            *_model_notes(rows),
            "correct_relation: the answer asserts the relation that was asked for; name_only: it "
            "names the item without that. In brackets: how a judging without a verdict ended.",
            "unresolved: the quote given for the verdict stands nowhere in the answer, and asking "
            "once more brought none that does.",
            *([_NO_ROLE_NOTE] if any(r["value"] == NO_ROLE for r in rows) else []),
        ),
    )
    return cautioned(table, rows)


def _model_notes(rows: Sequence[Row]) -> list[str]:
    """Say of judges that are models what they are not; of a rule, its banner says what it is."""
    models = list(dict.fromkeys(row["judge"] for row in rows if row["kind"] == "model"))
    if not models:
        return []
    if len(models) == 1:
        return [f"The judge {models[0]} is a model, not a person."]
    return [f"The judges {', '.join(models)} are models, not people."]


def _verdict_panels(judge: str, rows: Sequence[Row], level: float) -> list[Panel]:
    """Return the panels of one judge, part by part."""
    panels = []
    for part in [p for p in PARTS if any(r["part"] == p for r in rows)]:
        kept = [r for r in rows if r["part"] == part]
        name = heading(judge, _PART_NAMES[part])
        for field, (what, always) in _PANELS.items():
            panels.append(
                _pivot(f"{name}: {what}", [r for r in kept if r["field"] == field], always)
            )
        shares = [r for r in kept if r["field"] == "label" and r["n"]]
        columns = (
            Show("Category", category, "left"),
            Show("Verdict", text("value"), "left"),
            Show("Units", integer("n")),
            Show("of", integer("of")),
            Show("Share", number("share")),
            Show(f"Wilson {100 * level:g} %", interval("wilson", signed=False)),
        )
        panels.append(Panel(f"{name}: shares", columns, shares))
    return panels


def category(row: Row) -> str:
    """Return a row's category, for people."""
    return _CATEGORY_NAMES[row["category"]]


def _pivot(heading: str, rows: Sequence[Row], always: Sequence[str]) -> Panel:
    """Return a panel with a row a category and a column a value."""
    values = [*always, *(v for v in dict.fromkeys(r["value"] for r in rows) if v not in always)]
    counts = {(r["category"], r["value"]): r["n"] for r in rows}
    lines = [
        _which(rows, c) | {value: counts.get((c, value), 0) for value in values}
        for c in CATEGORIES
        if any(r["category"] == c for r in rows)
    ]
    columns = [Show("Category", category, "left")]
    columns += [Show(value.replace("_", " "), integer(value)) for value in values]
    return Panel(heading, [*columns, Show("Units", integer("of"))], lines)


def _which(rows: Sequence[Row], category: str) -> dict[str, Any]:
    """Return which units a line counts: its judge, part, field and category, and how many."""
    first = next(r for r in rows if r["category"] == category)
    return {k: first[k] for k in ("judge", "form", "part", "field", "category", "of")}


def rates_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rates in order: by judge, whole before groups, category, rate and reading."""
    strata = list(STRATA)
    names = [[rate.name for rate in rates] for rates in STRATA.values()]
    kinds = ["all", *BY]

    def order(row: Row) -> tuple[Any, ...]:
        stratum = strata.index((row["part"], row["category"]))
        return (
            panel_order(row),
            kinds.index(row["by"]),
            RULES.index(row["rule"]),
            stratum,
            row["group"],
            names[stratum].index(row["rate"]),
            READINGS.index(row["reading"]),
        )

    return positions(sorted(headline_rows(rows), key=order))


def rates(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the rates in the three readings, then by group; rows as of `rates_rows`."""
    judged = by_judge(rows)
    panels = [p for judge, kept in judged for p in _whole_panels(judge, kept, level)]
    panels += [p for judge, kept in judged for p in _group_panels(judge, kept, level)]
    table = Table(
        f"Audit rates. {title}: what the audited units amount to, in three readings",
        panels,
        (
            "An unresolved verdict stands, is withdrawn (the item counts as absent) or is excluded "
            "with its unit.",
            "Brackets: Wilson, which takes units for independent; by question: the verdicts as "
            "they stand, questions resampled whole, missing where no unit or every unit counts.",
            "No verdict: units of the category whose judging ended without a label, or without the "
            "role that the rate hangs on; they count in no reading.",
            "Less favourable: the reading, of stands and withdrawn, that speaks less for the "
            "matcher.",
        ),
    )
    return cautioned(table, rows)


def _whole_panels(judge: str, rows: Sequence[Row], level: float) -> list[Panel]:
    strict = [r for r in rows if r["rule"] == "verbatim" and r["category"] in ("n11", "n01")]
    return [
        Panel(
            heading(judge, f"All units, intervals {100 * level:g} %"),
            _reading_columns(),
            _readings([r for r in rows if r["by"] == "all" and r["rule"] == "as_run"]),
        ),
        Panel(
            heading(judge, _STRICT),
            _reading_columns(),
            _readings(strict),
        ),
    ]


def _group_panels(judge: str, rows: Sequence[Row], level: float) -> list[Panel]:
    panels = []
    for by in BY:
        kept = [r for r in rows if r["by"] == by and r["reading"] == "stands"]
        name = f"By {by.replace('_', ' ')}, verdicts as they stand, Wilson {100 * level:g} %"
        panels.append(Panel(heading(judge, name), _group_columns(), kept))
    return panels


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
        Show("No verdict", lambda row: str(row["stands"]["n_left_out"])),
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
        "studies/audit_confusion",
        AUDIT_CONFUSION,
        TABLE3,
        table3_rows,
        table3,
        part="audit",
        rubric="relation",
    ),
    "audit_rates": Layout(
        "studies/audit",
        AUDIT_RATES,
        TABLE_AUDIT_RATES,
        rates_rows,
        rates,
        part="audit",
        printed_panels=3,
        rubric="relation",
    ),
}
