"""The workflow as its users run it: dry run, smoke, rerun, errors, verify, diff, mutations."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from copyceiling.artefacts.schemas import SCORES
from copyceiling.artefacts.store import describe, read, rows, write
from copyceiling.cli import main as cli
from copyceiling.difference import SCHEMAS, diff_artefacts
from copyceiling.manifest import compare, read_claim, scan

from tests.conftest import ROOT, SMOKE, snakemake


def test_every_output_is_there_and_a_rerun_finds_nothing(smoke: Path) -> None:
    for name in ("table4", "table5", "confusion"):
        for kind in ("parquet", "csv", "md", "tex", "html"):
            assert (smoke / "tables" / f"{name}.{kind}").stat().st_size
    for kind in ("svg", "png", "parquet"):
        assert (smoke / "figures" / f"figure3.{kind}").stat().st_size
    again = snakemake("--configfile", SMOKE, "--config", f"results={smoke}")
    assert again.returncode == 0 and "Nothing to be done" in again.stderr


def test_a_folder_and_its_copy_are_equal_and_claimed_whole(smoke: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(smoke, tmp_path / "other", copy_function=shutil.copy))
    assert cli(["diff", str(smoke), str(other)]) == 0
    claim = read_claim(ROOT / "MANIFEST.json")["studies"]["smoke"]["artefacts"]
    assert set(scan(smoke)) == set(claim)


def test_the_smoke_study_is_as_claimed(smoke: Path) -> None:
    claim = read_claim(ROOT / "MANIFEST.json")["studies"]["smoke"]
    _, found = compare({**claim, "frozen": {}}, {"frozen": {}, "artefacts": scan(smoke)})
    assert [v.name for v in found if v.word != "same"] == []


def test_copy_reader_gains_exactly_nothing(smoke: Path) -> None:
    table = (smoke / "tables" / "table4.csv").read_text().splitlines()
    head = table[0].split(",")
    copies = [
        dict(zip(head, line.split(","), strict=True)) for line in table if "reader-copy" in line
    ]
    assert copies and all(float(r["gain"]) == 0.0 for r in copies)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["seeed=1"], "there is no key 'seeed'. Did you mean 'seed'?"),
        (["sweep={models: [gpt-99]}"], "the command line: sweep.models: unknown model gpt-99"),
        (["sweep={arms: [raw, grounded]}"], "the command line: 1 fault:\n  - field 'sweep.arms.1'"),
        (["corpus={path: /no/such/corpus}"], "there is nothing at '/no/such/corpus'"),
        (["results=/proc/none"], "cannot be written"),
    ],
)
def test_bad_configuration_stops_before_the_dag(overrides: list[str], expected: str) -> None:
    done = snakemake("--configfile", SMOKE, "--dry-run", "--config", *overrides)
    assert done.returncode != 0
    assert expected in done.stderr and "Traceback" not in done.stderr


def test_a_read_only_results_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    probe = (
        "import os, sys; sys.path.insert(0, 'scripts')\n"
        "from pathlib import Path\n"
        "from copyceiling.workflow import check_writable\n"
        "os.getuid() or os.setuid(65534)\n"
        f"check_writable(Path({str(folder)!r}, 'results'))"
    )
    for parent in (tmp_path, *tmp_path.parents):  # let the other user reach the folder
        if parent.owner() == tmp_path.owner() and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
        if parent == Path("/tmp"):
            break
    done = subprocess.run(
        [sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode and "cannot be written" in done.stderr, done.stderr[-500:]


def test_missing_completions_say_how_to_run_them(tmp_path: Path) -> None:
    done = snakemake(
        "table4", "--configfile", SMOKE, "--config", f"results={tmp_path}/r",
        "sweep={models: [smollm2-135m]}", "audit=null", f"frozen={tmp_path}/none",
    )  # fmt: skip
    assert done.returncode
    assert "completions were never frozen" in done.stderr
    assert "--config mode=live" in done.stderr
    assert not list((tmp_path / "r").rglob("completions/*.parquet"))


def test_any_changed_cell_of_a_results_folder_is_named(smoke: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(smoke, other)
    path = other / "scores" / "reader-lead.parquet"
    changed = rows(path, SCORES)
    changed[3]["n_hits"] += 1
    write(path, changed, SCORES, {"rule": "x", "script": "x", "inputs": {}})
    found = diff_artefacts(smoke / "scores" / "reader-lead.parquet", path)
    (cell,) = found.cells
    assert (cell.column, cell.new) == ("n_hits", cell.old + 1)
    assert cli(["diff", str(smoke), str(other)]) == 1
    assert cli(["diff", str(smoke / "questions.parquet"), str(path)]) == 2
    assert read(path, SCORES).num_rows == len(changed)


def test_show_prints_a_table_or_says_what_there_is(
    smoke: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--configfile", str(ROOT / SMOKE), "--config", f"results={smoke}"]
    assert cli(["show", "table4", *where]) == 0
    assert "Table 4. Smoke test" in capsys.readouterr().out
    assert cli(["show", *where]) == 0
    built = sorted(path.stem for path in (smoke / "tables").glob("*.md"))
    assert capsys.readouterr().out.split() == built
    assert {"confusion", "table1", "table2", "table4", "table5", "table8"} <= set(built)
    assert cli(["show", "table9", *where]) == 2
    assert "there is no table of the name 'table9'" in capsys.readouterr().err


def test_show_says_how_to_build_the_study_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the study and the settings that were given, quoted for a shell."""
    where = [
        "--configfile",
        SMOKE,
        "--config",
        f"results={tmp_path}",
        "sweep={models: [reader-copy]}",
    ]
    assert cli(["show", "table1", *where]) == 2
    hint = capsys.readouterr().err.strip().partition("Build it: ")[2]
    assert shlex.split(hint) == ["snakemake", "table1", *where]
    assert cli(["show", *where]) == 0
    hint = capsys.readouterr().out.strip().partition("Build them: ")[2]
    assert shlex.split(hint) == ["snakemake", *where]
    empty = ["--config", f"results={tmp_path}"]
    assert cli(["show", "table4", *empty]) == 2
    hint = capsys.readouterr().err.strip().partition("Build it: ")[2]
    assert shlex.split(hint) == ["snakemake", "table4", *empty]


