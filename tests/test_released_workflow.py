"""Released rows through the workflow: artefacts made, files listed, faults shown plainly."""

from pathlib import Path

import pytest
from copyceiling.artefacts.judged_schemas import ANSWERS, GRADES, RELEASED_FILES
from copyceiling.artefacts.store import rows
from copyceiling.config import study_of
from copyceiling.errors import CopyCeilingError
from copyceiling.workflow import is_released, source_files

from tests.conftest import ROOT, SMOKE, snakemake
from tests.released_samples import full, reduced, text_of, write_release

TARGETS = ("production/answers", "controls/grades", "released/production", "released/controls")


def build(root: Path, results: Path) -> "tuple[int, str]":
    done = snakemake(
        *(f"{results}/{name}.parquet" for name in TARGETS),
        *("--configfile", SMOKE, "--config", f"results={results}", f"release={{path: {root}}}"),
        *("production={source: release}", "controls={source: release}"),
    )
    return done.returncode, done.stderr


def test_a_study_reads_released_parts_and_says_which_files(tmp_path: Path) -> None:
    root, results = write_release(tmp_path / "r", reduced()), tmp_path / "results"
    status, text = build(root, results)
    assert status == 0, text[-2000:]
    assert len(rows(results / "production" / "answers.parquet", ANSWERS)) == 8
    assert rows(results / "controls" / "grades.parquet", GRADES)
    files = rows(results / "released" / "controls.parquet", RELEASED_FILES)
    assert {r["file"]: r["form"] for r in files}["controls/five_arm_scores.tsv"] == "reduced"
    assert {r["form"] for r in files} == {"full", "reduced", "aggregate", "absent"}

    # The files that appear later are read, and the ones at fault stop the run with their line.
    write_release(root, full())
    file = "control-rerun-2026-09-21/judged.json"
    wrong = [{**row, "score": 7} for row in full()[file]]
    (root / file).write_text(text_of(file, wrong), encoding="utf-8")
    status, text = build(root, results)
    assert status and "Traceback" not in text
    assert "control-rerun-2026-09-21/judged.json:2: field 'score': 7 is outside 0 .. 5" in text
    assert "data/sources.csv" in text


def test_only_a_part_that_is_released_looks_for_files(tmp_path: Path) -> None:
    base = ["production={source: release}"]
    study = study_of([ROOT / SMOKE], base)
    with pytest.raises(CopyCeilingError, match=r"release\.path"):
        source_files(study)
    study = study_of([ROOT / SMOKE], [*base, f"release={{path: {tmp_path}}}"])
    found = source_files(study)
    assert found["production"] and not any(found["production"].values())
    assert "controls" not in found and not is_released(study, "controls")


def test_an_unknown_gate_is_refused() -> None:
    with pytest.raises(CopyCeilingError, match=r"field 'release\.gates'"):
        study_of([ROOT / SMOKE], ["release={gates: {audit.verdict: 1}}"])
