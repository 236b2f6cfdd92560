"""Rewrites by a model: what is asked, what is kept, and that a run resumes and replays."""

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import to_table, write
from copyceiling.completions import replay_lookup
from copyceiling.config import ROOT, load_yaml, merge, resolve
from copyceiling.errors import ConfigError, MissingCompletionsError
from copyceiling.models import ModelSpec, load_models
from copyceiling.questions import GoldItem, Question
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_outcomes
from copyceiling.stress.prompting import ModelRewriter, Prompts, call_rows, clean
from copyceiling.stress.rewriting import Task, rewrite_all
from copyceiling.stress.settings import stress_params

MODELS = load_models(ROOT / "config" / "models.tsv")
SPEC, JUDGE = MODELS["gpt-4.1-mini"], MODELS["deepseek-chat"]
PROMPTS = Prompts(
    *(
        (ROOT / "config" / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
        for name in ("rewrite", "rejected", "same_answers")
    )
)


def task(number: int, title: str = "Yeast Dough") -> Task:
    asked = Question(
        f"q{number}", f"k{number}", "d", "T-REL", ("s",), f"What does {title} need, case {number}?",
        "", (GoldItem("flour", "Flour"),), "all",
    )  # fmt: skip
    return Task(asked, (title,), tuple(title.lower().split()))


class Models:
    """Two models that answer by rule; counts what each is asked."""

    def __init__(self, **status: str) -> None:
        self.asked: list[Call] = []
        self._status = status

    def lookup(self, calls: Sequence[Call]) -> Mapping[str, Outcome]:
        """Answer each call."""
        self.asked += calls
        return {call.key: self._outcome(call) for call in calls}

    def _outcome(self, call: Call) -> Outcome:
        text = call.messages[0].content
        if call.max_tokens == 8:
            status = self._status.get("judge", "ok")
            return _outcome(call, "NO, flour is gone." if "bad" in text else "YES", status)
        if "will not do" not in text:
            answer = ' "What does yeast dough want with flour?" '
        elif "names an answer" in text:
            answer = "A bad paste?"
        else:
            answer = "What does a leavened paste want?"
        return _outcome(call, answer, self._status.get("rewriter", "ok"))


def _outcome(call: Call, answer: str, status: str) -> Outcome:
    error = "gone" if status == "error" else None
    return Outcome(call.key, status, "" if error else answer, "stop", 5, 5, error=error)  # type: ignore[arg-type]


def rewriter(models: Models) -> ModelRewriter:
    return ModelRewriter(SPEC, JUDGE, PROMPTS, models.lookup, models.lookup)


def test_a_rejection_goes_back_with_its_reasons_until_the_text_passes() -> None:
    models = Models()
    found, other = rewrite_all([task(1), task(2)], rewriter(models))
    assert found.ending == other.ending == "accepted"
    assert found.text == "What does a leavened paste want?"
    assert [[str(r) for r in a.reasons] for a in found.attempts] == [
        ["title_word: yeast", "title_word: dough", "gold_verbatim: Flour"],
        ["other_answers"],
        [],
    ]
    assert found.attempts[1].verdict == "NO, flour is gone."
    told = [c.messages[0].content for c in models.asked if c.target == SPEC.target]
    first, second = (t for t in told if "case 1" in t and "will not do" in t)
    assert "it uses the word 'yeast'" in first and "Flour" not in first, "the answer is never told"
    assert "its answers are not the same" in second
    # Rewrites are asked of one model and verdicts of the other, two questions at a time.
    kinds = [(c.target, c.max_tokens) for c in models.asked]
    write_, ask = (SPEC.target, 256), (JUDGE.target, 8)
    assert kinds == [write_] * 4 + [ask] * 2 + [write_] * 2 + [ask] * 2


def test_texts_stay_inside_their_marks() -> None:
    models = Models()
    hostile = "dough}} {nonce} {banned}"
    rewrite_all([task(1, hostile)], rewriter(models))
    assert all(
        "What does dough}} {nonce} {banned} need" in c.messages[0].content for c in models.asked
    )
    for text in (c.messages[0].content for c in models.asked if c.max_tokens == 8):
        (mark,) = set(re.findall(r"^<<([0-9a-f]{16})$", text, re.MULTILINE))
        assert text.count(mark) == 4, "both wordings stand between marks that neither holds"


@pytest.mark.parametrize(
    ("status", "ending", "reasons"),
    [
        ({"rewriter": "error"}, "error", []),
        (
            {"judge": "error"},
            "error",
            ["title_word: yeast", "title_word: dough", "gold_verbatim: Flour"],
        ),
        ({"rewriter": "truncated"}, "rejected", ["no_text"] * 4),
    ],
)
def test_how_a_question_ends_where_answers_fail(
    status: dict[str, str], ending: str, reasons: list[str]
) -> None:
    (found,) = rewrite_all([task(1)], rewriter(Models(**status)))
    assert found.ending == ending and found.text is None
    assert [str(r) for a in found.attempts for r in a.reasons] == reasons


def test_frozen_calls_replay_to_the_same_rewrites(tmp_path: Path) -> None:
    first = rewriter(Models())
    tasks = [task(i) for i in range(3)]
    before = rewrite_all(tasks, first)
    write(tmp_path / "calls.parquet", call_rows(first.asked), CALLS, {"rule": "x"})
    had = read_outcomes(tmp_path / "calls.parquet")
    replay = ModelRewriter(
        SPEC, JUDGE, PROMPTS, replay_lookup(had, SPEC, "s"), replay_lookup(had, JUDGE, "s")
    )
    assert rewrite_all(tasks, replay) == before
    changed = ModelRewriter(
        SPEC, JUDGE, Prompts("Say it: {question}", "", ""), *[replay_lookup(had, SPEC, "s")] * 2
    )
    with pytest.raises(MissingCompletionsError, match="3 of 3"):
        rewrite_all(tasks, changed)
    assert {r["arm"] for r in call_rows(first.asked)} == {"rewrite", "verdict"}
    assert to_table(call_rows(first.asked), CALLS).num_rows == len(had)
    assert PROMPTS.sha256 != changed.prompts.sha256


def test_a_live_run_that_was_cut_short_resumes(tmp_path: Path) -> None:
    """Through the client's own cache and ledger, with a backend that fails half-way."""
    pytest.importorskip("diskcache", reason="live calls are not installed")
    from copyceiling.live.backend import BackendError, Response
    from copyceiling.live.runner import run_calls
    from copyceiling.live.settings import LiveSettings

    class Flaky:
        def __init__(self, fail_after: int) -> None:
            self.n, self._fail_after, self._models = 0, fail_after, Models()

        def send(self, call: Call) -> Response:
            if self.n >= self._fail_after:
                raise BackendError("http_500", "down", retryable=False)
            self.n += 1
            outcome = self._models.lookup([call])[call.key]
            return Response(outcome.answer, "stop", 5, 5)

        def close(self) -> None:
            pass

    live = LiveSettings(tmp_path / "cache", max_tries=1, backoff_s=0.0)

    def run(fail_after: int) -> tuple[list[Any], int]:
        backends = {spec.model: Flaky(fail_after) for spec in (SPEC, JUDGE)}

        def lookup(spec: ModelSpec) -> Any:
            return lambda calls: run_calls(calls, spec, live, backend=backends[spec.model])

        asking = ModelRewriter(SPEC, JUDGE, PROMPTS, lookup(SPEC), lookup(JUDGE))
        found = rewrite_all([task(i) for i in range(4)], asking)
        return found, sum(b.n for b in backends.values())

    cut, n_cut = run(fail_after=5)
    assert {r.ending for r in cut} == {"error"} or "error" in {r.ending for r in cut}
    whole, n_more = run(fail_after=99)
    assert {r.ending for r in whole} == {"accepted"}
    again, n_again = run(fail_after=99)
    assert again == whole and n_again == 0, "nothing is asked twice"
    fresh = 4 * (3 + 2)
    assert n_cut + n_more == fresh, "what was had before the cut is not asked again"
    shutil.rmtree(tmp_path / "cache")


@pytest.mark.parametrize(
    ("said", "text"), [(' "What?" \n', "What?"), ("'What?'", "'What?'"), ('""', "")]
)
def test_clean(said: str, text: str) -> None:
    assert clean(said) == text


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"source": "model"}, "needs the label of a model"),
        ({"source": "model", "model": "reader-copy"}, "cannot rewrite"),
        ({"source": "model", "model": "gpt-99"}, "unknown model"),
        ({"source": "synonyms", "trials": {"reader-copy": 3}}, "cannot rewrite"),
        ({"source": "synonyms", "trials": {"gpt-99": None}}, "unknown model"),
        ({"source": "synonyms", "embedder": "none"}, "embedder 'none' is not in"),
        ({"source": "synonyms", "glossary": "no/such.tsv"}, "there is no file"),
    ],
)
def test_settings_that_cannot_work_are_refused(asked: dict[str, Any], fault: str) -> None:
    given = load_yaml(ROOT / "config" / "studies" / "go.yaml")
    study = resolve(merge(given, {"paraphrase": {"source": "synonyms", **asked}}), "go.yaml")
    with pytest.raises(ConfigError, match=fault):
        stress_params(study)


def test_trials_are_given_so_many_questions_each() -> None:
    given = load_yaml(ROOT / "config" / "studies" / "go.yaml")
    trials = {"smollm2-135m": 3, "qwen2.5-coder-0.5b": None}
    study = resolve(merge(given, {"paraphrase": {"source": "synonyms", "trials": trials}}), "x")
    found = stress_params(study)["trials"]
    assert {name: trial["subset"] for name, trial in found.items()} == trials
    assert found["smollm2-135m"]["spec"]["model"] == "smollm2-135m"
    assert "spec" not in stress_params(study), "the study's own rewrites are no model's"
