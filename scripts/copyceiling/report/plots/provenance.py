"""The provenance graph: from the corpus down, stage by stage, to tables and figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Curve

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import GREY, INK, MUTED, PAPER, WIDE, Canvas, Size, canvas
from copyceiling.report.plots.svg import to_svg
from copyceiling.report.provenance import SHORT, Artefact, anchor

_BOX = 1.66, 0.29  # inches: width and height of a box
_LINE, _STAGE = 0.36, 0.14  # inches: height of a line of boxes, and room between stages
_LETTERS = 29  # that fit in a box


@dataclass(frozen=True)
class Node:
    """Artefacts drawn as one box: one artefact, or those that a rule made side by side.

    Attributes:
        name: As shown.
        members: The artefacts.
        stage: How far it is from the source, from 0.
    """

    name: str
    members: tuple[Artefact, ...]
    stage: int


def group(chain: Sequence[Artefact]) -> dict[str, str]:
    """Return for each artefact the box it belongs to.

    Artefacts of one rule in one folder that are made from the same kinds of artefacts are one box
    (answers of several models); tables and studies stand alone.
    """
    folders: dict[tuple[str, str], list[str]] = {}
    for a in chain:
        folders.setdefault((a.rule, a.name.rpartition("/")[0]), []).append(a.name)
    out = {}
    for (rule, folder), names in folders.items():
        several = len(names) > 1 and folder not in ("", "tables", "figures", "studies", "corpus")
        for name in names:
            out[name] = f"{folder}/*|{rule}" if several else name
    return out


def nodes(chain: Sequence[Artefact]) -> list[Node]:
    """Return the boxes: stages by the longest way from the source, tables and figures last."""
    box = group(chain)
    members: dict[str, list[Artefact]] = {}
    for artefact in chain:
        members.setdefault(box[artefact.name], []).append(artefact)
    sources = {
        name: {box[i] for a in some for i in a.inputs} - {name} for name, some in members.items()
    }
    depth: dict[str, int] = {}
    for name in members:
        _depth(name, sources, depth, ())
    last = max(depth.values(), default=0)
    shown = {n for n in members if n.startswith(("tables/", "figures/"))}
    found = [
        Node(_name(name, some), tuple(some), last if name in shown else depth[name])
        for name, some in members.items()
    ]
    return _near_their_sources(sorted(found, key=lambda node: node.stage))


def _near_their_sources(boxes: Sequence[Node]) -> list[Node]:
    """Order the boxes of each stage by the mean place of what they are made from."""
    place: dict[str, float] = {}
    out: list[Node] = []
    for stage in sorted({node.stage for node in boxes}):
        some = [node for node in boxes if node.stage == stage]
        means = {node.name: _mean_place(node, place) for node in some}
        some.sort(key=lambda node: means[node.name])
        for row, node in enumerate(some):
            place.update((artefact.name, row / len(some)) for artefact in node.members)
        out += some
    return out


def _mean_place(node: Node, place: Mapping[str, float]) -> float:
    found = [place[name] for a in node.members for name in a.inputs if name in place]
    return sum(found) / len(found) if found else 0.0


def _depth(
    name: str, sources: Mapping[str, set[str]], depth: dict[str, int], above: tuple[str, ...]
) -> int:
    """Return the longest way of a box from a source; a box on its own way counts once."""
    if name not in depth:
        ways = [
            _depth(s, sources, depth, (*above, name)) + 1
            for s in sorted(sources.get(name, ()))
            if s not in above
        ]
        depth[name] = max(ways, default=0)
    return depth[name]


def _name(name: str, members: Sequence[Artefact]) -> str:
    if len(members) == 1:
        return members[0].name
    return f"{name.partition('|')[0].removesuffix('*')} ({len(members)})"


def draw_provenance(chain: Sequence[Artefact], size: Size = WIDE) -> Html:
    """Return the graph; each box links to the line of its artefact, each edge to nothing."""
    boxes = nodes(chain)
    places = _places(boxes, size)
    height = max(y for _, y in places) + _LINE / 2
    with canvas(height, size) as c:
        c.axes.set_axis_off()
        c.axes.set_xlim(0, size.width)
        c.axes.set_ylim(height, 0)
        c.figure.subplots_adjust(0, 0, 1, 1)
        owner = {a.name: i for i, node in enumerate(boxes) for a in node.members}
        ways = _edges(boxes, owner)
        for k, (start, end) in enumerate(ways):
            _edge(c, f"e{k}", places[start], places[end])
        above = _upstream(len(boxes), ways)
        for i, node in enumerate(boxes):
            _box(c, i, node, places[i])
            edges = [f"e{k}" for k, (s, e) in enumerate(ways) if e in above[i] and s in above[i]]
            c.classes[f"n{i}"] = " ".join(["node", *(f"on-{e}" for e in edges)])
        return to_svg(
            c,
            name="provenance",
            title="Provenance: from the corpus to tables and figures",
            description=f"{len(chain)} artefacts in {len(boxes)} boxes, from top to bottom in the "
            "order they are made. The table below lists each with its inputs.",
            role="group",
        )


def _places(boxes: Sequence[Node], size: Size) -> list[tuple[float, float]]:
    """Return the left middle of each box: stages from the top, in lines."""
    across = int(size.width // _BOX[0])
    step = size.width / across
    found: list[tuple[float, float]] = []
    top = 0.0
    for stage in sorted({node.stage for node in boxes}):
        n = sum(node.stage == stage for node in boxes)
        for i in range(n):
            line, at = divmod(i, across)
            found.append((at * step + (step - _BOX[0]) / 2, top + (line + 0.5) * _LINE))
        top += -(-n // across) * _LINE + _STAGE
    return found


def _edges(boxes: Sequence[Node], owner: Mapping[str, int]) -> list[tuple[int, int]]:
    ways = {
        (owner[name], i)
        for i, node in enumerate(boxes)
        for artefact in node.members
        for name in artefact.inputs
        if owner[name] != i
    }
    return sorted(ways)


def _upstream(n: int, ways: Sequence[tuple[int, int]]) -> list[set[int]]:
    """Return for each box all boxes that it rests on, itself among them."""
    above = [{i} for i in range(n)]
    for _ in range(n):
        before = [len(s) for s in above]
        for start, end in ways:
            above[end] |= above[start]
        if before == [len(s) for s in above]:
            break
    return above


def _edge(c: Canvas, gid: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    middle, height = _BOX[0] / 2, _BOX[1]
    (x0, y0), (x1, y1) = (start[0] + middle, start[1] + height / 2), (end[0] + middle, end[1])
    y1 -= height / 2
    bend = max((y1 - y0) / 2, 0.1)
    points = [(x0, y0), (x0, y0 + bend), (x1, y1 - bend), (x1, y1)]
    curve = PathPatch(Curve(points, [Curve.MOVETO] + [Curve.CURVE4] * 3), facecolor="none")
    curve.set(edgecolor=GREY, linewidth=0.4, gid=gid)
    c.axes.add_patch(curve)
    c.classes[gid] = "edge"


def _box(c: Canvas, i: int, node: Node, at: tuple[float, float]) -> None:
    (x, y), (width, height) = at, _BOX
    box = FancyBboxPatch(
        (x, y - height / 2), width, height, boxstyle="round,pad=0.0,rounding_size=0.03",
        linewidth=0.7,
    )  # fmt: skip
    first = node.members[0]
    edge = MUTED if first.rows is None else INK
    box.set(facecolor=PAPER, edgecolor=edge, gid=f"n{i}", url=f"#{anchor(first.name)}")
    box.set_linestyle("--" if first.rows is None else "-")
    c.axes.add_patch(box)
    c.hover[f"n{i}"] = _words(node)
    short = node.name if len(node.name) <= _LETTERS else f"{node.name[: _LETTERS - 1]}…"
    c.axes.text(x + 0.05, y - 0.06, short, va="center", fontsize=7)
    hashed = first.content_hash[:SHORT] if len(node.members) == 1 else "several hashes"
    c.axes.text(x + 0.05, y + 0.07, hashed, va="center", fontsize=6.8, color=MUTED)


def _words(node: Node) -> str:
    if len(node.members) > 1:
        names = ", ".join(f"{a.name} {a.content_hash[:SHORT]}" for a in node.members)
        rule = node.members[0].rule
        return f"{node.name}, {f'rule {rule}' if rule else 'made elsewhere'}: {names}"
    (a,) = node.members
    made = f"rule {a.rule}, {a.rows:,} rows" if a.rows is not None else "made elsewhere"
    return f"{a.name}: content hash {a.content_hash}, {made}"
