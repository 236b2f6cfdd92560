"""A name that is typed wrong: what there is, what may have been meant, and no false advice."""

import shutil
import subprocess
from pathlib import Path

import pytest
from copyceiling.annotate.command import _newcomer
from copyceiling.cli import main as cli
from copyceiling.commands import TARGETS, known_targets, remember_targets

from tests.conftest import ROOT, SMOKE, snakemake


def said(words: list[str], capsys: pytest.CaptureFixture[str], status: int = 2) -> str:
    assert cli(words) == status
    return capsys.readouterr().err


def test_show_of_an_unknown_table_says_what_there_is(
    smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--configfile", str(ROOT / SMOKE), "--config"]
    text = said(["show", "tabel4", *where, f"results={smoke}"], capsys)
    assert "there is no table of the name 'tabel4'. Did you mean 'table4'?" in text
    built, rest = text.splitlines()[1:]
    assert "table1, table2, table3, table4, table5" in built and rest == "Not built yet: none"
    assert "Build" not in text.replace("Built", ""), "nothing can build it"
    nothing = said(["show", "tabel4", *where, f"results={tmp_path}"], capsys)
    assert "tables: none" in nothing and "Not built yet: table1, table2" in nothing


@pytest.mark.parametrize(
    ("table", "target"), [("table4", "table4"), ("table6_flow", "{}/tables/table6_flow.md")]
)
def test_show_of_a_table_that_is_not_built_says_how_to(
    table: str, target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(["show", table, "--config", f"results={tmp_path}"], capsys)
    assert f"table '{table}' is not built." in text
    assert f"Build it: snakemake {target.format(tmp_path)} --config" in text


def test_show_of_a_table_that_the_study_lacks_says_what_it_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = said(["show", "paraphrase"], capsys)
    assert "study 'go' has no table 'paraphrase'. What it takes: released rewrites" in text


def test_diff_of_a_path_that_is_not_there_names_the_one_beside_it(
    smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "smoke").mkdir()
    for words in ([str(tmp_path / "smok")], [str(tmp_path / "smoke"), str(tmp_path / "smok")]):
        text = said(["diff", *words], capsys)
        assert f"there is nothing at '{tmp_path / 'smok'}'. Did you mean 'smoke'?" in text
    shutil.copy(smoke / "questions.parquet", tmp_path / "questions.parquet")
    one = tmp_path / "questions.parquet"
    text = said(["diff", str(one), str(tmp_path / "question.parquet")], capsys)
    assert "Did you mean 'questions.parquet'?" in text
    assert "Did you mean" not in said(["diff", str(tmp_path / "xyz")], capsys)


def test_a_new_annotator_hears_of_those_there_are(tmp_path: Path) -> None:
    assert _newcomer(tmp_path / "reader1.csv") == "", "nobody has labelled yet"
    (tmp_path / "reader-1.csv").touch()
    assert _newcomer(tmp_path / "reader-1.csv") == "", "known"
    assert _newcomer(tmp_path / "reader1.csv") == (
        "'reader1' is a new name; there are labels of reader-1. Did you mean 'reader-1'?\n"
    )
    assert "Did you mean" not in _newcomer(tmp_path / "zoe.csv")


def test_targets_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TARGETS, "")
    assert known_targets() == []
    remember_targets(["table4", "report"])
    assert known_targets() == ["table4", "report"]


def test_snakemake_names_the_target_that_may_have_been_meant() -> None:
    done = snakemake("tabel4", "--configfile", SMOKE)
    assert done.returncode and "No rule to produce tabel4" in done.stderr
    assert "Did you mean 'table4'?" in done.stderr and "snakemake --list" in done.stderr
    assert "Did you mean" not in snakemake("qqqq", "--configfile", SMOKE).stderr


def test_snakemake_names_the_study_file_that_may_have_been_meant(tmp_path: Path) -> None:
    done = snakemake("table4", "--configfile", "config/studies/smok.yaml")
    assert done.returncode and "Traceback" not in done.stderr
    assert f"no file 'config/studies/smok.yaml'. Did you mean '{SMOKE}'?" in done.stderr
    broken = tmp_path / "broken.yaml"
    broken.write_text("study: [1\n", encoding="utf-8")
    done = snakemake("table4", "--configfile", str(broken))
    assert done.returncode and "docs/new-study.md" in done.stderr


def test_make_says_what_there_is() -> None:
    done = subprocess.run(["make", "tabel4"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "'tabel4'. What there is: make help" in done.stderr
