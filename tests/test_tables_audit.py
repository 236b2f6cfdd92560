"""The audit's tables, from hand-made units."""

from typing import Any

import pytest
from copyceiling.artefacts.store import to_table
from copyceiling.audit.confusion import confusion_rows
from copyceiling.audit.corrected import corrected_rows
from copyceiling.audit.frame import answers, frame_rows, settle, weights_of
from copyceiling.audit.rates import rate_rows
from copyceiling.audit.traits import Material, audit_mechanism_rows
from copyceiling.render import Table, markdown
from copyceiling.sweep import Settings
from copyceiling.tables import LAYOUTS, audit, audit_frame
from copyceiling.tables.cards import with_cards

from tests.test_audit import judged, repaired, verdict
from tests.test_audit_frame import question, score

SETTINGS = Settings(42, 200, 0.95)
EXPOSED, HIDDEN = (True, True, False), (False, False, False)


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    """Two answers, an unresolved omission, a repair that is not verbatim, a raw hit."""
    units = [
        verdict(1),
        repaired(2, False),
        verdict(1, item_index=1, category="n10", label="name_only", gate="unresolved"),
        verdict(3, part="raw_hits", category="n01", label="absent"),
    ]
    sample = [u for u in units if u["part"] == "sample"]
    swept = answers(
        [
            score(1, [EXPOSED, (True, False, False), HIDDEN]),
            score(2, [EXPOSED, HIDDEN]),
        ]
    )
    questions = {
        "q1": question(1, ["Edge", "GraphQL", "Node"], "Edge Node"),
        "q2": question(2, ["Cloud", "Fog"], "Mist"),
    }
    exposed = {("q1", 0): True, ("q1", 1): True, ("q1", 2): False}
    exposed |= {("q2", 0): True, ("q2", 1): False}
    frame = frame_rows(swept, sample, "n01", None)
    material = Material(questions, {}, exposed, {})
    found: dict[str, list[dict[str, Any]]] = {
        "studies/audit": rate_rows(units, SETTINGS),
        "studies/audit_confusion": confusion_rows(units, 0.95),
        "studies/audit_corrected": corrected_rows(units, weights_of(frame), SETTINGS),
        "studies/audit_frame": frame,
        "studies/audit_mechanisms": audit_mechanism_rows(
            settle(swept, sample, "n01"), sample, material
        ),
    }
    out = {}
    for name in (*audit.LAYOUTS, *audit_frame.LAYOUTS):
        layout = LAYOUTS[name]
        source = found[layout.source]
        rows = layout.rows(source if name == "audit_frame" else judged(source), "")
        to_table(rows, layout.schema)
        out[name] = layout.table(rows, "A study", "", 0.95)
    return out


def cells(table: Table, panel: int) -> list[list[str]]:
    found = table.panels[panel]
    return [[column.cell(row) for column in found.columns] for row in found.rows]


def test_table3_crosses_categories_with_verdicts(tables: dict[str, Table]) -> None:
    table = tables["table3"]
    headings = [column.heading for column in table.panels[0].columns]
    lines = [dict(zip(headings, line, strict=True)) for line in cells(table, 0)]
    assert [(x["Category"], x["correct relation"], x["name only"], x["Units"]) for x in lines] == [
        ("n11 exposed, credited", "2", "0", "2"),
        ("n10 exposed, omitted", "0", "1", "1"),
    ]
    assert any(p.heading.startswith("Hits of the raw arm") for p in table.panels)


def test_table3_says_of_models_alone_that_they_are_no_people() -> None:
    rows = judged(confusion_rows([verdict(1)], 0.95))
    other = [{**row, "judge": "k", "place": 1} for row in rows]
    rule = [{**row, "judge": "r", "place": 2, "kind": "rule"} for row in rows]
    for given, said in (
        (rows, "The judge j is a model, not a person."),
        ([*rows, *rule], "The judge j is a model, not a person."),
        ([*rows, *other], "The judges j, k are models, not people."),
    ):
        layout = LAYOUTS["table3"]
        assert said in layout.table(layout.rows(given, ""), "A study", "", 0.95).notes
    text = markdown(LAYOUTS["table3"].table(LAYOUTS["table3"].rows(rule, ""), "A study", "", 0.95))
    assert "person" not in text and "people" not in text


def test_cards_are_of_the_judges_of_a_table_and_of_no_one_else() -> None:
    """People and the matcher stand in the judge's column of the sheet's table, and have none."""
    table = Table("A table", ())
    rows = [
        {"judge": "j", "form": "ours", "kind": "model"},
        {"judge": "ann", "form": "sheet", "kind": "person"},
        {"judge": "matcher", "form": "sheet", "kind": "rule"},
        {"judge": "(none)", "form": "ours", "kind": "none"},
    ]
    (note,) = with_cards(table, rows, [], "relation", 0.95).notes
    assert note.startswith("No calibration card for the rubric relation: j (form ours).")
    assert (
        with_cards(table, rows, [], None, 0.95)
        == table
        == with_cards(table, rows[1:], [], "relation", 0.95)
    )


def test_every_table_whose_rows_name_a_judge_carries_cards() -> None:
    graded = {"table6", "table6_flow", "table7", "table7_flow", "diagnostics"}
    for name, layout in LAYOUTS.items():
        columns = {column.name for column in layout.schema.columns}
        judged_rows = "caution" in columns and bool(columns & {"judge", "judges"})
        rubric = "grade" if name in graded else "relation"
        assert layout.rubric == (rubric if judged_rows else None), name


def test_readings_stand_side_by_side_and_name_the_less_favourable(
    tables: dict[str, Table],
) -> None:
    whole = {(line[0][:3], line[1]): line for line in cells(tables["audit_rates"], 0)}
    named = whole["n10", "named"]
    assert named[2].startswith("1/1 = 1.000") and named[3].startswith("0/1 = 0.000")
    assert named[4] == "n/a", "nothing is left once the unit is excluded"
    assert named[-1] == "stands"
    strict = {(line[0][:3], line[1]): line for line in cells(tables["audit_rates"], 1)}
    assert (
        strict["n11", "correct"][3].startswith("1/2")
        and strict["n11", "correct"][-1] == "withdrawn"
    )


def test_the_corrected_rate_says_where_its_weights_come_from(tables: dict[str, Table]) -> None:
    text = markdown(tables["audit_corrected"])
    assert "a category that was audited whole settles them" in text
    assert cells(tables["audit_corrected"], 0)[0][5:7] == ["0.667", "0.667"]


def test_frame_and_traits_show_bounds_beside_what_is_known(tables: dict[str, Table]) -> None:
    frame = {(line[0][:3], line[1]): line for line in cells(tables["audit_frame"], 0)}
    assert frame["n11", "(all)"][3:6] == ["2", "0..2", "census"]
    traits = {(line[0], line[2][:3]): line[3] for line in cells(tables["audit_mechanisms"], 0)}
    assert traits["gold_substring_of_subject", "n11"] == "1"
    assert traits["gold_single_token", "n00"] == "2"
