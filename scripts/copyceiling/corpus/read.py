"""Reads a corpus source in any of its formats into a checked `Corpus`."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.corpus.account import why_no_class
from copyceiling.corpus.build import build_corpus
from copyceiling.corpus.files import digest, locate, members, read_bytes
from copyceiling.corpus.markdown import UNREADABLE, read_pages
from copyceiling.corpus.model import Corpus, Issue, RawClass, Reading
from copyceiling.corpus.obo import read_obo
from copyceiling.corpus.rdf import read_rdf
from copyceiling.corpus.rdf_graph import SUFFIXES
from copyceiling.corpus.records import read_index, read_jsonl
from copyceiling.errors import CorpusError

_FileReader = Callable[[bytes, str], tuple[list[RawClass], list[Issue]]]
_FILE_READERS: dict[str, _FileReader] = {
    "obo": read_obo,
    "index": read_index,
    "jsonl": read_jsonl,
    "rdf": read_rdf,
}
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
    read = read_raw(path, settings["format"])
    declared = settings.get("sha256")
    if declared and declared != read.sha256:
        raise CorpusError(
            f"corpus.sha256: '{path}' has sha256 {read.sha256}, the study declares {declared}. "
            "Use the declared snapshot, or declare the new one and rebuild the questions."
        )
    corpus = build_corpus(
        read.classes,
        source=settings["name"],
        policy=settings["policy"],
        issues=read.issues,
        relations=settings.get("relations"),
        inverses=settings.get("inverses"),
        definition_chars=settings.get("definition_chars"),
        branch_domains=settings["domains"] == "branches",
    )
    if not corpus.classes:
        raise CorpusError(why_no_class(path, settings["format"], read, corpus.issues))
    generation = Generation(
        name=settings["name"],
        version=settings["version"],
        source=settings["source"],
        licence=settings["licence"],
        sha256=read.sha256,
        n_read=len(read.classes),
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


def read_raw(path: Path, form: str) -> Reading:
    """Return what a source holds, unchecked, and what of it could not be read.

    Args:
        path: File, folder or archive.
        form: One of `FORMATS`.
    """
    if form == "markdown":
        pages = list(members(path, ".md"))
        raw, issues, passed_over = read_pages(pages)
        return Reading(raw, issues, digest(pages), passed_over[UNREADABLE], passed_over)
    content = read_bytes(path)
    raw, issues = _FILE_READERS[form](content, path.name)
    # RDF is read whole or not at all: what it reports (invalid IRIs) it has read all the same.
    n_lost = 0 if form == "rdf" else len({issue.where for issue in issues})
    return Reading(raw, issues, hashlib.sha256(content).hexdigest(), n_lost)
