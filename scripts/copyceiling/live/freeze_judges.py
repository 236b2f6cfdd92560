"""Turns judges' live calls into frozen inputs, outside the DAG (DESIGN section 4).

The artefact of calls that a judging rule writes beside its verdicts is what a replay needs: every
call that the verdicts rest on, re-asks included.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.arms.settings import PARTS, command, is_called
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.schemas import ATTEMPTS
from copyceiling.artefacts.store import rows, write, write_sums
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.live.entry import read_cache
from copyceiling.live.ledger import read_attempts
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec, load_models, select


def judged_parts(study: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the parts of a study whose verdicts are calls of its own, with their judges' labels.

    `judged/<part>/<judge>` and `judged/<part>_calls/<judge>` are what a part's rules write.
    """
    if not study["judging"]:
        return {}
    called = [part for part in ("audit", *PARTS) if is_called(study, part)]
    judges = {part: list(study[part].get("judges") or []) for part in called}
    return {"calibration": list(study["judging"]["judges"]), **judges}


def freeze_judges(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze the calls of every judge that has a live run; return a line a judge and part.

    Raises:
        CopyCeilingError: The verdicts rest on calls that the live run has no answer to.
    """
    parts = judged_parts(study)
    if not parts:
        return []
    table = load_models(root / study["sweep"]["table"])
    lines = [
        _freeze(study, root, spec, part)
        for part, labels in parts.items()
        for spec in select(table, labels, f"judges of {part}")
        if not spec.is_reference
    ]
    write_sums(root / study["frozen"])
    return lines


def _freeze(study: Mapping[str, Any], root: Path, spec: ModelSpec, part: str) -> str:
    made_of = root / study["results"] / "judged" / f"{part}_calls" / f"{spec.model}.parquet"
    folder = LiveSettings(root / study["live"]["cache"]).folder(spec)
    name = f"judge {spec.model}, {part}"
    if not folder.exists() or not made_of.exists():
        return f"{name}: no live run in {folder}, left as it is"
    calls = rows(made_of, JUDGE_CALLS)
    had = {key for key, _ in read_cache(folder)}
    strange = [r["key"] for r in calls if r["status"] != "error" and r["key"] not in had]
    if strange:
        raise CopyCeilingError(
            f"{name}: {len(strange)} of {len(calls)} calls have no answer in {folder}:\n"
            f"{listing(strange, 5)}\nThe verdicts in {made_of} are of another run. Judge again: "
            f"{command(part)}"
        )
    keys = {row["key"] for row in calls}
    attempts = [
        {column.name: attempt.get(column.name) for column in ATTEMPTS.columns}
        for attempt in read_attempts(folder)
        if attempt["key"] in keys
    ]
    into = root / study["frozen"] / "judged" / part
    made = _made(study, spec)
    write(into / "calls" / f"{spec.model}.parquet", calls, JUDGE_CALLS, made)
    write(into / "attempts" / f"{spec.model}.parquet", attempts, ATTEMPTS, made)
    return f"{name}: {len(calls)} calls, {len(attempts)} attempts frozen"


def _made(study: Mapping[str, Any], spec: ModelSpec) -> dict[str, Any]:
    return {
        "rule": "copyceiling freeze",
        "script": "scripts/copyceiling/live/freeze_judges.py",
        "code_version": __version__,
        "inputs": {},
        "study": study["study"],
        "model": spec.model,
        "target": spec.call_target,
        "revision": spec.revision,
        "params": dict(spec.params),
        "judging": dict(study["judging"]),
    }
