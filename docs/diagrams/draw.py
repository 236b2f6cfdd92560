"""Draws the diagrams of this folder: one SVG a description (YAML).

    python docs/diagrams/draw.py            # writes every figure*.svg again
    python docs/diagrams/draw.py --check    # exit status 1 if one is not as described

A description has ``title``, ``desc`` (both for screen readers), ``size`` ([width, height] in
pixels) and

- ``zones``: frames around parts, drawn first: ``at`` ([x, y, width, height]), ``label``, and
  ``foot: true`` to have it at the foot;
- ``boxes``: by name: ``at``, ``text`` (lines; the first is the heading) and ``kind``: ``step``
  (needs no model), ``data`` (what passes or is kept), ``model`` (a model or a judge is called) or
  ``person``; ``here: false`` draws a dashed border: described, but no part of this pipeline;
- ``arrows``: ``from`` and ``to`` as ``name.side`` (left, right, top, bottom; ``name.right-20`` is
  20 pixels above the middle, ``name.top-20`` 20 to its left), optional ``label``, and ``bend``
  (the share of the way at which an arrow turns, 0.5);
- ``legend``: place ([x, y]) of the key to the kinds in use.

SVG stays text: no fonts are fetched, colours follow the reader's light or dark scheme.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import yaml
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

HERE = Path(__file__).resolve().parent
SIZE, SMALL, LEADING = 13, 11.5, 17
_PAD = 10
_KINDS = {
    "step": "a step that needs no model",
    "data": "what passes or is kept",
    "model": "a model is called",
    "person": "people decide",
}
# Light and dark: page, ink, muted ink; fill and border by kind. Contrast of text is 7:1 or more.
_LIGHT = {
    "page": "#ffffff",
    "ink": "#1b1f24",
    "soft": "#424a53",
    "zone": "#f3f5f7",
    "step": ("#e3eefb", "#1f5fa8"),
    "data": ("#ffffff", "#57606a"),
    "model": ("#fdebd0", "#a04f00"),
    "person": ("#e4f3e6", "#1d6b2a"),
}
_DARK = {
    "page": "#0d1117",
    "ink": "#f0f3f6",
    "soft": "#c2cad3",
    "zone": "#171d26",
    "step": ("#12304f", "#7ab7ff"),
    "data": ("#0d1117", "#9ea7b3"),
    "model": ("#47290a", "#f2b366"),
    "person": ("#12351a", "#7fd08c"),
}


def _colours(scheme: Mapping[str, Any]) -> str:
    rules = [
        f".page{{fill:{scheme['page']}}}",
        f".zone{{fill:{scheme['zone']}}}",
        f"text{{fill:{scheme['ink']}}}",
        f".soft{{fill:{scheme['soft']}}}",
        f".halo{{stroke:{scheme['page']}}}.in{{stroke:{scheme['zone']}}}",
        f".line{{stroke:{scheme['soft']}}}",
        f".head{{fill:{scheme['soft']}}}",
    ]
    rules += [f".{k}{{fill:{scheme[k][0]};stroke:{scheme[k][1]}}}" for k in _KINDS]
    return "".join(rules)


_STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    f"font-size:{SIZE}px}}.b{{font-weight:600}}.soft{{font-size:{SMALL}px}}"
    ".line{fill:none;stroke-width:1.6}.halo{stroke-width:5;paint-order:stroke;"
    "stroke-linejoin:round}.box{stroke-width:1.5}.away{stroke-dasharray:6 4}"
    f"{_colours(_LIGHT)}@media (prefers-color-scheme:dark){{{_colours(_DARK)}}}"
)


def draw(figure: Mapping[str, Any]) -> str:
    """Return a description as SVG.

    Raises:
        ValueError: A line is too long for its box, or an arrow names no box; lists all.
    """
    faults = _faults(figure)
    if faults:
        raise ValueError("\n".join(faults))
    width, height = figure["size"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(figure["title"])}</title>',
        f'<desc id="desc">{escape(" ".join(figure["desc"].split()))}</desc>',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
    ]
    for zone in figure.get("zones", ()):
        parts += _zone(zone)
    for arrow in figure["arrows"]:
        parts += _arrow(arrow, figure["boxes"])
    for box in figure["boxes"].values():
        parts += _box(box)
    for arrow in figure["arrows"]:  # above the boxes, so that none hides one
        parts += _label(arrow, figure)
    parts += _legend(figure)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _zone(zone: Mapping[str, Any]) -> list[str]:
    x, y, w, h = zone["at"]
    base = y + h - 12 if zone.get("foot") else y + 19
    return [
        f'<rect class="zone" x="{x}" y="{y}" width="{w}" height="{h}" rx="10"/>',
        f'<text class="soft b" x="{x + 12}" y="{base}">{escape(zone["label"])}</text>',
    ]


def _box(box: Mapping[str, Any]) -> list[str]:
    x, y, w, h = box["at"]
    away = "" if box.get("here", True) else " away"
    radius = {"data": 2, "step": 8, "model": 8, "person": 18}[box["kind"]]
    out = [
        f'<rect class="box {box["kind"]}{away}" x="{x}" y="{y}" width="{w}" height="{h}" '
        f'rx="{radius}"/>'
    ]
    lines = box["text"]
    top = y + h / 2 - LEADING * (len(lines) - 1) / 2 + SIZE * 0.36
    for i, line in enumerate(lines):
        look = "b" if i == 0 else "soft"
        out.append(
            f'<text class="{look}" x="{x + w / 2:g}" y="{top + i * LEADING:.1f}" '
            f'text-anchor="middle">{escape(line)}</text>'
        )
    return out


def _ends(arrow: Mapping[str, Any], boxes: Mapping[str, Any]) -> list[tuple[float, float, str]]:
    """Return where an arrow starts and ends: x, y and the side of the box."""
    out = []
    for end in (arrow["from"], arrow["to"]):
        name, _, place = end.partition(".")
        side, offset = re.fullmatch(r"([a-z]+)([+-]\d+)?", place).groups()  # type: ignore[union-attr]
        x, y, w, h = boxes[name]["at"]
        shift = float(offset or 0)
        out.append(
            {
                "left": (x, y + h / 2 + shift, side),
                "right": (x + w, y + h / 2 + shift, side),
                "top": (x + w / 2 + shift, y, side),
                "bottom": (x + w / 2 + shift, y + h, side),
            }[side]
        )
    return out


def _points(arrow: Mapping[str, Any], boxes: Mapping[str, Any]) -> list[tuple[float, float]]:
    """Return the corners of an arrow: straight, one corner, or two where it must turn back."""
    (x1, y1, out), (x2, y2, into) = _ends(arrow, boxes)
    bend = arrow.get("bend", 0.5)
    flat = [side in ("left", "right") for side in (out, into)]
    if x1 == x2 or y1 == y2:
        middle: list[tuple[float, float]] = []
    elif flat == [True, True]:
        at = x1 + bend * (x2 - x1)
        middle = [(at, y1), (at, y2)]
    elif flat == [False, False]:
        at = y1 + bend * (y2 - y1)
        middle = [(x1, at), (x2, at)]
    else:
        middle = [(x2, y1) if flat[0] else (x1, y2)]
    return [(x1, y1), *middle, (x2, y2)]


def _arrow(arrow: Mapping[str, Any], boxes: Mapping[str, Any]) -> list[str]:
    points = _points(arrow, boxes)
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    back = (x - 8 * dx, y - 8 * dy)
    line = " ".join(f"{a:g},{b:g}" for a, b in [*points[:-1], back])
    tip = f"{x:g},{y:g} {back[0] - 4.5 * dy:g},{back[1] - 4.5 * dx:g} " + (
        f"{back[0] + 4.5 * dy:g},{back[1] + 4.5 * dx:g}"
    )
    away = "" if arrow.get("here", True) else " away"
    return [
        f'<polyline class="line{away}" points="{line}"/>',
        f'<polygon class="head" points="{tip}"/>',
    ]


def _label(arrow: Mapping[str, Any], figure: Mapping[str, Any]) -> list[str]:
    """Set an arrow's label on its longest run, with a halo in the colour of what is below."""
    if "label" not in arrow:
        return []
    points = _points(arrow, figure["boxes"])
    runs = list(pairwise(points))
    (x1, y1), (x2, y2) = max(runs, key=lambda r: abs(r[0][0] - r[1][0]) + abs(r[0][1] - r[1][1]))
    x, y = (x1 + x2) / 2, (y1 + y2) / 2 - (6 if y1 == y2 else -4)
    lines = arrow["label"] if isinstance(arrow["label"], list) else [arrow["label"]]
    top = y - (len(lines) - 1) * (LEADING - 3) / (1 if y1 == y2 else 2)
    zones = [zone["at"] for zone in figure.get("zones", ())]
    inside = any(a < x < a + w and b < y < b + h for a, b, w, h in zones)
    look = "soft halo in" if inside else "soft halo"
    return [
        f'<text class="{look}" x="{x:g}" y="{top + i * (LEADING - 3):g}" '
        f'text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]


def _legend(figure: Mapping[str, Any]) -> list[str]:
    x, y = figure["legend"]
    used = {box["kind"] for box in figure["boxes"].values()}
    entries = [(kind, "", text) for kind, text in _KINDS.items() if kind in used]
    if not all(box.get("here", True) for box in figure["boxes"].values()):
        entries.append(("data", " away", "dashed: not part of this pipeline"))
    out = []
    for kind, away, text in entries:
        out += [
            f'<rect class="box {kind}{away}" x="{x}" y="{y}" width="22" height="14" rx="3"/>',
            f'<text class="soft" x="{x + 30}" y="{y + 11}">{escape(text)}</text>',
        ]
        x += int(30 + _width(text, SMALL) + 26)
    return out


def _width(text: str, size: float, *, bold: bool = False) -> float:
    """Return a text's width in DejaVu Sans, among the widest fonts that a reader may have."""
    font = FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")
    return float(TextToPath().get_text_width_height_descent(text, font, ismath=False)[0])


def _faults(figure: Mapping[str, Any]) -> list[str]:
    boxes = figure["boxes"]
    out = [
        f"box '{name}': '{line}' is wider than its box"
        for name, box in boxes.items()
        for i, line in enumerate(box["text"])
        if _width(line, SMALL if i else SIZE) > box["at"][2] - _PAD
    ]
    out += [
        f"box '{n}': unknown kind '{b['kind']}'"
        for n, b in boxes.items()
        if b["kind"] not in _KINDS
    ]
    out += [
        f"arrow '{arrow['from']}' to '{arrow['to']}': no box '{end.partition('.')[0]}'"
        for arrow in figure["arrows"]
        for end in (arrow["from"], arrow["to"])
        if end.partition(".")[0] not in boxes
    ]
    return out


def figures() -> dict[Path, str]:
    """Return every description of this folder drawn, by the SVG that it belongs to."""
    return {
        path.with_suffix(".svg"): draw(yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in sorted(HERE.glob("figure*.yaml"))
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the drawings; return the exit status."""
    parser = argparse.ArgumentParser(description="Draw the diagrams of docs/diagrams.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on drift")
    check = parser.parse_args(argv).check
    drawn = figures()
    stale = [p for p, svg in drawn.items() if not p.exists() or p.read_text("utf-8") != svg]
    if not check:
        for path in stale:
            path.write_text(drawn[path], encoding="utf-8")
    for path in stale:
        print(f"{path.name}: {'not as described' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
