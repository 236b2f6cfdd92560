"""The request pipeline, stage by stage: what each takes and gives, and how long it takes.

The stages are the engine's own functions, called one after another with a clock between them, so
what is timed is what `ScaffoldEngine.scaffold` and `build_messages` do, and the text that comes
out is checked against the frozen one. Only the last stage of a request calls a model; its latency
is taken from calls on record. Source: paper section 4, Table 1.
"""

import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from copyceiling.errors import ArtefactError, listing
from copyceiling.latencies import Latencies
from copyceiling.requests import Message, build_messages, visible_input
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens
from copyceiling.text import words

Nanoseconds = npt.NDArray[np.int64]
Sizes = npt.NDArray[np.int64]
WHOLE = "all stages without a model"
_BUDGET_NS = 4_000_000_000  # most time to spend on passes after the first
_MIN_PASSES, _MAX_PASSES = 3, 25


@dataclass(frozen=True)
class Stage:
    """One model-free stage: name, what goes in and comes out, and in which units."""

    name: str
    takes: str
    unit_in: str
    gives: str
    unit_out: str


STAGES = (
    Stage("cut into words", "question", "characters", "words", "words"),
    Stage("match titles and slugs", "words", "words", "class scores", "above 0"),
    Stage("rank and gate", "class scores", "above 0", "seeds", "seeds"),
    Stage("render sections", "seeds", "seeds", "sections", "characters"),
    Stage("clamp to the budget", "sections", "characters", "block", "tokens"),
    Stage("wrap with the preamble", "block", "tokens", "messages", "tokens"),
)


@dataclass(frozen=True)
class Request:
    """One question as asked.

    Attributes:
        id: Question.
        query: What retrieval sees.
        preamble: Text before the block.
        prompt: The user message.
    """

    id: str
    query: str
    preamble: str
    prompt: str


@dataclass(frozen=True)
class Passage:
    """One request's way through the stages.

    Attributes:
        times: Nanoseconds of each stage of `STAGES`.
        sizes: What went into the first stage and came out of each, in the units of `STAGES`.
        messages: What the model is shown.
    """

    times: tuple[int, ...]
    sizes: tuple[int, ...]
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class Measured:
    """Latencies and sizes of all requests.

    Attributes:
        first: Nanoseconds at first sight, on an index that keeps no terms yet, shape (n, stages).
        later: Nanoseconds of the further passes, shape (passes, n, stages).
        sizes: Shape (n, stages + 1); see `Passage.sizes`.
    """

    first: Nanoseconds
    later: Nanoseconds
    sizes: Sizes


def pass_through(
    engine: ScaffoldEngine, request: Request, clock: Callable[[], int] = time.perf_counter_ns
) -> Passage:
    """Take one request through the stages, with a clock between them.

    Args:
        engine: The engine.
        request: The question.
        clock: Monotonic nanoseconds.
    """
    index = engine.index
    t0 = clock()
    query_words = words(request.query)
    t1 = clock()
    scores = index.scores(query_words)
    t2 = clock()
    seeds = index.rank(scores, engine.max_seeds)
    t3 = clock()
    sections = engine.sections([seed.slug for seed in seeds])
    t4 = clock()
    block, _ = engine.clamp(sections)
    t5 = clock()
    messages = build_messages(request.preamble, block, request.prompt)
    t6 = clock()
    sizes = (
        len(request.query),
        len(query_words),
        int(np.count_nonzero(scores)),
        len(seeds),
        sum(map(len, sections)),
        estimate_tokens(block),
        estimate_tokens(visible_input(messages)),
    )
    return Passage((t1 - t0, t2 - t1, t3 - t2, t4 - t3, t5 - t4, t6 - t5), sizes, messages)


