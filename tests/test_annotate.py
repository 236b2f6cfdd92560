"""Labelling by people: cells that stay text, files with hard checks, the command on a terminal."""

import csv
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from copyceiling.annotate import files
from copyceiling.annotate.cells import harmless, restore
from copyceiling.annotate.command import GUIDE
from copyceiling.annotate.labelling import Label, label_rows, roles_of
from copyceiling.artefacts.audit_unit_schemas import AUDIT_LABELS, AUDIT_UNITS
from copyceiling.artefacts.store import to_table, write
from copyceiling.audit.labels import LABELS
from copyceiling.cli import main as cli
from copyceiling.errors import AnnotationError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, SMOKE

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "\n=1",
    "\uff1d1",
    "'=1",
    "''",
    "'",
]


def unit(number: int, *, gold: int = 1, gold_type: str = "all", **changes: Any) -> dict[str, Any]:
    made = {
        "code": f"{number:016x}",
        "position": number,
        "on_sheet": True,
        "question": "Which ingredients?",
        "relation": "requires, that is: X requires Y (X the subject, Y the item)",
        "edge": "Bread -- requires -- Water",
        "item": "Water",
        "gold": ["Water", "Salt", "Flour"][:gold],
        "gold_type": gold_type,
        "answer": f"Answer {number}.",
    }
    return {**made, **changes}


UNITS = [unit(0), unit(1), unit(2, gold=2, gold_type="any"), unit(3), unit(4, on_sheet=False)]
CODES = [u["code"] for u in UNITS]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    assert harmless(text)[0] == "'" and restore(harmless(text)) == text


@given(st.text())
def test_cells_read_back_as_they_were(text: str) -> None:
    cell = harmless(text)
    assert restore(cell) == text
    assert cell[:1] not in tuple("=+-@\t\r"), "no spreadsheet runs it"


@given(st.text(), st.text(), st.text())
def test_a_sheet_reads_back_as_it_was(answer: str, question: str, note: str) -> None:
    units = [unit(0, answer=answer, question=question, item=question)]
    text = files.sheet_text(units, {CODES[0]: Label("absent", "required", note)})
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    shown = [restore(row[name]) for name in ("answer", "question", "item", "note")]
    assert shown == [answer, question, question, note]
    assert not any(row[name][:1] in tuple("=+-@") for name in row)


labelled = st.dictionaries(
    st.sampled_from(CODES[:4]),
    st.tuples(st.sampled_from(LABELS), st.booleans(), st.text(st.characters(codec="utf-8"))),
)


def as_labels(drawn: Mapping[str, tuple[str, bool, str]]) -> dict[str, Label]:
    """Labels with a role that their unit allows."""
    by_code = {u["code"]: u for u in UNITS}
    return {
        code: Label(name, roles_of(by_code[code])[-1 if last else 0], note)
        for code, (name, last, note) in drawn.items()
    }


@settings(deadline=None, max_examples=60)
@given(labelled)
def test_labels_read_back_from_file_and_sheet(
    tmp_path_factory: pytest.TempPathFactory, drawn: dict[str, tuple[str, bool, str]]
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    labels = as_labels(drawn)
    files.write_labels(folder / "a.csv", labels)
    assert files.read_labels(folder / "a.csv", UNITS) == labels
    (folder / "b.csv").write_text(files.sheet_text(UNITS, labels), encoding="utf-8", newline="")
    assert files.read_labels(folder / "b.csv", UNITS) == labels
    to_table(label_rows("a", labels), AUDIT_LABELS)


def csv_file(folder: Path, *lines: str, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_fault_is_named_with_its_line(tmp_path: Path) -> None:
    path = csv_file(
        tmp_path,
        "code,label,role,note",
        f"{CODES[0]},right,,",
        f'{CODES[1]},absent,,"two',
        'lines"',
        f"{CODES[1]},absent,,",
        f"{CODES[4]},absent,,",
        "feed,absent,,",
        f"{CODES[2]},correct_relation,required,",
        f"{CODES[3]},,alternative,",
    )
    with pytest.raises(AnnotationError) as caught:
        files.read_labels(path, UNITS)
    text = str(caught.value)
    assert "6 fault(s)" in text and str(path) in text
    for found in (
        "line 2: unknown label 'right'",
        f"line 5: unit {CODES[1]} stands already in line 3",
        f"line 6: unit '{CODES[4]}' is not on the sheet",
        "line 7: unit 'feed' is not on the sheet",
        "line 8: role 'required', but this question allows alternative or n/a",
        "line 9: role 'alternative' stands without a label",
    ):
        assert found in text


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["label,role"], "line 1: no column code"),
        (["code,label,label"], "columns twice: ['label']"),
        ([""], "no column code or label"),
        (["code,label", "a,b,c"], "line 2: 3 cells, the header has 2"),
        (["code,label", 'a,"b'], "line 2: "),
    ],
)
def test_what_is_no_sheet_is_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(AnnotationError) as caught:
        files.read_labels(csv_file(tmp_path, *lines), UNITS)
    assert message in str(caught.value)


