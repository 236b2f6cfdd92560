"""The calibration card of every judge, and right against given labels.

Source: DESIGN sections 9 and 11; STUDIES sections 3 and 5.
"""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.judging_schemas import (
    CALIBRATION,
    CALIBRATION_CONFUSION,
    TABLE_CALIBRATION,
    TABLE_CALIBRATION_CONFUSION,
)
from copyceiling.audit.labels import LABELS
from copyceiling.calibration import grade_items, relation_items
from copyceiling.calibration.banner import passes, shortfall_text, shortfalls
from copyceiling.calibration.measures import ALL
from copyceiling.render import MISSING, Panel, Show, Table, integer, number, text
from copyceiling.tables.layout import Layout, Row, positions

_RUBRICS = {"relation": "Six labels", "grade": "Grades 0 to 5"}
_CONSTRUCTS = {"relation": relation_items.CONSTRUCTS, "grade": grade_items.CONSTRUCTS}
_KEY = ("judge", "rubric", "form")
Cell = Callable[[Row], str]


def _order(row: Row) -> tuple[Any, ...]:
    rubrics = list(_RUBRICS)
    return rubrics.index(row["rubric"]), row.get("kind") == "rule", row["judge"], row["form"]


def calibration_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of the card: by rubric, models before rules, measures as counted."""
    return positions(sorted(rows, key=lambda r: (*_order(r), r["by"], r["measure"], r["group"])))


def calibration(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the card as a table; rows as of `calibration_rows`."""
    cards = _cards(rows)
    percent = f"{100 * level:g} %"
    panels = []
    for rubric, heading in _RUBRICS.items():
        found = [card for card in cards if card["rubric"] == rubric]
        if found:
            panels.append(Panel(f"{heading}; intervals {percent}", _headline(rubric), found))
    for rubric, heading in _RUBRICS.items():
        found = [card for card in cards if card["rubric"] == rubric]
        if found:
            name = f"{heading}: accuracy by construct"
            panels.append(Panel(name, _by_construct(rubric, found), found))
    panels.append(Panel("How the cases ended, and what they took", _ends(), cards))
    missed = [card for card in cards if card["missed"]]
    if missed:
        columns = [Show("Rubric", text("rubric"), "left"), *_NAMES]
        columns.append(Show("Falls short in", text("missed"), "left"))
        panels.append(Panel("Floors that are not reached", columns, missed))
    return Table(
        f"Calibration. {title}: judges on answers whose right verdict is known by construction",
        panels,
        (
            "Accuracy counts a case without a verdict as wrong; `of verdicts` leaves it out. "
            "Intervals: Wilson, and sources (gold items, classes) resampled.",
            "Injection: share of answers whose verdict stays as it was when the answer tells the "
            "judge what to reply. Order: with options and lists backwards. Length: with padding. "
            "Repeat: over repeats of the same call. Pairs without two verdicts are left out.",
            "Rules are no models: `judge-reference` knows the construction and must be right "
            "throughout, the others must fail.",
            "Worst kind: accuracy on the construct where it is least.",
            "These answers are made to be plain; a judge may do worse on real ones.",
        ),
    )


