"""The same rows from JSONL, CSV, Parquet and standard input give the same report."""

import csv
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from copyceiling.check import BadRowsError, CheckError, Report, check_files, check_rows
from copyceiling.check import chunks as chunks_module
from copyceiling.check.chunks import Reading, line_chunks
from copyceiling.check.tables import separator
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check.made import FAST, only, row, write_jsonl

ROWS = [
    row(1, gold=["Rye Flour", {"title": "Salt", "aliases": ["Table Salt"]}], cluster="c1"),
    row(2, answer=None, raw_answer="table salt, and\nrye flour", cluster="c2"),
    row(3, context=None, gold_type="any", cluster=None),
    row(4, context="[1] a page that begins with a bracket: rye flour", cluster="c1"),
    row(5, context=[{"role": "system", "content": "rye flour"}], status="truncated", system="b"),
]


def write_csv(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    names = sorted({name for r in rows for name in r})
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, **options)
        writer.writeheader()
        for r in rows:
            writer.writerow({k: json.dumps(v) if isinstance(v, list) else v for k, v in r.items()})
    return path


def same(one: Report, two: Report) -> bool:
    return one.to_dict() == two.to_dict() and one.rows.equals(two.rows)


@pytest.fixture
def expected() -> Report:
    return check_rows(ROWS, **FAST)


def test_jsonl_with_blank_lines_windows_ends_and_mark(tmp_path: Path, expected: Report) -> None:
    text = "\ufeff" + "\r\n\r\n".join(json.dumps(r) for r in ROWS)
    path = tmp_path / "rows.ndjson"
    path.write_bytes(text.encode())
    assert same(check_files([path], **FAST), expected)


def test_csv_and_tsv(tmp_path: Path, expected: Report) -> None:
    assert same(check_files([write_csv(tmp_path / "r.csv", ROWS)], **FAST), expected)
    tsv = write_csv(tmp_path / "r.tsv", ROWS, delimiter="\t")
    assert same(check_files([tsv], **FAST), expected)


def test_csv_cells(tmp_path: Path) -> None:
    """A bare gold cell is one title, however many commas; half a list is no title."""
    path = tmp_path / "r.csv"
    path.write_text('id,question,gold,context,answer\n1,Who?,"Salt, Table",salt table,x\n')
    assert only(check_files([path], **FAST)).n10 == 1
    path.write_text('id,question,gold,answer\n1,Who?,"[""a"", ",x\n2,Who?,a\n3,Who?,a,x\n')
    with pytest.raises(BadRowsError) as e:
        check_files([path], **FAST)
    assert "line 2: gold: begins like a JSON list" in str(e.value)
    assert "line 3: has 3 cells where the header has 4" in str(e.value)


def test_csv_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text('id,gold\n1,"a"b\n')
    with pytest.raises(CheckError, match=r"r.csv' line \d is no CSV"):
        check_files([path])
    path.write_bytes(b"id,gold\n1,\xff\n")
    with pytest.raises(CheckError, match="is not UTF-8"):
        check_files([path])
    path.write_text("id,id,gold\n1,2,a\n")
    with pytest.raises(CheckError, match="column id more than once"):
        check_files([path])


def test_csv_long_cell(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "r.csv", [row(1, answer="rye flour " * 100_000)])
    limit = csv.field_size_limit()
    assert only(check_files([path], **FAST)).n11 == 1
    assert csv.field_size_limit() == limit


def test_parquet_of_text_cells_and_of_lists(tmp_path: Path, expected: Report) -> None:
    cells = [{k: json.dumps(v) if isinstance(v, list) else v for k, v in r.items()} for r in ROWS]
    names = sorted({name for r in ROWS for name in r})
    pq.write_table(
        pa.table({n: [r.get(n) for r in cells] for n in names} | {"other": [b"\xff"] * 5}),
        tmp_path / "cells.parquet",
        row_group_size=2,
    )
    assert same(check_files([tmp_path / "cells.parquet"], **FAST), expected)
    plain = [row(i, raw_answer="" if i else None) for i in range(3)]
    pq.write_table(pa.Table.from_pylist(plain), tmp_path / "lists.pq")
    assert same(check_files([tmp_path / "lists.pq"], **FAST), check_rows(plain, **FAST))


