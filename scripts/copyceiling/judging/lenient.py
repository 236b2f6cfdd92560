"""Reads a reply as the released harness does: takes what it can find.

Kept for comparison alone. It turns prose into scores: a digit of a list number counts as a grade,
and a score out of range is taken as it stands. What it cannot read either has the fault that the
strict reader finds, so that both ask the same thing once more. Source: STUDIES sections 3, 5 and 8.
"""

import json
import re
from typing import Any

from copyceiling.audit.labels import LABELS, ROLES
from copyceiling.judging import replies
from copyceiling.judging.prompts import clean
from copyceiling.judging.replies import (
    LONGEST_QUOTE,
    LONGEST_REPLY,
    Grade,
    Relation,
    Reply,
    Span,
    is_number,
)

_FENCE = re.compile(r"```(?:json)?")
_MOST_STARTS = 50  # braces tried as the start of an object
_LARGEST = 2**62  # a score that a table can hold


def parse_grade(text: str) -> Reply[Grade]:
    """Read a score: a number in JSON, truncated and not range-checked, or the first digit 0-5."""
    text = text[:LONGEST_REPLY]
    document = _braces(text)
    if document is not None and is_number(document.get("score")):
        score = document["score"]
        if abs(score) < _LARGEST:
            reason = document.get("reason")
            return Reply(Grade(int(score), _words(reason)), None, _unless_bare(text, "braces"))
    digit = re.search(r"[0-5]", text)
    if digit is None:
        return Reply(None, replies.parse_grade(text).fault or "no digit from 0 to 5")
    return Reply(Grade(int(digit[0]), ""), None, "digit")


def parse_relation(text: str) -> Reply[Relation]:
    """Read a label from JSON, from the first balanced object, or field by field."""
    text = text[:LONGEST_REPLY]
    bare = _FENCE.sub("", text).strip()
    document, repair = _braces(bare), _unless_bare(text, "braces")
    if document is None:
        document, repair = _balanced(bare), "object"
    if document is None:
        document, repair = _fields(bare), "fields"
    label, role = document.get("label"), document.get("role")
    if label not in LABELS:
        return Reply(None, replies.parse_relation(text).fault or "no known label")
    stated: Any = document.get("confidence")
    sure = min(1.0, max(0.0, float(stated))) if _fits(stated) else 0.0
    quote = _words(document.get("quote"))[:LONGEST_QUOTE]
    kept = role if isinstance(role, str) and role in ROLES else "n/a"
    return Reply(Relation(label, kept, sure, quote), None, repair)


def parse_span(text: str) -> Reply[Span]:
    """Read a span from JSON between the first and the last brace."""
    document = _braces(text[:LONGEST_REPLY])
    if document is None or not isinstance(document.get("found"), bool):
        return Reply(None, replies.parse_span(text).fault or "no key 'found'")
    span = _words(document.get("span"))
    return Reply(Span(document["found"] and bool(span), span), None, _unless_bare(text, "braces"))


def _fits(value: Any) -> bool:
    return is_number(value) and abs(value) < _LARGEST


def _words(value: Any) -> str:
    return clean(value) if isinstance(value, str) else ""


def _unless_bare(text: str, repair: str) -> str | None:
    bare = text.strip()
    return None if bare.startswith("{") and bare.endswith("}") else repair


def _load(text: str) -> dict[str, Any] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _braces(text: str) -> dict[str, Any] | None:
    """Return what stands from the first brace to the last, if it is an object."""
    start, stop = text.find("{"), text.rfind("}")
    return _load(text[start : stop + 1]) if 0 <= start < stop else None


def _balanced(text: str) -> dict[str, Any] | None:
    """Return the first object that decodes, wherever it begins."""
    decoder = json.JSONDecoder()
    for start in [m.start() for m in re.finditer(r"\{", text)][:_MOST_STARTS]:
        try:
            document, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            return document
    return None


def _fields(text: str) -> dict[str, Any]:
    """Return fields salvaged one by one."""
    found: dict[str, Any] = {}
    for name in ("label", "role", "quote"):
        field = re.search(rf'"{name}"\s*:\s*"([^"]*)"', text)
        if field:
            found[name] = field[1]
    number = re.search(r'"confidence"\s*:\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)', text)
    if number:
        found["confidence"] = float(number[1])
    return found
