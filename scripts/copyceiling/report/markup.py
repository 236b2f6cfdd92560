"""HTML by construction: whatever is not known to be markup is text, and text is escaped."""

from collections.abc import Iterable
from html import escape

VOID = frozenset({"br", "col", "hr", "input", "link", "meta"})


class Html(str):
    """Text that is markup already, made by the functions of this module or checked by hand."""

    __slots__ = ()


def el(tag: str, /, *children: object, **attributes: object) -> Html:
    """Return an element.

    Args:
        tag: Tag name.
        children: `Html` is taken as it is, everything else as text; None is left out, and lists
            are flattened.
        attributes: A trailing underscore is cut (``class_``, ``for_``), others become hyphens;
            True gives a bare attribute, None and False none.
    """
    opened = f"<{tag}{_attributes(attributes)}>"
    if tag in VOID:
        return Html(opened)
    return Html(f"{opened}{''.join(_texts(children))}</{tag}>")


def join(*children: object) -> Html:
    """Return children one after the other, text escaped."""
    return Html("".join(_texts(children)))


def _texts(children: Iterable[object]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            yield str(child)
        elif isinstance(child, (list, tuple)):
            yield from _texts(child)
        else:
            yield escape(_sound(str(child)), quote=False)


def _sound(text: str) -> str:
    """Return text that HTML can hold: it has no way to write a null or half a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")


def _attributes(given: dict[str, object]) -> str:
    out = []
    for key, value in given.items():
        name = key.rstrip("_").replace("_", "-")
        if value is True:
            out.append(f" {name}")
        elif value is not None and value is not False:
            out.append(f' {name}="{escape(_sound(str(value)))}"')
    return "".join(out)


def code_spans(text: str) -> Html:
    """Return a note in which text between backticks is code, as in the Markdown of tables."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # an odd backtick out is a backtick
        return join(text)
    return join(*(el("code", part) if i % 2 else part for i, part in enumerate(parts)))


def json_in_script(text: str) -> str:
    """Return JSON that can stand in a script element: nothing in it ends or comments the element.

    Every ``<`` becomes an escape that JSON knows, so neither ``</script`` nor ``<!--`` is left.
    """
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
