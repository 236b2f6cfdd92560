"""Ends every planned cell of one model: replays frozen calls, or asks the model live.

Settings: spec (the model), sweep (arms, subset), seed, study, mode, live.
Inputs: questions, scaffolds, frozen (calls and their SHA256SUMS, or nothing).
Outputs: completions.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import COMPLETIONS
from copyceiling.artefacts.store import check_frozen, write
from copyceiling.completions import Lookup, complete, plan, replay_lookup
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.rows.completions import completion_row, read_outcomes
from copyceiling.rows.messages import read_messages


def main(
    *,
    questions: Path,
    scaffolds: Path,
    frozen: Any,
    completions: Path,
    spec: Any,
    study: str,
    sweep: Any,
    seed: int,
    mode: str,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    model = spec_of(spec)
    shown = read_messages(scaffolds)
    prompts = plan(shown, model.model, sweep["arms"], sweep["subset"].get(model.model), seed)
    lookup = _live_lookup(model, live) if mode == "live" else _replay(model, frozen, study)
    rows = [completion_row(model.model, cell) for cell in complete(model, prompts, lookup)]
    write(completions, rows, COMPLETIONS, made)


def _replay(model: ModelSpec, frozen: Any, study: str) -> Lookup:
    if not frozen:
        return replay_lookup({}, model, study)
    calls, sums = frozen
    check_frozen([calls], sums)
    return replay_lookup(read_outcomes(calls), model, study)


def _live_lookup(model: ModelSpec, live: Any) -> Lookup:
    # Imported here alone: a replay must not load LiteLLM, nor need it installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(model, live)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
