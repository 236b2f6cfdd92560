"""Record-shaped sources: the scaffold-index JSON (version 1) and plain JSONL."""

from collections.abc import Mapping
from typing import Any

import orjson

from copyceiling.corpus.model import Issue, RawClass

# JSONL field to what it must be; ``id`` and ``title`` are required.
_JSONL_FIELDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "title": str,
    "slug": str,
    "definition": str,
    "domain": str,
    "quality": (int, float),
    "maturity": str,
    "synonyms": list,
    "parents": list,
    "relations": dict,
}


def read_index(content: bytes, name: str) -> tuple[list[RawClass], list[Issue]]:
    """Return the classes of a scaffold-index document (``{"version": 1, "classes": {...}}``).

    A class holds ``t`` title, ``d`` definition, ``dom`` domain, ``q`` quality, ``m`` maturity,
    ``sup`` parents, ``isup`` inferred ancestors, ``rel`` relations. Source: the released engine.
    """
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError as e:
        return [], [Issue("bad_record", f"{name}:{e.lineno}", "JSON", str(e))]
    if not isinstance(document, dict) or document.get("version") != 1:
        return [], [Issue("bad_record", name, "version", "not a scaffold index of version 1")]
    entries = document.get("classes")
    if not isinstance(entries, dict):
        return [], [Issue("bad_record", name, "classes", "not an object of classes by slug")]
    classes = [
        RawClass(
            id=slug,
            slug=slug,
            title=str(entry.get("t") or ""),
            where=f"{name} [{slug}]",
            definition=str(entry.get("d") or ""),
            domain=entry.get("dom"),
            quality=entry.get("q"),
            maturity=entry.get("m"),
            parents=_slugs(entry.get("sup")),
            ancestors=_slugs(entry.get("isup")),
            relations={key: _slugs(value) for key, value in (entry.get("rel") or {}).items()},
        )
        for slug, entry in entries.items()
    ]
    return classes, []


def _slugs(references: list[str] | None) -> list[str]:
    """The index names classes by slug or by IRI that ends in one."""
    return [str(r).rpartition(":")[2] for r in references or ()]


def read_jsonl(content: bytes, name: str) -> tuple[list[RawClass], list[Issue]]:
    """Return the classes of a JSONL document, one object a line; see ``_JSONL_FIELDS``.

    References are ids; every bad line is reported with its number and field.
    """
    classes: list[RawClass] = []
    issues: list[Issue] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError as e:
            issues.append(Issue("bad_record", where, "JSON", str(e)))
            continue
        faults = _record_faults(record, where)
        issues.extend(faults)
        if not faults:
            classes.append(_from_record(record, where))
    return classes, issues


def _from_record(record: Mapping[str, Any], where: str) -> RawClass:
    return RawClass(
        where=where, **{k: v for k, v in record.items() if v is not None and k in _JSONL_FIELDS}
    )


def _record_faults(record: Any, where: str) -> list[Issue]:
    if not isinstance(record, dict):
        return [Issue("bad_record", where, "JSON", "not an object")]
    faults = [
        Issue("bad_record", where, key, "no such field")
        for key in record
        if key not in _JSONL_FIELDS
    ]
    for key, kind in _JSONL_FIELDS.items():
        value = record.get(key)
        if value is None:
            if key in ("id", "title"):
                faults.append(Issue("bad_record", where, key, "missing"))
        elif not isinstance(value, kind) or isinstance(value, bool):
            faults.append(Issue("bad_record", where, key, f"is a {type(value).__name__}"))
        elif not all(isinstance(v, str) for v in _strings_of(value)):
            faults.append(Issue("bad_record", where, key, "holds something that is no string"))
    return faults


def _strings_of(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [t for v in value.values() for t in (v if isinstance(v, list) else [v, None])]
    return []
