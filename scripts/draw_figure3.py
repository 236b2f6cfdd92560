"""Draws Figure 3, gain over copy by model, as SVG and PNG.

Settings: title, policy, level.
Inputs: sweep.
Outputs: parquet (what is drawn), svg, png.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import atomic_file, rows, write
from copyceiling.artefacts.study_schemas import FIGURE3, SWEEP
from copyceiling.figures import draw_figure3, figure3_rows
from copyceiling.jobs import run


def main(
    *,
    sweep: Path,
    parquet: Path,
    svg: Path,
    png: Path,
    title: str,
    policy: str,
    level: float,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = figure3_rows(rows(sweep, SWEEP), policy)
    write(parquet, found, FIGURE3, made)
    images = draw_figure3(found, f"{title}: gain over copy, {100 * level:g} % intervals")
    for path, kind in ((svg, "svg"), (png, "png")):
        with atomic_file(path) as file:
            file.write(images[kind])


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
