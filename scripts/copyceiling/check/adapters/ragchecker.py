"""RAGChecker's input and output JSON: a document with ``results``."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from copyceiling.check.adapters.record import Row, as_gold, document, listed, renamed, take
from copyceiling.check.faults import Fault

NAMES = {"context": "retrieved_context", "answer": "response"}


def records(path: Path) -> Iterator[tuple[int, Any]]:
    """Read the results of a document."""
    return listed(take(document(path, "RAGChecker"), "results"), path, "RAGChecker", "results")


def row(record: Mapping[str, Any]) -> Row | Fault:
    """Map a result; ``gt_answer`` is one gold title unless there is a list ``gold``."""
    gold = record.get("gold")
    return {
        "id": record.get("query_id"),
        "question": record.get("query"),
        "gold": as_gold(record.get("gt_answer")) if gold is None else gold,
        "gold_type": record.get("gold_type"),
        **renamed(record, NAMES),
        "system": record.get("system"),
        "cluster": record.get("cluster"),
    }
