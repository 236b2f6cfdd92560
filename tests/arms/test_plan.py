"""The plan of the production study, and that all arms of a question go one way."""

import json
from collections import Counter
from pathlib import Path

import pytest
from copyceiling.arms.asking import QuestionKey, prompts_of
from copyceiling.arms.prompts import prompt_row
from copyceiling.completions import call_of
from copyceiling.config import ROOT
from copyceiling.errors import ConfigError, CopyCeilingError
from copyceiling.production.general import STRATA, read_general
from copyceiling.production.plan import draw_questions
from copyceiling.production.references import file_references, graph_reference, listed
from copyceiling.requests import Message, build_messages
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from tests.arms.made import (
    ENGINE,
    GENERAL,
    QUESTIONS,
    RELATIONS,
    TITLES,
    completed,
    model,
    plan,
)

PROMPTS, REFERENCES = plan()


@settings_of(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["", "text", None]), min_size=36, max_size=36))
def test_all_arms_of_a_question_share_one_budget(replies: list[str | None]) -> None:
    """Whatever each call brings, no contrast mixes budgets (DESIGN section 5)."""
    left = iter(replies)
    found = completed(PROMPTS, lambda _: next(left), 10, 20, 30)
    by_question: dict[tuple[str, ...], set[tuple[int, int]]] = {}
    for row in found:
        key = (row["cohort"], row["set"], row["question_id"])
        by_question.setdefault(key, set()).add((row["budget"], row["n_calls"]))
    assert len(found) == len(PROMPTS)
    assert all(len(ends) == 1 for ends in by_question.values())


def test_served_and_raw_are_the_calls_of_the_sweep() -> None:
    """An equal prompt has an equal key, so a cached answer of the sweep costs nothing."""
    question = QUESTIONS[0]
    block = ENGINE.with_budget(200).scaffold(question.retrieval_text).block
    (prompt,) = (p for p in prompts_of(PROMPTS) if p.question_id.endswith(f"/{question.id}"))
    sweep = {"served": build_messages("Notes:", block, question.prompt),
             "raw": build_messages("", "", question.prompt)}  # fmt: skip
    for arm, messages in sweep.items():
        assert call_of(model(), prompt.arms[arm], 50).key == call_of(model(), messages, 50).key


def test_general_questions_are_bare_where_nothing_matches() -> None:
    rows = {(r["question_id"], r["arm"]): r for r in PROMPTS if r["cohort"] == "general"}
    engaged, bare = rows["g1", "harness"], rows["g1", "bare"]
    assert engaged["engaged"] and engaged["system"] is None and not bare["engaged"]
    assert engaged["user"] == f"Notes:\n\n{engaged['block']}\n\n{GENERAL[0].text}"
    assert engaged["effective_budget"] <= 100 and engaged["injected_tokens"] > 0
    assert rows["g2", "harness"]["user"] == rows["g2", "bare"]["user"] == GENERAL[1].text
    assert rows["g2", "harness"]["path"] == "NoMatch" and rows["g2", "bare"]["path"] is None


def test_exposure_of_prompts() -> None:
    messages = [Message("system", "N [Rye Flour, Salt]"), Message("user", "What of Yeast?")]
    block = {"block": "[Rye Flour, Salt]", "block_tokens": 5, "engaged": True, "path": "x",
             "top_score": 1.0, "effective_budget": 9, "seeds": [], "generation": None,
             "class_count": None}  # fmt: skip
    row = prompt_row(
        QuestionKey("c", "s", "q"), "true", messages, question="What of Yeast?", telemetry=block,
        gold=["Salt", "Yeast", "Water"], proxy=["Rye Flour", "Water"],
    )  # fmt: skip
    assert (row["n_gold"], row["n_gold_exposed"], row["n_gold_block"]) == (3, 2, 1)
    assert (row["n_proxy"], row["n_proxy_block"]) == (2, 1)
    assert row["injected_tokens"] == 5, "19 letters beside the question"
    with pytest.raises(CopyCeilingError, match="roles"):
        prompt_row(QuestionKey("c", "s", "q"), "a", messages[:1], question="Q")


@settings_of(deadline=None)
@given(st.integers(1, len(QUESTIONS) + 2), st.integers(0, 50))
def test_draws_spread_over_templates(count: int, seed: int) -> None:
    drawn = draw_questions(QUESTIONS, count, seed)
    assert len(drawn) == min(count, len(QUESTIONS)) and len({q.id for q in drawn}) == len(drawn)
    assert draw_questions(list(reversed(QUESTIONS)), count, seed) == drawn, "order counts nothing"
    sizes = Counter(q.template for q in QUESTIONS)
    for template, n in Counter(q.template for q in drawn).items():
        assert abs(n - min(count, len(QUESTIONS)) * sizes[template] / len(QUESTIONS)) < 1


def test_references_say_what_the_graph_says() -> None:
    for question in QUESTIONS:
        found = graph_reference(question, TITLES, RELATIONS)
        assert all(item.title in found.text for item in question.gold)
        one = question.gold_type == "any"
        assert len(found.key_points) == (1 if one else len(question.gold))
        assert not one or len(question.gold) == 1 or "Any one of these suffices" in found.text
    assert listed(["a", "b", "c"], "and") == "a, b and c"
    assert listed(["a, b", "c", "d"], "or") == "a, b; c or d"


def test_references_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    row = {"id": "q1", "reference": "R", "key_points": ["a"]}
    path.write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    assert file_references(path, ["q1"])["q1"].key_points == ("a",)
    path.write_text(json.dumps({**row, "key_points": []}), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"(?s)2 fault.*'q2' has no entry.*'q1'.*key_points"):
        file_references(path, ["q1", "q2"])


def test_the_shipped_general_questions() -> None:
    found = read_general(ROOT / "config" / "questions" / "general.yaml")
    assert Counter(q.stratum for q in found) == dict.fromkeys(STRATA, 20)
    assert all(q.text.endswith("?") and q.reference.text.endswith(".") for q in found)
    assert all(len(q.reference.text) < 260 for q in found)


def test_faults_of_general_questions_are_listed_together(tmp_path: Path) -> None:
    path = tmp_path / "g.yaml"
    path.write_text(
        "questions:\n"
        "  - {id: a, stratum: off_domain, question: 'Q?', reference: R, key_points: [x]}\n"
        "  - {id: a, stratum: far, question: 'Q?', reference: '', key_points: x, extra: 1}\n"
        "  - 3\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError) as caught:
        read_general(path)
    said = str(caught.value)
    for part in ("'far'", "'reference'", "'key_points'", "'extra'", "no mapping", "'a' stands"):
        assert part in said, part
    assert "'Q?' stands twice" in said
