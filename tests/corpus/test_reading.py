"""What could not be read is said, and costs no more than itself: broken records, odd pages."""

import gzip
import re
from pathlib import Path

import pytest
from copyceiling.config import load_study
from copyceiling.corpus import corpus_command, init_command
from copyceiling.corpus.files import locate
from copyceiling.corpus.obo import _read_by_record, _read_frames, read_obo
from copyceiling.corpus.read import read_corpus, read_raw
from copyceiling.errors import CorpusError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.corpus.test_survey import call, cells

HEADER = "format-version: 1.2\n\n"
GARDEN = re.findall(
    r"```obo\n(.*?)```", (ROOT / "docs" / "your-ontology.md").read_text("utf-8"), re.DOTALL
)[0]


def term(i: int, *lines: str) -> str:
    return "\n".join([f"[Term]\nid: T:{i}\nname: thing {i}", *lines, "\n"])


# What is written for a record, the line of it that is at fault, and what is said of it.
BROKEN = [
    ("[Term]\nid T:9\nname: x\n\n", 2, "a [Term] cannot be read at 'id T:9': a record's first"),
    ("[Term]\nname: x\nid: T:9\n\n", 2, "[Term] T:9 cannot be read at 'name: x': a record's first"),
    ("[Term]\nid: T:9\nname x\n\n", 3, "[Term] T:9 cannot be read at 'name x': a line is 'tag: v"),
    ('[Term]\nid: T:9\ndef: "x [\n\n', 3, "at 'def: \"x [': a text in double quotes must stand"),
    ("[Term]\nid: T:9\nis_a:\n\n", 3, "[Term] T:9 cannot be read at 'is_a:'"),
    ("[Term]\nid: T:9\nfoo: bar\n\n", 3, "at 'foo: bar': no [Term] has such a tag"),
    ("[Term]\nid: T:9\nid: T:8\n\n", 3, "at 'id: T:8': no [Term] has such a tag, or not a sec"),
    ("[Term]\nid: T:9\nis_obsolete: x\n\n", 3, "'true' or 'false' must stand there"),
    ("[Trem]\nid: T:9\nname: x\n\n", 1, "[Trem] T:9 cannot be read at '[Trem]': a record begins"),
    ("[Term\nid: T:9\nname: x\n\n", 1, "a record cannot be read at '[Term': a record begins with"),
    ("[Typedef]\nid: p\nfoo: x\n\n", 3, "no [Typedef] has such a tag"),
]


@pytest.mark.parametrize(("broken", "line", "said"), BROKEN)
def test_a_broken_record_costs_no_other_and_its_line_is_quoted(
    broken: str, line: int, said: str
) -> None:
    content = HEADER + term(1) + broken + term(2)
    classes, (issue,) = read_obo(content.encode(), "t.obo")
    assert [c.id for c in classes] == ["T:1", "T:2"]
    assert (issue.kind, issue.where) == ("bad_record", f"t.obo:{6 + line}")
    assert said in issue.detail


def test_a_broken_header_costs_no_term() -> None:
    classes, (issue,) = read_obo(("format-version 1.2\n\n" + term(1)).encode(), "t.obo")
    assert [c.id for c in classes] == ["T:1"] and issue.where == "t.obo:1"
    assert issue.detail.startswith("the header cannot be read at 'format-version 1.2'")


def test_a_letter_of_another_encoding_costs_its_record_only() -> None:
    content = (HEADER + term(1) + term(2, "comment: caf\u00e9") + term(3)).encode("latin-1")
    classes, (issue,) = read_obo(content, "t.obo")
    assert [c.id for c in classes] == ["T:1", "T:3"]
    assert (issue.kind, issue.where) == ("invalid_utf8", "t.obo:10")
    assert issue.detail.startswith("[Term] T:2 cannot be read: ")


def test_byte_order_marks_windows_lines_and_instances_are_no_fault() -> None:
    content = HEADER + term(1) + "[Instance]\nid: T:7\nname: x\n\n" + term(2)
    for variant in ("\ufeff" + content, content.replace("\n", "\r\n"), content[len(HEADER) :]):
        classes, issues = read_obo(variant.encode(), "t.obo")
        assert [c.id for c in classes] == ["T:1", "T:2"] and issues == []


