"""Tables 6 and 7 and the diagnostics, laid out from made-up studies."""

from typing import Any

import pytest
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
from copyceiling.tables.cards import with_cards

from tests.judged_rows import SETTINGS, answer, controls, grade, production

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


def measure(name: str, k: int | None, n: int, value: float | None = None) -> dict[str, Any]:
    """A row of a card of judge j, with a floor that it reaches."""
    row: dict[str, Any] = {"judge": "j", "kind": "model", "rubric": "grade", "rubric_version": 3}
    row |= {"form": "ours", "measure": name, "by": "all", "group": "(all)", "k": k, "n": n}
    share = k / n if k is not None and n else value
    return row | {
        "value": share,
        "wilson_low": 0.5,
        "wilson_high": 0.9,
        "floor": 0.1,
        "meets": True,
    }


CARD = [
    measure("accuracy", 7, 9),
    measure("known_order", 3, 4),
    measure("order_stability", 2, 5),
    measure("length_stability", 1, 1),
    measure("repeatability", 6, 6),
    measure("injection_resistance", 0, 0),
    measure("scored", 20, 21),
]


def render(name: str, rows: Any, card: Any = ()) -> str:
    """Lay a table out as a rule does, in every form, and return the Markdown."""
    layout = LAYOUTS[name]
    found = layout.rows(rows, "as_received")
    to_table(found, layout.schema)
    assert [row["position"] for row in found] == list(range(len(rows)))
    shown = layout.table(found, "Toy", "as_received", 0.95)
    shown = with_cards(shown, found, card, layout.rubric, 0.95)
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


@pytest.mark.parametrize("name", ["table6", "table6_flow", "table7", "table7_flow"])
def test_the_card_of_a_judge_stands_below_its_tables_whether_it_passes_or_not(name: str) -> None:
    made = controls() if name.startswith("table7") else production()
    cohorts = build_cohorts(*made)
    rows = flow_rows(cohorts) if name.endswith("flow") else contrast_rows(cohorts, SETTINGS)
    failed = [{**row, "meets": row["measure"] != "accuracy"} for row in CARD]
    for card, passes in ((CARD, "yes"), (failed, "NO")):
        text = render(name, rows, card)
        below = text[text.index("*Calibration cards of the judges, rubric grade") :]
        cells = [x.strip() for x in _line(below, "| j ").split("|")]
        assert cells[2:8] == ["model", "ours", "3", passes, "9", "0.78"]
        assert cells[8:15] == ["[0.50, 0.90]", "3/4", "2/5", "1/1", "6/6", "0/0", "20/21"]
        assert "No calibration card" not in text


def test_a_judge_without_a_card_says_so() -> None:
    """None at all, and one of another rubric or form, which says nothing of these verdicts."""
    rows = contrast_rows(build_cohorts(*production()), SETTINGS)
    for card in ([], [{**row, "form": "capped"} for row in CARD]):
        text = render("table6", rows, card)
        assert "No calibration card for the rubric grade: j (form ours)." in text
        assert "Calibration cards of" not in text
    text = render("diagnostics", judged_rows(*production(), SETTINGS))
    assert "No calibration card for the rubric grade: j (form ours)." in text


def test_where_every_pair_ties_nothing_is_called_inside_the_margin() -> None:
    """There is no interval: nothing shows harm or its absence."""
    answers, _ = production()
    grades = [grade(a["question_id"], a["arm"], 0, of_set=a["set"]) for a in answers]
    text = render("table6", contrast_rows(build_cohorts(answers, grades), SETTINGS))
    assert "all tie" in text and "yes (" not in text
    assert "In 3 of 3 contrasts no pair differs." in text and "rests on these" not in text
    (pooled,) = {line for line in text.splitlines() if line.startswith("| pooled")}
    cells = [x.strip() for x in pooled.split("|")]
    assert (cells[6], cells[7], cells[-2]) == ("+0.00", "n/a", "all tie")


def test_table6_says_how_many_pairs_were_asked_the_same() -> None:
    answers = [
        answer(f"q{q}", arm, cohort="general", engaged=q == 0 and arm == "harness", n_chars=9)
        | {"prompt_sha256": f"{q}" if q else arm}
        for q in range(3)
        for arm in ("harness", "bare")
    ]
    grades = [grade(a["question_id"], a["arm"], 3, cohort="general") for a in answers]
    text = render("table6", contrast_rows(build_cohorts(answers, grades), SETTINGS))
    note = "general, harness - bare: 2 of 3 pairs are one prompt in both arms"
    assert f"{note}, since retrieval finds nothing to show; they tie by construction." in text
    assert text.index("| engaged ") < text.index("| pooled ")
    untold = render("table6", contrast_rows(build_cohorts(*production()), SETTINGS))
    assert "one prompt" not in untold


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


def test_the_flow_tables_show_how_judging_ended() -> None:
    for name, made, arm in (
        ("table6_flow", production(), "raw"),
        ("table7_flow", controls(), "true"),
    ):
        answers, grades = made
        told = [{**g, "cut": None if g["score"] is None else False} for g in grades]
        mine = next(g for g in told if g["arm"] == arm and g["score"] is not None)
        mine.update(status="truncated", score=None, cut=True)
        text = render(name, flow_rows(build_cohorts(answers, told)))
        below = text[text.index("How judging ended") :]
        n = sum(g["arm"] == arm and g["cut"] is not None for g in told)
        cells = [x.strip() for x in _line(below, f"| pooled | {arm}").split("|")]
        ends = [str(n), str(n - 1), "0", "0", "1", "0", "0", "1"]
        assert cells[3:11] == ends, (
            "judged, graded, unparsed, empty, truncated, refused, error, cut"
        )
        untold = render(name, flow_rows(build_cohorts(*made)))
        line = _line(untold[untold.index("How judging ended") :], f"| pooled | {arm}")
        assert line.count("n/a") == 5, "released rows tell graded from unparsed alone"


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
