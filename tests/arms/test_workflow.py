"""The production study through Snakemake: the smoke study, and a replay without frozen calls."""

from pathlib import Path

from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_RECALL
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES
from copyceiling.artefacts.judging_schemas import JUDGEMENTS
from copyceiling.artefacts.store import rows

from tests.arms.made import STUDY
from tests.conftest import SMOKE, snakemake


def test_the_smoke_study_has_every_row_and_says_who_judged(smoke: Path) -> None:
    part = STUDY["production"]
    answers = rows(smoke / "production" / "answers.parquet", ANSWERS)
    assert len(answers) == len(part["models"]) * 2 * (part["questions"] + 60)
    cells = {(r["cohort"], r["arm"]) for r in answers}
    assert cells == {("production", a) for a in ("served", "raw")} | {
        ("general", a) for a in ("harness", "bare")
    }
    grades = rows(smoke / "production" / "grades.parquet", GRADES)
    assert len(grades) == len(answers) * len(part["judges"])
    assert {r["status"] for r in grades if r["model"] == "reader-silent"} == {"absent"}
    given = {
        (r["judge"], r["status"], r["score"] is None) for r in grades if r["status"] != "absent"
    }
    assert given == {("judge-lenient", "graded", False), ("judge-reference", "unparsed", True)}
    recall = rows(smoke / "production" / "recall.parquet", ARM_RECALL)
    assert {r["cohort"] for r in recall} == {"production"}
    text = (smoke / "tables" / "table6.md").read_text(encoding="utf-8")
    for judge in part["judges"]:
        assert f"A RULE, NO MODEL: judge '{judge}'" in text.split("Table 6.")[0]
        assert f"judge {judge}; as_failure" in text and f"judge {judge}; complete_case" in text
    shown = (smoke / "tables" / "table6_recall.md").read_text(encoding="utf-8")
    assert "no judge" in shown and "RULE" not in shown


def test_all_arms_of_a_question_have_one_budget_and_units_no_arm(smoke: Path) -> None:
    verdicts = rows(smoke / "judged" / "production" / "judge-reference.parquet", JUDGEMENTS)
    asked = {r["unit_id"] for r in verdicts}
    assert len(asked) == len(verdicts), "every distinct answer to a question once"
    assert not any(arm in name for name in asked for arm in ("served", "harness", "reader"))
    for model in STUDY["production"]["models"]:
        path = smoke / "production" / "completions" / f"{model}.parquet"
        budgets: dict[tuple[str, str], set[int]] = {}
        for row in rows(path, ARM_COMPLETIONS):
            budgets.setdefault((row["set"], row["question_id"]), set()).add(row["budget"])
        assert budgets and all(len(of) == 1 for of in budgets.values())


def test_a_replay_of_what_was_never_frozen_says_how_to_ask(tmp_path: Path) -> None:
    over = tmp_path / "over.yaml"
    over.write_text(
        "production: {models: [smollm2-135m], questions: 2, general: null}\n", encoding="utf-8"
    )
    target = f"{tmp_path}/production/completions/smollm2-135m.parquet"
    done = snakemake(target, "--configfile", SMOKE, str(over), "--config", f"results={tmp_path}")
    assert done.returncode != 0
    assert "4 of 4 completions were never frozen" in done.stderr
    assert "snakemake table6 --config mode=live" in done.stderr
