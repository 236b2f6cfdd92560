"""Prints what a live run of the study would ask and cost. Sends nothing.

Settings: specs (the models), sweep (arms, subset), seed, live.
Inputs: scaffolds.
Outputs: none; the table goes to the terminal.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.completions import call_of, plan
from copyceiling.jobs import run
from copyceiling.models import spec_of
from copyceiling.render import Panel, Show, Table, integer, markdown, number, text
from copyceiling.rows.messages import read_messages

_COLUMNS = (
    Show("Model", text("model"), "left"),
    Show("Budget", integer("budget")),
    Show("Calls", integer("n_calls")),
    Show("had already", integer("n_cached")),
    Show("Prompt tokens", integer("prompt_tokens")),
    Show("most answer tokens", integer("max_completion_tokens")),
    Show("at least USD", number("low_usd")),
    Show("at most USD", number("high_usd")),
)


def main(
    *, scaffolds: Path, specs: Sequence[Any], sweep: Any, seed: int, live: Any, made: Any
) -> None:
    """Run the step; see the header."""
    # Imported here alone: a replay must not need what live calls need.
    from copyceiling.live.client import settings_of
    from copyceiling.live.estimate import estimate

    shown = read_messages(scaffolds)
    settings = settings_of(live)
    rows: list[dict[str, Any]] = []
    for spec in map(spec_of, specs):
        if spec.is_reference:
            continue
        prompts = plan(shown, spec.model, sweep["arms"], sweep["subset"].get(spec.model), seed)
        calls = [
            call_of(spec, m, b) for b in spec.budgets for p in prompts for m in p.arms.values()
        ]
        rows.extend(vars(row) for row in estimate(calls, spec, settings))
    notes = (
        "Calls in the cache cost nothing. A ladder's later budgets are asked only where an earlier "
        "one came back empty or cut. n/a: no price is known; declare one under live.prices.",
    )
    print(markdown(Table("Estimate of a live run", (Panel("", _COLUMNS, rows),), notes)))


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
