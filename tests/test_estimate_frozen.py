"""The printed estimate against what the shipped study's frozen runs asked and read."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from copyceiling.arms.settings import called_parts
from copyceiling.config import ROOT, load_study

from tests.conftest import snakemake

STUDY = load_study(ROOT / "config" / "studies" / "go.yaml")
FROZEN = ROOT / STUDY["frozen"]
MODELS = ("smollm2-135m", "qwen2.5-coder-0.5b")
# USD 1 a prompt token and nothing for answers: the columns of cost are then bounds of tokens.
PRICES = ", ".join(f"{model}: {{input: 1000000, output: 0}}" for model in MODELS)
Line = dict[str, str]


def files() -> dict[tuple[str, str], tuple[Path, str | None]]:
    """Return part and model of every frozen run, with its file and the rubric that counts."""
    where: dict[tuple[str, str], tuple[str, str | None]] = {
        ("sweep", model): (f"calls/{model}", None) for model in MODELS
    }
    for judge in STUDY["judging"]["judges"]:
        for kind in ("relation", "grade"):
            name = f"judged/calibration/calls/{judge}"
            where[f"calibration, {kind}", judge] = (name, kind)
    for judge in STUDY["audit"]["judges"]:
        where["audit, labels", judge] = (f"judged/audit/calls/{judge}", None)
    for name, part in called_parts(STUDY, ROOT).items():
        where |= {(f"{name}, answers", m): (f"{name}/calls/{m}", None) for m in part.models}
        where |= {(f"{name}, grades", m): (f"judged/{name}/calls/{m}", None) for m in part.judges}
    found = {key: (FROZEN / f"{name}.parquet", kind) for key, (name, kind) in where.items()}
    return {key: (path, kind) for key, (path, kind) in found.items() if path.exists()}


def frozen_calls(path: Path, kind: str | None) -> list[dict[str, Any]]:
    return [r for r in pq.read_table(path).to_pylist() if kind is None or r["rubric"] == kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("estimate")


def estimate(folder: Path, *settings: str) -> dict[tuple[str, str], Line]:
    live = f"live={{cache: {folder}/none, prices: {{{PRICES}}}}}"
    done = snakemake("estimate", "--config", f"results={folder}/results", live, *settings)
    assert done.returncode == 0, done.stderr[-3000:]
    return parse(done.stdout)


@pytest.fixture(scope="module")
def printed(folder: Path) -> dict[tuple[str, str], Line]:
    """Where nothing is frozen, as before the runs that are."""
    return estimate(folder, f"frozen={folder}/nothing")


@pytest.fixture(scope="module")
def had(folder: Path) -> dict[tuple[str, str], Line]:
    """Where all is frozen."""
    return estimate(folder)


def parse(text: str) -> dict[tuple[str, str], Line]:
    """Return the lines of the printed table by part and model."""
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("|:")
    ]
    lines = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    found = {(line["Part"], line["Model"]): line for line in lines}
    assert len(found) == len(lines), "one budget each"
    return found


def bounds(cell: str) -> tuple[int, int]:
    least, _, most = cell.replace(",", "").partition("..")
    return int(least), int(most or least)


def test_every_frozen_run_lies_within(printed: dict[tuple[str, str], Line]) -> None:
    faults = defaultdict(list)
    for key, (path, kind) in files().items():
        line, calls = printed[key], frozen_calls(path, kind)
        least, most = bounds(line["Calls"])
        if not least <= len(calls) <= most:
            faults[key].append(f"{len(calls)} calls, not within {line['Calls']}")
        tokens = sum(row["prompt_tokens"] for row in calls)
        if not float(line["at least USD"]) <= tokens <= float(line["at most USD"]):
            faults[key].append(f"{tokens} tokens: {line}")
        if line["frozen"] not in ("0", "n/a"):
            faults[key].append(f"{line['frozen']} said to be frozen, and nothing is")
    assert not faults


def test_what_is_frozen_is_not_asked(had: dict[tuple[str, str], Line]) -> None:
    """The audit's units are then drawn, so its calls are known too."""
    assert had.keys() == files().keys(), "the shipped study is frozen to the last call"
    for key, where in files().items():
        line = had[key]
        assert int(line["frozen"].replace(",", "")) == len(frozen_calls(*where)), key
        nothing = ("Calls", "in cache", "Prompt tokens", "most answer tokens")
        assert {line[name] for name in nothing} == {"0"}, key
        assert float(line["at least USD"]) == float(line["at most USD"]) == 0, key


def test_the_study_has_a_line_for_all_that_is_asked(printed: dict[tuple[str, str], Line]) -> None:
    assert files().keys() <= printed.keys()
    judges = {judge for part, judge in printed if part.startswith("calibration")}
    assert judges == {judge for judge in STUDY["judging"]["judges"] if judge in MODELS}
    assert {line["in cache"] for line in printed.values()} == {"0", "n/a"}
    assert not any("rule" in model or "reader" in model for _, model in printed)


def test_only_what_hangs_on_answers_is_open(printed: dict[tuple[str, str], Line]) -> None:
    for (part, _), line in printed.items():
        least, most = bounds(line["Calls"])
        assert (least == most) == (part == "sweep" or part.endswith("answers")), part
        assert (least == 0) == part.endswith("grades"), "an answer may come empty"