def test_other_bytes_and_no_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("code,label,note\n1,absent,für".encode("latin-1"))
    with pytest.raises(AnnotationError, match="no UTF-8"):
        files.read_labels(tmp_path / "latin.csv", UNITS)
    with pytest.raises(AnnotationError, match="cannot read"):
        files.read_labels(tmp_path / "none.csv", UNITS)


def test_a_file_as_spreadsheets_save_it_is_read(tmp_path: Path) -> None:
    lines = ["\ufeffNumber;Code;Label;Role;Note", f"1;{CODES[0]}; Absent ;;", ";;;;", ""]
    (tmp_path / "x.csv").write_bytes("\r\n".join(lines).encode())
    assert files.read_labels(tmp_path / "x.csv", UNITS) == {CODES[0]: Label("absent", "required")}


@pytest.mark.parametrize("name", ["", "../x", "a/b", "A", ".hidden", "a" * 33])
def test_a_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(AnnotationError, match="annotator"):
        files.label_path(tmp_path, name)


@pytest.fixture
def study(tmp_path: Path) -> list[str]:
    """Command-line arguments of a study with a drawn sample, frozen and results in a folder."""
    units = tmp_path / "results" / "audit" / "units.parquet"
    write(units, UNITS, AUDIT_UNITS, {"rule": "x", "script": "x", "inputs": {}})
    given = [f"results={tmp_path}/results", f"frozen={tmp_path}/frozen"]
    return ["--configfile", str(ROOT / SMOKE), "--config", *given]


def test_by_spreadsheet_and_back(
    study: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    assert cli(["annotate", "--as", "reader-1", "--sheet", str(sheet), *study]) == 0
    assert (tmp_path / "sheet-guide.md").read_text() == GUIDE.read_text()
    filled = sheet.read_text(encoding="utf-8").replace(
        '"Answer 0.","","",', '"Answer 0.","absent","",'
    )
    sheet.write_text(filled, encoding="utf-8")
    assert cli(["annotate", "--as", "reader-1", "--read", str(sheet), *study]) == 0
    out = capsys.readouterr().out
    assert "1 labels taken (1 new, 0 changed), 3 units still open" in out
    path = tmp_path / "frozen" / "audit" / "labels" / "reader-1.csv"
    assert files.read_labels(path, UNITS) == {CODES[0]: Label("absent", "required")}
    assert "Answer 0" not in path.read_text(), "a label file holds none of the texts"
    sheet.write_text(filled.replace("absent", "abscent"), encoding="utf-8")
    before = path.read_bytes()
    assert cli(["annotate", "--as", "reader-1", "--read", str(sheet), *study]) == 2
    assert "line 2: unknown label 'abscent'" in capsys.readouterr().err
    assert path.read_bytes() == before, "nothing was read"


def test_what_the_command_needs_is_said(
    study: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli(["annotate", *study]) == 2
    assert "--as reader-1" in capsys.readouterr().err
    (tmp_path / "results" / "audit" / "units.parquet").unlink()
    assert cli(["annotate", "--as", "x", *study]) == 2
    assert "snakemake sample_audit" in capsys.readouterr().err
    assert cli(["annotate", "--guide"]) == 0
    assert capsys.readouterr().out == GUIDE.read_text(encoding="utf-8")


def terminal(study: list[str]) -> tuple["subprocess.Popen[bytes]", int]:
    """Start the command on a terminal of its own."""
    pty = pytest.importorskip("pty", reason="needs a system with terminals")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "copyceiling.cli", "annotate", "--as", "reader-1", *study]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT)
    os.close(theirs)
    return process, ours


def until(ours: int, text: str, seconds: float = 120) -> str:
    """Read the terminal until a text stands there."""
    os.set_blocking(ours, False)
    shown, end = "", time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < end, f"'{text}' did not come: {shown[-500:]}"
        try:
            shown += os.read(ours, 65536).decode(errors="replace")
        except BlockingIOError:
            time.sleep(0.02)
    return shown


def test_a_killed_session_has_every_label_and_goes_on(study: list[str], tmp_path: Path) -> None:
    path = tmp_path / "frozen" / "audit" / "labels" / "reader-1.csv"
    process, ours = terminal(study)
    until(ours, "q quit")
    os.write(ours, b"\x1b[A")  # an arrow key: its A must not count as `absent`
    until(ours, "is no key here")
    os.write(ours, b"c")
    until(ours, "Unit 2 of 4")
    process.send_signal(signal.SIGKILL)
    process.wait()
    os.close(ours)
    assert files.read_labels(path, UNITS) == {CODES[0]: Label("correct_relation", "required")}
    assert [p.name for p in path.parent.iterdir()] == ["reader-1.csv"], "no half-written file"
    process, ours = terminal(study)
    shown = until(ours, "q quit")
    assert "Unit 2 of 4" in shown and "1 of 4 labelled" in shown
    os.write(ours, b"u")
    until(ours, "Unit 1 of 4")
    os.write(ours, b"aq")
    until(ours, "labelled; they lie in")
    assert process.wait(30) == 0
    os.close(ours)
    assert files.read_labels(path, UNITS) == {CODES[0]: Label("absent", "required")}
