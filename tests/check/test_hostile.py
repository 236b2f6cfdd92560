"""Hostile rows end in a named fault or a status, never in a traceback."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from copyceiling.check import BadRowsError, CheckError, check_files, check_rows
from copyceiling.check import chunks as chunks_module
from copyceiling.check.adapters import ADAPTERS
from copyceiling.check.chunks import Reading
from copyceiling.check.gather import to_row
from copyceiling.check.processes import pool
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check.made import FAST, only, report, row, write_jsonl

BAD_FIELDS = [
    ("id", None, "is missing"),
    ("id", "", "is missing"),
    ("id", 1.5, "found a number"),
    ("id", True, "found a truth value"),
    ("id", 10**30, "more than 18 digits"),
    ("id", "\ud800", "half a surrogate pair"),
    ("system", ["a"], "found a list"),
    ("cluster", "\udfff", "half a surrogate pair"),
    ("question", None, "is missing"),
    ("question", " \t", "is missing"),
    ("question", 7, "found a number"),
    ("gold", None, "is missing"),
    ("gold", float("nan"), "is missing"),
    ("gold", [], "empty list"),
    ("gold", "Rye Flour", "found a string"),
    ("gold", [1], "item 0: found a number"),
    ("gold", ["a", None], "item 1: found nothing"),
    ("gold", [" "], "item 0: found an empty title"),
    ("gold", [{"name": "a"}], "item 0: found nothing"),
    ("gold", [{"title": "a", "aliases": "b"}], "aliases are a string"),
    ("gold", [{"title": "a", "aliases": [3]}], "an alias is a number"),
    ("gold", {"title": "a"}, "found an object"),
    ("gold_type", "some", "write one of all, any"),
    ("gold_type", ["all"], "write one of all, any"),
    ("context", 3, "neither a string nor a list"),
    ("context", {"text": "a"}, "neither a string nor a list"),
    ("context", [3], "entry 0"),
    ("context", ["a", {"role": "user"}], "entry 1 has no text"),
    ("context", [{"content": 3}], "entry 0"),
    ("context", [{"content": [3]}], "entry 0"),
    ("context", [{"content": [{"text": 3}]}], "entry 0"),
    ("answer", 42, "found a number"),
    ("answer", ["a"], "found a list"),
    ("answer", float("inf"), "found the number inf"),
    ("raw_answer", {}, "found an object"),
    ("status", "success", "write one of ok, empty"),
    ("status", "empty", "says 'empty', but answer has text"),
]


@pytest.mark.parametrize(("field", "value", "said"), BAD_FIELDS)
def test_a_bad_field_is_named(field: str, value: Any, said: str) -> None:
    with pytest.raises(BadRowsError) as e:
        report([row(1), row(2, **{field: value})])
    assert f"<rows> row 2: {field}: " in str(e.value) and said in str(e.value)
    assert "1 bad row:" in str(e.value) and "--skip-bad" in str(e.value)
    found = report([row(1), row(2, **{field: value})], skip_bad=True)
    assert (found.n_bad, found.n_read, found.systems[0].n_rows) == (1, 2, 1)


def test_all_faults_of_all_rows_at_once_and_the_listing_is_capped() -> None:
    rows = [row(i, gold=None, answer=[3, {}][i % 2]) for i in range(100)]
    with pytest.raises(BadRowsError) as e:
        report(rows, listed=5)
    text = str(e.value)
    assert "100 bad rows:" in text and "... and 95 more" in text
    assert text.count("gold: is missing") == 1, "what all rows share is said once"
    assert (text.count("answer: found a number"), text.count("answer: found an object")) == (3, 2)


@pytest.mark.parametrize(
    "name", ["contexts", "retrieved_contexts", "passages", "documents", "retrieved_context"]
)
def test_a_context_under_another_name_is_not_left_out_unseen(name: str) -> None:
    bad = row(1, context=..., **{name: ["rye flour"]})
    with pytest.raises(BadRowsError, match=f"there is '{name}'.*--field context={name}"):
        report([row(2), bad])
    with pytest.raises(BadRowsError, match=f"there is '{name}'") as e:
        report([bad])
    assert e.value.fields == {"context": name}
    assert only(report([bad], fields={"context": name})).n11 == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "is not JSON"),
        (b"[1, 2]", "a list instead of an object"),
        (b'"text"', "a string instead of an object"),
        (b"null", "nothing instead of an object"),
        (b"\xff\xfe{}", "is not UTF-8 at byte 0"),
        (b'{"id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "is JSON nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", "holds a number too large"),
        (b"\x00\x01\x02", "is not JSON"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, said: str) -> None:
    path = tmp_path / "rows.jsonl"
    good = [json.dumps(row(i)).encode() for i in range(2)]
    path.write_bytes(b"\n".join([good[0], b"", line, good[1], b""]))
    with pytest.raises(BadRowsError) as e:
        check_files([path], **FAST)
    assert f"rows.jsonl line 3: {said}" in str(e.value)
    assert check_files([path], skip_bad=True, **FAST).systems[0].n_rows == 2


def test_nan_elsewhere_and_escaped_half_surrogates_in_texts_are_read(tmp_path: Path) -> None:
    """Python writes both; neither keeps a row from being measured."""
    path = tmp_path / "rows.jsonl"
    line = json.dumps({**row(1), "score": float("nan"), "answer": "rye flour \ud800", "n": 10**40})
    path.write_text(line + "\n", encoding="utf-8")
    assert only(check_files([path], **FAST)).n11 == 1


@pytest.mark.parametrize(
    "answer",
    [
        "\u202erye flour\u202c",
        "rye\u0000flour\u001b[31m",
        "دقيق rye flour",
        "Rye Flour".translate({ord("R"): "\u211b"}),
        "ライ麦粉",
        "\ud800\udfff",
        "rye flour " * 1_000_000,
        "x" * 10_000_000,
    ],
)
def test_odd_texts_are_measured(answer: str) -> None:
    m = only(report([row(1, answer=answer)]))
    assert m.n11 + m.n10 + m.n01 + m.n00 == 2


def test_odd_labels_print_on_one_line(tmp_path: Path) -> None:
    from copyceiling.check import page, write_report

    name = "\u202e| a\n# b \x1b[31m" + "x" * 1000
    found = report([row(1, system=name), row(1)])
    assert found.pairs[0].n == 1
    lines = [line for line in page(found).splitlines() if "# b" in line]
    assert all(line.startswith(("|", "- ")) and len(line) < 600 for line in lines)
    assert "\x1b" not in page(found) and "\u202e" not in page(found)
    write_report(found, tmp_path)


def test_a_line_without_end_is_read_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks_module, "MAX_LINE", 1 << 20)
    monkeypatch.setattr(chunks_module, "_BLOCK", 1 << 16)
    path = tmp_path / "rows.jsonl"
    good = [json.dumps(row(i)) for i in range(3)]
    path.write_text("\n".join([good[0], "x" * 3_000_000, good[1], "y" * 3_000_000, good[2]]))
    with pytest.raises(BadRowsError) as e:
        check_files([path], **FAST)
    assert "line 2: is a line of more than 1 MiB" in str(e.value)
    assert "line 4: is a line of more than 1 MiB" in str(e.value)
    assert check_files([path], skip_bad=True, **FAST).systems[0].n_rows == 3


def test_one_id_twice() -> None:
    """Copies: one stands. Rows that differ: none stands, in whatever order they come."""
    with pytest.raises(
        BadRowsError, match="row 3: id: 'q1' of system 'system' repeats <rows> row 1"
    ):
        report([row(1), row(2), row(1)])
    with pytest.raises(BadRowsError, match="but not the content, of <rows> row"):
        report([row(1), row(1, answer="salt")])
    rows = [row(1), row(1, answer="salt"), row(2)]
    for order in (rows, rows[::-1]):
        found = report(order, skip_bad=True)
        assert (found.n_bad, found.systems[0].n_rows) == (2, 1)
    assert len(report([row(1, system="a"), row(1, system="b")]).systems) == 2
    assert report([row(1, id=1), row(1, id="2")]).systems[0].n_rows == 2


def test_a_worker_that_dies_is_an_error() -> None:
    with pytest.raises(CheckError, match="--workers 1"), pool(1) as executor:
        executor.submit(os._exit, 1).result()


def test_a_system_a_row_is_an_error() -> None:
    with pytest.raises(CheckError, match="name 51 systems, and at most 50"):
        report([row(1, system=f"s{i}") for i in range(51)])


def test_no_row_is_an_error(tmp_path: Path) -> None:
    for rows in ([], [row(1, gold=None)]):
        with pytest.raises(CheckError, match="no row to check"):
            report(rows, skip_bad=True)
    with pytest.raises(CheckError, match="no row to check"):
        check_files([write_jsonl(tmp_path / "empty.jsonl", [])])


@pytest.mark.parametrize(
    "options",
    [
        {"seed": -1}, {"resamples": 0}, {"level": 1.0}, {"policy": "none"}, {"workers": 0},
        {"listed": 0}, {"fields": {"contxt": "a"}},
    ],
)  # fmt: skip
def test_settings_out_of_range_are_named(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(CheckError, match="Correct the setting"):
        check_rows([row(1)], **options)
    assert name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from(
    "id question gold gold_type context answer raw_answer status raw_status system arm cluster "
    "sample doc arguments target filtered_resps results prompt provider response testCase vars "
    "user_input retrieved_contexts reference query query_id gt_answer retrieved_context "
    "model epochs".split()
)


@given(st.dictionaries(KEYS, JSON, max_size=12) | JSON, st.sampled_from(["", *ADAPTERS]))
@settings(deadline=None, max_examples=300)
def test_any_json_becomes_a_row_or_faults(record: Any, adapter: str) -> None:
    for flat in (False, True):
        found = to_row(record, Reading(adapter=adapter, flat=flat))
        assert found, "a row, or at least one fault"
