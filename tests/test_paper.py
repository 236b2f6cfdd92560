"""The paper's study end to end: what the rows determine agrees, and a planted fault is named.

Source of the numbers: reference/expected.yaml of the paper's material, and the demands of this
project on how much of it the reduced rows must give.
"""

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from copyceiling.artefacts.published_schemas import COMPARISON
from copyceiling.artefacts.store import rows
from copyceiling.published.compare import DIFFERS, KNOWN, LACKING, NO_RULE

from tests.conftest import snakemake

CORPUS = "narrativegoldmine-pages-2026-08-07.tar.xz"


def run_paper(shared: Path, release: Path, results: Path) -> "subprocess.CompletedProcess[str]":
    published = shared / "reference" / "expected.yaml"
    return snakemake(
        "paper",
        "prose",
        "--configfile",
        "config/studies/paper.yaml",
        "--config",
        f"results={results}",
        f"release={{path: {release}, published: {published}}}",
        f"corpus={{path: {shared / 'corpus' / CORPUS}}}",
    )


@pytest.fixture(scope="module")
def results(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "results"
    done = run_paper(shared, shared / "release", folder)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "No value differs without a known cause" in done.stdout
    assert "Section 10.7" in done.stdout
    return folder


def copy_of(results: Path, folder: Path) -> Path:
    """Copy results with their times, so that only what rests on a changed file is made again."""
    return Path(shutil.copytree(results, folder / "results"))


def test_most_values_are_recomputed_and_none_differs(results: Path) -> None:
    found = rows(results / "studies" / "comparison.parquet", COMPARISON)
    verdicts = Counter(r["verdict"] for r in found)
    assert len(found) == 1063
    assert verdicts[DIFFERS] == 0
    assert len(found) - verdicts[LACKING] >= 600
    assert verdicts[KNOWN] == 2
    assert all(r["reason"] for r in found if r["verdict"] == LACKING)
    assert NO_RULE not in {r["reason"] for r in found}


def test_a_wrong_digit_in_one_grade_fails_the_report(
    shared: Path, results: Path, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    shutil.copytree(shared / "release", release)
    file = release / "paper-v2" / "judged.json"
    grades = json.loads(file.read_text(encoding="utf-8"))
    row = next(r for r in grades if (r["set"], r["arm"]) == ("general", "raw"))  # judged once only
    row["score"] = row["score"] + 1 if row["score"] < 5 else 4
    file.write_text(json.dumps(grades), encoding="utf-8")
    done = run_paper(shared, release, copy_of(results, tmp_path))
    assert done.returncode != 0
    assert "live.general.mean_diff" in done.stderr
    assert "live.pooled.mean_diff" in done.stderr


def test_a_dropped_row_and_a_doubled_one_are_named(
    shared: Path, results: Path, tmp_path: Path
) -> None:
    release = tmp_path / "release"
    shutil.copytree(shared / "release", release)
    file = release / "audit" / "verdicts.tsv"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:-1], lines[1]]) + "\n", encoding="utf-8")
    done = run_paper(shared, release, copy_of(results, tmp_path))
    assert done.returncode != 0
    assert "verdicts.tsv" in done.stderr
    assert lines[1].split("\t")[0] in done.stderr
