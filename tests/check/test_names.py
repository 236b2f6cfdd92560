"""Fields under other names: asked about, never read as nothing; and never asked about in vain."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from copyceiling.check import (
    BadRowsError,
    CheckError,
    UnreadFieldError,
    check_files,
    check_rows,
    page,
)
from copyceiling.check.fields import CONTENT, FIELDS, REQUIRED, CheckRow, parse
from copyceiling.check.names import SYNONYMS, assign, meanings, nearest, plain
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.check.made import FAST, only, report, row, write_jsonl
from tests.check.test_command import command

ASKED = (*REQUIRED, *CONTENT)
ALL_NAMES = sorted({name for names in SYNONYMS.values() for name in names} | set(FIELDS))
STYLES = (str, str.upper, str.title, lambda s: s.replace("_", " "), lambda s: s.replace("_", "-"))
# What a log may hold beside the standard fields: all other names of these, in any style.
OTHERS = st.dictionaries(
    st.builds(lambda style, name: style(name), st.sampled_from(STYLES), st.sampled_from(ALL_NAMES))
    | st.text(max_size=6),
    st.none() | st.just("Rye flour.") | st.just(["Rye flour."]) | st.integers(),
    max_size=8,
)


def called(given: dict[str, Any], **names: str) -> dict[str, Any]:
    """A row with some of its fields under other names."""
    return {names.get(field, field): value for field, value in given.items()}


def error(rows: list[dict[str, Any]], kind: type[CheckError], **options: Any) -> CheckError:
    with pytest.raises(kind) as e:
        report(rows, **options)
    return e.value


@given(OTHERS, st.sampled_from([row(1), row(1, context=None), row(1, context=[], answer="")]))
@settings(deadline=None)
def test_a_row_with_the_standard_names_is_never_asked_about_them(
    others: dict[str, Any], standard: dict[str, Any]
) -> None:
    optional = {field: None for field in FIELDS if field not in standard}
    found = parse({**others, **optional, **standard})
    assert isinstance(found, CheckRow) and found.unstated == ()
    faults = parse({**{k: v for k, v in others.items() if k not in FIELDS}, **standard})
    assert isinstance(faults, CheckRow) or not {f.field for f in faults} & set(ASKED)


@given(OTHERS)
@settings(deadline=None, max_examples=40)
def test_a_log_with_the_standard_names_is_measured_whatever_else_it_holds(
    others: dict[str, Any],
) -> None:
    filled = {**others, **dict.fromkeys(FIELDS), **row(1)}
    assert report([filled]).systems == report([row(1)]).systems


@pytest.mark.parametrize("field", ASKED)
@pytest.mark.parametrize("style", STYLES)
def test_every_other_name_of_a_field_is_asked_about_in_any_style(field: str, style: Any) -> None:
    """Never a report: neither for the field in another style, nor for any of its synonyms."""
    for name in (field, *SYNONYMS[field]):
        other = style(name)
        if other in FIELDS:
            continue
        found = error([called(row(i), **{field: other}) for i in range(2)], BadRowsError)
        assert found.fields == {field: other}
        assert f"{field}: is missing, but there is '{other}'" in found.text
        fixed = check_rows(
            [called(row(i), **{field: other}) for i in range(2)], fields=found.fields, **FAST
        )
        assert fixed.systems == report([row(0), row(1)]).systems


@pytest.mark.parametrize("field", CONTENT)
@pytest.mark.parametrize("name", ["stuff", "x1", "Quelle"])
def test_a_name_that_nobody_knows_is_proposed_and_nothing_is_measured(
    field: str, name: str
) -> None:
    rows = [{**called(row(i), **{field: name}), "note": "-", "n": 3} for i in range(3)]
    for skip_bad in (False, True):
        found = error(rows, UnreadFieldError, skip_bad=skip_bad)
        assert found.fields == {field: name}
        assert f"none of its 3 rows has a{'n' * (field == 'answer')} {field}" in found.text
        assert all(held in found.text for held in ("id", "question", "gold", name, "note"))
    assert only(report(rows, fields=found.fields)).gain == 0.0


@pytest.mark.parametrize("field", CONTENT)
@pytest.mark.parametrize("value", [None, "", [], float("nan")])
def test_rows_that_say_that_nothing_was_there_are_measured(field: str, value: Any) -> None:
    if field == "answer" and value == []:
        return
    found = report([row(i, **{field: value}) for i in range(3)])
    said = {"context": "No context was given for 3 of 3 rows", "answer": "All its answers are emp"}
    assert said[field] in page(found)
    some = [row(1, **{field: ...}), *[row(i, **{field: value}) for i in range(2, 4)]]
    assert not error(some, UnreadFieldError).fields, "not all of them say so, and no name is left"
    assert report([row(0), *some]).systems[0].n_rows == 4, "one that has it is enough"


def test_a_status_says_why_there_is_no_answer() -> None:
    refused = [row(i, answer=..., status="refused") for i in range(2)]
    assert report(refused).systems[0].status["refused"] == 2
    error([row(i, answer=..., status="ok") for i in range(2)], UnreadFieldError)


def test_systems_and_files_without_context_are_named(tmp_path: Path) -> None:
    """One system of two; the other's names are no guess where they stand beside a context."""
    rows = [row(i, system="a", note="rye flour " * 9) for i in range(2)]
    rows += [row(i, system="b", note="rye flour " * 9, context=...) for i in range(2)]
    found = error(rows, UnreadFieldError)
    assert "system 'b': none of its 2 rows has a context" in found.text and not found.fields
    rows = [{**r, "page": "rye flour " * 9} if r["system"] == "b" else r for r in rows]
    assert error(rows, UnreadFieldError).fields == {"context": "page"}
    good = write_jsonl(tmp_path / "good.jsonl", [row(1)])
    bad = write_jsonl(tmp_path / "bad.jsonl", [called(row(2), context="page")])
    with pytest.raises(UnreadFieldError, match=r"bad.jsonl: its only row has no context") as e:
        check_files([good, bad], **FAST)
    assert e.value.fields == {"context": "page"} and "good.jsonl" not in e.value.text
    assert check_files([good, bad], fields=e.value.fields, **FAST).systems[0].n_rows == 2


