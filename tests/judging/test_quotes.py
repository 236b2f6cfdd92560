"""Quotes and the quote gate, against brute force and the released rule."""

import json
from itertools import combinations

import pytest
from copyceiling.judging.forms import FORMS
from copyceiling.judging.gate import Gate, gate
from copyceiling.judging.harness import Case, judge
from copyceiling.judging.prompts import read_sections
from copyceiling.judging.quotes import standing, verify_quote
from hypothesis import given
from hypothesis import strategies as st

from tests.judging.made import ANSWER, RUBRICS, SEED, Script, judge_spec, label, relation

WORDS = st.lists(st.sampled_from(["a", "b", "ab"]), max_size=6)


@pytest.mark.parametrize(
    ("quote", "ordered", "released"),
    [
        ("Bread requires Wheat Flour", True, True),
        ("bread REQUIRES wheat-flour!", True, True),
        ("Bread ... Water", True, True),
        ("Water ... Bread", False, True),
        ("Bread … salt", True, True),
        ("read requires", False, True),
        ("Bread requires Rye", False, False),
        ("...", False, False),
        ("", False, False),
        ("!?", False, False),
    ],
)
def test_first_quotes(quote: str, ordered: bool, released: bool) -> None:
    """STUDIES section 5: fragments between ellipses in any order; ours in order, whole words."""
    assert verify_quote(quote, ANSWER, "ordered") == ordered
    assert verify_quote(quote, ANSWER, "released") == released


def subsequence(pieces: list[list[str]], words: list[str]) -> bool:
    """Whether the pieces stand in the words one after the other: every placement tried."""
    places = [
        [i for i in range(len(words) - len(p) + 1) if words[i : i + len(p)] == p] for p in pieces
    ]
    for chosen in combinations(range(len(words) + 1), len(pieces)):
        ends = [i + len(p) for i, p in zip(chosen, pieces, strict=True)]
        fits = all(i in place for i, place in zip(chosen, places, strict=True))
        if fits and all(end <= start for end, start in zip(ends, chosen[1:], strict=False)):
            return True
    return False


@given(WORDS, st.lists(WORDS.filter(bool), min_size=1, max_size=3))
def test_pieces_in_order_against_brute_force(words: list[str], pieces: list[list[str]]) -> None:
    quote = " ... ".join(" ".join(piece) for piece in pieces)
    whole = [word for piece in pieces for word in piece]
    expected = subsequence(pieces, words) or subsequence([whole], words)
    assert verify_quote(quote, " ".join(words), "ordered") == expected


@given(st.text(), st.integers(0, 30), st.integers(0, 30))
def test_a_true_substring_stands_verbatim(answer: str, start: int, length: int) -> None:
    span = answer[start : start + length]
    assert standing(span, answer).verbatim == bool(span.strip())


@pytest.mark.parametrize(
    ("span", "verbatim", "normalised"),
    [
        ("requires  Wheat\nFlour", True, True),
        ("Requires wheat flour", False, True),
        ("requires Rye", False, False),
        ("", False, False),
    ],
)
def test_how_a_span_stands(span: str, verbatim: bool, normalised: bool) -> None:
    found = standing(span, ANSWER)
    assert (found.verbatim, found.normalised) == (verbatim, normalised)
    assert found.accepted == (verbatim or normalised)


def gated(*plays: object, form: str = "ours", answer: str = ANSWER) -> tuple[Gate | None, Script]:
    script = Script(*plays)  # type: ignore[arg-type]
    how = {"spec": judge_spec(), "form": FORMS[form], "seed": SEED, "lookup": script}
    made = judge([Case(relation(answer))], rubric=RUBRICS["relation"], **how)  # type: ignore[arg-type]
    (found,) = gate(made, rubric=RUBRICS["span"], **how)  # type: ignore[arg-type]
    return found, script


def span(text: str) -> str:
    return json.dumps({"found": bool(text), "span": text})


def test_what_needs_no_second_pass_is_not_asked() -> None:
    for reply, result in ((label(), "verified"), (label("absent"), "not_needed")):
        found, script = gated(reply)
        assert found == Gate(result) and len(script.calls) == 1


@pytest.mark.parametrize(
    ("second", "result", "conceded", "flags"),
    [
        (span("requires Wheat Flour"), "repaired", False, (True, True)),
        (span("requires wheat flour"), "repaired", False, (False, True)),
        (span("requires Rye"), "unresolved", False, (False, False)),
        (span("Bread ... Water"), "unresolved", False, (False, False)),
        (span(""), "unresolved", True, None),
        ("I concede.", "unresolved", None, None),
        (("", {}), "unresolved", None, None),
        (("cut", {"finish": "length"}), "unresolved", None, None),
        (("no", {"refused": True}), "unresolved", None, None),
    ],
)
def test_the_second_pass(
    second: object, result: str, conceded: bool | None, flags: tuple[bool, bool] | None
) -> None:
    found, script = gated(label(quote="made up"), second)
    assert found is not None and (found.result, found.conceded) == (result, conceded)
    stands = found.standing and (found.standing.verbatim, found.standing.normalised)
    assert stands == flags
    asked = read_sections(script.calls[1].messages[1].content)
    assert asked["verdict"] == "correct_relation" and asked["answer"] == ANSWER
    assert (found.fault is None) == (conceded is not None), "what was not read is a fault"


def test_the_judge_is_asked_once_for_a_span() -> None:
    _, script = gated(label(quote="made up"), span("requires Rye"))
    assert len(script.calls) == 2


def test_quotes_are_checked_in_what_was_shown() -> None:
    """A quote from beyond the released cap was never seen, so it cannot be evidence."""
    answer = f"{'x ' * 2_000}Bread requires Wheat Flour"
    assert gated(label(), span(""), form="capped", answer=answer)[0].result == "unresolved"  # type: ignore[union-attr]
    assert gated(label(), span(""), answer=answer)[0].result == "verified"  # type: ignore[union-attr]
