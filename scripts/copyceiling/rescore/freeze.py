"""Turns the cosines of a live re-score into a study's frozen ones, outside the DAG."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling import __version__
from copyceiling.artefacts.rescore_schemas import COSINES, TITLE_COSINES
from copyceiling.artefacts.store import check_sums, read, write_changed, write_sums
from copyceiling.embedding import EmbedderSpec
from copyceiling.errors import ArtefactError
from copyceiling.rescore.cosines import HOW_TO_EMBED
from copyceiling.rescore.settings import frozen_names, rescore_params


def freeze_cosines(study: Mapping[str, Any], root: Path) -> list[str]:
    """Freeze what a study's re-score measured; return what was done, a line a file.

    What the study no longer asks for is dropped, so that a frozen file holds its rows and no more.

    Args:
        study: The study, as resolved; without a section ``rescore`` nothing is done.
        root: The repository.

    Raises:
        ArtefactError: There are no cosines, or they are of another encoder than the study's.
    """
    if study["rescore"] is None:
        return []
    spec = rescore_params(study)["spec"]
    results, frozen = root / study["results"] / "rescore", root / study["frozen"]
    check_sums(frozen)
    lines = []
    for source, name, schema in zip(
        ("cosines", "titles"), frozen_names(spec["name"]), (COSINES, TITLE_COSINES), strict=True
    ):
        path = results / f"{source}.parquet"
        if not path.exists():
            return [f"{spec['name']}: no re-score in {results}, left as it is"]
        table = read(path, schema)
        if set(table.column("embedder").to_pylist()) - {EmbedderSpec(**spec).digest}:
            raise ArtefactError(
                f"'{path}' holds cosines of another encoder than the study's '{spec['name']}'. "
                f"{HOW_TO_EMBED}"
            )
        changed = write_changed(frozen / name, table, schema, _made(study, spec))
        done = "frozen" if changed else "frozen already"
        lines.append(f"{spec['name']}: {table.num_rows} {source} {done}")
    write_sums(frozen)
    return lines


def _made(study: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "rule": "copyceiling freeze",
        "script": "scripts/copyceiling/rescore/freeze.py",
        "code_version": __version__,
        "inputs": {},
        "study": study["study"],
        "embedder": dict(spec),
    }
