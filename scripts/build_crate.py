"""Packs the study as a Provenance Run RO-Crate: a zip that says how everything in it came to be.

Settings: study (the whole configuration).
Inputs: outputs (every table and figure), citation (CITATION.cff).
Outputs: crate (the zip).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.config import ROOT
from copyceiling.crate import build_crate
from copyceiling.jobs import run


def main(
    *, outputs: Sequence[Path], citation: Path, crate: Path, study: Mapping[str, Any], made: Any
) -> None:
    """Run the step; see the header."""
    build_crate(ROOT, study, outputs, crate)
    print(f"\n{crate}: {crate.stat().st_size / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
