"""Tables 6 and 7 and the diagnostics, laid out from made-up studies."""

from typing import Any

from copyceiling.artefacts.arm_schemas import TABLE_RECALL
from copyceiling.artefacts.paired_schemas import (
    TABLE6,
    TABLE6_FLOW,
    TABLE7,
    TABLE7_FLOW,
    TABLE_DIAGNOSTICS,
)
from copyceiling.artefacts.store import to_table
from copyceiling.cohorts import build_cohorts
from copyceiling.config import ROOT, load_study
from copyceiling.flow import flow_rows
from copyceiling.judged_diagnostics import judged_rows
from copyceiling.paired import contrast_rows
from copyceiling.render import html, latex, markdown
from copyceiling.tables import LAYOUTS, tables_of
from copyceiling.tables import controls as table7
from copyceiling.tables import diagnostics as extra
from copyceiling.tables import production as table6

from tests.judged_rows import SETTINGS, controls, grade, production

AGGREGATE = {
    "cohort": "controls",
    "arm": "true",
    "n": 9,
    "mean": 0.5,
    "median": 0.4,
    "min": 0.0,
    "max": 1.0,
    "n_zero": 1,
    "n_full": 2,
    "tokens": 1234.5,
}


def render(name: str, rows: Any) -> str:
    """Lay a table out as a rule does, in every form, and return the Markdown."""
    layout = LAYOUTS[name]
    found = layout.rows(rows, "as_received")
    to_table(found, layout.schema)
    assert [row["position"] for row in found] == list(range(len(rows)))
    shown = layout.table(found, "Toy", "as_received", 0.95)
    assert "\\toprule" in latex(shown) and "<table>" in html(shown)
    return markdown(shown)


def test_layouts_belong_to_their_parts() -> None:
    parts = {"table6": "production", "table7": "controls", "diagnostics": None}
    assert {name: LAYOUTS[name].part for name in parts} == parts
    schemas = (TABLE6, TABLE6_FLOW, TABLE_RECALL, TABLE7, TABLE7_FLOW, TABLE_DIAGNOSTICS)
    layouts = {**table6.LAYOUTS, **table7.LAYOUTS, **extra.LAYOUTS}
    assert {layout.schema.name for layout in layouts.values()} == {s.name for s in schemas}
    lacking = {"production": None, "controls": None, "audit": None, "paraphrase": None}
    study = {**load_study(ROOT / "config" / "studies" / "smoke.yaml"), **lacking}
    assert {"table6", "table7_flow"} & set(tables_of(study)) == set()
    assert "diagnostics" in tables_of(study)


def test_what_the_judges_cards_say_stands_across_the_tables() -> None:
    """Of the grades shown, once each; a judge that passes says nothing."""
    cohorts = build_cohorts(*production())
    for cautions, said in (({"j": "BEWARE of j."}, "**BEWARE of j. Table 6"), ({}, "**Table 6")):
        rows = contrast_rows(cohorts, SETTINGS, cautions)
        assert render("table6", rows).startswith(said)
        assert render("table6_flow", flow_rows(cohorts, cautions=cautions)).startswith(said)


def test_where_every_pair_ties_nothing_is_called_inside_the_margin() -> None:
    """An interval of no width shows neither harm nor its absence."""
    answers, _ = production()
    grades = [grade(a["question_id"], a["arm"], 0, of_set=a["set"]) for a in answers]
    text = render("table6", contrast_rows(build_cohorts(answers, grades), SETTINGS))
    assert "all tie" in text and "yes (" not in text
    assert "In 3 of 3 contrasts no pair differs." in text and "rests on these" not in text


def test_table6_shows_both_policies_and_what_few_pairs_carry() -> None:
    text = render("table6", contrast_rows(build_cohorts(*production()), SETTINGS))
    assert text.index("; complete_case;") < text.index("; as_failure;")
    case = text[: text.index("; as_failure;")].splitlines()
    sets = [line.split("|")[1].strip() for line in case if " served - raw " in line]
    assert sets == ["s", "t", "pooled"]
    (pooled,) = [line for line in case if line.startswith("| pooled")]
    assert "+0.33" in pooled and "1/1/1" in pooled
    assert "pooled, served - raw: 2 of 3" in text
    cells = [x.strip() for x in next(x for x in case if x.startswith("| t")).split("|")]
    assert cells[6:10] == ["-2.00", "n/a", "n/a", "n/a"], "one pair: no interval and no test"


def test_table6_answers_show_ends_and_missing_telemetry_as_missing() -> None:
    text = render("table6_flow", flow_rows(build_cohorts(*production())))
    cells = [x.strip() for x in _line(text, "| pooled | raw").split("|")]
    assert cells[3:10] == ["6", "6", "5", "1", "0", "0", "n/a"], "rerun is not stated"
    assert "0.750" in _line(text[text.index("What was shown") :], "| pooled | served")


def test_table7_pools_first_marks_survivors_and_shows_the_intersection() -> None:
    answers, grades = controls(12)
    better = [{**g, "score": 0} if g["arm"] == "raw" else g for g in grades]
    text = render("table7", contrast_rows(build_cohorts(answers, better), SETTINGS))
    order = [text.index(what) for what in ("Sets pooled", "Questions graded in every", "Set s")]
    assert order == sorted(order)
    pooled = text[order[0] : order[1]]
    assert "†" in _line(pooled, "| true - raw") and "†" not in _line(pooled, "| true - masked")
    assert "Holm over 5" in pooled
    failure = text[text.index("as_failure; not adjusted") :]
    assert "2 of 5 contrasts" in failure, "unknown ends leave the family incomplete"
    assert "| served - raw" in failure and "| true - raw" not in failure


def test_table7_says_what_is_taken_over_and_what_is_unknown() -> None:
    cohorts = build_cohorts(*controls())
    text = render("table7_flow", flow_rows(cohorts, [AGGREGATE]))
    assert "released" in _line(text[text.index("Exposure by") :], "| true")
    assert "not recomputed" in text and "never asked for" in text
    known = flow_rows(build_cohorts([], [grade("q", "true", 1, cohort="controls")]))
    text = render("table7_flow", known)
    assert "not recomputed" not in text and "never asked for" not in text


def test_the_diagnostics_have_a_panel_each() -> None:
    text = render("diagnostics", judged_rows(*production(), SETTINGS))
    assert "*Truncation*" in text and "*Judge's window*" in text
    line = _line(text, "| production, j: served - raw, neither answer cut")
    assert "+1.50" in line and "points" in line


def test_empty_studies_print() -> None:
    for name in ("table6", "table6_flow", "table7", "table7_flow", "diagnostics"):
        layout = LAYOUTS[name]
        assert "Toy" in markdown(layout.table(layout.rows([], "x"), "Toy", "x", 0.95))


def _line(text: str, start: str) -> str:
    squeezed = [" ".join(line.split()) for line in text.splitlines()]
    return next(line for line in squeezed if line.startswith(start))