def measure(
    engine: ScaffoldEngine,
    requests: Sequence[Request],
    frozen: Mapping[str, Sequence[Message]],
    clock: Callable[[], int] = time.perf_counter_ns,
) -> Measured:
    """Take all requests through the stages, once and then again for about four seconds.

    Passes go over all requests, so that none is measured twice in a row.

    Args:
        engine: An engine that saw no query yet.
        requests: The study's questions, in order.
        frozen: Question to the messages that the study froze.
        clock: Monotonic nanoseconds.

    Raises:
        ArtefactError: The stages give another text than the study froze, so that the times would
            be of something else; names the questions.
    """
    start = clock()
    passages = [pass_through(engine, request, clock) for request in requests]
    spent = max(clock() - start, 1)
    wrong = [
        f"question {request.id}"
        for request, passage in zip(requests, passages, strict=True)
        if passage.messages != tuple(frozen[request.id])
    ]
    if wrong:
        raise ArtefactError(
            f"the stages give another text than was frozen for {len(wrong)} of {len(requests)} "
            f"questions:\n{listing(wrong)}\nFreeze them again: snakemake -R freeze_scaffolds"
        )
    n_passes = min(max(_BUDGET_NS // spent, _MIN_PASSES), _MAX_PASSES)
    shape = (n_passes, len(requests), len(STAGES))
    later = np.array(
        [[pass_through(engine, r, clock).times for r in requests] for _ in range(n_passes)],
        dtype=np.int64,
    ).reshape(shape)
    first = np.array([p.times for p in passages], dtype=np.int64).reshape(shape[1:])
    sizes = np.array([p.sizes for p in passages], dtype=np.int64)
    return Measured(first, later, sizes.reshape(len(requests), len(STAGES) + 1))


def pipeline_rows(
    measured: Measured, calls: Sequence[Latencies], machine_text: str
) -> list[dict[str, Any]]:
    """Return the rows of `PIPELINE`: the stages, their sum, then the model's calls.

    A request's latency is the median over its passes, and that of a stage the median and 95th
    percentile of these over requests, by linear interpolation.

    Args:
        measured: The stages.
        calls: What is on record of the models, one entry a row.
        machine_text: Where the stages were measured.
    """
    rows = [
        {
            "stage": stage.name,
            "takes": stage.takes,
            "size_in": _median(measured.sizes[:, i].tolist()),
            "unit_in": stage.unit_in,
            "gives": stage.gives,
            "size_out": _median(measured.sizes[:, i + 1].tolist()),
            "unit_out": stage.unit_out,
            **_measured(measured.first[:, i], measured.later[:, :, i], machine_text),
        }
        for i, stage in enumerate(STAGES)
    ]
    rows.append(
        {
            **{k: rows[0][k] for k in ("takes", "size_in", "unit_in")},
            **{k: rows[-1][k] for k in ("gives", "size_out", "unit_out")},
            "stage": WHOLE,
            **_measured(measured.first.sum(axis=1), measured.later.sum(axis=2), machine_text),
        }
    )
    rows.extend(_call_row(call) for call in calls)
    return [{**row, "position": i} for i, row in enumerate(rows)]


def _measured(first: Nanoseconds, later: Nanoseconds, machine_text: str) -> dict[str, Any]:
    """Return what was measured of one stage: first (n,), later (passes, n), nanoseconds."""
    typical = (np.median(later, axis=0) / 1e6).tolist() if later.size else []
    return {
        "model": "",
        "needs_model": False,
        "n": len(first),
        "status": "measured here",
        "median_ms": _median(typical),
        "p95_ms": _quantile(typical, 0.95),
        "first_ms": _median((first / 1e6).tolist()),
        "passes": len(later),
        "machine": machine_text,
    }


def _call_row(call: Latencies) -> dict[str, Any]:
    return {
        "stage": call.stage,
        "model": call.model,
        "needs_model": True,
        "takes": "messages",
        "size_in": _median(call.prompt_tokens),
        "unit_in": "tokens",
        "gives": "answer",
        "size_out": _median(call.completion_tokens),
        "unit_out": "tokens",
        "n": call.n,
        "status": call.status,
        "median_ms": _median(call.ms),
        "p95_ms": _quantile(call.ms, 0.95),
        "first_ms": None,
        "passes": None,
        "machine": None,
    }


def _median(values: Sequence[float]) -> float | None:
    return _quantile(values, 0.5)


def _quantile(values: Sequence[float], q: float) -> float | None:
    """Return a quantile by linear interpolation, None where there is no value."""
    return float(np.quantile(values, q, method="linear")) if len(values) else None


def machine() -> str:
    """Return where this runs: processor, cores, Python and numpy."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            stated = [line.partition(":")[2].strip() for line in file if "model name" in line]
        name = stated[0] if stated else name
    except OSError:
        pass
    return (
        f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"numpy {np.__version__}"
    )
