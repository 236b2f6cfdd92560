"""Evidence from artefacts: every answer, item by item, and what is not known left open."""

from typing import Any

import pytest
from copyceiling.errors import ArtefactError
from copyceiling.questions import GoldItem, Question
from copyceiling.report.evidence.arms import Arms, arm_answers, shown_of
from copyceiling.report.evidence.pack import decode, encode, pack
from copyceiling.report.evidence.records import visible_text
from copyceiling.report.evidence.sweep import sweep_answers
from copyceiling.report.evidence.verdicts import add_verdicts
from copyceiling.requests import build_messages, visible_input

from tests.report.material import make_answer

QUESTION = Question(
    "q0001",
    "tax:rye",
    "baking",
    "T-TAX",
    ("rye",),
    "Of what kind is rye?",
    "rye",
    (GoldItem("bread", "Bread"), GoldItem("loaf", "Loaf")),
    "any",
)
SCAFFOLD = {
    "question_id": "q0001",
    "preamble": "Notes.",
    "block": "Rye is-a: Bread",
    "prompt": QUESTION.prompt,
}


def exposure() -> list[dict[str, Any]]:
    return [
        {
            "question_id": "q0001",
            "item": i,
            "path": path,
            "exposed_strict": path == "substring",
            "question_path": "none",
            "question_exposed_strict": False,
        }
        for i, path in ((1, "none"), (0, "substring"))
    ]


def score(arm: str, n_hits: int, **fields: Any) -> dict[str, Any]:
    return {
        **{"question_id": "q0001", "model": "m", "arm": arm, "matcher": "paper"},
        **{"status": "ok", "tries": 1, "n_gold": 2, "n_hits": n_hits},
        **fields,
    }


@pytest.mark.parametrize(
    ("n_hits", "found"),
    [(0, [("none", False)] * 2), (1, [(None, None)] * 2), (2, [("stated", None)] * 2)],
)
def test_counts_alone_say_only_what_they_determine(n_hits: int, found: list[Any]) -> None:
    scores = [score("scaffold", n_hits)]
    (answer,) = sweep_answers([QUESTION], [SCAFFOLD], exposure(), scores, [], [])
    assert [(i.found, i.found_strict) for i in answer.items] == found
    assert [i.shown for i in answer.items] == ["substring", "none"], "in order of the gold"
    assert answer.text is None


def test_a_pair_with_an_answer_that_is_not_ok_is_marked_in_both_arms() -> None:
    scores = [score("raw", 0, status="truncated", tries=2), score("scaffold", 0)]
    answers = sweep_answers([QUESTION], [SCAFFOLD], exposure(), scores, [], [])
    assert [(a.paired, a.cut_either, a.retried) for a in answers] == [
        (False, True, True),
        (False, True, False),
    ]
    assert visible_text(answers[0].shown) == QUESTION.prompt


@pytest.mark.parametrize("preamble", ["Notes.", ""])
@pytest.mark.parametrize("block", ["Rye is-a: Bread", ""])
def test_what_is_shown_is_what_exposure_was_measured_on(preamble: str, block: str) -> None:
    scaffold = {**SCAFFOLD, "preamble": preamble, "block": block}
    scores = [score("scaffold", 0)]
    (answer,) = sweep_answers([QUESTION], [scaffold], exposure(), scores, [], [])
    messages = build_messages(preamble, block, QUESTION.prompt)
    assert visible_text(answer.shown) == visible_input(messages)


PROMPT = {
    "cohort": "controls",
    "set": "T-TAX",
    "question_id": "q0001",
    "arm": "true",
    "system": "Notes.\n\nRye is-a: Bread\n\nBe brief.",
    "user": "Of what kind is rye?",
    "block": "Rye is-a: Bread",
}


