"""The calibration card of every judge, and right against given labels.

Source: DESIGN sections 9 and 11; STUDIES sections 3 and 5.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.judging_schemas import (
    CALIBRATION,
    CALIBRATION_CONFUSION,
    TABLE_CALIBRATION,
    TABLE_CALIBRATION_CONFUSION,
)
from copyceiling.audit.labels import LABELS
from copyceiling.calibration import grade_items, relation_items
from copyceiling.render import Panel, Show, Table, integer, number, text
from copyceiling.tables.cards import (
    KEY,
    NAMES,
    SECOND,
    STABILITY,
    VALUE,
    Cell,
    card_bounds,
    card_lines,
    measured,
    share,
)
from copyceiling.tables.layout import Layout, Row, positions

_RUBRICS = {"relation": "Six labels", "grade": "Grades 0 to 5"}
_RATED = (Show("Rubric", text("rubric"), "left"), *NAMES)
_CONSTRUCTS = {"relation": relation_items.CONSTRUCTS, "grade": grade_items.CONSTRUCTS}


def _order(row: Row) -> tuple[Any, ...]:
    rubrics = list(_RUBRICS)
    return rubrics.index(row["rubric"]), row.get("kind") == "rule", row["judge"], row["form"]


def calibration_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of the card: by rubric, models before rules, measures as counted."""
    return positions(sorted(rows, key=lambda r: (*_order(r), r["by"], r["measure"], r["group"])))


def calibration(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the card as a table; rows as of `calibration_rows`."""
    cards = card_lines(rows)
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
    panels.append(Panel("How the cases ended", _ends(), cards))
    panels.append(Panel("Quotes, and what the cases took", _taken(), cards))
    missed = [card for card in cards if card["missed"]]
    if missed:
        columns = [*_RATED, Show("Falls short in", text("missed"), "left")]
        panels.append(Panel("Floors that are not reached", columns, missed))
    return Table(
        f"Calibration. {title}: judges on answers whose right verdict is known by construction",
        panels,
        (
            "Accuracy counts a case without a verdict as wrong; `of verdicts` leaves it out. "
            "Intervals: Wilson, and sources (gold items, classes) resampled.",
            "Injection: share of answers whose verdict stays as it was when the answer tells the "
            "judge what to reply; obeyed: becomes what it was told. Order: with options and lists "
            "backwards. Length: with padding. Repeat: over repeats of the same call. Pairs without "
            "two verdicts are left out.",
            "Rules are no models: `judge-reference` knows the construction and must be right "
            "throughout, the others must fail.",
            "Worst kind: accuracy on the construct where it is least. In brackets: the counts that "
            "a share rests on; where they are few it says little either way.",
            "These answers are made to be plain; a judge may do worse on real ones.",
        ),
    )


def _headline(rubric: str) -> list[Show]:
    heading, measure = SECOND[rubric]
    columns = [
        *NAMES,
        Show("Passes", text("passes")),
        Show("n", measured("accuracy", integer("n"))),
    ]
    columns += [
        Show("Accuracy", measured("accuracy", VALUE)),
        Show("Wilson", measured("accuracy", card_bounds("wilson"))),
        Show("by source", measured("accuracy", card_bounds("item"))),
        Show("of verdicts", measured("accuracy_scored", share)),
        Show("worst kind", measured("worst_construct", share)),
        Show(heading, measured(measure, share)),
    ]
    if rubric == "relation":
        columns.append(Show("Role", measured("role_accuracy", share)))
    for name, measure in (*STABILITY, ("Obeyed", "injection_obeyed")):
        columns.append(Show(name, measured(measure, share)))
    return columns


def _by_construct(rubric: str, cards: Sequence[Row]) -> list[Show]:
    there = {key[2] for card in cards for key in card["of"] if key[1] == "construct"}
    return [
        *NAMES,
        *(
            Show(name.replace("_", " "), measured("accuracy", share, "construct", name))
            for name in _CONSTRUCTS[rubric]
            if name in there
        ),
    ]


def _ends() -> list[Show]:
    return [
        *_RATED,
        Show("Cases", measured("scored", integer("n"))),
        *_counts(
            ("graded", "scored"),
            *((s, f"ended_{s}") for s in ("unparsed", "empty", "truncated", "refused", "error")),
            ("re-asked", "reasked"),
            ("mended", "reply_repaired"),
            ("answer cut", "answer_cut"),
            ("control tokens broken", "controls_broken"),
        ),
    ]


def _taken() -> list[Show]:
    return [
        *_RATED,
        *_counts(
            ("quote stands", "quote_verified"),
            ("repaired", "quote_repaired"),
            ("unresolved", "quote_unresolved"),
        ),
        Show("Calls a case", measured("mean_n_calls", VALUE)),
        Show("Prompt tokens", measured("mean_prompt_tokens", number("value", 0))),
        Show("Reply tokens", measured("mean_completion_tokens", number("value", 0))),
        Show("USD in all", measured("mean_n_calls", number("cost_usd", 4))),
    ]


def _counts(*named: tuple[str, str]) -> list[Show]:
    return [Show(heading, measured(measure, integer("k"))) for heading, measure in named]


def confusion_table_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows of the confusion: by rubric, judge and form, then right and given."""
    return positions(sorted(rows, key=lambda r: (*_order(r), r["right"], r["given"])))


def confusion_table(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return right against given as a table, a panel a judge; see `confusion_table_rows`."""
    panels = []
    for key in dict.fromkeys(tuple(r[name] for name in KEY) for r in rows):
        judge, rubric, form = key
        found = [r for r in rows if tuple(r[name] for name in KEY) == key]
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
