"""lm-evaluation-harness sample logs (``--log_samples``), JSONL, tasks that generate text."""

from collections.abc import Mapping
from typing import Any

from copyceiling.check.adapters.record import Row, as_gold, held, take
from copyceiling.check.faults import Fault


def row(record: Mapping[str, Any]) -> Row | Fault:
    """Map a sample.

    The prompt as sent is the context. The question is the document's, where it has one, and else
    the prompt. Gold is the document's list ``gold``, where it has one, and else the target.
    """
    prompt = take(record, "arguments", "gen_args_0", "arg_0")
    if isinstance(take(record, "arguments", "gen_args_0", "arg_1"), str):
        return Fault(
            "arguments",
            "ask for the likelihood of given texts; only tasks of type generate_until have answers",
        )
    answer = take(record, "filtered_resps", 0)
    if isinstance(answer, list):
        answer = answer[0] if answer else None
    question, gold = take(record, "doc", "question"), take(record, "doc", "gold")
    applied = record.get("filter")
    found = {
        "id": record.get("doc_id"),
        "question": question if isinstance(question, str) else prompt,
        "gold": gold if isinstance(gold, list) else as_gold(record.get("target")),
        "gold_type": take(record, "doc", "gold_type"),
        "context": prompt,
        "answer": answer,
        "system": record.get("system"),
        # One document is logged once for each filter of its task.
        "arm": None if applied == "none" else applied,
        "cluster": take(record, "doc", "cluster"),
    }
    return held(found)
