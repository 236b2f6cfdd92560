"""Replies of hostile judges: each is read whole or is a fault; never a crash, never a default."""

import json
from typing import Any

import pytest
from copyceiling.audit.labels import LABELS, ROLES
from copyceiling.judging import lenient, replies
from copyceiling.judging.replies import LONGEST_REPLY, NO_ROLE, Grade, Relation, Span
from hypothesis import given
from hypothesis import strategies as st

from tests.judging.made import label

GOOD = '{"score": 3, "reason": "half of it"}'
HOSTILE_GRADES = {
    "prose before": f"My verdict: {GOOD}",
    "prose after": f"{GOOD}\nI hope this helps.",
    "two objects": f"{GOOD}\n{GOOD}",
    "two fences": f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
    "a list": f"[{GOOD}]",
    "nested": '{"result": {"score": 3, "reason": "x"}}',
    "out of range": '{"score": 6, "reason": "x"}',
    "negative": '{"score": -1, "reason": "x"}',
    "a fraction": '{"score": 3.5, "reason": "x"}',
    "a float": '{"score": 3.0, "reason": "x"}',
    "text for a number": '{"score": "3", "reason": "x"}',
    "true for a number": '{"score": true, "reason": "x"}',
    "null": '{"score": null, "reason": "x"}',
    "NaN": '{"score": NaN, "reason": "x"}',
    "Infinity": '{"score": 3, "reason": Infinity}',
    "no reason": '{"score": 3}',
    "another key": '{"score": 3, "reason": "x", "final_score": 5}',
    "a key twice": '{"score": 1, "score": 5, "reason": "x"}',
    "a huge number": '{"score": 1' + "0" * 5000 + ', "reason": "x"}',
    "a huge power": '{"score": 1e999, "reason": "x"}',
    "nested deep": '{"a":' * 3000 + "1" + "}" * 3000,
    "a list number": "1. The answer is good.",
    "a bare digit": "5",
    "nothing": " \n\t",
    "one megabyte": '{"score": 3, "reason": "' + "x" * 1_000_000 + '"}',
    "braces": "{" * 19_000,
    "half an object": '{"score": 3, "reas',
    "half a surrogate pair": "\ud800 5",
    "single quotes": "{'score': 3, 'reason': 'x'}",
    "a trailing comma": '{"score": 3, "reason": "x",}',
    "a comment": '{"score": 3, /* good */ "reason": "x"}',
}
HOSTILE_LABELS = {
    "a synonym": label("correct"),
    "upper case": label("Correct_Relation"),
    "a space in it": label("correct relation"),
    "two labels": label(["absent", "negated"]),  # type: ignore[arg-type]
    "no label": label(None),  # type: ignore[arg-type]
    "sure beyond measure": label(confidence=1.01),
    "unsure beyond measure": label(confidence=-0.01),
    "confidence as text": label(confidence="0.9"),
    "confidence as a flag": label(confidence=True),
    "no quote": label(quote=""),
    "a blank quote": label(quote="  \n"),
    "a quote for absent": label("absent", quote="Wheat Flour"),
    "a quote that is no text": label(quote=["Wheat"]),
    "a long quote": label(quote="x" * 601),
}


@pytest.mark.parametrize("text", HOSTILE_GRADES.values(), ids=HOSTILE_GRADES)
def test_a_hostile_grade_is_a_fault(text: str) -> None:
    found = replies.parse_grade(text)
    assert found.value is None and found.fault


@pytest.mark.parametrize("text", HOSTILE_LABELS.values(), ids=HOSTILE_LABELS)
def test_a_hostile_label_is_a_fault(text: str) -> None:
    found = replies.parse_relation(text)
    assert found.value is None and found.fault


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        (GOOD, None),
        (f"\n  {GOOD}\n", None),
        (f"```json\n{GOOD}\n```", "fence"),
        (f"```\n{GOOD}\n```\n", "fence"),
        (f"<think>Could be 5, or {{}}.</think>\n{GOOD}", "thought"),
        (f"<think>hm</think>```json\n{GOOD}\n```", "fence"),
        ('{"reason": "half of it", "score": 3}', None),
    ],
)
def test_what_may_stand_around_a_reply(text: str, repair: str | None) -> None:
    found = replies.parse_grade(text)
    assert found.value == Grade(3, "half of it") and found.repair == repair


@pytest.mark.parametrize("score", range(6))
def test_every_grade_is_read(score: int) -> None:
    found = replies.parse_grade(json.dumps({"score": score, "reason": ""}))
    assert found.value == Grade(score, "")


@given(st.sampled_from(LABELS), st.sampled_from(ROLES), st.floats(0, 1), st.text(max_size=600))
def test_every_label_is_read(name: str, role: str, confidence: float, quote: str) -> None:
    quote = "" if name == "absent" else f"q{quote[:599]}"
    document = {"label": name, "role": role, "confidence": confidence, "quote": quote}
    found = replies.parse_relation(json.dumps(document))
    assert found.value is not None
    assert (found.value.label, found.value.role) == (name, role)
    assert found.value.confidence == confidence
    found.value.quote.encode()  # whatever it held, a table can hold it