def test_parquet_that_is_none_or_of_other_types(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    path.write_bytes(b"PAR1 no")
    with pytest.raises(CheckError, match="damaged or no Parquet"):
        check_files([path])
    odd = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    pq.write_table(pa.table({"id": odd}), path)
    with pytest.raises(CheckError, match="damaged or no Parquet"):
        check_files([path])
    pq.write_table(pa.Table.from_pylist([row(1, answer=b"rye flour")]), path)
    with pytest.raises(BadRowsError, match=r"its only row:\n +answer: found another type"):
        check_files([path])


def test_stdin_and_options(monkeypatch: pytest.MonkeyPatch, expected: Report) -> None:
    text = "".join(json.dumps(r) + "\n" for r in ROWS).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    assert same(check_files(["-"], **FAST), expected)
    for form in ("csv", "parquet", "inspect"):
        with pytest.raises(CheckError, match="standard input"):
            check_files(["-"], form=form)


def test_files_that_are_not_there_or_of_no_known_suffix(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="there is no file"):
        check_files([tmp_path / "none.jsonl"])
    with pytest.raises(CheckError, match=r"suffix tells no format.*--format jsonl"):
        check_files([tmp_path / "rows.txt"])
    with pytest.raises(CheckError, match="format 'x' is none of"):
        check_files([], form="x")


def test_a_file_a_system(tmp_path: Path) -> None:
    rows = [row(i) for i in range(3)]
    files = [write_jsonl(tmp_path / f"{name}.jsonl", rows) for name in ("old", "new")]
    found = check_files(files, system_from_file=True, **FAST)
    assert [s.system for s in found.systems] == ["new", "old"]
    assert found.pairs[0].n == 3


@given(
    st.lists(st.text(max_size=8).map(lambda s: s.replace("\n", "")), max_size=9), st.integers(1, 9)
)
@settings(deadline=None)
def test_chunks_are_the_lines_whatever_their_size(lines: list[str], block: int) -> None:
    """Cut at any block size, the lines and their numbers come out as they are."""
    data = "\n".join(f'"{i}{json.dumps(x)[1:]}' for i, x in enumerate(lines)).encode()
    before, chunks_module._BLOCK = chunks_module._BLOCK, block
    try:
        found = [
            pair for c in line_chunks(io.BytesIO(data), "x", Reading()) for pair in c.decoded()
        ]
    finally:
        chunks_module._BLOCK = before
    assert found == [(i + 1, f"{i}{x}") for i, x in enumerate(lines)]


@pytest.mark.parametrize("delimiter", [";", "\t", "|", ","])
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_cells_are_separated_as_the_header_is(
    tmp_path: Path, expected: Report, delimiter: str, suffix: str
) -> None:
    path = write_csv(tmp_path / f"r{suffix}", ROWS, delimiter=delimiter)
    assert same(check_files([path], **FAST), expected)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert same(check_files([path], **FAST), expected)


def test_separators_by_the_names_of_the_header() -> None:
    for header, usual, found in (
        ("id;question, as asked;gold;answer", ",", ";"),
        ('"id","a;b;c;d",gold', ",", ","),
        ("qid\tQuery\tx", ",", "\t"),
        ("a;b;c", ",", ";"),
        ("a,b;c", ",", ","),
        ("a;mine", "\t", ";"),
        ("", ",", ","),
        ('"', "\t", "\t"),
    ):
        file = io.StringIO(header + "\n1,2;3\n")
        assert separator(file, usual) == found, header
        assert file.read().startswith(header), "the file is set back"
    assert separator(io.StringIO("mine;a,b,c\n"), ",", frozenset({"mine"})) == ";"


def test_names_of_a_header_in_another_style(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("ID;Question;Gold;Context;Answer\n1;Who?;rye flour;rye flour;rye flour\n")
    with pytest.raises(BadRowsError, match="has: ID, Question, Gold, Context, Answer") as e:
        check_files([path], **FAST)
    assert only(check_files([path], fields=e.value.fields, **FAST)).n11 == 1
    path.write_text("id;question;gold;context;answer\n1;Who?;a;b;c;d\n2;Who?;a;b;c\n")
    with pytest.raises(BadRowsError, match=r"has 6 cells .* Quote cells with semicolons"):
        check_files([path], **FAST)


@pytest.mark.parametrize("name", ["r.json", "r.jsonl"])
@pytest.mark.parametrize("indent", [None, 1])
def test_one_json_array(
    tmp_path: Path, expected: Report, name: str, indent: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    text = "\ufeff\n" + json.dumps(ROWS, indent=indent)
    path.write_text(text, encoding="utf-8")
    assert same(check_files([path], **FAST), expected)
    path.write_text(json.dumps([*ROWS, {**ROWS[0], "id": 9, "gold": 3}]))
    with pytest.raises(BadRowsError, match=f"1 bad row:\n.*{name} item 6: gold: found a number"):
        check_files([path], **FAST)
    stdin = SimpleNamespace(buffer=io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert same(check_files(["-"], **FAST), expected)


def test_arrays_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut short: one message, not one a line. A stray list among lines is a bad line."""
    path = tmp_path / "r.json"
    path.write_text(json.dumps(ROWS, indent=1)[:-9])
    with pytest.raises(CheckError, match=r"r.json' begins with \[.*jq -c") as e:
        check_files([path], **FAST)
    assert str(e.value).count("\n") == 0
    lines = write_jsonl(tmp_path / "r.jsonl", [[1, 2], row(1)])
    with pytest.raises(BadRowsError, match="line 1: a list instead of an object"):
        check_files([lines], **FAST)
    assert check_files([lines], skip_bad=True, **FAST).systems[0].n_rows == 1
    path.write_text(json.dumps({"rows": ROWS}))
    with pytest.raises(CheckError, match="suffix tells no format"):
        check_files([path], **FAST)
    path.write_text("[]")
    with pytest.raises(CheckError, match="no row to check"):
        check_files([path], **FAST)
    path.write_text(json.dumps(ROWS, indent=1))
    monkeypatch.setattr(chunks_module, "MAX_DOCUMENT", 100)
    with pytest.raises(CheckError, match="is too large to read whole"):
        check_files([path], **FAST)
