"""Turns a live run's answers into a study's frozen inputs, outside the DAG (DESIGN section 4)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import ATTEMPTS, CALLS, COMPLETIONS
from copyceiling.artefacts.store import rows, write, write_sums
from copyceiling.completions import Prompt, complete, plan
from copyceiling.errors import CopyCeilingError
from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_attempts
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec, load_models, select
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import call_row
from copyceiling.rows.messages import read_messages


def freeze_study(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze every model of a study that has a live run; return what was done, a line a model.

    A model whose run did not end every planned cell is refused: freeze a declared subset
    (``sweep.subset``) or finish the run.

    Raises:
        CopyCeilingError: A planned call has no answer; names model and count.
    """
    results, frozen = root / study["results"], root / study["frozen"]
    sweep = study["sweep"]
    table = load_models(root / sweep["table"])
    shown = read_messages(results / "scaffolds.parquet")
    settings = LiveSettings(root / study["live"]["cache"])
    lines = []
    for spec in select(table, sweep["models"], "sweep.models"):
        folder = settings.folder(spec)
        if spec.is_reference:
            continue
        if not folder.exists():
            lines.append(f"{spec.model}: no live run in {folder}, left as it is")
            continue
        prompts = plan(
            shown, spec.model, sweep["arms"], sweep["subset"].get(spec.model), study["seed"]
        )
        made_of = results / "completions" / f"{spec.model}.parquet"
        had = {**errors(made_of, COMPLETIONS), **dict(read_cache(folder))}
        way_out = (
            "Finish the run (snakemake completions --config mode=live), or declare a subset in the "
            f"study: sweep: subset: {{{spec.model}: N}}"
        )
        found = frozen_calls(spec, prompts, had, way_out)
        lines.append(write_calls(study, spec, found, folder, frozen))
    write_sums(frozen)
    return lines


def frozen_calls(
    spec: ModelSpec, prompts: Sequence[Prompt], had: Mapping[str, Outcome], way_out: str
) -> list[dict[str, Any]]:
    """Return every call that the plan asks for as rows of `CALLS`.

    Args:
        spec: The model.
        prompts: The plan.
        had: Outcomes by key.
        way_out: What to do where a call has no outcome.

    Raises:
        CopyCeilingError: A planned call has no outcome; names model and count.
    """
    found: list[dict[str, Any]] = []
    complete(spec, prompts, _recorder(spec, had, _cells(prompts), found, way_out))
    return found


def write_calls(
    study: Mapping[str, Any],
    spec: ModelSpec,
    found: Sequence[Mapping[str, Any]],
    folder: Path,
    into: Path,
    name: str | None = None,
) -> str:
    """Write calls and their attempts as frozen inputs; return what was done.

    Args:
        study: The study.
        spec: The model.
        found: Rows of `CALLS`.
        folder: The model's folder in the cache, which holds the ledger.
        into: Folder that gets ``calls`` and ``attempts``.
        name: What the calls are called in the line returned; None for the model's label.
    """
    keys = {row["key"] for row in found}
    attempts = [_attempt(a) for a in read_attempts(folder) if a["key"] in keys]
    made = _made(study, spec)
    write(into / "calls" / f"{spec.model}.parquet", found, CALLS, made)
    write(into / "attempts" / f"{spec.model}.parquet", attempts, ATTEMPTS, made)
    return f"{name or spec.model}: {len(found)} calls, {len(attempts)} attempts frozen"


def _cells(prompts: Sequence[Prompt]) -> dict[tuple[Any, ...], tuple[str, str]]:
    """Return which cell a conversation belongs to; questions with equal prompts share the first."""
    cells: dict[tuple[Any, ...], tuple[str, str]] = {}
    for p in prompts:
        for arm, messages in p.arms.items():
            cells.setdefault(messages, (p.question_id, arm))
    return cells


def _recorder(
    spec: ModelSpec,
    had: Mapping[str, Outcome],
    cells: Mapping[tuple[Any, ...], tuple[str, str]],
    found: list[dict[str, Any]],
    way_out: str,
) -> Callable[[Sequence[Call]], Mapping[str, Outcome]]:
    """Return a lookup over answers had, which notes every call that the policy asks for."""

    def lookup(calls: Sequence[Call]) -> Mapping[str, Outcome]:
        distinct = {call.key: call for call in calls}
        missing = [call for key, call in distinct.items() if key not in had]
        if missing:
            raise CopyCeilingError(
                f"model '{spec.model}': {len(missing)} of {len(distinct)} planned calls have no "
                f"answer. {way_out}"
            )
        for key, call in distinct.items():
            question_id, arm = cells[call.messages]
            where = {"question_id": question_id, "arm": arm, "repeat": call.repeat}
            row = call_row(had[key], model=spec.model, budget=call.max_tokens, **where)
            found.append(row)
        return had

    return lookup


def errors(path: Path, schema: Schema) -> dict[str, Outcome]:
    """Return cells that ended in an error; they are no answers, so the cache does not hold them.

    Args:
        path: Completions of one model; there may be none.
        schema: Their schema.
    """
    if not path.exists():
        return {}
    ended = [r for r in rows(path, schema) if r["status"] == "error"]
    return {
        r["key"]: Outcome(
            key=r["key"],
            status="error",
            answer=r["answer"],
            finish_reason=r["finish_reason"],
            prompt_tokens=r["prompt_tokens"],
            completion_tokens=r["completion_tokens"],
            tries=r["tries"],
            error=r["error"],
        )
        for r in ended
    }


def _attempt(attempt: Mapping[str, Any]) -> dict[str, Any]:
    return {column.name: attempt.get(column.name) for column in ATTEMPTS.columns}


def _made(study: Mapping[str, Any], spec: ModelSpec) -> dict[str, Any]:
    return {
        "rule": "copyceiling freeze",
        "script": "scripts/copyceiling/live/freeze.py",
        "code_version": __version__,
        "inputs": {},
        "study": study["study"],
        "model": spec.model,
        "target": spec.call_target,
        "revision": spec.revision,
        "params": dict(spec.params),
    }
