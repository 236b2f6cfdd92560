"""Commands that messages give: quoted, on the study of this run, never against a user's file."""

import shlex
from pathlib import Path

import pytest
from copyceiling.commands import OPTIONS, made_again, snakemake, study_options


def test_options_name_the_study_again(tmp_path: Path) -> None:
    inside = tmp_path / "config" / "a b.yaml"
    outside = Path("/elsewhere/c.yaml")
    found = study_options([inside, outside], ["live={max_usd: 5}", "mode=live"], tmp_path)
    assert shlex.split(found) == [
        *("--configfile", "config/a b.yaml", "/elsewhere/c.yaml"),
        *("--config", "live={max_usd: 5}", "mode=live"),
    ]
    assert study_options([], [], tmp_path) == ""


def test_a_command_is_on_the_study_of_this_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OPTIONS, raising=False)
    assert snakemake("a b") == "snakemake 'a b'"
    monkeypatch.setenv(OPTIONS, "--configfile x.yaml")
    assert snakemake() == "snakemake --configfile x.yaml"
    assert snakemake("table4", options="") == "snakemake table4"


def test_a_result_is_removed_and_built_again_and_frozen_data_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OPTIONS, "--configfile x.yaml")
    result = tmp_path / "results" / "go" / "scores" / "m 1.parquet"
    said = made_again(result).splitlines()
    assert said[1:] == [f"  rm '{result}'", f"  snakemake '{result}' --configfile x.yaml"]
    frozen = tmp_path / "data" / "go" / "judged" / "calls" / "m.parquet"
    frozen.parent.mkdir(parents=True)
    (tmp_path / "data" / "go" / "SHA256SUMS").touch()
    assert made_again(frozen).splitlines()[1:] == [f"  git checkout -- {frozen}"]
    # An unpacked crate has sums over everything, results as well.
    (tmp_path / "SHA256SUMS").touch()
    (tmp_path / "Snakefile").touch()
    assert f"rm '{result}'" in made_again(result)


def test_outside_a_run_nobody_is_told_to_remove_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OPTIONS, raising=False)
    assert "rm" not in made_again(tmp_path / "mine.parquet").split()
