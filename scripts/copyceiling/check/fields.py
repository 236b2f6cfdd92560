"""Reads the fields of one row: every fault is named, nothing is guessed.

A row says what was asked, what answers it (gold), what the system was shown (context) and what it
answered. This module turns a mapping of any origin into a `CheckRow`, or into the list of all its
faults. Source: DESIGN sections 1, 5 and 11.
"""

import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from copyceiling.check.context import context_texts
from copyceiling.check.faults import Fault, shown
from copyceiling.check.names import assign, meanings
from copyceiling.questions import GoldType
from copyceiling.requests import STATUSES, Status, classify

FIELDS = (
    "id",
    "question",
    "gold",
    "gold_type",
    "context",
    "answer",
    "raw_answer",
    "status",
    "raw_status",
    "system",
    "arm",
    "cluster",
)
GOLD_TYPES: tuple[str, ...] = get_args(GoldType)
DEFAULT_SYSTEM = "system"
REQUIRED = ("id", "question", "gold")
CONTENT = ("context", "answer")  # what a row may lack, but hardly all rows of a log


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One answer of one system to one question.

    Attributes:
        system: Label of what answered.
        id: The question; unique within a system, shared between systems that are compared.
        question: What was asked.
        gold: Items that answer it, each as its names, title first; at least one item.
        gold_type: ``all`` items are asked for, or ``any`` one of them suffices.
        context: Texts that the system was shown beside the question, in order.
        answer: What it answered, "" if nothing.
        status: How the answer ended, one of `STATUSES`.
        raw_answer: The answer without context, None if the row has no such arm.
        raw_status: How that one ended, None if the row has no such arm.
        cluster: What the question belongs to, None if not stated.
        unstated: Which of context and answer the row does not mention at all, not even as null.
    """

    system: str
    id: str
    question: str
    gold: tuple[tuple[str, ...], ...]
    gold_type: GoldType
    context: tuple[str, ...]
    answer: str
    status: Status
    raw_answer: str | None
    raw_status: Status | None
    cluster: str | None
    unstated: tuple[str, ...] = ()


def parse(record: object) -> CheckRow | list[Fault]:
    """Return a record as a row, or all its faults.

    Args:
        record: A mapping with the fields of `FIELDS`; others are ignored.
    """
    if not isinstance(record, Mapping):
        return [Fault("", f"{kind(record)} instead of an object with the fields of a row")]
    elsewhere = _elsewhere(record)
    faults = [Fault(field, _asked(field, name)) for field, name in elsewhere.items()]

    def read(field: str, reader: Callable[[Any], Any]) -> Any:
        if field in elsewhere:
            return None
        try:
            return reader(_given(record, field))
        except ValueError as e:
            faults.append(Fault(field, str(e)))
            return None

    found: dict[str, Any] = {
        "id": read("id", _identity),
        "question": read("question", _question),
        "gold": read("gold", gold_items),
        "gold_type": read("gold_type", _gold_type),
        "context": read("context", context_texts),
        "cluster": read("cluster", _label),
    }
    system, arm = read("system", _label), read("arm", _label)
    for prefix in ("", "raw_"):
        text = read(f"{prefix}answer", _text)
        stated = read(f"{prefix}status", _status)
        try:
            found |= _ending(prefix, text, stated)
        except ValueError as e:
            faults.append(Fault(f"{prefix}status", str(e)))
    if faults:
        return faults
    label = "/".join(x for x in (system, arm) if x) or DEFAULT_SYSTEM
    return CheckRow(system=label, unstated=_unstated(record), **found)


def fitting(value: Any, *, flat: bool = False) -> frozenset[str]:
    """Return which of id, question, gold, context and answer a value could be read as.

    Args:
        value: What stands under a name that is not one of ours.
        flat: Whether a text may hold a list, as in a table's cell.
    """
    readers: dict[str, Callable[[Any], Any]] = {
        "id": _identity,
        "question": _question,
        "gold": gold_items,
        "context": context_texts,
        "answer": _text,
    }
    found = set()
    for field, reader in readers.items():
        try:
            reader([value] if flat and field == "gold" and isinstance(value, str) else value)
        except ValueError:
            continue
        found.add(field)
    return frozenset(found)


def given(value: Any) -> bool:
    """Return whether a value is there at all; NaN is what table tools write for a missing cell."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def kind(value: object) -> str:
    """Return what a value is, in words that a message can use."""
    names = {bool: "a truth value", str: "a string", list: "a list", type(None): "nothing"}
    if isinstance(value, float) and not math.isfinite(value):
        return f"the number {value}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "a number"
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "another type")


