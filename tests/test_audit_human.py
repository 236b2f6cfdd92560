"""People's labels against judges': agreement by hand, weights by frame, and no number without."""

from typing import Any

import pytest
from copyceiling.artefacts.audit_unit_schemas import AUDIT_HUMAN
from copyceiling.artefacts.store import to_table
from copyceiling.audit.human import NOBODY, Sheet, human_rows
from copyceiling.audit.labels import LABELS
from copyceiling.audit.panels import Panel
from copyceiling.render import markdown
from copyceiling.tables.audit_judging import human, human_table_rows
from hypothesis import given, settings
from hypothesis import strategies as st

# Four units: three n11 and one n10, standing for 300 and 700 units of the frame.
CATEGORY = {"c1": "n11", "c2": "n11", "c3": "n11", "c4": "n10"}
FRAME = {"n11": 300, "n10": 700, "n01": 0, "n00": 0}
UNIT = {("sample", f"m|q|{code[1]}"): code for code in CATEGORY}
SHEET = Sheet(CATEGORY, UNIT, FRAME)
RIGHT = {"c1": "correct_relation", "c2": "name_only", "c3": "absent", "c4": "absent"}


def panel(labels: dict[str, str | None], gate: str = "verified") -> Panel:
    rows = [
        {"part": part, "unit_id": unit, "label": labels.get(code), "role": "required", "gate": gate}
        for (part, unit), code in UNIT.items()
        if code in labels
    ]
    return Panel("j", 0, "model", "ours", None, rows)


def said(name: str, labels: dict[str, str], role: str = "required") -> list[dict[str, Any]]:
    return [
        {"annotator": name, "code": code, "label": label, "role": role, "note": ""}
        for code, label in labels.items()
    ]


def value(rows: list[dict[str, Any]], measure: str, judge: str = "j") -> dict[str, Any]:
    (found,) = [r for r in rows if (r["measure"], r["judge"]) == (measure, judge)]
    return found


def test_agreement_kappa_and_weights_by_hand() -> None:
    """Judge: right but for the one omission. By frame the three n11 weigh 100 each, n10 700."""
    judged: dict[str, str | None] = {**RIGHT, "c4": "name_only"}
    rows = human_rows(said("p", RIGHT), [panel(judged, "unresolved")], SHEET, 0.95)
    to_table(rows, AUDIT_HUMAN)
    found = value(rows, "agreement on label")
    assert (found["k"], found["n"], found["value"]) == (3, 4, 0.75)
    assert found["wilson_low"] < 0.75 < found["wilson_high"]
    # Chance: correct 1/4 * 1/4, name_only 1/4 * 2/4, absent 2/4 * 1/4.
    chance = 1 / 16 + 2 / 16 + 2 / 16
    assert value(rows, "kappa on label")["value"] == pytest.approx((0.75 - chance) / (1 - chance))
    weighed = value(rows, "agreement on label, by frame")
    assert (weighed["value"], weighed["k"]) == (pytest.approx(0.3), None)
    assert weighed["covered"] == 1 and found["covered"] is None
    crossed = {r["group"]: r["k"] for r in rows if r["measure"] == "confusion"}
    assert crossed["absent|name_only"] == 1 and sum(crossed.values()) == 4
    role = value(rows, "kappa on role")
    assert role["value"] is None, "one role throughout: chance alone agrees in full"
    precision = value(rows, "n11 judged correct_relation", "matcher")
    assert (precision["k"], precision["n"]) == (1, 3)


def test_only_units_that_both_labelled_are_compared() -> None:
    some = {"c1": "correct_relation", "c4": "absent"}
    judged: dict[str, str | None] = {**RIGHT, "c1": None}
    rows = human_rows(said("p", some), [panel(judged)], SHEET, 0.95)
    found = value(rows, "agreement on label")
    assert (found["n"], found["n_labelled"], found["n_sheet"]) == (1, 2, 4)
    none = human_rows(said("p", {"c1": "absent"}), [panel(judged)], SHEET, 0.95)
    assert value(none, "agreement on label")["value"] is None, "nothing to compare is no 0"


def test_without_a_frame_nothing_is_weighted() -> None:
    sheet = Sheet(CATEGORY, UNIT, {**FRAME, "n10": None})
    rows = human_rows(said("p", RIGHT), [panel(dict(RIGHT))], sheet, 0.95)
    assert not any("by frame" in r["measure"] for r in rows)


