"""Reads a corpus source, checks it and closes its hierarchy.

Settings: the study's ``corpus`` section.
Inputs: source (file, folder or archive).
Outputs: classes, generation (which corpus this is), issues (faults reported by policy).
"""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CLASSES, GENERATION, ISSUES
from copyceiling.artefacts.store import write
from copyceiling.corpus.build import unmatchable
from copyceiling.corpus.read import read_corpus
from copyceiling.jobs import run
from copyceiling.rows.corpus import class_rows


def main(
    *, source: Path, classes: Path, generation: Path, issues: Path, settings: Any, made: Any
) -> None:
    """Run the step; see the header."""
    corpus, found = read_corpus(settings)
    faults = [
        {"number": i, **{k: getattr(issue, k) for k in ("kind", "where", "field", "detail")}}
        for i, issue in enumerate(corpus.issues)
    ]
    counted = {
        "n_unmatchable": len(unmatchable(corpus.classes)),
        "n_issues": len(corpus.issues),
    }
    made = {**made, "corpus": f"{found.name} {found.version} sha256:{found.sha256}"}
    write(issues, faults, ISSUES, made)
    write(generation, [{**asdict(found), **counted}], GENERATION, made)
    write(classes, class_rows(corpus.classes), CLASSES, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
