"""Says what came of each gold item under each wrapper, and contrasts the wrappers.

Settings: statistics (seed, resamples, level).
Inputs: item_rows (what contexts expose), phrases (rules over wording), completions by model.
Outputs: outcomes, rates, contrasts, flow.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS
from copyceiling.artefacts.store import rows, write
from copyceiling.artefacts.wrapper_schemas import (
    WRAPPER_CONTRASTS,
    WRAPPER_FLOW,
    WRAPPER_ITEMS,
    WRAPPER_OUTCOMES,
    WRAPPER_RATES,
)
from copyceiling.jobs import run
from copyceiling.sweep import Settings
from copyceiling.wrappers.analysis import contrast_rows, flow_rows, rate_rows
from copyceiling.wrappers.outcomes import outcome_rows
from copyceiling.wrappers.phrases import load_phrases


def main(
    *,
    item_rows: Path,
    phrases: Path,
    completions: Sequence[Path],
    outcomes: Path,
    rates: Path,
    contrasts: Path,
    flow: Path,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    settings = Settings(**statistics)
    ended = [row for path in completions for row in rows(path, ARM_COMPLETIONS)]
    found = outcome_rows(rows(item_rows, WRAPPER_ITEMS), ended, load_phrases(phrases))
    write(outcomes, found, WRAPPER_OUTCOMES, made)
    write(rates, rate_rows(found, settings), WRAPPER_RATES, made)
    write(contrasts, contrast_rows(found, settings), WRAPPER_CONTRASTS, made)
    write(flow, flow_rows(found, ended), WRAPPER_FLOW, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
