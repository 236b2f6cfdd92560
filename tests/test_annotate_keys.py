"""Keys, undo and resuming; what a terminal is shown; the guide. No terminal is needed."""

import io
from collections.abc import Mapping

import pytest
from copyceiling.annotate import files
from copyceiling.annotate.command import GUIDE, label
from copyceiling.annotate.labelling import MEANINGS, Label, roles_of
from copyceiling.annotate.screen import plain, unit_text
from copyceiling.annotate.session import Session
from copyceiling.audit.labels import LABELS
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.test_annotate import CODES, UNITS, unit


def session(labels: Mapping[str, Label] | None = None) -> tuple[Session, list[dict[str, Label]]]:
    saved: list[dict[str, Label]] = []
    made = Session(files.on_sheet(UNITS), labels or {}, lambda kept: saved.append(dict(kept)))
    return made, saved


def current(made: Session) -> str | None:
    return None if made.current is None else made.current["code"]


def test_one_key_is_one_label_and_each_is_saved() -> None:
    made, saved = session()
    assert [made.press(key) for key in "ca"] == ["correct_relation", "absent"]
    assert [len(kept) for kept in saved] == [1, 2] and current(made) == CODES[2]
    assert made.press("o") == "name_only" and made.wants_role and len(saved) == 2
    assert made.press("c") is None, "a label is no answer to the role"
    assert made.press("y") == "alternative"
    assert saved[-1][CODES[2]] == Label("name_only", "alternative")
    made.press("w")
    assert made.current is None and made.n_labelled == 4
    assert made.press("c") is None, "the sheet is done"
    assert len(saved) == 4


def test_undo_goes_back_all_the_way_and_through_a_restart() -> None:
    made, saved = session()
    for key in "cao":
        made.press(key)
    assert made.press("u") == "undone" and not made.wants_role and len(made.labels) == 2
    made.press("b")
    made.press("n")
    assert made.labels[CODES[1]].label == "negated"
    assert made.press("u") == "undone" and made.labels[CODES[1]].label == "absent"
    assert current(made) == CODES[1]
    resumed, kept = session(saved[-1])
    assert current(resumed) == CODES[2], "resumes at the first open unit"
    assert resumed.press("u") == "undone" and current(resumed) == CODES[1]
    assert set(kept[-1]) == {CODES[0]}
    resumed.press("u")
    assert resumed.press("u") == "nothing to undo" and resumed.labels == {}


def test_skipped_units_come_again() -> None:
    made, _ = session()
    made.press("s")
    made.press("a")
    made.press("s")
    made.press("a")
    assert current(made) == CODES[0]
    assert made.press("b") == "back" and current(made) == CODES[0], "the first has none before it"


def test_remarks_stay_when_a_unit_is_labelled_again() -> None:
    made, _ = session()
    assert made.annotate("early").startswith("no label")
    made.press("c")
    assert made.annotate("  -odd ") == "remark put to unit 1"
    made.press("b")
    made.press("a")
    assert made.labels[CODES[0]] == Label("absent", "required", "-odd")


keys = st.lists(st.sampled_from([*"nrwcoaubsyn", "x", "t"]), max_size=40)


@settings(deadline=None, max_examples=100)
@given(keys)
def test_whatever_is_pressed_what_is_saved_is_what_there_is(pressed: list[str]) -> None:
    made, saved = session()
    for key in pressed:
        made.annotate("x") if key == "t" else made.press(key)
        assert (saved[-1] if saved else {}) == made.labels
        assert made.n_labelled == len(made.labels) <= 4
    for code, said in made.labels.items():
        assert said.role in roles_of(next(u for u in UNITS if u["code"] == code))
    for _ in range(60):
        made.press("u")
    assert made.labels == {}, "undo ends at the start"


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "a\x07b", "\u202eright", "x\ry", "\x9b31m"])
def test_an_answer_cannot_steer_the_terminal(text: str) -> None:
    shown = unit_text(Session([unit(0, answer=text, item=text)], {}, lambda _: None), 1)
    assert not set(shown) & set("\x1b\x07\u202e\r\x9b") and "\N{REPLACEMENT CHARACTER}" in shown
    assert plain("line\n\ttab é 漢") == "line\n\ttab é 漢"


def play(text: str, labels: Mapping[str, Label] | None = None) -> tuple[Session, str]:
    made, _ = session(labels)
    out = io.StringIO()
    label(made, 4, io.StringIO(text), out)
    return made, out.getvalue()


def test_lines_stand_for_keys_where_there_is_no_terminal() -> None:
    made, shown = play("c\nt\nsee line 2\n\nz\ng\na\nq\nc\n")
    assert made.labels[CODES[0]] == Label("correct_relation", "required", "see line 2")
    assert set(made.labels) == set(CODES[:2]), "nothing after q"
    assert "is no key here" in shown and "# Guide to labelling" in shown
    assert "\x1b" not in shown, "no colours, no cursor movement"
    assert play("")[0].labels == {}, "the end of the input ends it"


def test_the_guide_has_every_label_in_order_with_its_key() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    rows = [f"| {key} | `{name}` |" for name, (key, _) in MEANINGS.items()]
    places = [text.index(row) for row in rows]
    assert places == sorted(places) and len({k for k, _ in MEANINGS.values()}) == len(LABELS)
    for said in ("alternative", "required", "n/a", "unresolved"):
        assert f"`{said}`" in text
    for key in "ubstgq":
        assert f"`{key}`" in text
