"""Turns what a live run of the stress found into the study's frozen inputs, outside the DAG."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import check_sums, rows, write_changed, write_sums
from copyceiling.artefacts.stress_schemas import HITS, STRESS_REWRITES
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.stress.prompting import LIVE
from copyceiling.stress.settings import frozen_hits_name, frozen_rewrites_name
from copyceiling.tables.parts import has_part


def freeze_stress(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze semantic hits, and the calls of a rewriting model; return a line a file.

    A study without a stress of its own, or one that was not built, is left as it is.

    Raises:
        CopyCeilingError: Some question has no answer yet: its rewriting ended in an error.
    """
    if not has_part(study, "stress"):
        return []
    results, frozen = root / study["results"] / "stress", root / study["frozen"]
    check_sums(frozen)
    asked = study["paraphrase"]
    wanted: list[tuple[Path, Path, Schema]] = [
        (results / "hits.parquet", frozen / frozen_hits_name(asked["embedder"]), HITS)
    ]
    if asked["source"] == "model":
        wanted.append(
            (results / "calls.parquet", frozen / frozen_rewrites_name(asked["model"]), CALLS)
        )
        _check_whole(results / "rewrites.parquet")
    for model in asked["trials"]:
        folder = results / "trials" / model
        wanted.append((folder / "calls.parquet", frozen / frozen_rewrites_name(model), CALLS))
        _check_whole(folder / "rewrites.parquet")
    lines = []
    for source, target, schema in wanted:
        if not source.exists():
            lines.append(f"{target.relative_to(frozen)}: there is no {source}, left as it is")
            continue
        found = rows(source, schema)
        changed = write_changed(target, found, schema, _made(study))
        done = "frozen" if changed else "frozen already"
        lines.append(f"{target.relative_to(frozen)}: {len(found)} rows {done}")
    write_sums(frozen)
    return lines


def _check_whole(rewrites: Path) -> None:
    ended = rows(rewrites, STRESS_REWRITES) if rewrites.exists() else []
    failed = [f"{r['question_id']}: {r['error']}" for r in ended if r["ending"] == "error"]
    if failed:
        raise CopyCeilingError(
            f"{len(failed)} question(s) had no answer when they were rewritten:\n"
            f"{listing(failed)}\nRun it again, it resumes: {LIVE}"
        )


def _made(study: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "rule": "copyceiling freeze",
        "script": "scripts/copyceiling/stress/freeze.py",
        "code_version": __version__,
        "inputs": {},
        "study": study["study"],
        "paraphrase": dict(study["paraphrase"]),
    }
