"""Reads the cells of flat tables, where a list has to stand in a text cell."""

from collections.abc import Mapping
from typing import Any

import orjson

from copyceiling.check.faults import Fault


def unfold(record: Mapping[str, Any]) -> dict[str, Any] | Fault:
    """Return a flat record with gold and context unfolded, or the fault of its gold.

    Gold: a JSON list, or one title as it stands. Context: a JSON list of texts or records, or text
    as it stands, for passages may well begin with a bracket.
    """
    found = dict(record)
    gold, context = found.get("gold"), found.get("context")
    if isinstance(gold, str):
        items = _json_list(gold)
        if items is None and gold.lstrip().startswith("["):
            return Fault("gold", 'begins like a JSON list but is none. Write it as ["...", "..."]')
        found["gold"] = [gold] if items is None else items
    if isinstance(context, str):
        entries = _json_list(context)
        if entries and all(isinstance(e, (str, dict)) for e in entries):
            found["context"] = entries
    return found


def _json_list(cell: str) -> list[Any] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        value = orjson.loads(cell.encode("utf-8", "surrogatepass"))
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, list) else None
