"""The first screen: sentences that hold the very numbers, and words for every name it uses."""

from pathlib import Path
from typing import Any

import pytest
from copyceiling.audit.panels import caution
from copyceiling.calibration.banner import card_banner
from copyceiling.cohorts import ARMS as KNOWN_ARMS
from copyceiling.models import JUDGES, READERS, load_models
from copyceiling.production.general import STRATA
from copyceiling.report import cautions, words
from copyceiling.report.contents import short_titles
from copyceiling.report.facts import facts
from copyceiling.report.landing import picture
from copyceiling.report.markup import Html, join
from copyceiling.report.order import PAPER, groups, ordered
from copyceiling.sweep import POLICIES
from copyceiling.tables import LAYOUTS

from tests.conftest import ROOT
from tests.report.material import make_answer, make_material
from tests.report.test_markup import read
from tests.report.test_plots import counts_row, sweep_row

SPECS = load_models(ROOT / "config" / "models.tsv")


def fact(material: Any, name: str) -> str:
    """Return what stands beside a name of the facts, as text."""
    found = {}
    for entry in facts(material):
        head, _, rest = str(entry).partition("</dt>")
        found[read(head).text] = read(rest).text
    return found[name]


def shown(models: int) -> str:
    rows = [sweep_row(model=f"m{i}", n=366, uplift=0.5 - i / 10) for i in range(models)]
    counts = [
        counts_row(model=r["model"], matcher="paper", policy="as_received", n_gold=459, n_hits=254)
        for r in rows
    ]
    answers = [make_answer(1, model=r["model"]) for r in rows]
    material = make_material(answers, tables={"table4": rows, "table5": counts})
    return read(picture(material)).text


def test_the_mean_over_questions_is_not_called_a_share_of_names() -> None:
    text = shown(1)
    assert "Averaged over 366 questions, m0 recalled 12.5 % of a question's gold names" in text
    assert "gave 254 of the 459 gold names with the block (55.3 %)" in text
    assert "greatest uplift" not in text, "there is one model"


def test_how_many_models_there_are_does_not_read_as_an_uplift() -> None:
    assert "Of the 2 models, this is the one with the greatest uplift." in shown(2)


def test_answers_of_models_and_of_readers_are_counted_apart() -> None:
    answers = [
        *(make_answer(i, status="ok" if i else "truncated") for i in range(3)),
        *(make_answer(i, model="reader-silent", status="empty", text="") for i in range(2)),
        make_answer(9, part="controls", arm="true"),
    ]
    said = fact(make_material(answers), "Answers")
    assert "3 of models: 2 ok, 1 truncated" in said
    assert "2 of reference readers: 2 empty" in said
    assert "1 more in the judged studies" in said


def test_a_model_is_told_with_weights_sampling_and_budget() -> None:
    labels = ("smollm2-135m", "gpt-4.1-mini", "unheard-of")
    material = make_material([make_answer(1, model=m) for m in labels], specs=SPECS)
    said = fact(material, "Models")
    spec = SPECS["smollm2-135m"]
    assert "SmolLM2-135M-Instruct.Q4_1.gguf" in said and spec.revision[:10] in said
    assert spec.revision not in said, "short"
    assert "temperature 0" in said and "at most 256 tokens an answer" in said
    assert "openrouter/openai/gpt-4.1-mini, no revision stated, asked through LiteLLM" in said
    assert "unheard-of" in said


def test_where_weights_lie_on_a_machine_is_not_told(tmp_path: Path) -> None:
    from dataclasses import replace

    spec = replace(SPECS["smollm2-135m"], target=f"{tmp_path}/mine.gguf")
    material = make_material([make_answer(1, model="m")], specs={"m": spec})
    said = fact(material, "Models")
    assert "mine.gguf" in said and str(tmp_path) not in said


def test_a_released_study_claims_no_settings_of_our_table() -> None:
    study = make_material([make_answer(1)]).study
    study = {**study, "sweep": {**study["sweep"], "source": "release"}}
    material = make_material([make_answer(1, model="smollm2-135m")], specs=SPECS, study=study)
    said = fact(material, "Models")
    assert "those of a release" in said and "temperature" not in said


