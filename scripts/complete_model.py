"""Ends every planned cell of one model: replays frozen calls; a live run asks for the rest.

Settings: spec (the model), sweep (arms, subset), seed, study, mode, live.
Inputs: questions, scaffolds, frozen (calls and their SHA256SUMS, or nothing).
Outputs: completions.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import COMPLETIONS
from copyceiling.artefacts.store import write
from copyceiling.completions import LIVE, complete, lookup_of, plan
from copyceiling.jobs import run
from copyceiling.models import ModelSpec, spec_of
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import completion_row, read_frozen
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
    ask = partial(_ask, model, live) if mode == "live" else None
    lookup = lookup_of(read_frozen(frozen), model, study, LIVE, ask)
    rows = [completion_row(model.model, cell) for cell in complete(model, prompts, lookup)]
    write(completions, rows, COMPLETIONS, made)


def _ask(model: ModelSpec, live: Any, calls: Sequence[Call]) -> Mapping[str, Outcome]:
    # Imported here alone: what is frozen needs no LiteLLM, neither loaded nor installed.
    from copyceiling.live.client import live_lookup

    return live_lookup(model, live)(calls)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
