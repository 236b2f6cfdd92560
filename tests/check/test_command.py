"""The command line: what it prints and writes, its exit status, and the page that explains it."""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.store import describe, read
from copyceiling.check.command import add_arguments, run
from copyceiling.check.schemas import CHECK_BAD, CHECK_PAIRS, CHECK_ROWS, CHECK_SYSTEMS

from tests.check.made import row, write_jsonl
from tests.conftest import ROOT

COMMAND = (
    "import argparse, sys\n"
    "from copyceiling.check.command import add_arguments, run\n"
    "parser = argparse.ArgumentParser()\n"
    "add_arguments(parser)\n"
    "sys.exit(run(parser.parse_args()))\n"
)
DOCS = ROOT / "docs" / "check.md"
ENV = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return run(parser.parse_args([*map(str, words), "--resamples", "200"]))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    rows = [
        row(i, system=s, cluster=f"c{i % 3}", answer="Rye flour." if i % 4 else "")
        for i in range(9)
        for s in "ab"
    ]
    return write_jsonl(tmp_path / "rows.jsonl", [*rows, row(1, gold=None), row(2, answer=3)])


def test_bad_rows_stop_it(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(log, "--workers", 1) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("copyceiling check: 2 bad rows:")
    assert "line 19: gold: is missing" in err and "line 20: answer: found a number" in err


def test_report_is_printed_and_written(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert command(log, "--skip-bad", "--out", folder) == 0
    out, err = capsys.readouterr()
    assert err == ""
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert out.startswith(page) and out.count("wrote ") == 6
    for words in ("Ceiling", "Utilisation", "| strict", "6 ok, 3 empty", "complete_case", "Holm"):
        assert words in page, words
    assert "2 of 20 rows are bad" in page
    assert "neither" in page and "cannot be told" in page
    document = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert (document["n_bad"], len(document["systems"]), document["seed"]) == (2, 2, 42)
    schemas = {"rows": CHECK_ROWS, "systems": CHECK_SYSTEMS, "pairs": CHECK_PAIRS,
               "bad_rows": CHECK_BAD}  # fmt: skip
    tables = {name: read(folder / f"{name}.parquet", s) for name, s in schemas.items()}
    assert {n: t.num_rows for n, t in tables.items()} == {
        "rows": 36, "systems": 12, "pairs": 2, "bad_rows": 2
    }  # fmt: skip
    made = describe(folder / "systems.parquet")["provenance"]
    assert made["rule"] == "copyceiling check" and made["params"]["resamples"] == 200


def test_a_long_check_says_how_far_it_is(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the time left where the size tells it, and on stderr alone."""
    assert command(log, "--skip-bad") == 0
    quiet = capsys.readouterr()
    assert quiet.err == "", "a small log takes no time"
    monkeypatch.setattr("copyceiling.check.progress.EVERY_S", 0.0)
    monkeypatch.setattr("copyceiling.check.chunks._BLOCK", log.stat().st_size // 2)
    assert command(log, "--skip-bad") == 0
    out, err = capsys.readouterr()
    assert out == quiet.out
    first, *_, last = err.splitlines()
    assert re.fullmatch(
        r"copyceiling check: \d+ rows measured, [\d,]+ a second, about \d+ s left to measure", first
    )
    assert last.startswith("copyceiling check: 20 rows measured")
    table = tmp_path / "rows.csv"
    table.write_text("id,question,gold,context,answer\n1,q,a,a,a\n", encoding="utf-8")
    assert command(table) == 0
    assert "1 row measured" in (said := capsys.readouterr().err) and "left" not in said


def test_other_faults_end_in_2_and_a_reason(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write_jsonl(tmp_path / "good.jsonl", [row(1)])
    blocked = tmp_path / "file"
    blocked.write_text("")
    for words, said in (
        ([tmp_path / "none.jsonl"], "there is no file"),
        ([good, "--field", "context"], "write OURS=THEIRS"),
        ([good, "--field", "contxt=a"], "no field of a row; did you mean 'context'?"),
        ([good, "--level", "2"], "level 2.0"),
        ([good, "--out", blocked / "x"], "cannot write to"),
        ([good, good], "repeats"),
    ):
        assert command(*words) == 2, words
        out, err = capsys.readouterr()
        assert said in err and "Traceback" not in err and out == ""


def test_as_a_process_with_a_narrow_terminal(tmp_path: Path) -> None:
    good = write_jsonl(tmp_path / "good.jsonl", [row(1, system="né\u202e")])
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(good)],
        env={**ENV, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "n?" in done.stdout


def test_it_loads_neither_snakemake_nor_a_client() -> None:
    probe = (
        "import sys\nfrom copyceiling import check\nimport copyceiling.check.command\n"
        "print([n for n in sys.modules if n.split('.')[0] in "
        "('snakemake', 'litellm', 'matplotlib', 'diskcache')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], env=ENV, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def blocks(language: str) -> list[str]:
    text = DOCS.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_page_does_what_it_says_in_under_two_minutes(tmp_path: Path) -> None:
    """Every command of docs/check.md, in order, as a newcomer would copy them."""
    scripts = Path(sys.executable).parent
    assert (scripts / "copyceiling").exists(), "install the project first: make env"
    env = {**ENV, "PATH": f"{scripts}:{os.environ['PATH']}"}
    start = time.perf_counter()
    options: dict[str, Any] = {"cwd": tmp_path, "env": env, "text": True, "capture_output": True}
    for block in blocks("sh"):
        done = subprocess.run(["bash", "-euc", block], check=False, **options)
        assert done.returncode == 0, done.stderr
        assert "Copy-ceiling check: 4 rows, 2 systems" in done.stdout
    (code,) = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], check=False, **options)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "new 0.5 -0.25\n"
    assert time.perf_counter() - start < 120
    written = {p.name for p in (tmp_path / "report").iterdir()}
    assert {"report.md", "report.json", "rows.parquet", "systems.parquet"} <= written


def test_the_page_names_every_field_and_format() -> None:
    from copyceiling.check.fields import FIELDS
    from copyceiling.check.sources import FORMATS

    text = DOCS.read_text(encoding="utf-8")
    for name in FIELDS:
        assert f"`{name}`" in text, name
    for name in FORMATS:
        assert name == "auto" or name.lower() in text.lower(), name


def test_the_example_of_the_readme_prints_what_it_says() -> None:
    text = (DOCS.parents[1] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=ENV, check=True
    )
    assert done.stdout.strip() == code.strip().splitlines()[-1].removeprefix("# ")