def test_judges_are_told_to_be_rules_or_models_that_pass_or_fail() -> None:
    card = [
        card_row("accuracy", 0.5, False),
        {**card_row("accuracy", 0.8, True), "rubric": "relation"},
    ]
    study = make_material([make_answer(1)]).study
    study = {**study, "judging": {"judges": ["judge-obeys", "m"]}}
    given: dict[str, Any] = {"specs": SPECS, "study": study}
    said = fact(make_material([make_answer(1)], tables={"calibration": card}, **given), "Judges")
    assert "judge-obeys: a rule, no model; does what an answer tells it to" in said
    assert "m: a model, passes its calibration for relations, fails" in said
    assert "no conclusion" not in said, "it passes one"
    failing = {"calibration": card[:1]}
    said = fact(make_material([make_answer(1)], tables=failing, **given), "Judges")
    assert "no conclusion rests on a verdict" in said


def card_row(measure: str, value: float, meets: bool) -> dict[str, Any]:
    return {
        **{"judge": "m", "rubric": "grade", "form": "ours", "by": "all", "group": "(all)"},
        **{"measure": measure, "value": value, "floor": 0.75, "meets": meets, "k": 1, "n": 2},
        **{"rubric_sha256": "a"},
    }


def test_a_caution_is_in_full_once_and_in_short_over_tables_and_figures() -> None:
    full = card_banner([card_row("accuracy", 0.5, False)], "m", "grade")
    assert full and "0.50" in full
    over = cautions.short(full, "figure")
    assert over == (
        "FAILS ITS CALIBRATION: judge 'm', rubric 'grade' (form 'ours'). "
        "Its verdicts do not bear the conclusions of this figure."
    )
    assert "What it fails" in join(*cautions.boxes([full], "table"))
    assert "0.50" in cautions.section([full]) and "any table or figure" in cautions.section([full])


@pytest.mark.parametrize(
    "said",
    [
        caution("judge-reference", "rule", (), form="ours", rubric_sha256=None),
        card_banner(None, "m", "grade"),
    ],
)
def test_a_caution_without_measures_stays_as_it_is(said: str | None) -> None:
    assert said and cautions.short(said, "table") == said
    assert "What it fails" not in join(*cautions.boxes([said], "table"))


def test_a_row_of_two_judges_adds_no_caution_of_its_own() -> None:
    one, two = "A RULE: judge 'a'.", "FAILS: judge 'b'."
    every = {"t1": [two], "t2": [one], "t3": [f"{one} {two}"], "t4": ["C.", two]}
    assert cautions.distinct(every) == [two, one, "C."]


def test_no_table_is_lost_and_the_paper_s_come_first_by_number() -> None:
    assert sorted(ordered(LAYOUTS)) == sorted(LAYOUTS)
    (heading, entries), *others = groups(LAYOUTS)
    assert heading == PAPER
    assert [e.name for e in entries] == [f"table{i}" for i in range(1, 9)]
    assert "table6_recall" in entries[5].parts
    assert "Other tables" not in {name for name, _ in others}, "every table has its place"
    assert ordered(["unheard_of", "table4"]) == ["table4", "unheard_of"]
    assert groups([]) == []


def test_headings_that_say_the_same_go_by_name() -> None:
    captions = {"calibration": "Cal. X", "calibration_confusion": "Cal. Y", "table4": "Table 4. Z"}
    assert short_titles(captions) == {
        "calibration": "Calibration",
        "calibration_confusion": "Calibration confusion",
        "table4": "Table 4",
    }


def test_every_name_that_a_reader_meets_has_words() -> None:
    assert set(words.ARMS) >= set(KNOWN_ARMS)
    assert set(words.POLICIES) == set(POLICIES)
    assert set(words.READERS) == set(READERS) and set(words.RULES) == set(JUDGES)
    assert set(words.SETS) >= set(STRATA)
    assert words.legend({"a": "x", "b": "y"}, ["b", "c"]) == [("b", "y")]


def test_facts_are_markup() -> None:
    assert all(isinstance(entry, Html) for entry in facts(make_material([make_answer(1)])))