def test_one_renaming_must_suit_all_files(tmp_path: Path) -> None:
    """Two files with different names, or one whose own context would be covered: no command."""
    one = write_jsonl(tmp_path / "one.jsonl", [called(row(1), context="passages")])
    two = write_jsonl(tmp_path / "two.jsonl", [called(row(2), context="documents")])
    both = write_jsonl(tmp_path / "both.jsonl", [row(3, passages=["other"])])
    for others in ([one, two], [one, both]):
        with pytest.raises(BadRowsError) as e:
            check_files(others, **FAST)
        assert e.value.fields == {} and "there is 'passages'" in e.value.text


def test_names_of_the_gold_and_of_the_answer_are_told_apart_by_their_values() -> None:
    given = [
        {"qid": i, "query": "Who?", "answers": ["Rye"], "contexts": ["Rye."], "response": "Rye."}
        for i in range(2)
    ]
    expected = {"id": "qid", "question": "query", "gold": "answers", "context": "contexts"}
    found = error(given, BadRowsError)
    assert found.fields == {**expected, "answer": "response"}
    assert "2 bad rows:\n  - <rows>, all 2 rows:\n      id: is missing, but there is 'qid'" in str(
        found
    )
    assert found.text.count("\n") == 7, "a line a field, and the names"
    assert f"fields={found.fields!r}" in str(found) and "--skip-bad" not in str(found)
    assert only(report(given, fields=found.fields)).n11 == 2
    fits = {"answers": {"answer", "question"}, "gold_names": {"gold"}}
    assert assign(fits, ["gold", "answer"]) == {"gold": "gold_names", "answer": "answers"}


def test_shared_and_single_faults_side_by_side(tmp_path: Path) -> None:
    rows = [called(row(i), gold="Gold") for i in range(3)]
    rows[1]["answer"] = 3
    good = write_jsonl(tmp_path / "good.jsonl", [row(9)])
    bad = write_jsonl(tmp_path / "bad.jsonl", [*rows, "text"])
    with pytest.raises(BadRowsError) as e:
        check_files([bad, good], **FAST)
    assert str(e.value).replace(f"{tmp_path}/", "").splitlines() == [
        "4 bad rows:",
        "  - bad.jsonl, all 3 rows:",
        "      gold: is missing, but there is 'Gold', which is not read",
        "      bad.jsonl has: id, question, Gold, context, answer",
        "  - bad.jsonl line 2: answer: found a number; write it as a string",
        "  - bad.jsonl line 4: a string instead of an object with the fields of a row",
        "Correct them, or leave them out and count them: --skip-bad",
        "If these names say what they hold, read them so:",
        "  fields={'gold': 'Gold'}",
    ]
    with pytest.raises(CheckError, match=r"no row to check \(4 read, 4 bad\)") as none:
        check_files([bad], skip_bad=True, **FAST)
    assert none.value.fields == {"gold": "Gold"}


def test_the_command_that_is_proposed_can_be_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [called(row(i), context="Retrieved Docs", answer="response") for i in range(2)]
    path = write_jsonl(tmp_path / "my rows.jsonl", [called(r, id="ID") for r in rows])
    assert command(path, "--seed", 7, "--field", "id=ID", "--level", 0.9) == 2
    proposed = shlex.split(capsys.readouterr().err.splitlines()[-1])
    assert proposed == [
        "copyceiling", "check", str(path), "--seed", "7", "--resamples", "200", "--level", "0.9",
        "--field", "id=ID", "--field", "context=Retrieved Docs", "--field", "answer=response",
    ]  # fmt: skip
    assert command(*proposed[2:]) == 0
    assert "gain +0.000" in capsys.readouterr().out