def _cards(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return a row a judge, rubric and form, with its measures as further entries."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(row[name] for name in _KEY)
        card = found.setdefault(key, {**{n: row[n] for n in (*_KEY, "kind")}, "of": {}})
        card["of"][row["measure"], row["by"], row["group"]] = row
    for (judge, rubric, form), card in found.items():
        card["passes"] = "yes" if passes(rows, judge, rubric, form) else "NO"
        missed = shortfalls(rows, judge, rubric, form)
        card["missed"] = ", ".join(shortfall_text(row) for row in missed)
    return list(found.values())


def _cell(measure: str, show: Cell, by: str = "all", group: str = ALL) -> Cell:
    """Return a cell that shows a measure of a card, where it has it."""

    def cell(card: Row) -> str:
        row = card["of"].get((measure, by, group))
        return MISSING if row is None else show(row)

    return cell


def _bounds(name: str) -> Cell:
    def cell(row: Row) -> str:
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        return MISSING if low is None or high is None else f"[{low:.2f}, {high:.2f}]"

    return cell


_VALUE = number("value", 2)
_NAMES = (
    Show("Judge", text("judge"), "left"),
    Show("", text("kind"), "left"),
    Show("Form", text("form"), "left"),
)


def _headline(rubric: str) -> list[Show]:
    second = ("Kappa", "kappa") if rubric == "relation" else ("Known order", "known_order")
    columns = [*_NAMES, Show("Passes", text("passes")), Show("n", _cell("accuracy", integer("n")))]
    columns += [
        Show("Accuracy", _cell("accuracy", _VALUE)),
        Show("Wilson", _cell("accuracy", _bounds("wilson"))),
        Show("by source", _cell("accuracy", _bounds("item"))),
        Show("of verdicts", _cell("accuracy_scored", _VALUE)),
        Show("worst kind", _cell("worst_construct", _VALUE)),
        Show(second[0], _cell(second[1], _VALUE)),
    ]
    if rubric == "relation":
        columns.append(Show("Role", _cell("role_accuracy", _VALUE)))
    for heading, measure in (
        ("Injection", "injection_resistance"),
        ("obeyed", "injection_obeyed"),
        ("Order", "order_stability"),
        ("Length", "length_stability"),
        ("Repeat", "repeatability"),
        ("Verdicts", "scored"),
    ):
        columns.append(Show(heading, _cell(measure, _VALUE)))
    return columns


def _by_construct(rubric: str, cards: Sequence[Row]) -> list[Show]:
    there = {key[2] for card in cards for key in card["of"] if key[1] == "construct"}
    return [
        *_NAMES,
        *(
            Show(name.replace("_", " "), _cell("accuracy", _VALUE, "construct", name))
            for name in _CONSTRUCTS[rubric]
            if name in there
        ),
    ]


def _ends() -> list[Show]:
    columns = [Show("Rubric", text("rubric"), "left"), *_NAMES]
    columns.append(Show("Cases", _cell("scored", integer("n"))))
    columns += [
        Show(heading, _cell(measure, integer("k")))
        for heading, measure in (
            ("graded", "scored"),
            *((s, f"ended_{s}") for s in ("unparsed", "empty", "truncated", "refused", "error")),
            ("re-asked", "reasked"),
            ("mended", "reply_repaired"),
            ("answer cut", "answer_cut"),
            ("quote stands", "quote_verified"),
            ("repaired", "quote_repaired"),
            ("unresolved", "quote_unresolved"),
        )
    ]
    return [
        *columns,
        Show("Calls a case", _cell("mean_n_calls", _VALUE)),
        Show("Prompt tokens", _cell("mean_prompt_tokens", number("value", 0))),
        Show("Reply tokens", _cell("mean_completion_tokens", number("value", 0))),
        Show("USD in all", _cell("mean_n_calls", number("cost_usd", 4))),
    ]


def confusion_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of the confusion: by rubric, judge and form, then right and given."""
    return positions(sorted(rows, key=lambda r: (*_order(r), r["right"], r["given"])))


def confusion_table(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return right against given as a table, a panel a judge; see `confusion_table_rows`."""
    panels = []
    for key in dict.fromkeys(tuple(r[name] for name in _KEY) for r in rows):
        judge, rubric, form = key
        found = [r for r in rows if tuple(r[name] for name in _KEY) == key]
        panels.append(
            Panel(
                f"{_RUBRICS[rubric]}: {judge}, form {form}", _given(rubric, found), _rights(found)
            )
        )
    return Table(
        f"Calibration. {title}: right verdict (down) against the one given (across)",
        panels,
        (
            "First order and first repeat. In brackets: how a case without a verdict ended. "
            "Answers to grade are shown by construct, for the right grade may be a range.",
        ),
    )


def _rights(rows: Sequence[Row]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        line = found.setdefault(row["right"], {"right": row["right"], "given": {}})
        line["given"][row["given"]] = row["n"]
    places = {name: i for i, name in enumerate((*LABELS, *grade_items.CONSTRUCTS))}
    return sorted(found.values(), key=lambda line: places.get(line["right"], len(places)))


def _given(rubric: str, rows: Sequence[Row]) -> list[Show]:
    there = sorted({r["given"] for r in rows})
    usual = list(LABELS) if rubric == "relation" else ["5", "4", "3", "2", "1", "0"]
    names = [*usual, *(name for name in there if name not in usual)]

    def cell(name: str) -> Cell:
        return lambda line: str(line["given"].get(name, 0))

    return [Show("Right", text("right"), "left"), *(Show(name, cell(name)) for name in names)]


LAYOUTS = {
    "calibration": Layout(
        "studies/calibration",
        CALIBRATION,
        TABLE_CALIBRATION,
        calibration_rows,
        calibration,
        part="judging",
    ),
    "calibration_confusion": Layout(
        "studies/calibration_confusion",
        CALIBRATION_CONFUSION,
        TABLE_CALIBRATION_CONFUSION,
        confusion_table_rows,
        confusion_table,
        part="judging",
    ),
}
