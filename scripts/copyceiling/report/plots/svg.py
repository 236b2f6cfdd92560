"""Turns a matplotlib figure into SVG that lives inside a page.

What matplotlib writes is made for a file of its own: it repeats ids from figure to figure, names
fonts, and sets colours in style attributes, which a page's content policy forbids and which no
style sheet can change for the dark. Here ids get the figure's name, style becomes presentation
attributes, and colours of the palette become classes.
"""

import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Iterator, Mapping

from copyceiling.report.markup import Html, el
from copyceiling.report.plots.frame import PALETTE, Canvas

_NAMESPACE = re.compile(r"\{[^}]*\}")
_LINK = "{http://www.w3.org/1999/xlink}href"
_URL = re.compile(r"url\(#([^)]+)\)")
_DROPPED = ("metadata", "style")
_STYLE = ("font-family",)
_SPACES = re.compile(r"\s+")


def to_svg(
    canvas: Canvas,
    *,
    name: str,
    title: str,
    description: str,
    role: str = "img",
) -> Html:
    """Return a figure as an inline SVG element that says in words what it shows.

    Args:
        canvas: The figure, the text over its marks (by group id) and classes of their own.
        name: Unique in the page; prefix of its ids, together with the size where it is narrow.
        title: What it is, a few words.
        description: What it shows, for those who do not see it.
        role: ``img``, or ``group`` where marks are links.
    """
    name = f"{name}-{canvas.size.name}" if canvas.size.narrow else name
    buffer = io.BytesIO()
    canvas.figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    root = ET.fromstring(buffer.getvalue())
    _clean(root)
    used = {target for node in root.iter() for target in _targets(node)}
    for node in root.iter():
        _name(node, name, used, canvas.hover, canvas.classes)
        _dress(node, name)
    box = root.get("viewBox", "0 0 1 1")
    labels = {"aria-labelledby": f"{name}-title {name}-description"}
    inside = "".join(ET.tostring(child, encoding="unicode") for child in root)
    return el(
        "svg",
        el("title", title, id=f"{name}-title"),
        el("desc", description, id=f"{name}-description"),
        Html(_SPACES.sub(" ", inside)),
        class_=f"plot {canvas.size.name}",
        viewBox=box,
        role=role,
        width=_width(box),
        **labels,
    )


def _width(box: str) -> str:
    """Return the width in pixels that shows the text at the size of the page's."""
    return f"{float(box.split()[2]) * 1.42:.0f}"


def _clean(node: ET.Element) -> None:
    """Take namespaces off, and drop what only a file needs."""
    node.tag = _NAMESPACE.sub("", node.tag)
    node.text = node.text if node.tag == "text" else None
    node.tail = None
    for child in list(node):
        child.tag = _NAMESPACE.sub("", child.tag)
        if child.tag in _DROPPED:
            node.remove(child)
        else:
            _clean(child)


def _name(
    node: ET.Element,
    name: str,
    used: Collection[str],
    hover: Mapping[str, str],
    classes: Mapping[str, str],
) -> None:
    """Give an element its text and class, and the page's form of its id where that is needed."""
    gid = node.attrib.pop("id", "")
    if gid in hover:
        mark = ET.Element("title")
        mark.text = hover[gid]
        node.insert(0, mark)
        for link in node.iter("a"):
            link.set("aria-label", hover[gid])
    if gid in used or gid in classes:
        node.set("id", f"{name}-{gid}")
    if gid in classes:
        node.set("class", classes[gid])


def _targets(node: ET.Element) -> Iterator[str]:
    """Yield the ids that an element refers to."""
    for key, value in node.attrib.items():
        if key == _LINK:
            yield value.removeprefix("#")
        yield from _URL.findall(value)


def _dress(node: ET.Element, name: str) -> None:
    """Set style as attributes, colours as classes, and references to the page's ids."""
    for part in node.attrib.pop("style", "").split(";"):
        key, _, value = part.partition(":")
        if value and key.strip() not in _STYLE:
            node.set(key.strip(), value.strip())
    href = node.attrib.pop(_LINK, None)
    if href is not None:
        # Links of ours lead into the page; references lead to an id of this figure.
        node.set("href", href if node.tag == "a" else f"#{name}-{href.removeprefix('#')}")
    node.attrib.pop("target", None)
    for key, value in list(node.attrib.items()):
        node.set(key, _URL.sub(rf"url(#{name}-\1)", value))
    classes = [node.get("class", "")]
    for key in ("fill", "stroke"):
        colour = PALETTE.get(node.get(key, "").lower())
        if colour:
            classes.append(f"{key}-{colour}")
    if "".join(classes):
        node.set("class", " ".join(filter(None, classes)))
