"""From a live judge to frozen calls and back: the replay gives the same verdicts, offline."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.calibration.items import item_rows
from copyceiling.calibration.plan import LIVE, cases_of
from copyceiling.completions import replay_lookup
from copyceiling.config import ROOT
from copyceiling.errors import CopyCeilingError, MissingCompletionsError
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.session import Session
from copyceiling.live.backend import Response
from copyceiling.live.freeze_judges import freeze_judges
from copyceiling.live.runner import run_calls
from copyceiling.models import load_models
from copyceiling.requests import Call

from tests.judging.made import RELATIONS, RUBRICS, SEED, STUDY, bakery_items
from tests.live.playing import FREE, FakeBackend, settings

ITEMS = [r for r in item_rows(bakery_items(1)) if r["rubric"] == "relation"]
HEADER = (ROOT / "config" / "models.tsv").read_text(encoding="utf-8").splitlines()[0]
ROW = '\t'.join(["played", "litellm", "openai/m", "", '{"temperature": 0}', "50",
                 "http://127.0.0.1:9/v1", "", "", "", "1", ""])  # fmt: skip


class Reference(FakeBackend):
    """Answers as the judge that knows the construction, but for prose on every third call."""

    def send(self, call: Call) -> Response:
        """Return the reply."""
        from copyceiling.calibration.reference import reply

        super().send(call)
        text = reply("judge-reference", call.messages, [*RELATIONS.values()])
        bad = len(self.asked) % 3 == 0 and "What was wrong" not in call.messages[1].content
        return Response(f"So: {text}" if bad else text, "stop", 10, 5)


def judged(lookup: Any, root: Path) -> Session:
    spec = load_models(root / "models.tsv")["played"]
    session = Session(spec, RUBRICS["span"], SEED, lookup)
    session.judge(cases_of(ITEMS, 1, None), RUBRICS["relation"], "ours")
    return session


@pytest.fixture
def study(tmp_path: Path) -> dict[str, Any]:
    """A study of one live judge that has judged, with its calls as the rule writes them."""
    (tmp_path / "models.tsv").write_text(f"{HEADER}\n{ROW}\n", encoding="utf-8")
    spec = load_models(tmp_path / "models.tsv")["played"]
    how = settings(tmp_path / "cache", prices={"played": FREE})
    backend = Reference()
    session = judged(lambda calls: run_calls(calls, spec, how, backend=backend), tmp_path)
    path = tmp_path / "results" / "judged" / "calibration_calls" / "played.parquet"
    write(path, session.calls, JUDGE_CALLS, {})
    return {
        **STUDY,
        "results": "results",
        "frozen": "data",
        "sweep": {**STUDY["sweep"], "table": "models.tsv"},
        "judging": {**STUDY["judging"], "judges": ["played"]},
        # Nothing but the calibration was judged.
        **dict.fromkeys(("audit", "production", "controls", "wrappers")),
        "live": {**STUDY["live"], "cache": "cache"},
        "rows": session.judgements,
    }


def test_a_replay_of_frozen_calls_gives_the_same_verdicts(
    study: dict[str, Any], tmp_path: Path
) -> None:
    (line,) = freeze_judges(study, tmp_path)
    assert line.startswith("judge played, calibration: ")
    frozen = tmp_path / "data" / "judged" / "calibration" / "calls" / "played.parquet"
    check_frozen([frozen], tmp_path / "data" / "SHA256SUMS")
    spec = load_models(tmp_path / "models.tsv")["played"]
    again = judged(replay_lookup(read_judge_calls(frozen), spec, "smoke"), tmp_path)
    assert again.judgements == study["rows"]
    assert {r["status"] for r in again.judgements} == {"graded"}
    assert any(r["reasked"] for r in again.judgements), "re-asks are frozen too"
    attempts = tmp_path / "data" / "judged" / "calibration" / "attempts" / "played.parquet"
    assert attempts.exists()


def test_a_changed_rubric_finds_no_frozen_verdict(study: dict[str, Any], tmp_path: Path) -> None:
    freeze_judges(study, tmp_path)
    frozen = tmp_path / "data" / "judged" / "calibration" / "calls" / "played.parquet"
    spec = load_models(tmp_path / "models.tsv")["played"]
    lookup = replay_lookup(read_judge_calls(frozen), spec, "smoke", LIVE)
    session = Session(spec, RUBRICS["span"], SEED, lookup)
    changed = replace(RUBRICS["relation"], closing="Reply as you like.")
    with pytest.raises(MissingCompletionsError, match=LIVE):
        session.judge(cases_of(ITEMS, 1, None), changed, "ours")


def test_calls_of_another_run_are_not_frozen(study: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "results" / "judged" / "calibration_calls" / "played.parquet"
    foreign = {**rows(path, JUDGE_CALLS)[0], "key": "0" * 64}
    write(path, [*rows(path, JUDGE_CALLS), foreign], JUDGE_CALLS, {})
    with pytest.raises(CopyCeilingError, match=r"1 of \d+ calls have no answer"):
        freeze_judges(study, tmp_path)


def test_a_judge_without_a_live_run_is_left_as_it_is(study: dict[str, Any], tmp_path: Path) -> None:
    elsewhere = {**study, "live": {**study["live"], "cache": "nowhere"}}
    (line,) = freeze_judges(elsewhere, tmp_path)
    assert line.endswith("left as it is") and not (tmp_path / "data" / "judged").exists()
    assert freeze_judges({**study, "judging": None}, tmp_path) == []
