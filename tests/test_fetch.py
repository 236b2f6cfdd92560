"""The registry of outside data is closed and in step; fetching is whole, checked, or explained."""

import csv
import gzip
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from copyceiling.cli import main as cli
from copyceiling.config import load_study
from copyceiling.errors import ConfigError
from copyceiling.fetch import get
from copyceiling.fetch.get import FetchError, fetch, how_to_point
from copyceiling.fetch.sources import REGISTRY, Source, load_sources
from copyceiling.models import load_models

from tests.conftest import ROOT


def git(*arguments: str, cwd: Path) -> str:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *who, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture()
def upstream(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A bare repository with a tag, and a commit after it; and the tag's commit."""
    work = tmp_path / "work"
    work.mkdir()
    git("init", "--quiet", cwd=work)
    (work / "uplift-results").mkdir()
    (work / "uplift-results" / "questions.jsonl").write_text("one\n")
    git("add", ".", cwd=work)
    git("commit", "--quiet", "-m", "one", cwd=work)
    git("tag", "-a", "paper-v1", "-m", "as published", cwd=work)
    commit = git("rev-parse", "HEAD", cwd=work)
    (work / "later.txt").write_text("two\n")
    git("add", ".", cwd=work)
    git("commit", "--quiet", "-m", "two", cwd=work)
    bare = tmp_path / "upstream.git"
    git("clone", "--quiet", "--bare", str(work), str(bare), cwd=tmp_path)
    yield bare, commit


def source(address: Path | str, version: str = "paper-v1", commit: str = "") -> Source:
    return Source(
        name="rows",
        kind="git",
        version=version,
        licence="CC0-1.0",
        address=str(address),
        commit=commit,
        sha256="",
        path="uplift-results",
        setting="release.path",
        purpose="rows to test with",
        note="no commit is declared",
    )


def registry(path: Path, *sources: Source) -> Path:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(Source.__dataclass_fields__)
        writer.writerows([vars(s).values() for s in sources])
    return path


def leftovers(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.rglob("*.partial"))


def test_the_shipped_registry_is_closed_and_in_step_with_the_studies() -> None:
    sources = load_sources()
    assert all(s.address.startswith(("https://", "pkg:pypi/")) for s in sources.values())
    paper = load_study(ROOT / "config" / "studies" / "paper.yaml")["corpus"]
    corpus = sources[paper["name"]]
    assert corpus.commit == corpus.version and paper["source"].endswith(corpus.commit)
    declared = {
        spec.revision
        for spec in load_models(ROOT / "config" / "models.tsv").values()
        if spec.runner == "gguf"
    }
    assert declared <= {s.sha256 for s in sources.values()}, "weights without a source"
    go = load_study(ROOT / "config" / "studies" / "go.yaml")["corpus"]
    place, _ = fetch(sources[go["name"]], None)
    assert str(place).endswith(go["path"])
    assert hashlib.sha256(gzip.decompress(place.read_bytes())).hexdigest() == go["sha256"]
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    for name in ("Gene Ontology", "SmolLM2-135M"):
        assert name in notice


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"name": "Rows"}, "field 'name'"),
        ({"kind": "zip"}, "field 'kind'"),
        ({"version": "-x"}, "field 'version'"),
        ({"licence": ""}, "field 'licence': is empty"),
        ({"address": "--upload-pack=x"}, "field 'address'"),
        ({"address": "http://example.org/x"}, "field 'address'"),
        ({"commit": "abc"}, "field 'commit'"),
        ({"sha256": "0" * 64}, "field 'sha256'"),
        ({"setting": "corpus"}, "field 'setting'"),
        ({"note": ""}, "field 'note': must say why"),
    ],
)
def test_a_wrong_entry_is_named(change: dict[str, str], expected: str, tmp_path: Path) -> None:
    good = source("https://example.org/x")
    file = registry(tmp_path / "sources.csv", good)
    assert load_sources(file) == {"rows": good}
    with pytest.raises(ConfigError, match=f"sources.csv:2: {expected}"):
        load_sources(registry(file, Source(**{**vars(good), **change})))
    with pytest.raises(ConfigError, match="'rows' stands twice"):
        load_sources(registry(file, good, good))
    file.write_text(file.read_text().replace("purpose", "use"))
    with pytest.raises(ConfigError, match="columns must be"):
        load_sources(file)


def test_a_tag_and_a_commit_are_fetched_and_found_again(
    upstream: tuple[Path, str], tmp_path: Path
) -> None:
    bare, commit = upstream
    for name, wanted in (("tag", source(bare)), ("commit", source(bare, commit, commit))):
        place, done = fetch(wanted, tmp_path / name)
        assert done == f"commit {commit}" and place == tmp_path / name / "rows"
        assert (place / "uplift-results" / "questions.jsonl").read_text() == "one\n"
        assert not (place / "later.txt").exists(), "what came after the tag is not it"
        assert git("rev-list", "--count", "HEAD", cwd=place) == "1", "no history"
        assert fetch(wanted, tmp_path / name) == (place, f"already there, commit {commit}")
        assert not leftovers(tmp_path)
        assert f"release={{path: {place}/uplift-results}}" in how_to_point(wanted, place)


