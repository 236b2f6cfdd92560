"""Draws gain over copy against the threshold of a semantic hit, as SVG and PNG.

Settings: title, policy, level.
Inputs: rescore.
Outputs: parquet (what is drawn), svg, png.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.rescore_schemas import FIGURE_RESCORE, RESCORE
from copyceiling.artefacts.store import atomic_file, rows, write
from copyceiling.jobs import run
from copyceiling.rescore.figure import draw_rescore, figure_rows


def main(
    *,
    rescore: Path,
    parquet: Path,
    svg: Path,
    png: Path,
    title: str,
    policy: str,
    level: float,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = figure_rows(rows(rescore, RESCORE), policy)
    write(parquet, found, FIGURE_RESCORE, made)
    text = f"{title}: gain over copy by matcher\n{100 * level:g} % intervals, domains resampled"
    images = draw_rescore(found, text)
    for path, kind in ((svg, "svg"), (png, "png")):
        with atomic_file(path) as file:
            file.write(images[kind])


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