@pytest.mark.parametrize(
    ("labelled", "frame", "covered"),
    [
        (("c1", "c2"), FRAME, 0.3),
        (("c4",), FRAME, 0.7),
        (tuple(CATEGORY), {**FRAME, "n00": 6}, 1000 / 1006),
    ],
)
def test_a_category_without_labels_leaves_no_number(
    labelled: tuple[str, ...], frame: dict[str, int], covered: float
) -> None:
    """Nobody knows how judge and person agree on the rest of the frame: missing, and how much."""
    own = {code: RIGHT[code] for code in labelled}
    rows = human_rows(said("p", own), [panel(dict(RIGHT))], Sheet(CATEGORY, UNIT, frame), 0.95)
    to_table(rows, AUDIT_HUMAN)
    for measure in ("agreement", "kappa"):
        found = value(rows, f"{measure} on label, by frame")
        assert (found["value"], found["n"]) == (None, len(labelled))
        assert found["covered"] == pytest.approx(covered)
    assert value(rows, "agreement on label")["value"] == 1, "of the sheet it is known"
    (line,) = [
        line
        for line in markdown(human(human_table_rows(rows, ""), "A study", "", 0.95)).splitlines()
        if "agreement on label, by frame" in line
    ]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[4] == "n/a" and cells[-1] == f"{min(covered, 0.999):.3f}"
    assert float(cells[-1]) < 1


def test_people_are_compared_with_each_other_once() -> None:
    labels = said("a", RIGHT) + said("b", {**RIGHT, "c1": "absent"})
    rows = human_rows(labels, [], SHEET, 0.95)
    pairs = {(r["annotator"], r["judge"]) for r in rows if r["kind"] == "person"}
    assert pairs == {("a", "b")}
    assert value(rows, "agreement on label", "b")["value"] == 0.75


def test_without_labels_there_is_a_count_and_no_number() -> None:
    rows = human_rows([], [panel(dict(RIGHT))], SHEET, 0.95)
    to_table(rows, AUDIT_HUMAN)
    (row,) = rows
    assert (row["annotator"], row["n_sheet"], row["n_labelled"]) == (NOBODY, 4, 0)
    assert {row[name] for name in ("k", "value", "wilson_low", "wilson_high")} == {None}
    text = markdown(human(human_table_rows(rows, ""), "A study", "", 0.95))
    assert "No human labels" in text and "| 4 | 0 |" in " ".join(text.split())
    assert "0." not in text, "no rate of any kind"


RATERS = st.dictionaries(st.sampled_from(sorted(CATEGORY)), st.sampled_from(LABELS))
SIZES = st.fixed_dictionaries({name: st.integers(0, 9) for name in FRAME})


@settings(deadline=None, max_examples=200)
@given(RATERS, RATERS, SIZES)
def test_agreement_is_what_counting_gives(
    labels: dict[str, str], judged: dict[str, str], frame: dict[str, int]
) -> None:
    """Oracle: the frame written out unit by unit, each judged as the sheet's units of its kind."""
    verdicts = panel({**judged})
    rows = human_rows(said("p", labels), [verdicts], Sheet(CATEGORY, UNIT, frame), 0.95)
    if not labels:
        assert [r["annotator"] for r in rows] == [NOBODY]
        return
    both = [code for code in labels if code in judged]
    same = [code for code in both if labels[code] == judged[code]]
    expected = len(same) / len(both) if both else None
    assert value(rows, "agreement on label")["value"] == expected
    of_kind = {name: [c for c in both if CATEGORY[c] == name] for name in frame}
    whole = [name for name, size in frame.items() for _ in range(size)]
    found = [r for r in rows if r["measure"] == "agreement on label, by frame"]
    if not whole:
        assert not found, "no frame, no measure"
        return
    (row,) = found
    seen = [name for name in whole if of_kind[name]]
    assert row["covered"] == pytest.approx(len(seen) / len(whole))
    if len(seen) < len(whole):
        assert row["value"] is None
        return
    shares = [sum(c in same for c in of_kind[name]) / len(of_kind[name]) for name in whole]
    assert row["value"] == pytest.approx(sum(shares) / len(whole))
