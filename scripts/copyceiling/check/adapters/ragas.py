"""RAGAS datasets, JSONL (``EvaluationDataset.to_jsonl``), single-turn samples."""

from collections.abc import Mapping
from typing import Any

from copyceiling.check.adapters.record import Row, as_gold, question_id, renamed, take
from copyceiling.check.faults import Fault

NAMES = {"context": "retrieved_contexts", "answer": "response"}


def row(record: Mapping[str, Any]) -> Row | Fault:
    """Map a sample. Without an id of its own it gets one from the text of its question."""
    question = record.get("user_input")
    if isinstance(question, list):
        return Fault("user_input", "is a conversation; only single-turn samples are read")
    gold = take(record, "gold")
    return {
        "id": record.get("id") or question_id(question),
        "question": question,
        "gold": as_gold(record.get("reference")) if gold is None else gold,
        "gold_type": record.get("gold_type"),
        **renamed(record, NAMES),
        "system": record.get("system"),
        "cluster": record.get("cluster"),
    }
