"""Draws exposure over question seeds, as SVG and PNG.

Settings: title, level, seed (the study's own).
Inputs: runs, seeds.
Outputs: parquet (what is drawn), svg, png.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import atomic_file, rows, write
from copyceiling.artefacts.stress_schemas import FIGURE_SEEDS, SEED_RUNS, SEEDS_STUDY
from copyceiling.jobs import run
from copyceiling.seeds_figure import draw_seeds, figure_rows


def main(
    *,
    runs: Path,
    seeds: Path,
    parquet: Path,
    svg: Path,
    png: Path,
    title: str,
    level: float,
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = figure_rows(rows(runs, SEED_RUNS), rows(seeds, SEEDS_STUDY), seed)
    write(parquet, found, FIGURE_SEEDS, made)
    text = f"{title}: exposure over question seeds, {100 * level:g} % interval of the own seed"
    images = draw_seeds(found, text)
    for path, kind in ((svg, "svg"), (png, "png")):
        with atomic_file(path) as file:
            file.write(images[kind])


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
