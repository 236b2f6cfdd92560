"""promptfoo output JSON (``promptfoo eval -o results.json``), version 3 of its results."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from copyceiling.check.adapters.record import (
    Row,
    as_gold,
    document,
    held,
    listed,
    question_id,
    take,
)
from copyceiling.check.chunks import Unreadable, decode
from copyceiling.check.faults import Fault

_QUESTION_VARS = ("question", "query", "input")
_ALL = ("contains", "icontains", "contains-all", "icontains-all", "equals")
_ANY = ("contains-any", "icontains-any")
_FAILED_CALL = 2  # failureReason: 0 none, 1 an assertion, 2 an error


def records(path: Path) -> Iterator[tuple[int, Any]]:
    """Read the results of a document."""
    found = take(document(path, "promptfoo"), "results", "results")
    numbered = list(listed(found, path, "promptfoo", "results.results"))
    several = len({str(take(record, "promptId")) for _, record in numbered}) > 1
    for i, record in numbered:
        yield i, {**record, "several_prompts": several} if isinstance(record, dict) else record


def row(record: Mapping[str, Any]) -> Row | Fault:
    """Map a result: one test under one prompt and one provider.

    The rendered prompt is the context. With several prompts, each is an arm. Gold, in this order:
    ``gold`` in the test's metadata, a variable ``gold``, what the test's assertions say that the
    output must contain.
    """
    prompt = take(record, "prompt", "raw")
    asked = (take(record, "vars", name) for name in _QUESTION_VARS)
    question = next((q for q in asked if isinstance(q, str)), prompt)
    gold, gold_type = _gold(record)
    prompt_id = take(record, "promptId")
    failed = record.get("failureReason") == _FAILED_CALL or take(record, "response", "error")
    refused = take(record, "response", "isRefusal") is True
    found = {
        "id": take(record, "testCase", "metadata", "id") or _test_id(record, question),
        "question": question,
        "gold": gold,
        "gold_type": take(record, "testCase", "metadata", "gold_type") or gold_type,
        "context": _messages(prompt),
        "answer": take(record, "response", "output"),
        "status": "error" if failed else "refused" if refused else None,
        "system": take(record, "provider", "label") or take(record, "provider", "id"),
        "arm": str(prompt_id)[:8] if record.get("several_prompts") else None,
        "cluster": take(record, "testCase", "metadata", "cluster"),
    }
    return held(found)


def _test_id(record: Mapping[str, Any], question: Any) -> str | None:
    index = record.get("testIdx")
    return f"test-{index}" if isinstance(index, int) else question_id(question)


def _messages(prompt: Any) -> Any:
    """Return chat messages where the prompt is their JSON, else the prompt."""
    if isinstance(prompt, str) and prompt.lstrip().startswith("["):
        value = decode(prompt.encode("utf-8", "surrogatepass"))
        if not isinstance(value, Unreadable) and value and isinstance(take(value, 0), dict):
            return value
    return prompt


def _gold(record: Mapping[str, Any]) -> tuple[Any, str | None]:
    for place in (("testCase", "metadata", "gold"), ("vars", "gold")):
        found = take(record, *place)
        if found is not None:
            return as_gold(found), None
    asserted = take(record, "testCase", "assert")
    for assertion in asserted if isinstance(asserted, list) else []:
        kind, value = take(assertion, "type"), take(assertion, "value")
        if kind in _ALL:
            return as_gold(value), "all"
        if kind in _ANY:
            return as_gold(value), "any"
    return None, None
