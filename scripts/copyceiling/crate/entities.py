"""The parts that a crate's graph is made of."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from copyceiling.artefacts.store import describe
from copyceiling.crate.contents import Contents
from copyceiling.crate.people import Entity

_ENCODINGS = {
    ".cff": "application/yaml",
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".png": "image/png",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".tex": "application/x-tex",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
}


def ref(entity: Entity | str) -> Entity:
    """Return a reference to an entity."""
    return {"@id": entity if isinstance(entity, str) else entity["@id"]}


def refs(entities: Iterable[Entity | str]) -> list[Entity]:
    """Return references to entities, each once, in order."""
    names = dict.fromkeys(e if isinstance(e, str) else e["@id"] for e in entities)
    return [{"@id": name} for name in names]


def file_entity(
    contents: Contents, name: str, licence: Entity, more: Mapping[str, Any] = {}
) -> Entity:
    """Return the entity of a file: its size, sha256 and, for an artefact, its content hash."""
    held = contents.files[name]
    entity: Entity = {
        "@id": name,
        "@type": "File",
        "name": name,
        "encodingFormat": _ENCODINGS.get(PurePosixPath(name).suffix, "text/plain"),
        "contentSize": str(len(contents.data(name))),
        "sha256": contents.sha256(name),
        "license": ref(licence),
    }
    if name.endswith(".parquet") and not isinstance(held, bytes):
        stated = describe(held)
        entity["identifier"] = f"content-hash:{stated['content_hash']}"
        entity["description"] = f"{stated['rows']} rows of schema '{stated['schema']}'."
    return {**entity, **more}


def dataset_entity(contents: Contents, name: str, description: str) -> Entity:
    """Return the entity of a folder whose files are listed in the checksums alone."""
    n = len(contents.below(name))
    return {
        "@id": name,
        "@type": "Dataset",
        "name": name.rstrip("/"),
        "description": f"{description} {n} files; their sha256 stand in SHA256SUMS.",
    }


def tool_entity(name: str, version: str) -> Entity:
    """Return the entity of a Python package in one version."""
    return {
        "@id": f"https://pypi.org/project/{name}/{version}/",
        "@type": "SoftwareApplication",
        "name": name,
        "softwareVersion": version,
        "url": f"https://pypi.org/project/{name}/",
    }


def parameter_entities(params: Mapping[str, Any]) -> list[Entity]:
    """Return the entities of a job's parameters; jobs that share a value share its entity."""
    found = []
    for name, value in sorted(params.items()):
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        found.append(
            {
                "@id": f"#parameter-{name}-{digest}",
                "@type": "PropertyValue",
                "name": name,
                "value": text,
            }
        )
    return found