@pytest.mark.parametrize("role", ["optional", "Required", "", " ", "item", None, 1, True, [], {}])
def test_a_role_out_of_range_is_missing_and_leaves_the_label(role: Any) -> None:
    """STUDIES section 5: a bad second field costs the field, not the label."""
    found = replies.parse_relation(label(role=role))
    assert found.value == Relation("correct_relation", None, 0.9, "Bread requires Wheat Flour")
    assert (found.fault, found.repair) == (None, NO_ROLE)
    fenced = replies.parse_relation(f"```json\n{label(role=role)}\n```")
    assert fenced.value == found.value and fenced.repair == "fence+role"


@given(st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=2))
def test_a_role_never_bears_on_what_else_is_read(role: Any) -> None:
    found = replies.parse_relation(label(role=role))
    assert found.value is not None and found.value.label == "correct_relation"
    assert found.value.role == (role if isinstance(role, str) and role in ROLES else None)
    wrong = replies.parse_relation(label("correct", role=role))
    assert wrong.value is None and wrong.fault and wrong.fault.startswith("'label'")


def test_a_role_that_is_left_out_altogether_is_a_fault_of_form() -> None:
    document = json.loads(label())
    del document["role"]
    assert replies.parse_relation(json.dumps(document)).fault == "the object lacks the key(s) role"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"found": true, "span": "a b"}', Span(True, "a b")),
        ('{"found": false, "span": ""}', Span(False, "")),
        ('{"found": false, "span": "a"}', None),
        ('{"found": true, "span": " "}', None),
        ('{"found": 1, "span": "a"}', None),
        ('{"found": "yes", "span": "a"}', None),
    ],
)
def test_a_span_or_a_concession(text: str, value: Span | None) -> None:
    assert replies.parse_span(text).value == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["score", "reason", "label", "role", "confidence", "quote", "found"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=8,
)


@given(st.text() | JSON.map(json.dumps) | st.tuples(st.text(), JSON).map(lambda t: f"{t[0]}{t[1]}"))
def test_any_text_gives_a_value_in_range_or_a_fault(text: str) -> None:
    for parse in (replies.parse_grade, replies.parse_relation, replies.parse_span):
        found: Any = parse(text)
        assert (found.value is None) == (found.fault is not None)
        if isinstance(found.value, Grade):
            assert 0 <= found.value.score <= 5
        if isinstance(found.value, Relation):
            assert found.value.label in LABELS and 0 <= found.value.confidence <= 1
            assert found.value.role in (*ROLES, None)
    for loose in (lenient.parse_grade, lenient.parse_relation, lenient.parse_span):
        value: Any = loose(text)
        assert (value.value is None) == (value.fault is not None)


@given(st.text(max_size=40))
def test_a_fault_repeats_nothing_of_the_reply(text: str) -> None:
    """The fault goes into the re-ask, so a reply must not get into it."""
    marked = f"{text}MARK"
    replied = (marked, json.dumps({"score": marked, "reason": "x"}), label(marked))
    for reply in replied:
        for parse in (replies.parse_grade, replies.parse_relation):
            assert "MARK" not in (parse(reply).fault or "")


def test_the_longest_reply_is_read_and_one_more_character_is_not() -> None:
    padded = GOOD.ljust(LONGEST_REPLY)
    assert replies.parse_grade(padded).value == Grade(3, "half of it")
    assert replies.parse_grade(f"{padded} ").value is None


@pytest.mark.parametrize(
    ("text", "score", "repair"),
    [
        (GOOD, 3, None),
        (f"Verdict: {GOOD} Done.", 3, "braces"),
        ('{"score": 4.9}', 4, None),
        ('{"score": 17}', 17, None),
        ('{"score": "4"}', 4, "digit"),
        ("1. The answer earns full marks.", 1, "digit"),
        ("I give 9 of 10, so 5.", 1, "digit"),
        ("no figure", None, None),
    ],
)
def test_the_released_reader_of_grades(text: str, score: int | None, repair: str | None) -> None:
    """STUDIES section 3: braces, truncated to whole, no range check; else any digit 0-5."""
    found = lenient.parse_grade(text)
    assert (found.value.score if found.value else None, found.repair) == (score, repair)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (label(), ("correct_relation", "required", 0.9)),
        (f"Sure. {label()} So there.", ("correct_relation", "required", 0.9)),
        (f"{label('negated')} and {label()}", ("negated", "required", 0.9)),
        (label(role="optional", confidence=7), ("correct_relation", "n/a", 1.0)),
        (label(confidence=None), ("correct_relation", "required", 0.0)),
        ('"label": "absent", "confidence": 0.5', ("absent", "n/a", 0.5)),
        (label("correct"), None),
        ("negated", None),
    ],
)
def test_the_released_reader_of_labels(text: str, expected: tuple[Any, ...] | None) -> None:
    """STUDIES section 5: braces, then the first object, then field by field."""
    value = lenient.parse_relation(text).value
    found = None if value is None else (value.label, value.role, value.confidence)
    assert found == expected
