"""Turns a live run's answers into a study's frozen inputs, outside the DAG (DESIGN section 4)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.schemas import CALLS, COMPLETIONS
from copyceiling.artefacts.store import check_sums, write_sums
from copyceiling.completions import LIVE, Prompt, complete, plan
from copyceiling.errors import CopyCeilingError
from copyceiling.live.kept import outcomes_had, read_kept, write_kept
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec, load_models, select
from copyceiling.requests import Call, Outcome
from copyceiling.rows.completions import call_row
from copyceiling.rows.messages import read_messages


def freeze_study(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze every model of a study that has a live run; return what was done, a line a model.

    What is frozen already stays as it is, and what the plan no longer asks is dropped. A model
    whose run did not end every planned cell is refused: freeze a declared subset
    (``sweep.subset``) or finish the run.

    Raises:
        CopyCeilingError: A planned call has no answer; names model and count. Or a frozen file
            is damaged.
    """
    results, frozen = root / study["results"], root / study["frozen"]
    check_sums(frozen)
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
        kept = read_kept(frozen, "", spec.model)
        ended = results / "completions" / f"{spec.model}.parquet"
        had = outcomes_had(kept, folder, ended, COMPLETIONS)
        way_out = (
            f"Finish the run ({LIVE}), or declare a subset in the study: "
            f"sweep: subset: {{{spec.model}: N}}"
        )
        found = frozen_calls(spec, prompts, had, way_out)
        done = write_kept(kept, found, CALLS, folder, made_of(study, spec))
        lines.append(f"{spec.model}: {done}")
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


def made_of(study: Mapping[str, Any], spec: ModelSpec) -> dict[str, Any]:
    """Return how a model's frozen calls come to be."""
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
