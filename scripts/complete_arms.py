"""Ends every planned cell of a judged study's part for one model: replays frozen calls, or asks.

Settings: spec (the model), study, part, mode, live.
Inputs: prompts (what each question shows in each arm), frozen (calls and their SHA256SUMS, or
nothing).
Outputs: completions.
"""

from pathlib import Path
from typing import Any

from copyceiling.arms.asking import completion_rows, prompts_of
from copyceiling.arms.settings import command
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.completions import Lookup, complete, replay_lookup
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.rows.completions import read_outcomes


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
    if mode == "live" and not model.is_reference:
        lookup = _live_lookup(model, live)
    else:
        lookup = _replay(model, frozen, study, part)
    cells = complete(model, planned, lookup)
    write(completions, completion_rows(model.model, cells), ARM_COMPLETIONS, made)


def _replay(model: ModelSpec, frozen: Any, study: str, part: str) -> Lookup:
    if not frozen:
        return replay_lookup({}, model, study, command(part))
    calls, sums = frozen
    check_frozen([calls], sums)
    return replay_lookup(read_outcomes(calls), model, study, command(part))


def _live_lookup(model: ModelSpec, live: Any) -> Lookup:
    # Imported here alone: a replay must not load LiteLLM, nor need it installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(model, live)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
