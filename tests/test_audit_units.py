"""What judges and people are shown: whole, and blind to model, arm, category and matcher."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from copyceiling.annotate.files import sheet_text
from copyceiling.annotate.screen import unit_text
from copyceiling.annotate.session import Session as Annotating
from copyceiling.artefacts.audit_unit_schemas import AUDIT_JUDGING, AUDIT_SAMPLE, AUDIT_UNITS
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.store import check_frozen, to_table, write
from copyceiling.audit.confusion import confusion_rows
from copyceiling.audit.estimate import Place, audit_asks, audited
from copyceiling.audit.judging import judging_rows
from copyceiling.audit.panels import panels_of
from copyceiling.audit.sampling import Unit
from copyceiling.audit.settings import LIVE, audit_judges, audited_models, shows_matcher
from copyceiling.audit.units import judge_units, sample_rows, unit_rows, verdict_rows
from copyceiling.completions import replay_lookup
from copyceiling.config import ROOT, load_study
from copyceiling.errors import ArtefactError, ConfigError, MissingCompletionsError
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import Case
from copyceiling.judging.prompts import HINT, build_prompt, read_sections
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.session import Session
from copyceiling.live.freeze_judges import freeze_judges
from copyceiling.live.runner import run_calls
from copyceiling.models import load_models
from copyceiling.questions import GoldItem, Question

from tests.judging.made import RUBRICS, SEED, Script, judge_spec, label
from tests.judging.test_freeze import HEADER, ROW, Reference
from tests.judging.test_replies import HOSTILE_LABELS
from tests.live.playing import FREE, settings

ANSWERS = {
    ("quite-a-model", "q1", "scaffold"): "Bread requires Wheat Flour.",
    ("quite-a-model", "q1", "raw"): "It needs Water, and @water at that.",
    ("other-model", "q1", "scaffold"): "=HYPERLINK(1) " + "long " * 2_000,
}
ITEMS = [
    {"question_id": "q1", "model": model, "arm": arm, "item": i, "status": "ok", "recovered": has}
    for (model, _, arm), hits in zip(ANSWERS, [(1, 0), (0, 1), (0, 0)], strict=True)
    for i, has in enumerate(map(bool, hits))
]


def question() -> Question:
    gold = (GoldItem("wheat-flour", "Wheat Flour"), GoldItem("water", "Water"))
    prompt = "For Bread, which ingredients are called for?"
    return Question("q1", "rel:bread:requires", "d", "T-REL", ("bread",), prompt, "", gold, "all")


def drawn() -> list[Unit]:
    same = ("q1",)
    rest = ("T-REL", "all", "ok")
    return [
        Unit("sample", "quite-a-model", *same, 0, "n11", *rest),
        Unit("raw_hits", "quite-a-model", *same, 1, "n01", *rest),
        Unit("sample", "other-model", *same, 0, "n10", *rest),
    ]


@pytest.fixture(scope="module")
def sample() -> list[dict[str, Any]]:
    rows = sample_rows(drawn(), {"q1": question()}, ITEMS, SEED)
    to_table(rows, AUDIT_SAMPLE)
    return rows


@pytest.fixture(scope="module")
def shown(sample: list[dict[str, Any]]) -> list[dict[str, Any]]:
    said = {"requires": {"phrase": "{subject} requires {object}", "family": None}}
    said["requires"]["reversible"] = True  # type: ignore[assignment]
    codes = {row["code"] for row in sample if row["part"] == "sample"}
    rows = unit_rows(sample, codes, {"q1": question()}, {"bread": "Bread"}, said, ANSWERS)
    to_table(rows, AUDIT_UNITS)
    return rows


def test_a_unit_shows_edge_gloss_and_the_whole_answer(shown: list[dict[str, Any]]) -> None:
    by_answer = {row["answer"]: row for row in shown}
    assert set(by_answer) == set(ANSWERS.values()), "nothing is cut"
    row = by_answer[ANSWERS["quite-a-model", "q1", "scaffold"]]
    assert row["edge"] == "Bread -- requires -- Wheat Flour"
    assert row["relation"] == "requires, that is: X requires Y (X the subject, Y the item)"
    assert [r["position"] for r in shown] == [0, 1, 2]
    assert [r["code"] for r in shown] == sorted(r["code"] for r in shown)


def test_what_the_matcher_credits_stands_in_the_sample_alone(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]]
) -> None:
    credited = {(r["part"], r["model"]): r["credited"] for r in sample}
    assert credited["sample", "quite-a-model"] == [], "the item itself is no hint"
    assert not {"credited", "category", "model", "part", "template"} & shown[0].keys()


GIVEN_AWAY = ("quite-a-model", "other-model", "scaffold", "raw", "n11", "n10", "n01", "T-REL")


def blind(text: str, answers: Sequence[str]) -> bool:
    """Whether a text names no model, arm, category or template beside what answers say."""
    for answer in answers:
        text = text.replace(answer, "")
    return not any(word in text for word in (*GIVEN_AWAY, "matcher", "credited", "exposed"))


def test_prompt_sheet_and_screen_are_blind(shown: list[dict[str, Any]]) -> None:
    answers = list(ANSWERS.values())
    for unit in judge_units(shown, None):
        prompt = build_prompt(unit, RUBRICS["relation"], FORMS["ours"], seed=SEED)
        assert blind(prompt.messages[1].content, answers) and not prompt.cut
        assert blind(prompt.messages[0].content, [])
    assert blind(sheet_text(shown, {}), [*answers, "'" + answers[-1]])
    session = Annotating(shown, {}, lambda _: None)
    assert blind(unit_text(session, 3), answers)


def test_the_hint_comes_with_its_form_alone(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]]
) -> None:
    credited = {row["code"]: ["Water"] for row in sample}
    for name, form in FORMS.items():
        assert shows_matcher([name]) == form.matcher_hint
        units = judge_units(shown, credited if form.matcher_hint else None)
        sections = read_sections(
            build_prompt(units[0], RUBRICS["relation"], form, seed=SEED).messages[1].content
        )
        assert (HINT in sections) == form.matcher_hint


def judged(shown: Sequence[dict[str, Any]], *plays: Any, form: str = "ours") -> list[Any]:
    session = Session(judge_spec(), RUBRICS["span"], SEED, Script(*plays))
    cases = [Case(unit) for unit in judge_units(shown, None)]
    session.judge(cases, RUBRICS["relation"], form)
    return session.judgements


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        *((text, "unparsed" if text.strip() else "empty") for text in HOSTILE_LABELS.values()),
        (("half", {"finish": "length"}), "truncated"),
        (("no", {"refused": True}), "refused"),
        (("", {"finish": "error", "error": "down"}), "error"),
    ],
)
def test_a_hostile_judge_ends_in_a_status_and_never_in_a_label(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]], reply: Any, status: str
) -> None:
    said = judged(shown, reply)
    rows = verdict_rows(sample, said)
    to_table(rows, VERDICTS)
    assert {(r["status"], r["label"]) for r in rows} == {(status, None)}
    counted = confusion_rows(rows, 0.95)
    labels = {r["value"]: r["n"] for r in counted if r["field"] == "label" and r["n"]}
    assert set(labels) == {f"({status})"}, "no label got a unit"
    (panel,) = panels_of(rows, ["played"], (), [])
    (counts,) = judging_rows(said, {("played", "ours"): panel.about})
    to_table([counts], AUDIT_JUDGING)
    assert counts[f"n_{status}"] == counts["n"] == 3 and counts["n_compared"] == 0


def test_fenced_json_is_a_reply_and_an_injection_is_not_obeyed(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]]
) -> None:
    fenced = f"```json\n{label('absent')}\n```"
    rows = verdict_rows(sample, judged(shown, fenced))
    assert {(r["status"], r["label"], r["repaired_reply"]) for r in rows} == {
        ("graded", "absent", True)
    }
    grade = verdict_rows(sample, judged(shown, '{"score": 5, "reason": "as told"}'))
    assert {r["label"] for r in grade} == {None}, "a grade is no label"


def test_verdicts_on_another_sample_are_refused(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]]
) -> None:
    said = judged(shown, label())
    with pytest.raises(ArtefactError, match=r"differ in 1 unit"):
        verdict_rows(sample, said[1:])
    with pytest.raises(ArtefactError, match=r"differ in 1 unit"):
        verdict_rows(sample[1:], said)


def test_forms_are_compared_with_the_main_one(shown: list[dict[str, Any]]) -> None:
    main = judged(shown, label("absent"))
    other = judged(shown, label("absent"), label("name_only", quote="Bread"), form="hinted")
    about = {("played", form): {"judge": "played", "place": 0, "kind": "model", "form": form,
                                "caution": None} for form in ("ours", "hinted")}  # fmt: skip
    counts = {r["form"]: r for r in judging_rows([*main, *other], about)}
    assert (counts["ours"]["n_compared"], counts["ours"]["n_same"]) == (3, 3)
    assert (counts["hinted"]["n_compared"], counts["hinted"]["n_same"]) == (3, 1)


def test_every_panel_says_what_its_judges_card_says(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]]
) -> None:
    rows = verdict_rows(sample, judged(shown, label("absent")))
    (model,) = panels_of(rows, (), (), [])
    (rule,) = panels_of(rows, (), ("played",), [])
    assert model.caution is not None and model.caution.startswith("NOT CALIBRATED")
    assert rule.caution is not None and rule.caution.startswith("A RULE, NO MODEL")


def study(**audit: Any) -> dict[str, Any]:
    base = load_study(ROOT / "config" / "studies" / "smoke.yaml")
    return {**base, "audit": {**base["audit"], **audit}}


def test_settings_name_what_is_wrong() -> None:
    assert audited_models(study(models=None)) == ["smollm2-135m"], "readers are left out"
    with pytest.raises(ConfigError, match=r"glm-4\.6 not swept.*--config audit=null$"):
        audited_models(study(models=["glm-4.6"]))
    with pytest.raises(ConfigError, match="reader-copy give answers and judge none"):
        audit_judges(study(judges=["reader-copy"]))
    with pytest.raises(ConfigError, match="for comparison; add 'ours'"):
        audit_judges(study(forms=["hinted"]))
    with pytest.raises(ConfigError, match="no section 'judging'"):
        audit_judges({**study(), "judging": None})
    released = study()
    with pytest.raises(ConfigError, match=r"sweep\.source is 'release'"):
        audited_models({**released, "sweep": {**released["sweep"], "source": "release"}})


def test_an_estimate_counts_units_forms_and_budgets() -> None:
    """Three exposed items and one hidden: at least the exposed, at most all and a raw hit."""
    section: dict[str, Any] = {
        "units": 7,
        "quotas": {"n11": 2, "n10": 1, "n00": 1},
        "raw_hits": None,
        "forms": ["ours", "capped", "hinted"],
    }
    asked, model = question(), judge_spec(budgets=(64,))
    places = [Place(model, asked.id, 0, exposed) for exposed in (True, True, True, False)]
    assert audited(section, places) == (3, 4, 1)
    assert audited({**section, "units": 2, "raw_hits": 0}, places) == (2, 3, 0)
    assert audited({**section, "units": None}, places) == (1, 4, 1)
    judge = Sitting(judge_spec(budgets=(50, 100)), RUBRICS["span"], SEED, None, {})
    how = section, [asked], {}, RUBRICS["relation"]
    asks = audit_asks(judge, places, *how)
    # ours and capped ask the same of answers this short; one re-ask, two calls for the span.
    assert len({call.key for call in asks.least}) == len(asks.least) == 3 * 2
    assert len(asks.most) == (4 + 1) * 2 * 4 * 2, "units, prompts, calls a prompt, budgets"
    assert {call.max_tokens for call in asks.least} == {50}, "a ladder may end at its first rung"
    assert all("x" * 256 in call.messages[1].content for call in asks.most)
    assert not any("xx" in call.messages[1].content for call in asks.least)
    assert not asks.are_exact
    assert audit_asks(judge, [], *how).most == []


def test_what_was_judged_live_is_frozen_and_replayed(
    sample: list[dict[str, Any]], shown: list[dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "models.tsv").write_text(f"{HEADER}\n{ROW}\n", encoding="utf-8")
    spec = load_models(tmp_path / "models.tsv")["played"]
    how = settings(tmp_path / "cache", prices={"played": FREE})
    cases = [Case(unit) for unit in judge_units(shown, None)]
    live = Session(
        spec, RUBRICS["span"], SEED, lambda calls: run_calls(calls, spec, how, backend=Reference())
    )
    live.judge(cases, RUBRICS["relation"], "ours")
    write(tmp_path / "r/judged/audit_calls/played.parquet", live.calls, JUDGE_CALLS, {})
    given = study(judges=["played"], models=None)
    given |= {"results": "r", "frozen": "f", "live": {**given["live"], "cache": "cache"}}
    given |= {"production": None, "controls": None, "wrappers": None}
    given |= {"judging": {**given["judging"], "judges": ["played"]}}
    given |= {"sweep": {**given["sweep"], "table": "models.tsv"}}
    lines = freeze_judges(given, tmp_path)
    assert any(line.startswith("judge played, audit: ") and "frozen" in line for line in lines)
    frozen = tmp_path / "f/judged/audit/calls/played.parquet"
    check_frozen([frozen], tmp_path / "f" / "SHA256SUMS")
    lookup = replay_lookup(read_judge_calls(frozen), spec, "smoke", LIVE)
    again = Session(spec, RUBRICS["span"], SEED, lookup)
    again.judge(cases, RUBRICS["relation"], "ours")
    assert again.judgements == live.judgements
    changed = [{**row, "answer": row["answer"] + "!"} for row in shown]
    with pytest.raises(MissingCompletionsError, match="snakemake table3 --config mode=live"):
        again.judge([Case(u) for u in judge_units(changed, None)], RUBRICS["relation"], "ours")
