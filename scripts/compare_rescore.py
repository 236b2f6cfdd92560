"""Sets the ceilings of the re-score beside the published ones.

Settings: embedder (of our re-score).
Inputs: ceiling, published (values, YAML).
Outputs: beside.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.rescore_schemas import RESCORE_CEILING, RESCORE_PUBLISHED
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.published.expected import load_published
from copyceiling.rescore.published import published_rows


def main(*, ceiling: Path, published: Path, beside: Path, embedder: str, made: Any) -> None:
    """Run the step; see the header."""
    found = published_rows(rows(ceiling, RESCORE_CEILING), load_published(published), embedder)
    write(beside, found, RESCORE_PUBLISHED, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