def test_a_block_is_told_apart_in_a_system_message() -> None:
    kinds = [[(p.kind, p.text) for p in message] for message in shown_of(PROMPT)]
    assert kinds == [
        [("preamble", "Notes.\n\n"), ("block", "Rye is-a: Bread"), ("after", "\n\nBe brief.")],
        [("question", "Of what kind is rye?")],
    ]
    assert shown_of({**PROMPT, "system": None}) == (shown_of(PROMPT)[1],)
    (whole, _) = shown_of({**PROMPT, "block": "elsewhere"})
    assert [p.kind for p in whole] == ["preamble"]


def test_answers_of_a_judged_study_carry_their_grades() -> None:
    key = {k: PROMPT[k] for k in ("cohort", "set", "question_id")}
    reference = {
        **key,
        **{"question": PROMPT["user"], "reference": "Bread.", "key_points": ["bread"]},
        **{"gold": ["Bread"], "gold_type": "all", "template": None, "domain": None},
    }
    completion = {
        **key,
        **{"arm": "true", "model": "m", "status": "ok", "answer": "Bread.", "tries": 1},
    }
    from copyceiling.arms.grading import unit_id

    said = {
        **{"judge": "j", "form": "ours", "unit_id": unit_id(completion), "status": "graded"},
        **{"score": 5, "reason": "as asked", "fault": None, "quote": None},
    }
    other = {**said, "form": "capped", "score": 1}
    arms = Arms("controls", [PROMPT], [reference], [completion], [said, other])
    (answer,) = arm_answers(arms, "ours")
    assert [v["score"] for v in answer.verdicts] == [5]
    assert answer.asked.reference == "Bread." and answer.items[0].found == "substring"
    packed = decode(encode(pack([answer], ["m"])))
    assert packed["verdicts"][0]["rows"] == [0] and packed["verdicts"][0]["score"] == 5
    (bare,) = arm_answers(Arms("controls", [PROMPT], [], [completion], []), "ours")
    assert bare.items == [] and pack([bare], ["m"])["rows"]["item"] == [-1]


def verdict(**fields: Any) -> dict[str, Any]:
    return {
        **{"part": "sample", "unit_id": "m|q0001|0", "model": "model-a", "question_id": "q0001"},
        **{"item_index": 0, "category": "n11", "template": "T-TAX", "gold_type": "all"},
        **{"judge": "j", "form": "ours", "status": "graded", "label": "correct_relation"},
        **{"role": "required", "confidence": 0.5, "gate": "verified"},
        **{"verbatim": None, "normalised": None},
        **fields,
    }


def test_a_verdict_stands_at_its_item_with_the_quote_of_its_judge_and_form() -> None:
    answer = make_answer(1, gold=["Rye Bread", "Salt"])
    sample = [{"code": "c0", "part": "sample", "unit_id": "m|q0001|0"}]
    judged = [
        {
            **{"unit_id": "audit|c0", "judge": "j", "form": form, "order": order, "repeat": 0},
            **{"quote": f"{form} {order}", "span": None, "reason": None, "fault": None},
        }
        for form in ("ours", "hinted")
        for order in (0, 1)
    ]
    found = [verdict(), verdict(form="hinted", label=None, status="unparsed")]
    add_verdicts([answer], found, sample, judged)
    said = [(v["form"], v["label"], v["quote"], v["item"]) for v in answer.verdicts]
    assert said == [
        ("ours", "correct_relation", "ours 0", 0),
        ("hinted", "(unparsed)", "hinted 0", 0),
    ]
    packed = pack([answer], ["model-a"])
    assert [v["rows"] for v in packed["verdicts"]] == [[0], [0]]


def test_a_verdict_on_no_answer_of_the_study_stops_the_report() -> None:
    found = [verdict(question_id="q0099"), verdict(item_index=5)]
    with pytest.raises(ArtefactError, match=r"2 verdict\(s\) are on items of no answer"):
        add_verdicts([make_answer(1)], found, [], [])


def test_a_question_counts_as_exposed_in_its_own_words_only_in_the_raw_arm() -> None:
    raw = make_answer(1, arm="raw", prompt="Is rye bread a bread?")
    assert raw.items[0].shown == "substring" and len(raw.shown) == 1
