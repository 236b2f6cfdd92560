"""How long calls of models took, from what is on record: frozen calls, or a release's answers.

Latencies are of the machines and the hour that they were taken on; nothing here is measured again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MODEL_STAGE = "ask the model"
_OWN, _RELEASED = f"{MODEL_STAGE}, production study", "whole request, served node"


@dataclass(frozen=True)
class Latencies:
    """Latencies on record of one model's grounded calls.

    Attributes:
        model: Label of the model.
        stage: What was timed.
        status: Where they come from, or why there are none.
        n: Calls.
        ms: Their latencies in milliseconds, those that are known.
        prompt_tokens, completion_tokens: As counted by the provider, those that are known.
    """

    model: str
    stage: str
    status: str
    n: int
    ms: Sequence[float] = ()
    prompt_tokens: Sequence[int] = ()
    completion_tokens: Sequence[int] = ()


def latencies_of(
    model: str, rows: Sequence[Mapping[str, Any]], status: str = "as frozen"
) -> Latencies:
    """Return the latencies of a model's grounded calls from its frozen calls.

    Args:
        model: Label of the model.
        rows: Rows of `CALLS`; calls without the block are left out.
        status: Where they come from.
    """
    kept = [r for r in rows if r["arm"] == "scaffold"]
    ms = [r["latency_ms"] for r in kept if r["latency_ms"] is not None]
    return Latencies(
        model,
        MODEL_STAGE,
        status if ms else "no latency on record",
        len(kept),
        ms,
        [r["prompt_tokens"] for r in kept if r["prompt_tokens"] is not None],
        [r["completion_tokens"] for r in kept if r["completion_tokens"] is not None],
    )


def served_latencies(rows: Sequence[Mapping[str, Any]], *, own: bool = False) -> list[Latencies]:
    """Return how long answers of a production study took, by question set and model.

    Args:
        rows: Rows of `ANSWERS`; only the served arm of the cohort ``production`` counts.
        own: Whether the study asked the models itself: then a call was timed without retrieval,
            and its answer keeps no time (see `arms.collect`). Released answers are whole requests
            to a served node.
    """
    kept = [r for r in rows if (r["cohort"], r["arm"]) == ("production", "served")]
    out = []
    for name, model in sorted({(r["set"], r["model"]) for r in kept}):
        of = [r for r in kept if (r["set"], r["model"]) == (name, model)]
        ms = [1000.0 * r["latency_s"] for r in of if r["latency_s"] is not None]
        tokens = [r["completion_tokens"] for r in of if r["completion_tokens"] is not None]
        stage = f"{_OWN if own else _RELEASED}, set {name}"
        without = "not kept with answers" if own else "no latency released"
        status = "as released" if ms else without
        out.append(Latencies(model, stage, status, len(of), ms, (), tokens))
    return out


def without_latency(model: str, status: str) -> Latencies:
    """Return that there is no latency of a model's call on record, and why."""
    return Latencies(model, MODEL_STAGE, status, 0)
