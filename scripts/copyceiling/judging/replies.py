"""Reads a judge's reply: one JSON object of the declared form, within its ranges, or a fault.

A reply is untrusted text. It is bounded, decoded by the JSON library alone, and checked key by
key; nothing in it is guessed, and there is no default. What cannot be read is a fault in our own
words, for the one re-ask. `copyceiling.judging.lenient` reads as the released harness does.
"""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from copyceiling.audit.labels import LABELS, ROLES
from copyceiling.judging.prompts import clean

LONGEST_REPLY = 20_000  # characters
LONGEST_QUOTE = 600
LONGEST_REASON = 2_000
HIGHEST = 5
NO_ROLE = "role"  # repair of a label whose role is left out
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


@dataclass(frozen=True)
class Grade:
    """A grade with its reason."""

    score: int
    reason: str


@dataclass(frozen=True)
class Relation:
    """A label of one item; confidence in [0, 1]; an empty quote where the label is absent.

    The role is None where the one stated is none of `ROLES`: the label stands, the role is missing.
    """

    label: str
    role: str | None
    confidence: float
    quote: str


@dataclass(frozen=True)
class Span:
    """Evidence for a verdict, or the concession that there is none."""

    found: bool
    span: str


V = TypeVar("V", Grade, Relation, Span)


@dataclass(frozen=True)
class Reply(Generic[V]):
    """What a reply says, or why it says nothing.

    Attributes:
        value: What it says, None where it could not be read.
        fault: Why not, in words of ours; None where it could.
        repair: What had to be taken off, salvaged or left out (``thought``, ``fence``, ``braces``,
            ``object``, ``fields``, ``digit``, ``role``; joined by ``+``), None for a reply of the
            declared form.
    """

    value: V | None
    fault: str | None
    repair: str | None = None


class _Fault(ValueError):
    """Carries the fault, in words that hold nothing of the reply."""


def parse_grade(text: str) -> Reply[Grade]:
    """Read a grade: a whole number from 0 to 5, and a reason."""
    return _parse(text, ("score", "reason"), _grade)


def parse_relation(text: str) -> Reply[Relation]:
    """Read a label with its role, confidence and quote.

    A role out of range makes no fault: it is missing, and the repair says so. The label would be
    thrown away for a field that one rate needs. Source: STUDIES section 5 (bad second field).
    """
    found = _parse(text, ("label", "role", "confidence", "quote"), _relation)
    if found.value is None or found.value.role is not None:
        return found
    return replace(found, repair="+".join([*([found.repair] if found.repair else []), NO_ROLE]))


def parse_span(text: str) -> Reply[Span]:
    """Read a span, or the concession that there is none."""
    return _parse(text, ("found", "span"), _span)


def _parse(text: str, keys: tuple[str, ...], build: Callable[[Mapping[str, Any]], V]) -> Reply[V]:
    try:
        document, repair = _object(text)
        missing = [key for key in keys if key not in document]
        if missing:
            raise _Fault(f"the object lacks the key(s) {', '.join(missing)}")
        if len(document) > len(keys):
            raise _Fault(f"the object has keys beside {', '.join(keys)}")
        return Reply(build(document), None, repair)
    except _Fault as fault:
        return Reply(None, str(fault))


def _object(text: str) -> tuple[dict[str, Any], str | None]:
    """Return the one object that a reply is, and what had to be taken off around it."""
    if len(text) > LONGEST_REPLY:
        raise _Fault(f"the reply is longer than {LONGEST_REPLY} characters")
    bare, repair = text, None
    thought = _THOUGHT.match(bare)
    if thought:
        bare, repair = bare[thought.end() :], "thought"
    fenced = _FENCED.fullmatch(bare.strip())
    if fenced:
        bare, repair = fenced[1], "fence"
    if not bare.strip():
        raise _Fault("the reply is empty")
    document = _decode(bare)
    if not isinstance(document, dict):
        raise _Fault("the reply is no JSON object")
    return document, repair


def _decode(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except _Fault:
        raise
    except json.JSONDecodeError as e:
        if e.msg == "Extra data":
            raise _Fault("text or a second object follows the JSON object") from None
        raise _Fault("the reply is not one JSON object by itself") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, or deep nesting
        raise _Fault("the JSON holds a number too long or is nested too deep") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _Fault("a key stands twice")
    return document


def _refuse(_: str) -> None:
    raise _Fault("NaN and Infinity are no JSON numbers")


def is_number(value: object) -> bool:
    """Whether a JSON value is a finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: object, key: str, longest: int) -> str:
    if not isinstance(value, str):
        raise _Fault(f"'{key}' is not text")
    if len(value) > longest:
        raise _Fault(f"'{key}' is longer than {longest} characters")
    return clean(value)


def _choice(value: object, key: str, choices: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise _Fault(f"'{key}' is none of {', '.join(choices)}")
    return value


def _grade(document: Mapping[str, Any]) -> Grade:
    score = document["score"]
    if not isinstance(score, int) or isinstance(score, bool) or not 0 <= score <= HIGHEST:
        raise _Fault(f"'score' is not a whole number from 0 to {HIGHEST}")
    return Grade(score, _text(document["reason"], "reason", LONGEST_REASON))


def _relation(document: Mapping[str, Any]) -> Relation:
    label = _choice(document["label"], "label", LABELS)
    stated = document["role"]
    role = stated if isinstance(stated, str) and stated in ROLES else None
    confidence = document["confidence"]
    if not is_number(confidence) or not 0 <= confidence <= 1:
        raise _Fault("'confidence' is not a number from 0 to 1")
    quote = _text(document["quote"], "quote", LONGEST_QUOTE)
    if (label == "absent") != (not quote.strip()):
        raise _Fault("'quote' must be empty if the label is absent, and only then")
    return Relation(label, role, float(confidence), quote)


def _span(document: Mapping[str, Any]) -> Span:
    found = document["found"]
    if not isinstance(found, bool):
        raise _Fault("'found' is neither true nor false")
    span = _text(document["span"], "span", LONGEST_REPLY)
    if found != bool(span.strip()):
        raise _Fault("'span' must be empty if found is false, and only then")
    return Span(found, span)