def test_what_is_there_is_checked(upstream: tuple[Path, str], tmp_path: Path) -> None:
    bare, _ = upstream
    place, _ = fetch(source(bare), tmp_path)
    (place / "uplift-results" / "questions.jsonl").write_text("two\n")
    with pytest.raises(FetchError, match=r"1 changed file\(s\):\n  -  M uplift-results/questions"):
        fetch(source(bare), tmp_path)
    shutil.rmtree(place)
    place.mkdir()
    (place / "other").touch()
    with pytest.raises(FetchError, match="its commit is 'none'"):
        fetch(source(bare), tmp_path)
    assert (place / "other").exists(), "nothing of the user's is removed"
    with pytest.raises(FetchError, match="not 'rows' at"):
        shutil.rmtree(place)
        fetch(source(bare), tmp_path)
        fetch(source(bare, "0" * 40, "0" * 40), tmp_path)


def test_a_dead_address_leaves_nothing_and_says_what_to_do(tmp_path: Path) -> None:
    wanted = source(tmp_path / "gone.git")
    with pytest.raises(FetchError) as caught:
        fetch(wanted, tmp_path / "to")
    message = str(caught.value)
    assert "cannot fetch 'rows' (paper-v1)" in message
    assert "git clone --depth 1 --branch paper-v1" in message
    assert "release={path: " in message
    assert not any(p for p in (tmp_path / "to").rglob("*"))


def test_a_missing_tag_or_commit_is_an_error(upstream: tuple[Path, str], tmp_path: Path) -> None:
    bare, _ = upstream
    for wanted in (source(bare, "paper-v9"), source(bare, "1" * 40, "1" * 40)):
        with pytest.raises(FetchError, match="git fetch: "):
            fetch(wanted, tmp_path / "to")
        assert not leftovers(tmp_path) and not (tmp_path / "to" / "rows").exists()


def test_without_git_it_says_what_to_put_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get.shutil, "which", lambda _: None)
    with pytest.raises(FetchError, match="which is not installed"):
        fetch(source("https://example.org/x"), tmp_path)
    assert not any(tmp_path.iterdir())


def test_an_interrupted_fetch_leaves_no_half_folder(
    upstream: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off after the files were fetched; a killed run's remains are cleared by the next."""
    bare, commit = upstream
    real = get._git

    def cut(arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
        if arguments[0] == "checkout":
            raise KeyboardInterrupt
        return real(arguments, folder)

    monkeypatch.setattr(get, "_git", cut)
    with pytest.raises(KeyboardInterrupt):
        fetch(source(bare), tmp_path / "to")
    assert not any((tmp_path / "to").iterdir())
    monkeypatch.undo()
    killed = tmp_path / "to" / ".rows.partial"
    killed.mkdir()
    (killed / "half").write_text("half")
    place, done = fetch(source(bare), tmp_path / "to")
    assert done == f"commit {commit}" and not (place / "half").exists()
    assert not leftovers(tmp_path)


def test_a_file_in_place_of_the_folder_is_named(upstream: tuple[Path, str], tmp_path: Path) -> None:
    bare, _ = upstream
    (tmp_path / "file").touch()
    with pytest.raises(FetchError, match=r"cannot write .*--to"):
        fetch(source(bare), tmp_path / "file")


def test_a_package_is_found_or_named_with_the_way_to_get_it() -> None:
    carried = load_sources()["gene-ontology"]
    changed = Source(**{**vars(carried), "sha256": "0" * 64})
    with pytest.raises(FetchError, match=r"has sha256 .*pip install --no-deps psims==1\.4\.0"):
        fetch(changed, None)
    for path, expected in (("no_such_package/x", "is not installed"), ("psims/x", "there is no")):
        with pytest.raises(FetchError, match=expected):
            fetch(Source(**{**vars(carried), "path": path}), None)


def test_weights_in_parts_are_checked_where_they_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "w.gguf").write_bytes(b"weights")
    digest = hashlib.sha256(b"weights").hexdigest()
    known = load_sources()["qwen2.5-coder-0.5b"]
    wanted = Source(**{**vars(known), "path": "w.gguf", "sha256": digest})
    assert fetch(wanted, tmp_path) == (tmp_path / "w.gguf", "already there")
    (tmp_path / "w.gguf").write_bytes(b"wights")
    with pytest.raises(FetchError, match="has sha256"):
        fetch(wanted, tmp_path)
    (tmp_path / "w.gguf").unlink()
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(get.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(FetchError, match=r"python tools/fetch_weights\.py qwen2\.5-coder-0\.5b"):
        fetch(wanted, tmp_path)


def test_the_command(
    upstream: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare, commit = upstream
    file = str(registry(tmp_path / "sources.csv", source(bare)))
    to = ["--to", str(tmp_path / "to"), "--sources", file]
    assert cli(["fetch", "--list", "--sources", file]) == 0
    assert "rows: rows to test with" in capsys.readouterr().out
    assert cli(["fetch", "rows", *to]) == 0
    out = capsys.readouterr().out
    assert f"commit {commit}" in out and "licence CC0-1.0" in out and "--config" in out
    assert cli(["fetch", "other", *to]) == 2
    assert "there is no source 'other'. There is: rows" in capsys.readouterr().err
    registry(Path(file), source(tmp_path / "gone.git"))
    shutil.rmtree(tmp_path / "to")
    assert cli(["fetch", "rows", *to]) == 2
    assert "git clone" in capsys.readouterr().err
    assert cli(["fetch", "--list"]) == 0
    assert all(name in capsys.readouterr().out for name in load_sources(REGISTRY) if name == "loom")
