"""Term resolution against a brute-force form, counts by hand, and faults of assertion rows."""

import json
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.overview_schemas import TABLE8, TERM_ITEMS, TERMS
from copyceiling.artefacts.store import rows, to_table
from copyceiling.assertions import read_assertions
from copyceiling.config import load_study
from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import ConfigError, CopyCeilingError
from copyceiling.render import markdown
from copyceiling.sweep import Settings
from copyceiling.tables import notes_of
from copyceiling.tables.terms import table8, table8_rows
from copyceiling.terms import Assertion, Inventory, compile_patterns, item_rows, term_rows
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.conftest import ROOT, SMOKE, make_class

SETTINGS = Settings(seed=7, resamples=500, level=0.95)
WORD = st.sampled_from("Rye rye Loaf loaf-crust CRUST 7 é starter".split())
NAME = st.lists(WORD, max_size=3).map(" ".join)


def expected(classes: list[OntologyClass], term: str) -> tuple[str, str | None]:
    """The rule as written: title, else slug's words, else synonym; first class in order."""
    norm = oracles.normalise(term)
    if not norm:
        return "unmatchable", None
    for path in ("title", "slug", "synonym"):
        for c in classes:
            names = {"title": [c.title], "slug": [c.slug], "synonym": c.synonyms}[path]
            if norm in [oracles.normalise(n) for n in names]:
                return path, c.slug
    return "none", None


@settings(deadline=None)
@given(st.lists(st.tuples(NAME, st.lists(NAME, max_size=2)), max_size=6), NAME)
def test_resolution_equals_brute_force(named: list[tuple[str, list[str]]], term: str) -> None:
    slugs = ["rye-loaf", "crust", "loaf-crust", "starter-7", "rye", "x"]
    classes = [
        make_class(slug, title=title, synonyms=tuple(synonyms))
        for slug, (title, synonyms) in zip(slugs, named, strict=False)
    ]
    found = Inventory(classes).resolve(term)
    assert (found.path, found.slug) == expected(classes, term)


def test_a_term_resolves_whole_or_not_at_all() -> None:
    inventory = Inventory([make_class("2-d-scan", title="2D Scan", synonyms=("flat scan",))])
    terms = ("2d SCAN", "2-d scan", "Flat  Scan!", "scan", "2D Scanner", "the 2D Scan", "…")
    paths = [inventory.resolve(t).path for t in terms]
    assert paths == ["title", "slug", "synonym", "none", "none", "none", "unmatchable"]


def made(id: str, terms: tuple[str, ...], **more: Any) -> Assertion:
    return Assertion(id, more.pop("arm", "a"), terms, **more)


CLASSES = [make_class("crust", synonyms=("rind",)), make_class("rye-loaf", title="Rye Bread")]
ROWS = [
    made("1", ("Crust", "rind"), episode="e1", confidence=0.5, seconds=10.0),
    made("2", ("rye loaf", "steam"), episode="e1", confidence=1.0, seconds=10.0),
    made("3", (), episode="e2", seconds=30.0),
    made("4", ("パン",), episode="e2", text="the RyeLoaf7 again"),
    made("1", ("crust", "oven"), arm="b"),
]


def resolved(garbled: Any = None, assertions: list[Assertion] = ROWS) -> dict[str, dict[str, Any]]:
    items = item_rows(assertions, Inventory(CLASSES))
    found = term_rows(assertions, items, garbled, SETTINGS)
    to_table(items, TERM_ITEMS)
    to_table(found, TERMS)
    return {row["arm"]: row for row in found}


def test_counts_by_hand() -> None:
    a, b = resolved().values()
    assert (a["n_assertions"], a["n_without_terms"], a["n_episodes"]) == (4, 1, 2)
    assert (a["n_terms"], a["n_resolved"], a["n_unmatchable"]) == (5, 3, 1)
    assert [a[f"by_{p}"] for p in ("title", "slug", "synonym")] == [1, 1, 1]
    assert a["resolved"] == 0.6
    assert (a["n_confidence"], a["confidence"]) == (2, 0.75)
    # Seconds are of an episode, however many rows repeat them: (10 + 30) / 2.
    assert (a["n_timed"], a["seconds"]) == (2, 20.0)
    # Episodes: 3 of 4 and 0 of 1; a resample of two is either, or both.
    assert (a["episode_low"], a["episode_high"]) == (0.0, 0.75)
    # Wilson, 1 of 2: (1/2 + z²/4 ± z sqrt(1/8 + z²/16)) / (1 + z²/2), z = 1.959964.
    assert (b["wilson_low"], b["wilson_high"]) == pytest.approx((0.094531, 0.905469), abs=1e-6)
    assert (b["n_episodes"], b["episode_low"], b["confidence"], b["seconds"]) == (None,) * 4


def test_without_a_list_garbled_names_are_missing_and_not_zero() -> None:
    assert resolved()["a"]["n_garbled"] is None
    found = resolved(compile_patterns(["[a-z][A-Z]"]))
    assert (found["a"]["n_garbled"], found["b"]["n_garbled"]) == (1, 0)