def _given(record: Mapping[str, Any], field: str) -> Any:
    value = record.get(field)
    return value if given(value) else None


def _elsewhere(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the missing fields that seem to stand under another name, with that name."""
    missing = {field for field in FIELDS if field not in record}
    unread = {
        name: fitting(value)
        for name, value in record.items()
        if isinstance(name, str)
        and name not in FIELDS
        and not missing.isdisjoint(meanings(name))
        and given(value)
    }
    return assign(unread, missing) if unread else {}


def _asked(field: str, name: str) -> str:
    way_out = f"If that is meant: --field {shlex.quote(f'{field}={name}')}"
    if field in REQUIRED:
        return f"is missing, but there is '{shown(name)}', which is not read. {way_out}"
    none = f"give {field}, null if there is none"
    return f"is missing, but there is '{shown(name)}', which is not read. {way_out}; else {none}"


def _unstated(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return which of context and answer a row leaves out; a failure explains a lack of answer."""
    failed = _given(record, "status") not in (None, "", "ok")
    return tuple(f for f in CONTENT if f not in record and not (f == "answer" and failed))


def writable(text: str) -> str:
    """Return a label as it is.

    Raises:
        ValueError: It holds half a surrogate pair, which no file can store.
    """
    try:
        text.encode()
    except UnicodeEncodeError as e:
        raise ValueError(
            f"holds half a surrogate pair at character {e.start}, which is no text. Correct it"
        ) from e
    return text


def _label(value: Any) -> str | None:
    """Return a label as text; a number is taken as its digits, so that 12 and "12" are one."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError(f"found {kind(value)}; write it as a string")
    if isinstance(value, int) and abs(value) >= 10**18:
        raise ValueError("found a number of more than 18 digits; write it as a string")
    return writable(str(value))


def _identity(value: Any) -> str:
    label = _label(value)
    if label is None:
        raise ValueError(
            "is missing. Give every question an id of its own (a line number would tie the "
            "figures to the order of the file)"
        )
    return label


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"found {kind(value)}; write it as a string")
    return value


def _question(value: Any) -> str:
    text = _text(value)
    if text is None or not text.strip():
        raise ValueError("is missing; it is part of what the system was shown")
    return text


def _gold_type(value: Any) -> str:
    if value is None or value == "":
        return "all"
    if value not in GOLD_TYPES:
        raise ValueError(f"found {value!r:.40}; write one of {', '.join(GOLD_TYPES)}")
    return str(value)


def _status(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if value not in STATUSES:
        raise ValueError(f"found {value!r:.40}; write one of {', '.join(STATUSES)}")
    return str(value)


def _ending(prefix: str, text: str | None, stated: str | None) -> dict[str, Any]:
    """Return an arm's answer and status; a missing answer is a status, and no arm is none.

    Raises:
        ValueError: The status says that there is no text, and there is.
    """
    if prefix and text is None and stated is None:
        return {"raw_answer": None, "raw_status": None}
    answer = text or ""
    if stated == "empty" and answer.strip():
        raise ValueError(f"says 'empty', but {prefix}answer has text. Correct one of them")
    received = classify(answer, None, None, 0)
    status = received if stated in (None, "ok") else stated
    return {f"{prefix}answer": answer, f"{prefix}status": status}


def gold_items(value: Any) -> tuple[tuple[str, ...], ...]:
    """Return gold as items of names, title first.

    Args:
        value: A list of titles, or of records with ``title`` and, if there are any, ``aliases``.

    Raises:
        ValueError: It is something else, or empty; the message says which item.
    """
    if value is None:
        raise ValueError('is missing; give the titles that answer the question: ["..."]')
    if not isinstance(value, (list, tuple)):
        raise ValueError(f'found {kind(value)}; give a list of titles: ["..."]')
    if not value:
        raise ValueError("is an empty list; a question without gold has no recall, leave it out")
    return tuple(_names(item, i) for i, item in enumerate(value))


def _names(item: Any, i: int) -> tuple[str, ...]:
    title, aliases = item, None
    if isinstance(item, Mapping):
        title, aliases = item.get("title"), item.get("aliases")
    if not isinstance(title, str) or not title.strip():
        what = "an empty title" if isinstance(title, str) else kind(title)
        raise ValueError(f"item {i}: found {what}; give a title, or {{title, aliases}}")
    if not isinstance(aliases, (list, tuple, type(None))):
        raise ValueError(f"item {i}: aliases are {kind(aliases)}; give a list of strings")
    for alias in aliases or ():
        if not isinstance(alias, str):
            raise ValueError(f"item {i}: an alias is {kind(alias)}; write it as a string")
    return (title, *(aliases or ()))
