"""The documentation, executed: a reader with a clone types what its pages say, top to bottom.

`tests/doc_commands.py` says who executes what stands on no page here.
Answers of models come from a local server.
"""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.doc_commands import in_ci
from tests.reader import Reader, clone, copy_of


def test_regenerate(go_clone: Path) -> None:
    """docs/regenerate.md: tables, report, diff, claim and crate of the shipped study."""
    printed = json.loads((go_clone.parent / "printed.json").read_text(encoding="utf-8"))
    assert "**Table 5." in printed["snakemake table5"]
    assert "All on one page" in printed["snakemake"]
    assert (go_clone / "results/go/report.html").stat().st_size < 10_000_000
    show = "copyceiling show table4 --configfile config/studies/smoke.yaml"
    assert "**Table 4. Smoke" in printed[show]
    assert "table4" in printed[show.replace(" table4", "")].split()
    assert "differ" in printed["copyceiling diff results/go"]
    assert "now claim" in printed["copyceiling accept"]
    assert printed["git diff MANIFEST.md"] == "", "the claim is what was built"
    assert "FAILED" not in printed["sha256sum --check SHA256SUMS"]


def test_files_written_from_a_source_are_as_they_would_be_written(tmp_path: Path) -> None:
    """CONTRIBUTING.md and docs/diagrams: each make target writes what is in the repository."""
    reader = clone(tmp_path / "clone")
    written = ("config/defaults.yaml", "docs/data-dictionary.md", "docs/diagrams", "envs")
    for name in written:
        path = reader.folder / name
        for file in [path] if path.is_file() else [*path.glob("*.svg"), *path.glob("*.yaml")]:
            if name != "docs/diagrams" or file.suffix == ".svg":
                file.unlink()
    reader.follow("docs/diagrams/README.md")
    for command in ("make defaults", "make dictionary", "make envs"):
        reader.type(command)
    for name in written:
        for file in [ROOT / name] if (ROOT / name).is_file() else (ROOT / name).glob("*.*"):
            there = reader.folder / file.relative_to(ROOT)
            assert there.read_bytes() == file.read_bytes(), file


def test_a_study_elsewhere(tmp_path: Path) -> None:
    """docs/new-study.md."""
    elsewhere = Path("/tmp/smoke")
    if elsewhere.exists():
        pytest.skip(f"the page writes to {elsewhere}, where something lies already")
    try:
        (said,) = clone(tmp_path / "clone").follow("docs/new-study.md").values()
        assert "**Table 4." in said and (elsewhere / "tables" / "table4.parquet").is_file()
    finally:
        shutil.rmtree(elsewhere, ignore_errors=True)


def test_your_pages(tmp_path: Path) -> None:
    """docs/your-pages.md: from pages of markdown to Table 4."""
    reader = clone(tmp_path / "clone")
    *_, last = reader.follow("docs/your-pages.md").values()
    assert "**Table 4." in last and "reader-copy" in last
    reader.type("snakemake report --configfile mine/workshop.yaml")
    assert (reader.folder / "results/workshop/report.html").is_file()


# What is frozen, judges, people


def test_live_runs_of_what_is_frozen(go_clone: Path, tmp_path: Path) -> None:
    """docs/judges.md, data/go and docs/judged-studies.md, in turn: nothing is asked twice.

    There are no weights, so whatever was asked again would fail.
    """
    reader = copy_of(go_clone, tmp_path / "clone")
    reader.env["COPYCEILING_MODELS"] = str(tmp_path / "no-weights")
    before = sums(reader)
    printed = reader.follow(
        "docs/judges.md",
        before={
            "snakemake calibration": "rm -r results/go/tables/calibration.*",
            "copyceiling annotate --as reader-1": "exec < <(printf 'c')",
        },
    )
    assert "qwen2.5-coder-0.5b" in printed["copyceiling show calibration"]
    assert "correct_relation" in printed["copyceiling annotate --guide"].replace(" ", "_")
    (labels,) = (reader.folder / "data/go/audit/labels").glob("reader-1*")
    labels.unlink()  # else the audit takes them in
    printed = reader.follow("data/go/README.md")
    assert re.search(r"\| calibration.*\| *0 \|", printed["snakemake estimate"])
    assert "in use" not in reader.type("copyceiling diff results/go"), "every artefact as claimed"
    # The claim is accepted where docs/regenerate.md is followed.
    printed = reader.follow("docs/judged-studies.md", but=("copyceiling accept",))
    assert "Nothing to be done" in printed[next(c for c in printed if "wrappers" in c)]
    assert sums(reader) == before


def sums(reader: Reader) -> str:
    return (reader.folder / "data/go/SHA256SUMS").read_text(encoding="utf-8")


# A model of one's own


def test_your_models(tmp_path: Path) -> None:
    """docs/your-models.md: a row, a key, an estimate, a live run, frozen rows with their claim."""
    pytest.importorskip("litellm", reason="live calls are not installed")
    from tests.live.hostile_provider import HostileProvider

    page = "docs/your-models.md"
    reader = clone(tmp_path / "clone")
    reader.env["COPYCEILING_MODELS"] = str(tmp_path / "no-weights")
    (row,) = re.findall(r"```text\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    with HostileProvider() as server:
        table = reader.folder / "config" / "models.tsv"
        row = row.replace("http://localhost:8000/v1", server.base_url)
        table.write_text(table.read_text(encoding="utf-8") + row, encoding="utf-8")
        change_study(reader)
        printed = reader.follow(page, also=("snakemake table4",))
        assert sum(server.asked.values()) == 732, "both arms of 366 questions, and nothing else"
    (line,) = [x for x in printed["snakemake estimate"].splitlines() if "| my-model" in x]
    assert "732" in line
    assert "my-model: 732 calls" in printed["copyceiling freeze"]
    assert "| my-model" in printed["snakemake table4"]
    assert "now claim" in printed["copyceiling accept"]


def change_study(reader: Reader) -> None:
    """Name the model in the study, with a price, as the page says; beside the sweep no part."""
    path = reader.folder / "config" / "studies" / "go.yaml"
    study = yaml.safe_load(path.read_text(encoding="utf-8"))
    study["sweep"]["models"] = ["my-model", "smollm2-135m", "reader-copy"]
    study["live"] = {"prices": {"my-model": {"input": 0.1, "output": 0.4}}}
    parts = ("audit", "controls", "judging", "paraphrase", "production", "rescore", "seeds")
    study |= dict.fromkeys([*parts, "wrappers"])
    path.write_text(yaml.safe_dump(study, sort_keys=False), encoding="utf-8")


def test_what_continuous_integration_runs_is_on_the_pages() -> None:
    """The commands that readers are told to run first are those that it runs."""
    assert {"make table4", "make env-test", "make lint", "make test", "snakemake verify"} <= in_ci()