def test_one_episode_gives_no_interval_by_episode() -> None:
    one = [made("1", ("crust", "oven"), episode="e1"), made("2", ("rind",), episode="e1")]
    row = resolved(assertions=one)["a"]
    assert (row["n_episodes"], row["episode_low"]) == (1, None)
    assert row["wilson_low"] is not None
    none = resolved(assertions=[made("1", ())])["a"]
    assert (none["n_terms"], none["resolved"], none["wilson_low"]) == (0, None, None)


def write_lines(path: Path, *lines: Any) -> Path:
    text = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


GOOD = {"id": "1", "arm": "a", "terms": ["x"]}


def test_rows_are_read_with_either_name_of_the_arm(tmp_path: Path) -> None:
    full = {"id": "2", "model": "m", "terms": [], "episode": "e", "text": "t", "seconds": 3}
    found = read_assertions(write_lines(tmp_path / "rows.jsonl", GOOD, "", full))
    assert found == [Assertion("1", "a", ("x",)), Assertion("2", "m", (), "e", "t", None, 3)]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "Expecting property name"),
        ("[]", "no JSON object"),
        ({**GOOD, "confidense": 1}, "unknown field 'confidense'"),
        ({**GOOD, "model": "m"}, "needs either 'arm' or 'model'"),
        ({"id": 3, "arm": "", "terms": ["x"]}, "'id' must be a text that is not empty; 'arm'"),
        ({**GOOD, "terms": "x"}, "'terms' must be a list of texts"),
        ({**GOOD, "terms": ["x", 4]}, "'terms' must be a list of texts"),
        ({**GOOD, "confidence": 1.2}, "'confidence' must be a number in [0, 1], not 1.2"),
        ({**GOOD, "confidence": True}, "'confidence' must be a number in [0, 1], not True"),
        ('{"id": "1", "arm": "a", "terms": [], "confidence": NaN}', "not nan"),
        ({**GOOD, "episode": "e", "seconds": -1}, "'seconds' must be a number of 0 or more"),
        ({**GOOD, "seconds": 3}, "'seconds' are of an episode, and it names none"),
    ],
)
def test_faulty_rows_are_named(tmp_path: Path, row: Any, message: str) -> None:
    path = write_lines(tmp_path / "rows.jsonl", {**GOOD, "id": "0"}, row)
    with pytest.raises(CopyCeilingError, match=r"has 1 fault\(s\):\n  - rows.jsonl:2: ") as e:
        read_assertions(path)
    assert message in str(e.value)


def test_faults_across_rows_are_listed_together(tmp_path: Path) -> None:
    one = {**GOOD, "episode": "e1", "seconds": 5}
    path = write_lines(tmp_path / "rows.jsonl", one, one, {**one, "id": "2", "seconds": 6}, "{")
    with pytest.raises(CopyCeilingError) as e:
        read_assertions(path)
    for message in ("rows.jsonl:4:", "id '1' stands more than once", "rows state [5, 6] seconds"):
        assert message in str(e.value)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(CopyCeilingError, match=r"cannot read .*rows.jsonl"):
        read_assertions(path)


def test_faulty_patterns_are_listed() -> None:
    with pytest.raises(ConfigError, match=r"2 pattern\(s\)") as e:
        compile_patterns(["(", "fine", "[z-a]"])
    assert "terms.garbled.0" in str(e.value) and "terms.garbled.2" in str(e.value)
    assert compile_patterns(None) is None and compile_patterns([]) == []


@pytest.mark.parametrize(
    ("study", "says", "not_so"),
    [("go", "has no assertion rows.", "not released"), ("paper", "were not released", "rows.\n")],
)
def test_a_study_without_rows_says_so(study: str, says: str, not_so: str) -> None:
    notes = notes_of(load_study(ROOT / "config" / "studies" / f"{study}.yaml"), "table8")
    assert says in notes[0] and not_so not in notes[0]
    assert "snakemake table8 --config" in notes[1]
    text = markdown(table8(table8_rows([], "as_received"), "Title", "as_received", 0.95))
    assert text == (
        "**Table 8. Title: terms of extracted assertions that name a class of the corpus**\n"
    )


def test_smoke_resolves_its_example(smoke: Path) -> None:
    found = rows(smoke / "tables" / "table8.parquet", TABLE8)
    assert [r["arm"] for r in found] == ["grounded", "outline", "bare"], "by share resolved"
    grounded, outline, bare = found
    assert (grounded["n_resolved"], grounded["n_terms"], grounded["by_title"]) == (17, 19, 17)
    assert (bare["n_resolved"], bare["n_terms"], bare["n_unmatchable"]) == (5, 21, 1)
    assert (bare["n_garbled"], grounded["n_garbled"], outline["confidence"]) == (2, 0, None)
    assert (grounded["seconds"], outline["seconds"]) == (13.0, None)
    items = rows(smoke / "terms" / "items.parquet", TERM_ITEMS)
    missed = {r["term"] for r in items if r["arm"] == "grounded" and r["slug"] is None}
    assert missed == {"Sweet Dough", "Hot Stone"}
    assert notes_of(load_study(ROOT / SMOKE), "table8") == []
