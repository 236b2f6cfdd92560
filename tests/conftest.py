"""Fixtures: where the paper's material lies, and small corpora that tests build on."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from copyceiling.corpus.model import OntologyClass

ROOT = Path(__file__).resolve().parents[1]
SMOKE = "config/studies/smoke.yaml"


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


@pytest.fixture(scope="session")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smoke study, built once into a folder of its own."""
    results = tmp_path_factory.mktemp("smoke") / "results"
    done = snakemake("--configfile", SMOKE, "--config", f"results={results}")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Table 4. Smoke test" in done.stdout, "the table is printed when it is built"
    return results
