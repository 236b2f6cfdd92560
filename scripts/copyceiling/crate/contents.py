"""Which files a crate holds, and under which names: a repository of one study, in small."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from copyceiling.crate.history import Job

SUMS = "SHA256SUMS"
STUDY = "study.yaml"
WORKFLOW = "Snakefile"
# What regenerating the study takes, besides its data. A folder is a name that ends in a slash.
_FILES = (
    "CITATION.cff",
    "LICENSE",
    "MANIFEST.json",
    "MANIFEST.md",
    "Makefile",
    "NOTICE",
    "README.md",
    WORKFLOW,
    "pyproject.toml",
    "requirements.lock",
)
FOLDERS = {
    "config/": "Models, schema, defaults and wording.",
    "envs/": "Environments that the rules declare.",
    "profiles/": "Defaults of every call of Snakemake.",
    "rules/": "The rules of the workflow.",
    "scripts/": "A script a rule, and the library that they share.",
}
_RENDERINGS = (".csv", ".md", ".tex", ".html", ".svg", ".png")
_PASSED_OVER = ("__pycache__", ".egg-info", ".DS_Store")


class Contents:
    """Files of a crate by their name in it, and the names of files by their place on disk."""

    def __init__(self, files: Mapping[str, Path | bytes]) -> None:
        self.files = dict(sorted(files.items()))
        self.name_of = {p: name for name, p in self.files.items() if isinstance(p, Path)}

    def data(self, name: str) -> bytes:
        """Return a file's bytes."""
        held = self.files[name]
        return held if isinstance(held, bytes) else held.read_bytes()

    def sha256(self, name: str) -> str:
        """Return the hex sha256 of a file."""
        return hashlib.sha256(self.data(name)).hexdigest()

    def below(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, at any depth."""
        return [name for name in self.files if name.startswith(folder)]

    def renderings(self, path: Path) -> list[str]:
        """Return the names of an artefact and of what shows it: the same stem, another ending."""
        stem = self.name_of[path].removesuffix(path.suffix)
        return [n for e in (path.suffix, *_RENDERINGS) if (n := f"{stem}{e}") in self.files]


def gather(root: Path, study: Mapping[str, Any], jobs: Iterable[Job]) -> Contents:
    """Return what goes into the crate of a study.

    Args:
        root: The repository.
        study: The study, as resolved.
        jobs: The jobs that made it; what they made goes in, what else is in the folder does not.
    """
    files: dict[str, Path | bytes] = {}
    for name in _FILES:
        if (root / name).is_file():
            files[name] = root / name
    for folder in FOLDERS:
        files.update((p.relative_to(root).as_posix(), p) for p in _walk(root / folder))
    frozen, results = root / study["frozen"], root / study["results"]
    files.update((f"{frozen_folder(study)}{p.relative_to(frozen)}", p) for p in _walk(frozen))
    for job in jobs:
        for path in job.outputs:
            there = (path.with_suffix(ending) for ending in (path.suffix, *_RENDERINGS))
            files.update(
                (f"{results_folder(study)}{p.relative_to(results).as_posix()}", p)
                for p in there
                if p.is_file()
            )
    inside = {
        **study,
        "results": results_folder(study).rstrip("/"),
        "frozen": frozen_folder(study).rstrip("/"),
    }
    files[STUDY] = yaml.safe_dump(inside, sort_keys=False, allow_unicode=True).encode()
    return Contents(files)


def frozen_folder(study: Mapping[str, Any]) -> str:
    """Return the folder of frozen inputs in the crate."""
    return f"data/{study['study']}/"


def results_folder(study: Mapping[str, Any]) -> str:
    """Return the folder of results in the crate."""
    return f"results/{study['study']}/"


def sums(contents: Contents) -> bytes:
    """Return the checksums of every file, in the format of sha256sum."""
    return "".join(f"{contents.sha256(name)}  {name}\n" for name in contents.files).encode()


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.endswith(_PASSED_OVER) for part in path.parts):
            yield path