@settings(max_examples=60, deadline=None)
@given(
    parts=st.lists(st.integers(0, len(BROKEN) + 4), max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_what_is_read_is_what_the_sound_records_give(parts: list[int], newline: str) -> None:
    """Whatever is broken: the classes are those of the file without it, the faults one each."""
    records = [
        BROKEN[n][0] if n < len(BROKEN) else term(i, "is_a: T:0 ! x", "relationship: p T:1")
        for i, n in enumerate(parts)
    ]
    sound = [r for r, n in zip(records, parts, strict=True) if n >= len(BROKEN)]
    content = "".join([HEADER, *records]).replace("\n", newline).encode()
    classes, issues = read_obo(content, "t.obo")
    expected, none = read_obo("".join([HEADER, *sound]).encode(), "t.obo")
    assert (classes, none) == (expected, [])
    assert len({i.where for i in issues}) == len(parts) - len(sound)


def test_record_by_record_reads_what_the_stream_reads() -> None:
    """On a vocabulary as published: 2,000 records of PATO, relations and obsolete terms with."""
    path = locate("controlled_vocabulary/vendor/pato.obo.gz", "psims")
    content = gzip.decompress(path.read_bytes())
    starts = [m.start() for m in re.finditer(rb"^\[", content, re.MULTILINE)]
    content = content[: starts[1000]] + content[starts[-1000] :]
    issues: list[object] = []
    assert _read_by_record(content, "p", issues) == _read_frames(content, "p")  # type: ignore[arg-type]
    assert issues == []


def test_the_report_and_init_say_what_was_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The garden with one line broken: 14 of 15 terms, and every fault that init lets pass."""
    file, out = tmp_path / "g.obo", tmp_path / "g.yaml"
    file.write_text(GARDEN.replace("id: GDN:12", "id GDN:12"), encoding="utf-8")
    line = 1 + file.read_text("utf-8").splitlines().index("id GDN:12")
    quoted = f"g.obo:{line}: a [Term] cannot be read at 'id GDN:12'"
    assert call(corpus_command, file) == 0
    report = capsys.readouterr().out
    assert cells(report, "classes read")[1] == "14"
    assert cells(report, "records that could not be read")[1] == "1"
    assert "14 classes were read, 1 record could not be read" in report
    assert quoted.replace(": a [", ": OBO: a [") in report

    assert call(init_command, file, "--study", "g", "--out", out) == 0
    said = capsys.readouterr().out
    assert "14 classes were read, 1 record could not be read" in said
    assert quoted in said and "\n  bad_record: 1\n" in said and "\n  dangling_target: 1\n" in said
    study = load_study(out)
    dropped = {kind for kind, policy in study["corpus"]["policy"].items() if policy == "drop"}
    assert dropped == set(re.findall(r"^  (\w+): \d", said, re.MULTILINE)), "none in silence"
    assert read_corpus(study["corpus"])[1].n_read == 14


def test_init_of_a_sound_source_speaks_of_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "g.obo", tmp_path / "g.yaml"
    file.write_text(GARDEN, encoding="utf-8")
    assert call(init_command, file, "--study", "g", "--out", out) == 0
    said = capsys.readouterr().out
    assert "15 classes were read\n" in said and "fault" not in said
    assert "policy" not in out.read_text("utf-8")


def test_a_terminal_obeys_nothing_that_a_source_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.obo"
    file.write_text(GARDEN.replace("id: GDN:12", "id \x1b[31mGDN:12"), encoding="utf-8")
    assert call(init_command, file, "--study", "g", "--out", tmp_path / "g.yaml") == 0
    assert call(corpus_command, file) == 0
    said = capsys.readouterr().out
    assert "[31mGDN:12" in said and "\x1b" not in said


FENCED = """
```json-ld
{"@type": "Page", "public": true}
```
```json-ld
{"@type": "Class", "@id": "x:1", "label": "One"}
```
"""


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (FENCED.replace("json-ld", "json"), "whose block is fenced as json, not as json-ld"),
        (FENCED.replace("json-ld", "JSON"), "whose block is fenced as json, not as json-ld"),
        ("# Prose\n", "without a block fenced as json-ld"),
        (FENCED.replace('"Page"', '"Pgae"'), "without a block of type Page"),
        (FENCED.replace('"Class"', '"Klass"'), "without a block of type Class"),
        (FENCED.replace("true", "false"), 'whose Page block does not say "public": true'),
        (FENCED.replace("true", '"true"'), 'whose Page block does not say "public": true'),
        (FENCED.replace('"x:1"', "x:1"), "with something that cannot be read"),
        (FENCED.replace('"@id": "x:1", ', ""), "with something that cannot be read"),
    ],
)
def test_pages_without_a_class_are_counted_by_reason(
    page: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(page, encoding="utf-8")
    read = read_raw(tmp_path, "markdown")
    assert (read.classes, read.passed_over) == ([], {reason: 3})
    assert read.n_lost == (3 if "cannot be read" in reason else 0)
    for command in ((corpus_command,), (init_command, "--study", "x")):
        assert call(command[0], tmp_path, *command[1:]) == 2  # type: ignore[arg-type]
        err = capsys.readouterr().err
        assert f"3 pages read: 3 {reason}." in err and "Mend the pages" in err
    section = {"name": "x", "version": "1", "source": "", "licence": "", "format": "markdown"}
    whole = {
        **section,
        "path": str(tmp_path),
        "domains": "source",
        "policy": {"bad_record": "drop"},
    }
    with pytest.raises(CorpusError, match=f"3 pages read: 3 {reason}"):
        read_corpus(whole)


def test_pages_that_count_and_pages_that_do_not_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text(FENCED, encoding="utf-8")
    (tmp_path / "b.md").write_text(FENCED.replace("true", "false"), encoding="utf-8")
    (tmp_path / "c.md").write_bytes(FENCED.encode() + b"\xff")
    assert call(corpus_command, tmp_path) == 0
    out = capsys.readouterr().out
    assert '3 pages read: 1 whose Page block does not say "public": true, 1 with something' in out
    assert cells(out, "records that could not be read")[1] == "1"


def test_a_folder_without_pages_says_what_a_page_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    assert call(corpus_command, tmp_path) == 2
    assert "0 pages read: no file there ends in .md" in capsys.readouterr().err
