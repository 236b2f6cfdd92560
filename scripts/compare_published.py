"""Compares published values with what the study's rows give.

Settings: models, labels (model label to the published one, where they differ), embedder (of our
    re-score, or none).
Inputs: published (values, YAML), known (differences whose cause is known), questions, exposure,
    scores and items of all models, the sweep's studies, and rows and studies of the judged parts;
    a part that the study lacks has none.
Outputs: comparison.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.published_schemas import COMPARISON
from copyceiling.artefacts.store import write
from copyceiling.jobs import run
from copyceiling.published.compare import compare
from copyceiling.published.expected import load_known, load_published
from copyceiling.published.values import recompute


def main(
    *,
    published: Path,
    known: Path,
    comparison: Path,
    models: Sequence[str],
    labels: Mapping[str, str],
    embedder: str | None,
    made: Any,
    **artefacts: Any,
) -> None:
    """Run the step; see the header."""
    found = recompute(artefacts, models, labels, embedder)
    write(
        comparison,
        compare(load_published(published), found, load_known(known)),
        COMPARISON,
        made,
    )


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
