"""What tables say of their intervals, panels that repeat nothing, headings that say something."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from copyceiling.latencies import served_latencies
from copyceiling.render import Panel, Show, text
from copyceiling.tables.cards import NAMES, with_cards
from copyceiling.tables.contrasts import once
from copyceiling.tables.diagnostics import diagnostics
from copyceiling.tables.intervals import FEW_DOMAINS, flat_notes, interval_notes


def test_many_domains_are_said_to_be_drawn_whole() -> None:
    (note,) = interval_notes(15)
    assert note.startswith("Intervals by domain, the primary ones, resample 15 whole domains: a ")
    assert "draws 15 domains with replacement and takes every question of each" in note
    few, caution = interval_notes(FEW_DOMAINS - 1)
    assert "primary" not in few and "is no primary one" in caution


@pytest.mark.parametrize(
    ("low", "high", "flat"), [(0.0, 0.0, True), (0.0, 0.1, False), (None, None, False)]
)
def test_an_interval_without_width_is_explained(low: Any, high: Any, flat: bool) -> None:
    wide = {"d_low": 0.0, "d_high": 1.0}
    assert bool(flat_notes([wide, {"d_low": low, "d_high": high}], "d")) is flat


def test_a_panel_that_repeats_another_is_printed_once() -> None:
    columns = (Show("A", text("a")),)
    same, other = ({"a": 1, "judge": j} for j in "xy"), ({"a": 2, "judge": "x"},)
    panels = [Panel("P", columns, [row]) for row in (*same, *other)]
    kept = once([*panels, Panel("Q", columns, panels[0].rows)])
    assert [(p.heading, p.rows[0]["a"]) for p in kept] == [("P", 1), ("P", 2), ("Q", 1)]


def answer(latency: float | None) -> dict[str, Any]:
    cell = {"cohort": "production", "set": "T-REL", "arm": "served", "model": "m"}
    return {**cell, "latency_s": latency, "completion_tokens": 5}


def test_answers_of_the_studys_own_models_came_from_no_served_node() -> None:
    (own,) = served_latencies([answer(None)], own=True)
    assert (own.stage, own.status) == (
        "ask the model, production study, set T-REL",
        "not kept with answers",
    )
    (released,) = served_latencies([answer(None)])
    assert released.stage == "whole request, served node, set T-REL"
    assert released.status == "no latency released"


def test_the_smoke_studys_table1_names_no_served_node(smoke: Path) -> None:
    shown = (smoke / "tables" / "table1.md").read_text(encoding="utf-8")
    assert "served node" not in shown and "released" not in shown


def test_every_column_has_a_heading(smoke: Path) -> None:
    for path in sorted((smoke / "tables").glob("*.md")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for head, rule in pairwise(lines):
            if re.fullmatch(r"\|[:|-]+\|", rule):
                assert all(cell.strip() for cell in head.split("|")[1:-1]), (path.name, head)


def diagnostic_row(what: str, *judges: str) -> dict[str, Any]:
    return {
        **{"name": "rerun", "what": what, "value": 0.5, "value_low": None, "value_high": None},
        **{"n": 1, "of": 2, "unit": "share", "source": "answers", "caution": None},
        "judges": list(judges),
    }


def test_diagnostics_of_grades_end_in_the_cards_of_their_judges() -> None:
    rows = [diagnostic_row("a", "m", "o"), diagnostic_row("b", "m"), diagnostic_row("c")]
    bare = diagnostics(rows, "Toy", "", 0.95)
    shown = with_cards(bare, rows, [], "grade", 0.95)
    assert "No calibration card for the rubric grade: m (form ours), o (form ours)." in str(
        shown.notes
    )
    nobody = rows[-1:]
    assert with_cards(bare, nobody, [], "grade", 0.95).notes == bare.notes
    assert all(show.heading for show in NAMES)


def test_the_smoke_studys_diagnostics_carry_a_card(smoke: Path) -> None:
    shown = (smoke / "tables" / "diagnostics.md").read_text(encoding="utf-8")
    assert "*Calibration cards of the judges, rubric grade" in shown
