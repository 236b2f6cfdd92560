"""Ends every planned cell of a judged study's part for one model: frozen calls, or live ones.

Settings: spec (the model), study, part, mode, live.
Inputs: prompts (what each question shows in each arm), frozen (calls and their SHA256SUMS, or
nothing).
Outputs: completions.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.arms.asking import completion_rows, prompts_of
from copyceiling.arms.settings import command
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS
from copyceiling.artefacts.store import rows, write
from copyceiling.completions import complete, lookup_of
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import read_frozen


def main(
    *,
    prompts: Path,
    frozen: Any,
    completions: Path,
    spec: Any,
    study: str,
    part: str,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    model = spec_of(spec)
    planned = prompts_of(rows(prompts, ARM_PROMPTS))
    ask = partial(_ask, model, live) if mode == "live" else None
    lookup = lookup_of(read_frozen(frozen), model, study, command(part), ask)
    cells = complete(model, planned, lookup)
    write(completions, completion_rows(model.model, cells), ARM_COMPLETIONS, made)


def _ask(model: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(model, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
