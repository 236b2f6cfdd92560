"""Verdicts on published values: every form of value, every verdict, and bad files."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from copyceiling.artefacts.published_schemas import COMPARISON
from copyceiling.config import ROOT
from copyceiling.errors import ArtefactError, ConfigError
from copyceiling.published.compare import (
    DIFFERS,
    EQUAL,
    KNOWN,
    LACKING,
    NO_RULE,
    WITHIN,
    compare,
    judge,
)
from copyceiling.published.expected import Known, Published, load_known, load_published
from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.render import html, markdown
from copyceiling.tables.published import prose, prose_rows, published, published_rows
from hypothesis import given
from hypothesis import strategies as st


def value(published: Any, tolerance: float | None = 0.0, key: str = "a.b") -> Published:
    return Published(key, "s10.2: 0.5", "what", published, tolerance, "file", "released_rows")


@pytest.mark.parametrize(
    ("published", "tolerance", "ours", "verdict"),
    [
        (3, 0, 3, EQUAL),
        (3, 0, 4, DIFFERS),
        (3, 1, 4, WITHIN),
        (0.25, 0, 0.25 + 1e-16, EQUAL),
        (0.25, 0, 0.2500001, DIFFERS),
        (0.2273, 5e-5, 0.22734, EQUAL),  # the published digits
        (0.9, 5e-7, 0.93, DIFFERS),  # the same digit, but it stands for 0.900000
        (0.25, 0.001, 0.2562, DIFFERS),
        (0.25, 0.01, 0.26, WITHIN),  # exactly the tolerance, though not in binary
        (0.25, None, 0.26, DIFFERS),
        ([0.15, 0.25], 0.01, [0.16, 0.25], WITHIN),
        ([0.1, 0.2], 0.01, (0.1, 0.2), EQUAL),
        ([0.1, 0.2], 0.01, [0.1], DIFFERS),
        ([0.1, 0.2], 0.01, [0.1, 0.2, 0.3], DIFFERS),
        ([0.1, 0.2], 0.01, 0.1, DIFFERS),
        ({"x": 1, "y": 2}, 0, {"y": 2, "x": 1}, EQUAL),
        ({"x": 1, "y": 2}, 0, {"x": 1}, DIFFERS),
        ({"x": 1}, 0, {"x": 1, "y": 2}, DIFFERS),
        ("one and two", 0, "one and two", EQUAL),
        ("one and two", 0, "two and one", DIFFERS),
        ("1", 0, 1, DIFFERS),
        (0.5, 1, float("nan"), DIFFERS),
        (0.5, 1, None, LACKING),
    ],
)
def test_verdicts(published: Any, tolerance: float | None, ours: Any, verdict: str) -> None:
    assert judge(value(published, tolerance), Recomputed(ours))[0] == verdict


@given(
    st.integers(-10_000, 10_000), st.integers(0, 5_000), st.integers(-10_000, 10_000), st.booleans()
)
def test_no_number_beyond_its_tolerance_passes(
    published: int, tolerance: int, step: int, in_list: bool
) -> None:
    """Exact in tenths of thousandths, so the oracle is integer arithmetic."""
    a, b = published / 10_000, (published + step) / 10_000
    of = value([a] if in_list else a, tolerance / 10_000)
    verdict, deviation = judge(of, Recomputed([b] if in_list else b))
    assert (verdict == DIFFERS) == (abs(step) > tolerance)
    assert deviation == pytest.approx(abs(step) / 10_000)


def test_rows_say_why() -> None:
    known = {"a.known": Known("0.4", "printed from another row")}
    rows = compare(
        [
            value(1, 0, "a.same"),
            value(1, 0, "a.none"),
            value(1, 0, "a.known"),
            value(1, 0, "b.gap"),
        ],
        {
            "a.same": Recomputed(1, note="by hand"),
            "a.known": Recomputed(1),
            "b.gap": lacking("rows"),
        },
        known,
    )
    assert [r["verdict"] for r in rows] == [EQUAL, LACKING, KNOWN, LACKING]
    assert [r["reason"] for r in rows] == [None, NO_RULE, "printed from another row", "rows"]
    assert rows[0]["sections"] == ["10.2"]
    assert rows[0]["note"] == "by hand"
    assert all(set(r) == {c.name for c in COMPARISON.columns} for r in rows)


@pytest.mark.parametrize(
    ("paper", "sections"),
    [
        ("s10.7, s13: 1.8-5.4%", ["10.7", "13"]),
        ("Table 7 upper, s10.7", ["10.7"]),
        ("s10.1/Table 4", ["10.1"]),
        ("SUMMARY s2", []),
        ("Table 4", []),
    ],
)
def test_sections_are_those_of_the_paper(paper: str, sections: list[str]) -> None:
    entry = Published("a.b", paper, "what", 1, 0.0, "file", "released_rows")
    assert compare([entry], {}, {})[0]["sections"] == sections


def test_a_known_difference_excuses_no_other_one() -> None:
    known = {"a.b": Known("0.4", "printed from another row")}
    (row,) = compare([value(1)], {"a.b": Recomputed(2)}, known)
    assert row["verdict"] == DIFFERS


def test_a_value_without_a_published_one_is_an_error() -> None:
    with pytest.raises(ArtefactError, match="typo"):
        compare([value(1)], {"a.typo": Recomputed(1)}, {})


def test_the_report_and_the_sheet_print_everything() -> None:
    entries = [value("<b>", 0, "a.text"), value(2, 0, "a.two"), value(3, 0, "b.three")]
    rows = compare(entries, {"a.text": Recomputed("<b>"), "a.two": Recomputed(5)}, {})
    table = published(published_rows(rows, ""), "Toy", "", 0.95)
    shown = markdown(table)
    assert "| all" in shown
    assert NO_RULE in shown
    assert all(shown.count(f"| {e.key} ") >= 1 for e in entries)
    assert "What differs" in shown
    page = html(table)
    assert "<b>" not in page.replace("<body>", "")
    assert "&lt;b&gt;" in page
    sheet = markdown(prose(prose_rows(rows, ""), "Toy", "", 0.95))
    assert "Section 10.2" in sheet


def write(folder: Path, content: Any) -> Path:
    path = folder / "values.yaml"
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
    return path


ENTRY = {
    "key": "a.b",
    "paper": "Table 1",
    "definition": "what",
    "value": 1,
    "tolerance": 0,
    "source": "file",
    "status": "released_rows",
}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ({"expected": [{**ENTRY, "tolerence": 1}]}, "tolerence"),
        ({"expected": [{k: v for k, v in ENTRY.items() if k != "value"}]}, "value"),
        ({"expected": [{**ENTRY, "tolerance": -1}]}, "tolerance"),
        ({"expected": [{**ENTRY, "tolerance": "little"}]}, "tolerance"),
        ({"expected": [{**ENTRY, "value": None}]}, "value"),
        ({"expected": [ENTRY, ENTRY]}, "'a.b' stands 2 times"),
        ({"expected": []}, "expected"),
        ("expected: [\n", "values.yaml"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        load_published(write(tmp_path, content))


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"release\.published"):
        load_published(tmp_path / "none.yaml")


def test_a_good_file(tmp_path: Path) -> None:
    (found,) = load_published(write(tmp_path, {"expected": [ENTRY]}))
    assert (found.key, found.family, found.value, found.note) == ("a.b", "a", 1, "")


def test_exponents_without_a_point_are_numbers(tmp_path: Path) -> None:
    text = yaml.safe_dump({"expected": [{**ENTRY, "tolerance": "T"}]}).replace("T", "5e-07")
    (found,) = load_published(
        write(tmp_path, text.replace("tolerance: '5e-07'", "tolerance: 5e-07"))
    )
    assert found.tolerance == 5e-7


def test_known_differences_are_of_values_that_exist(shared: Path) -> None:
    known = load_known(ROOT / "config" / "known_differences.yaml")
    published_keys = {p.key for p in load_published(shared / "reference" / "expected.yaml")}
    assert known.keys() <= published_keys
