"""Fails if a published value differs from ours without a known cause.

Settings: none.
Inputs: comparison, report (the tables built from it).
Outputs: none.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.published_schemas import COMPARISON
from copyceiling.artefacts.store import rows
from copyceiling.errors import ArtefactError, listing
from copyceiling.jobs import run
from copyceiling.published.compare import DIFFERS


def main(*, comparison: Path, report: Sequence[Path], made: Any) -> None:
    """Run the step; see the header."""
    found = [r for r in rows(comparison, COMPARISON) if r["verdict"] == DIFFERS]
    page = next(str(path) for path in report if path.suffix == ".html")
    if found:
        lines = [
            f"{r['key']}: published {r['published']}, recomputed {r['recomputed']}, "
            f"tolerance {r['tolerance']}"
            for r in found
        ]
        raise ArtefactError(
            f"{len(found)} published value(s) differ from what the rows give:\n{listing(lines)}\n"
            f"Every value with its definition: {page}"
        )
    print(f"No value differs without a known cause. Every value: {page}", flush=True)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
