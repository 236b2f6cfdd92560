"""From live answers and grades of a judged study to frozen calls and back, offline."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.arms.asking import completion_rows, prompts_of
from copyceiling.arms.estimate import grade_asks
from copyceiling.arms.grading import grade_cases
from copyceiling.arms.settings import Part, called_parts, command
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.store import check_frozen, write
from copyceiling.completions import complete, replay_lookup
from copyceiling.config import ROOT
from copyceiling.errors import ConfigError, CopyCeilingError, MissingCompletionsError
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.session import Session
from copyceiling.live.backend import Response
from copyceiling.live.freeze_arms import freeze_arms
from copyceiling.live.freeze_judges import freeze_judges
from copyceiling.live.runner import run_calls
from copyceiling.models import load_models
from copyceiling.rehearsal import answer_asks
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_outcomes

from tests.arms.made import STUDY, plan
from tests.judging.made import RUBRICS, SEED
from tests.live.playing import FREE, FakeBackend, settings

PROMPTS, REFERENCES = plan(2)
HEADER = (ROOT / "config" / "models.tsv").read_text(encoding="utf-8").splitlines()[0]
ROWS = (
    ("played", "10,20", ""),
    ("examiner", "50", ""),
)


class Answers(FakeBackend):
    """Answers, but cut at the first budget where the first question is asked raw."""

    def send(self, call: Call) -> Response:
        """Return the answer."""
        super().send(call)
        letters = sum(len(m.content) for m in call.messages)
        raw = call.messages[0].content == PROMPTS[1]["user"]
        cut = call.max_tokens == 10 and raw
        return Response(f"answer {letters}", "length" if cut else "stop", 10, 5)


class Grades(FakeBackend):
    """Grades, in prose on every other first reply."""

    def send(self, call: Call) -> Response:
        """Return the reply."""
        super().send(call)
        bad = len(self.asked) % 2 == 0 and "What was wrong" not in call.messages[1].content
        return Response("Five." if bad else '{"score": 3, "reason": "r"}', "stop", 10, 5)


@pytest.fixture
def study(tmp_path: Path) -> dict[str, Any]:
    """A study whose production part was answered and graded live, as its rules write it."""
    lines = [
        "\t".join([name, "litellm", "openai/m", "", '{"temperature": 0}', budgets,
                   "http://127.0.0.1:9/v1", key, "", "", "1", ""])
        for name, budgets, key in ROWS
    ]  # fmt: skip
    (tmp_path / "models.tsv").write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    specs = load_models(tmp_path / "models.tsv")
    how = settings(tmp_path / "cache", prices=dict.fromkeys(specs, FREE))
    results = tmp_path / "results"
    write(results / "production" / "prompts.parquet", PROMPTS, ARM_PROMPTS, {})
    player, examiner = specs["played"], specs["examiner"]
    cells = complete(
        player, prompts_of(PROMPTS), lambda c: run_calls(c, player, how, backend=Answers())
    )
    ended = completion_rows("played", cells)
    write(results / "production" / "completions" / "played.parquet", ended, ARM_COMPLETIONS, {})
    session = Session(
        examiner,
        RUBRICS["span"],
        SEED,
        lambda c: run_calls(c, examiner, how, backend=Grades()),
    )
    session.judge(grade_cases(REFERENCES, ended), RUBRICS["grade"], "ours")
    calls = results / "judged" / "production_calls" / "examiner.parquet"
    write(calls, session.calls, JUDGE_CALLS, {})
    part = {**STUDY["production"], "models": ["played"], "judges": ["examiner"]}
    return {
        **STUDY,
        "results": "results",
        "frozen": "data",
        "sweep": {**STUDY["sweep"], "table": "models.tsv"},
        "judging": {**STUDY["judging"], "judges": ["examiner"]},
        "production": part,
        "controls": None,
        "audit": None,
        "wrappers": None,
        "live": {**STUDY["live"], "cache": "cache"},
        "ended": ended,
        "judgements": session.judgements,
    }


def test_a_replay_gives_the_same_answers_and_grades(study: dict[str, Any], tmp_path: Path) -> None:
    (line,) = freeze_arms(study, tmp_path)
    assert line.startswith("played, production: ") and line.endswith("attempts frozen")
    lines = freeze_judges(study, tmp_path)
    assert [n.split(":")[0] for n in lines] == [
        "judge examiner, calibration", "judge examiner, production",
    ]  # fmt: skip
    assert "left as it is" in lines[0]
    frozen = tmp_path / "data"
    calls = frozen / "production" / "calls" / "played.parquet"
    verdicts = frozen / "judged" / "production" / "calls" / "examiner.parquet"
    check_frozen([calls, verdicts], frozen / "SHA256SUMS")
    specs = load_models(tmp_path / "models.tsv")
    player, examiner = specs["played"], specs["examiner"]
    lookup = replay_lookup(read_outcomes(calls), player, "s", command("production"))
    again = completion_rows("played", complete(player, prompts_of(PROMPTS), lookup))
    assert again == study["ended"]
    assert {row["n_calls"] for row in again} == {1, 2}, "some pairs climbed, some did not"
    session = Session(
        examiner, RUBRICS["span"], SEED, replay_lookup(read_judge_calls(verdicts), examiner, "s")
    )
    session.judge(grade_cases(REFERENCES, again), RUBRICS["grade"], "ours")
    assert session.judgements == study["judgements"]
    assert {r["reasked"] for r in session.judgements} == {True, False}


def test_a_call_that_was_never_frozen_says_how_to_ask_it(
    study: dict[str, Any], tmp_path: Path
) -> None:
    freeze_arms(study, tmp_path)
    calls = tmp_path / "data" / "production" / "calls" / "played.parquet"
    player = load_models(tmp_path / "models.tsv")["played"]
    lookup = replay_lookup(read_outcomes(calls), player, "s", command("production"))
    changed = [{**row, "user": row["user"] + "?"} if row["arm"] == "raw" else row
               for row in PROMPTS]  # fmt: skip
    with pytest.raises(MissingCompletionsError, match=r"(?s)were never frozen.*table6 --config"):
        complete(player, prompts_of(changed), lookup)


def test_a_run_that_was_not_finished_is_not_frozen(study: dict[str, Any], tmp_path: Path) -> None:
    more, _ = plan(4)
    write(tmp_path / "results" / "production" / "prompts.parquet", more, ARM_PROMPTS, {})
    with pytest.raises(CopyCeilingError, match=r"planned calls have no answer\. Finish the run"):
        freeze_arms(study, tmp_path)
    (tmp_path / "results" / "production" / "completions" / "played.parquet").unlink()
    assert "left as it is" in freeze_arms(study, tmp_path)[0]


def test_who_may_answer_and_who_may_judge() -> None:
    part = called_parts(STUDY)["production"]
    assert list(part.models) == STUDY["production"]["models"]
    wrong = {
        "models": (["judge-reference"], "production.models"),
        "judges": (["reader-copy"], "production.judges"),
    }
    for field, (labels, said) in wrong.items():
        study = {**STUDY, "production": {**STUDY["production"], field: labels}}
        with pytest.raises(ConfigError, match=f"{said}.*\n  - {labels[0]}"):
            called_parts(study)
    with pytest.raises(ConfigError, match="no section 'judging'"):
        called_parts({**STUDY, "judging": None})
    assert "production" not in called_parts({**STUDY, "production": {"source": "release"}})


def test_the_estimate_counts_what_a_run_asks() -> None:
    """Of answers: the first rung, and all of them. Of grades: none is sure, equal ones are one."""
    spec = replace(load_models(ROOT / "config" / "models.tsv")["smollm2-135m"], budgets=(10, 20))
    distinct = {(row["system"], row["user"]) for row in PROMPTS}
    asks = answer_asks(spec, prompts_of(PROMPTS), {})
    assert len(asks.least) == len(distinct) and {c.max_tokens for c in asks.least} == {10}
    assert len(asks.most) == len({call.key for call in asks.most}) == 2 * len(distinct)
    judge = replace(spec, model="j", budgets=(30,))
    what = Part({"m": spec}, {}), PROMPTS, REFERENCES, RUBRICS["grade"]
    grades = grade_asks(Sitting(judge, RUBRICS["span"], SEED, None, {}), *what)
    asked = {(row["question_id"], row["system"], row["user"]) for row in PROMPTS}
    assert grades.least == [] and len(grades.most) == 2 * len(asked)
    assert all("x" * 10 in call.messages[1].content for call in grades.most)


def test_the_estimate_takes_known_answers_as_they_are() -> None:
    spec = replace(load_models(ROOT / "config" / "models.tsv")["smollm2-135m"], budgets=(10,))
    calls = answer_asks(spec, prompts_of(PROMPTS), {}).least
    known = {c.key: Outcome(c.key, "ok", "One for all.", "stop", 9, 3) for c in calls}
    judge = replace(spec, model="j", budgets=(30,))
    what = Part({"m": spec}, {}), PROMPTS, REFERENCES, RUBRICS["grade"]
    grades = grade_asks(Sitting(judge, RUBRICS["span"], SEED, None, known), *what)
    questions = {row["question_id"] for row in PROMPTS}
    assert (len(grades.least), len(grades.most)) == (len(questions), 2 * len(questions))
    said = {c.key: Outcome(c.key, "ok", '{"score": 3, "reason": "r"}', "stop", 9, 3)
            for c in grades.least}  # fmt: skip
    again = grade_asks(Sitting(judge, RUBRICS["span"], SEED, None, known | said), *what)
    assert len(again.least) == len(again.most) == len(questions), "no re-ask of what was read"
