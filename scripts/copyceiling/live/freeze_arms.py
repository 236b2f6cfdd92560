"""Turns the live answers of the judged studies into frozen inputs, outside the DAG (DESIGN 4).

A part that asks models itself (see `arms.settings`) is frozen from its planned prompts, as the
sweep is from its scaffolds: `data/<study>/<part>/calls/<model>.parquet`, attempts beside them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.arms.asking import prompts_of
from copyceiling.arms.settings import called_parts, command, is_called
from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS, NODE_BLOCKS
from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import check_sums, rows, write_changed, write_sums
from copyceiling.live.freeze import frozen_calls, made_of
from copyceiling.live.kept import outcomes_had, read_kept, write_kept
from copyceiling.live.settings import LiveSettings
from copyceiling.models import ModelSpec
from copyceiling.production.node import asked_with


def freeze_arms(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze the answers of every part that asks models itself; return a line a part and model.

    A part that was not completed with a model is left as it is, and so is one without prompts.

    Raises:
        CopyCeilingError: A planned call has no answer; names model and count.
    """
    check_sums(root / study["frozen"])
    lines = [
        _freeze(study, root, part, spec)
        for part, of in called_parts(study, root).items()
        for spec in of.models.values()
        if not spec.is_reference
    ]
    lines += _freeze_node(study, root)
    if lines:
        write_sums(root / study["frozen"])
    return lines


def _freeze_node(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze the blocks of a served node, with what it was asked beside query and budget."""
    blocks = root / study["results"] / "production" / "node.parquet"
    if not is_called(study, "production") or not study["production"]["node"]:
        return []
    if not blocks.exists():
        return ["node, production: was not asked, left as it is"]
    found = rows(blocks, NODE_BLOCKS)
    made = {
        "rule": "copyceiling freeze",
        "script": "scripts/copyceiling/live/freeze_arms.py",
        "code_version": __version__,
        "inputs": {},
        "study": study["study"],
        "asked_with": asked_with(study["scaffold"]),
    }
    target = root / study["frozen"] / "production" / "node.parquet"
    done = "frozen" if write_changed(target, found, NODE_BLOCKS, made) else "frozen already"
    return [f"node, production: {len(found)} blocks {done}"]


def _freeze(study: Mapping[str, Any], root: Path, part: str, spec: ModelSpec) -> str:
    results = root / study["results"] / part
    folder = LiveSettings(root / study["live"]["cache"]).folder(spec)
    ended = results / "completions" / f"{spec.model}.parquet"
    name = f"{spec.model}, {part}"
    if not folder.exists() or not ended.exists():
        return f"{name}: no live run in {folder}, left as it is"
    prompts = prompts_of(rows(results / "prompts.parquet", ARM_PROMPTS))
    kept = read_kept(root / study["frozen"], part, spec.model)
    had = outcomes_had(kept, folder, ended, ARM_COMPLETIONS)
    found = frozen_calls(spec, prompts, had, f"Finish the run: {command(part)}")
    return f"{name}: {write_kept(kept, found, CALLS, folder, made_of(study, spec))}"
