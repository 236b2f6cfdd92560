"""Turns judges' live calls into frozen inputs, outside the DAG (DESIGN section 4).

The artefact of calls that a judging rule writes beside its verdicts is what a replay needs: every
call that the verdicts rest on, re-asks included, frozen before or asked in the live run.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.arms.settings import PARTS, command, is_called
from copyceiling.artefacts.judging_schemas import JUDGE_CALLS
from copyceiling.artefacts.store import check_sums, rows, write_sums
from copyceiling.completions import answers
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.judging.rows import read_judge_calls
from copyceiling.live.entry import read_cache
from copyceiling.live.kept import read_kept, write_kept
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
        CopyCeilingError: The verdicts rest on calls that are neither frozen nor in the cache.
    """
    parts = judged_parts(study)
    if not parts:
        return []
    check_sums(root / study["frozen"])
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
    kept = read_kept(root / study["frozen"], f"judged/{part}", spec.model, read_judge_calls)
    had = {key for key, _ in read_cache(folder)} | answers(kept.outcomes).keys()
    strange = [r["key"] for r in calls if r["status"] != "error" and r["key"] not in had]
    if strange:
        raise CopyCeilingError(
            f"{name}: {len(strange)} of {len(calls)} calls have no answer in {folder}, and are "
            f"not frozen:\n"
            f"{listing(strange, 5)}\nThe verdicts in {made_of} are of another run. Judge again: "
            f"{command(part)}"
        )
    return f"{name}: {write_kept(kept, calls, JUDGE_CALLS, folder, _made(study, spec))}"


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
