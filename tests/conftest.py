"""Fixtures: where the paper's material lies, and small corpora that tests build on."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copyceiling.corpus.model import OntologyClass
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[1]
SMOKE = "config/studies/smoke.yaml"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip, by name, what takes minutes, unless it is asked for."""
    if "long" not in config.option.markexpr:
        for item in items:
            if "long" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="takes minutes: make test-long"))


def shared_folder() -> Path | None:
    """Return the folder of the paper's material: $COPYCEILING_SHARED, or ../shared."""
    place = Path(os.environ.get("COPYCEILING_SHARED", ROOT.parent / "shared"))
    return place if (place / "reference").is_dir() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The paper's material; tests that use it are skipped by name where it is not."""
    found = shared_folder()
    if found is None:
        pytest.skip("the paper's corpus and released rows are not at hand (COPYCEILING_SHARED)")
    return found


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def make_class(slug: str, **fields: Any) -> OntologyClass:
    """Return a class with defaults for what a test does not care about."""
    given: dict[str, Any] = {
        "id": slug,
        "slug": slug,
        "title": slug.replace("-", " ").title(),
        "definition": "",
        "domain": None,
        "quality": None,
        "maturity": None,
        "synonyms": (),
        "parents": (),
        "ancestors": (),
        "relations": {},
    }
    return OntologyClass(**{**given, **fields})


def snakemake(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "snakemake", "--nolock", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        **options,  # type: ignore[call-overload]
    )


def built_once(name: str, factory: pytest.TempPathFactory, build: Callable[[Path], None]) -> Path:
    """Return a folder that one of pytest's processes builds while the others wait for it.

    Args:
        name: Name of the folder, below what the processes of one run share.
        factory: pytest's.
        build: Fills the folder, which is not there yet; raises where it cannot.
    """
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, done = shared / name, shared / f"{name}.done"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            build(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smoke study, whole, in a folder of its own; tests leave its artefacts as they are.

    Where $COPYCEILING_SMOKE names a folder that holds it already, it starts from a copy of that.
    """

    def build(results: Path) -> None:
        if given := os.environ.get("COPYCEILING_SMOKE"):
            shutil.copytree(ROOT / given, results)
        done = snakemake("--configfile", SMOKE, "--config", f"results={results}")
        assert done.returncode == 0, done.stderr[-3000:]

    return built_once("smoke", tmp_path_factory, build)


@pytest.fixture(scope="session")
def go_clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone in which docs/regenerate.md was followed, so that the study `go` is built, whole.

    What each command printed is beside it, in ``printed.json``. Tests read it; who types there
    works in a copy.
    """

    def build(folder: Path) -> None:
        from tests.reader import clone

        printed = clone(folder / "clone").follow(
            "docs/regenerate.md",
            before={
                "snakemake table5": "git init -q && git add -A && git -c user.name=reader "
                "-c user.email=reader@example.org commit -qm clone",
                "copyceiling diff results/go results/go-elsewhere": (
                    "cp -a results/go results/go-elsewhere"
                ),
                "sha256sum --check SHA256SUMS": (
                    "mkdir results/crate && python -m zipfile -e results/go/crate.zip results/crate"
                    " && cd results/crate"
                ),
            },
        )
        (folder / "printed.json").write_text(json.dumps(printed), encoding="utf-8")

    return built_once("go", tmp_path_factory, build) / "clone"