def test_estimate_says_what_a_live_run_would_ask(smoke: Path) -> None:
    pytest.importorskip("diskcache", reason="live calls are not installed")
    models = "sweep={models: [smollm2-135m, deepseek-chat], subset: {deepseek-chat: 5}}"
    more = ("--config", f"results={smoke}", models, "audit=null")
    done = snakemake("estimate", "--configfile", SMOKE, *more)
    assert done.returncode == 0, done.stderr[-2000:]
    (row,) = [line for line in done.stdout.splitlines() if "| deepseek-chat" in line]
    assert [cell.strip() for cell in row.split("|")][3:6] == ["2,048", "10", "0"]
    assert "n/a" not in row, "its price is known"


def test_a_flipped_byte_in_a_frozen_file_stops_the_replay(tmp_path: Path) -> None:
    frozen = tmp_path / "frozen"
    shutil.copytree(ROOT / "data" / "smoke", frozen)
    file = frozen / "calls" / "smollm2-135m.parquet"
    data = bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)
    done = snakemake(
        "table4", "--configfile", SMOKE, "--config", f"results={tmp_path}/r", f"frozen={frozen}"
    )
    assert done.returncode
    assert f"frozen file '{file}' has sha256" in done.stderr
    assert f"git checkout -- '{file}'" in done.stderr
    assert not list((tmp_path / "r").rglob("completions/smollm2*"))


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    """A real one: a file system of 120 kB holds some of the study's artefacts, not all."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=120k", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs root, to mount a small file system")
    try:
        done = snakemake("--configfile", SMOKE, "--config", f"results={disk}/r")
        assert done.returncode
        assert "No space left on device" in done.stderr and "Nothing was changed" in done.stderr
        written = sorted(disk.rglob("*.parquet"))
        assert written, "what fitted is whole"
        for path in written:
            name = str(describe(path)["schema"])
            read(path, SCHEMAS[name])
        assert not list(disk.rglob("*.tmp"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
