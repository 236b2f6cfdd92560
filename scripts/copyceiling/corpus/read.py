"""Reads a corpus source in any of its formats into a checked `Corpus`."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.corpus.build import build_corpus
from copyceiling.corpus.files import digest, locate, members, read_bytes
from copyceiling.corpus.markdown import read_pages
from copyceiling.corpus.model import Corpus, Issue, RawClass
from copyceiling.corpus.obo import read_obo
from copyceiling.corpus.rdf import read_rdf
from copyceiling.corpus.rdf_graph import SUFFIXES
from copyceiling.corpus.records import read_index, read_jsonl
from copyceiling.errors import CorpusError

_FILE_READERS = {"obo": read_obo, "index": read_index, "jsonl": read_jsonl, "rdf": read_rdf}
FORMATS = ("markdown", *_FILE_READERS)
_SUFFIX_FORMATS = {".obo": "obo", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "index"}
_SUFFIX_FORMATS |= dict.fromkeys(SUFFIXES, "rdf")
_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")


@dataclass(frozen=True)
class Generation:
    """Which corpus this is: every later artefact names it. Source: DESIGN section 6."""

    name: str
    version: str
    source: str
    licence: str
    sha256: str
    n_read: int
    n_classes: int


def read_corpus(settings: Mapping[str, Any]) -> tuple[Corpus, Generation]:
    """Read and check a corpus as a study's ``corpus`` section declares it.

    Raises:
        CorpusError: Nothing there, another sha256 than declared, or faults whose policy is
            ``error`` (all listed).
    """
    path = locate(settings["path"], settings.get("package"))
    raw, issues, sha256 = read_raw(path, settings["format"])
    declared = settings.get("sha256")
    if declared and declared != sha256:
        raise CorpusError(
            f"corpus.sha256: '{path}' has sha256 {sha256}, the study declares {declared}. "
            "Use the declared snapshot, or declare the new one and rebuild the questions."
        )
    corpus = build_corpus(
        raw,
        source=settings["name"],
        policy=settings["policy"],
        issues=issues,
        relations=settings.get("relations"),
        inverses=settings.get("inverses"),
        definition_chars=settings.get("definition_chars"),
        branch_domains=settings["domains"] == "branches",
    )
    if not corpus.classes:
        raise CorpusError(f"corpus '{path}' holds no class of format '{settings['format']}'.")
    generation = Generation(
        name=settings["name"],
        version=settings["version"],
        source=settings["source"],
        licence=settings["licence"],
        sha256=sha256,
        n_read=len(raw),
        n_classes=len(corpus.classes),
    )
    return corpus, generation


def guess_format(path: Path) -> str:
    """Return the format that a source's name tells (see `FORMATS`).

    Raises:
        CorpusError: The name tells none.
    """
    if path.is_dir() or path.name.lower().endswith(_ARCHIVES):
        return "markdown"
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix not in _SUFFIX_FORMATS:
        raise CorpusError(
            f"corpus '{path}': its name does not tell its format. Say it: --format "
            f"{'|'.join(FORMATS)} (rdf is for OWL, SKOS and RDFS in any RDF syntax)"
        )
    return _SUFFIX_FORMATS[suffix]


def read_raw(path: Path, form: str) -> tuple[list[RawClass], list[Issue], str]:
    """Return the raw classes of a source, the faults met and the sha256 of its bytes."""
    if form == "markdown":
        pages = list(members(path, ".md"))
        raw, issues = read_pages(pages)
        return raw, issues, digest(pages)
    content = read_bytes(path)
    raw, issues = _FILE_READERS[form](content, path.name)
    return raw, issues, hashlib.sha256(content).hexdigest()