def test_a_renaming_that_finds_nothing_is_an_error() -> None:
    """With a field of that name beside it, too: what was asked for is not there."""
    found = error([row(1)], CheckError, fields={"context": "contxts", "answer": "answer"})
    assert "no row has 'contxts', which is to be read as context; did you mean 'context'?" in str(
        found
    )
    assert "<rows> has: id, question, gold, context, answer" in str(found)
    assert report([row(1), called(row(2), context="c")], fields={"context": "c"})


@pytest.mark.parametrize(
    ("renaming", "said"),
    [
        ({"contex": "a"}, "'contex' is no field of a row; did you mean 'context'?"),
        ({"passages": "context"}, "did you mean context=passages?"),
        ({"zzz": "a"}, "'zzz' is no field of a row. The fields are id, question, gold,"),
    ],
)
def test_a_renaming_of_no_field_is_explained(renaming: dict[str, str], said: str) -> None:
    with pytest.raises(CheckError) as e:
        check_rows([row(1)], fields=renaming)
    assert said in str(e.value) and "[" not in str(e.value)


@pytest.mark.parametrize("tool", [{"retrieved_contexts": "c"}, {"response": "r"}])
def test_logs_of_tools_without_context_or_answer(tmp_path: Path, tool: dict[str, str]) -> None:
    """A tool's own name in another form is found, and the renaming is heard."""
    (theirs, other), text = *tool.items(), "Sourdough needs levain."
    sample = {"user_input": "What?", "reference": "Levain", "response": text,
              "retrieved_contexts": [text]}  # fmt: skip
    path = write_jsonl(tmp_path / "r.jsonl", [called(sample, **tool)])
    with pytest.raises(UnreadFieldError, match=f'"{theirs}": null') as e:
        check_files([path], form="ragas", **FAST)
    assert list(e.value.fields.values()) == [other]
    assert only(check_files([path], form="ragas", fields=e.value.fields, **FAST)).n11 == 1
    write_jsonl(path, [{**called(sample, **tool), theirs: None}])
    assert check_files([path], form="ragas", **FAST).systems[0].n_rows == 1
    write_jsonl(path, [sample])
    with pytest.raises(BadRowsError, match="--format ragas reads them"):
        check_files([path], **FAST)


def test_tables_of_names() -> None:
    """Each field has an entry, no name of ours is a synonym, and none is hidden by its form."""
    assert set(SYNONYMS) == set(FIELDS)
    for field, names in SYNONYMS.items():
        plains = [plain(name) for name in (field, *names)]
        assert len(set(plains)) == len(plains), field
        assert not set(names) & set(FIELDS)
        assert all(field in meanings(name) for name in names)
    assert meanings("con\x1btext") == {}, "it could not be typed"
    assert nearest("Contxt", FIELDS) == "; did you mean 'context'?" and not nearest("", FIELDS)


@given(st.lists(st.sampled_from(ALL_NAMES), unique=True, max_size=8), st.data())
@settings(deadline=None)
def test_no_name_is_given_to_two_fields(names: list[str], data: st.DataObject) -> None:
    fields = st.sets(st.sampled_from(ASKED))
    fits = {name: data.draw(fields) for name in names}
    missing = data.draw(fields)
    found = assign(fits, missing)
    assert set(found) <= missing and len(set(found.values())) == len(found)
    left = set(names) - set(found.values())
    open_fields = missing - set(found)
    assert not [n for n in left if open_fields & set(meanings(n))], "nothing likely is left over"
    assert found == assign(dict(reversed(fits.items())), missing), "in any order"


def test_parquet_columns_that_are_not_read_are_listed(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "r.parquet"
    pq.write_table(pa.Table.from_pylist([called(row(1), context="stuff")]), path)
    with pytest.raises(UnreadFieldError, match="has: id, question, gold, stuff, answer"):
        check_files([path], **FAST)
    assert only(check_files([path], fields={"context": "stuff"}, **FAST)).n11 == 1
    pq.write_table(pa.Table.from_pylist([called(row(1), context="Context")]), path)
    with pytest.raises(BadRowsError, match="there is 'Context'"):
        check_files([path], **FAST)


def test_labels_and_names_from_outside_print_on_one_line() -> None:
    odd = "c\x1b[31m\n| x" + "y" * 500
    found = error([called(row(i), context=odd) for i in range(2)], UnreadFieldError)
    assert "\x1b" not in str(found) and max(map(len, str(found).splitlines())) < 400
    many = [{**row(i), **{f"n{i}-{k}": k for k in range(60)}, "context": ...} for i in range(20)]
    rows = [{k: v for k, v in r.items() if v is not ...} for r in many]
    found = error(rows, UnreadFieldError)
    assert "and 4" in found.text and len(found.text) < 2000
    assert json.loads(json.dumps(found.fields)) == {}
