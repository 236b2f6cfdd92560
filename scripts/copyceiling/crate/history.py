"""The jobs that made a study, read back from what its artefacts say of themselves."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import describe
from copyceiling.manifest import chain_order


@dataclass(frozen=True)
class Job:
    """One run of a rule.

    Attributes:
        rule, script: What ran.
        params: Its parameters.
        tools: Name to version of what it ran on.
        code_version: Version of this package.
        outputs: Files it made: paths, Parquet only.
        inputs: Artefacts and frozen files it read: paths.
        unknown: Keyword and content hash of inputs that are in neither folder.
    """

    rule: str
    script: str
    params: Mapping[str, Any]
    tools: Mapping[str, str]
    code_version: str
    outputs: tuple[Path, ...]
    inputs: tuple[Path, ...]
    unknown: tuple[tuple[str, str], ...]


def read_jobs(results: Path, frozen: Path, ends: Sequence[Path]) -> list[Job]:
    """Return the jobs that lead to the ends, in order of the chain.

    An artefact names its inputs by content hash, so the chain is followed by hash, and what lies in
    the folder but leads nowhere is left out. All that a job made counts, read later or not.

    Args:
        results: The study's results folder.
        frozen: Its folder of frozen inputs; it need not be there.
        ends: Tables and figures; what is no Parquet is passed over.

    Raises:
        ArtefactError: An artefact is missing or damaged.
    """
    paths = sorted(results.rglob("*.parquet"))
    stated = {path: describe(path) for path in [*paths, *sorted(frozen.rglob("*.parquet"))]}
    by_hash: dict[str, list[Path]] = {}
    for path, of in stated.items():
        by_hash.setdefault(of["content_hash"], []).append(path)
    together: dict[str, list[Path]] = {}
    for path in paths:
        together.setdefault(_identity(stated[path]), []).append(path)
    found: dict[str, Job] = {}
    waiting = [path for path in ends if path.suffix == ".parquet"]
    while waiting:
        path = waiting.pop()
        if path not in stated:
            describe(path)  # says what is wrong with it
        key = _identity(stated[path])
        if key in found or path not in together.get(key, []):
            continue  # seen, or frozen: where a chain begins
        found[key] = _job(together[key], stated[path]["provenance"], by_hash)
        waiting.extend(found[key].inputs)
    return sorted(found.values(), key=lambda job: _order(job.outputs[0], results))


def _identity(stated: Mapping[str, Any]) -> str:
    """Return what artefacts of one job share and those of two do not."""
    return json.dumps(stated["provenance"], sort_keys=True)


def _order(path: Path, results: Path) -> tuple[int, str]:
    return chain_order(path.relative_to(results).with_suffix("").as_posix())


def _job(outputs: Sequence[Path], made: Mapping[str, Any], by_hash: Mapping[str, Any]) -> Job:
    inputs, unknown = set(), []
    for keyword, digest in made["inputs"].items():
        same = [path for path in by_hash.get(digest, []) if path not in outputs]
        if not same:
            unknown.append((keyword, digest))
            continue
        # Two artefacts may have one content; the one whose name the input bears is meant.
        named = [path for path in same if path.stem == keyword.rpartition("/")[2]]
        inputs.add((named or same)[0])
    return Job(
        made["rule"],
        made["script"],
        made["params"],
        made["tools"],
        made["code_version"],
        tuple(outputs),
        tuple(sorted(inputs)),
        tuple(sorted(unknown)),
    )
