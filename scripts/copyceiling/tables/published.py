"""The report on published values, and the sheet of those in the paper's running text."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.published_schemas import COMPARISON, TABLE_PROSE, TABLE_PUBLISHED
from copyceiling.published.compare import DIFFERS, KNOWN, LACKING, OTHER_ENCODER, VERDICTS
from copyceiling.render import MISSING, Panel, Show, Table, integer, text
from copyceiling.tables.layout import Layout, Row, positions


def published_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of the report: every value, by family and name."""
    return positions(sorted(rows, key=lambda r: (r["family"], r["key"])))


def published(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the report: verdicts counted, what differs, what is lacking and why, every value."""
    differs = [r for r in rows if r["verdict"] in (DIFFERS, KNOWN, OTHER_ENCODER)]
    panels = [Panel("Values by verdict", _count_columns(), _counts(rows))]
    if differs:
        columns = [*_value_columns(), Show("Why", _optional("reason"), "left")]
        beside = any(r["verdict"] == OTHER_ENCODER for r in differs)
        heading = "What differs" + (", or rests on another encoder" if beside else "")
        panels.append(Panel(heading, columns, differs))
    panels.append(
        Panel(
            "What cannot be recomputed, and what it takes",
            (
                Show("Family", text("family"), "left"),
                Show("Values", integer("values")),
                Show("Why", text("reason"), "left"),
            ),
            _lacking(rows),
        )
    )
    panels.append(Panel("Every value", [*_value_columns(), *_verdict_columns()], rows))
    return Table(
        f"{title}: published values and what the rows at hand give",
        panels,
        (
            "Recomputed from rows, never from a released aggregate. Equal: the published digits. "
            "Within tolerance: every number deviates by at most the tolerance that stands beside "
            "the published value.",
            "Differs as known: the rows give what was released, and the paper prints otherwise for "
            "the reason given.",
            "Different encoder: ours rests on another text encoder than the published value, so "
            "the two stand side by side and the tolerance is not applied.",
        ),
    )


def prose_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the values that the paper's text quotes, in order of the first section and name."""
    quoted = [r for r in rows if r["sections"]]
    return positions(sorted(quoted, key=lambda r: (_section_order(r["sections"][0]), r["key"])))


def prose(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the sheet of numbers in the text, a panel a section; rows as of `prose_rows`."""
    names = sorted({name for row in rows for name in row["sections"]}, key=_section_order)
    sections = {name: [row for row in rows if name in row["sections"]] for name in names}
    columns = [*_value_columns(), Show("As printed", text("paper"), "left"), *_verdict_columns()]
    return Table(
        f"{title}: numbers quoted in the paper's text",
        [Panel(f"Section {name}", columns, found) for name, found in sections.items()],
        ("The report `published` has every value, with tolerances and reasons.",),
    )


def _section_order(section: str) -> tuple[int, ...]:
    return tuple(int(part) for part in section.split("."))


def _counts(rows: Sequence[Row]) -> list[dict[str, Any]]:
    counted = Counter((r["family"], r["verdict"]) for r in rows)
    families = sorted({r["family"] for r in rows})
    out: list[dict[str, Any]] = [
        {"family": family, **{v: counted[family, v] for v in VERDICTS}} for family in families
    ]
    out.append({"family": "all", **{v: sum(row[v] for row in out) for v in VERDICTS}})
    return [{**row, "values": sum(row[v] for v in VERDICTS)} for row in out]


def _count_columns() -> list[Show]:
    return [
        Show("Family", text("family"), "left"),
        Show("Values", integer("values")),
        *(Show(verdict.capitalize(), integer(verdict)) for verdict in VERDICTS),
    ]


def _lacking(rows: Sequence[Row]) -> list[dict[str, Any]]:
    counted = Counter((r["family"], r["reason"]) for r in rows if r["verdict"] == LACKING)
    return [
        {"family": family, "values": n, "reason": reason}
        for (family, reason), n in sorted(counted.items())
    ]


def _value_columns() -> list[Show]:
    return [
        Show("Value", text("key"), "left"),
        Show("Published", text("published")),
        Show("Recomputed", _optional("recomputed")),
        Show("Tolerance", _tolerance),
    ]


def _verdict_columns() -> list[Show]:
    return [Show("Verdict", text("verdict"), "left")]


def _tolerance(row: Row) -> str:
    value = row["tolerance"]
    return MISSING if value is None else f"{value:.6g}"


def _optional(name: str) -> Any:
    def cell(row: Row) -> str:
        return MISSING if row[name] is None else str(row[name])

    return cell


LAYOUTS = {
    "published": Layout(
        "studies/comparison",
        COMPARISON,
        TABLE_PUBLISHED,
        published_rows,
        published,
        part="published",
        printed_panels=3,
    ),
    "prose": Layout(
        "studies/comparison", COMPARISON, TABLE_PROSE, prose_rows, prose, part="published"
    ),
}
