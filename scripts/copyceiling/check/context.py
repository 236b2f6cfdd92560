"""Reads what a system was shown: a text, passages, or chat messages."""

from collections.abc import Mapping
from typing import Any

_TEXT_KEYS = ("content", "text", "page_content")


def context_texts(value: Any) -> tuple[str, ...]:
    """Return the texts of a context, in order; () if there is none.

    Args:
        value: A text; a list of texts; a list of messages or passages, that is records whose
            ``content``, ``text`` or ``page_content`` is a text or a list of content parts; None.

    Raises:
        ValueError: It is something else; the message says which entry.
    """
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise ValueError("is neither a string nor a list of passages or messages")
    return tuple(text for i, entry in enumerate(value) for text in _entry(entry, i))


def _entry(entry: Any, i: int) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    if not isinstance(entry, Mapping):
        raise ValueError(f"entry {i} is neither a string nor a record with a text")
    for key in _TEXT_KEYS:
        if key in entry:
            return _content(entry[key], i)
    raise ValueError(f"entry {i} has no text: none of {', '.join(_TEXT_KEYS)}")


def _content(content: Any, i: int) -> list[str]:
    """Return the texts of a message; parts that are no text (images) hold no name to copy."""
    if content is None:
        return []
    if isinstance(content, str):
        return [content]
    if not isinstance(content, (list, tuple)):
        raise ValueError(f"entry {i}: its content is neither a string nor a list of parts")
    texts = [p if isinstance(p, str) else _part(p, i) for p in content]
    return [t for t in texts if t is not None]


def _part(part: Any, i: int) -> str | None:
    if not isinstance(part, Mapping):
        raise ValueError(f"entry {i}: a part of its content is neither a string nor a record")
    text = part.get("text")
    if text is None:
        return None
    if not isinstance(text, str):
        raise ValueError(f"entry {i}: the text of a part is no string")
    return text
