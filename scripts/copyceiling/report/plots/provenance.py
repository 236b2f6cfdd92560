"""The provenance graph: from the corpus, stage by stage, to tables and figures."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path as Curve

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import GREY, INK, MUTED, PAPER, Canvas, canvas
from copyceiling.report.plots.svg import to_svg
from copyceiling.report.provenance import SHORT, Artefact, anchor

_ROW, _COLUMN, _BOX = 0.31, 1.24, 1.06  # inches: height of a line, width of a column and of a box
_TALLEST = 14  # boxes of a column of tables
_LETTERS = 21  # that fit in a box


@dataclass(frozen=True)
class Node:
    """Artefacts drawn as one box: one artefact, or those that a rule made side by side.

    Attributes:
        name: As shown.
        members: The artefacts.
        column: Place from the left, from 0.
    """

    name: str
    members: tuple[Artefact, ...]
    column: int


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
    """Return the boxes: columns by the longest way from the source, tables and figures last."""
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
    return _near_their_sources(sorted(found, key=lambda node: node.column))


def _near_their_sources(boxes: Sequence[Node]) -> list[Node]:
    """Order the boxes of each column by the mean place of what they are made from."""
    place: dict[str, float] = {}
    out: list[Node] = []
    for column in sorted({node.column for node in boxes}):
        some = [node for node in boxes if node.column == column]
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


def draw_provenance(chain: Sequence[Artefact]) -> Html:
    """Return the graph; each box links to the line of its artefact, each edge to nothing."""
    boxes = nodes(chain)
    places = _places(boxes)
    height = max(y for _, y in places) + _ROW / 2 + 0.05
    width = max(x for x, _ in places) + _BOX + 0.05
    with canvas(height, width) as c:
        c.axes.set_axis_off()
        c.axes.set_xlim(0, width)
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
            c.figure,
            name="provenance",
            title="Provenance: from the corpus to tables and figures",
            description=f"{len(chain)} artefacts in {len(boxes)} boxes, from left to right in the "
            "order they are made. The table below lists each with its inputs.",
            hover=c.hover,
            classes=c.classes,
            role="group",
        )


def _places(boxes: Sequence[Node]) -> list[tuple[float, float]]:
    """Return the left middle of each box: columns from the top, a long last one in several."""
    used: Counter[int] = Counter()
    found = []
    for node in boxes:
        step, row = divmod(used[node.column], _TALLEST)
        used[node.column] += 1
        # Only the last column, tables and figures, may go on in a further one beside it.
        if node.column != boxes[-1].column:
            step, row = 0, row + step * _TALLEST
        found.append(((node.column + step) * _COLUMN + 0.05, (row + 0.5) * _ROW + 0.05))
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
    (x0, y0), (x1, y1) = (start[0] + _BOX, start[1]), end
    bend = max((x1 - x0) / 2, 0.12)
    points = [(x0, y0), (x0 + bend, y0), (x1 - bend, y1), (x1, y1)]
    curve = PathPatch(Curve(points, [Curve.MOVETO] + [Curve.CURVE4] * 3), facecolor="none")
    curve.set(edgecolor=GREY, linewidth=0.5, gid=gid)
    c.axes.add_patch(curve)
    c.classes[gid] = "edge"


def _box(c: Canvas, i: int, node: Node, at: tuple[float, float]) -> None:
    x, y = at
    box = FancyBboxPatch(
        (x, y - 0.12), _BOX, 0.24, boxstyle="round,pad=0.0,rounding_size=0.03", linewidth=0.7
    )
    first = node.members[0]
    edge = MUTED if first.rows is None else INK
    box.set(facecolor=PAPER, edgecolor=edge, gid=f"n{i}", url=f"#{anchor(first.name)}")
    box.set_linestyle("--" if first.rows is None else "-")
    c.axes.add_patch(box)
    c.hover[f"n{i}"] = _words(node)
    short = node.name if len(node.name) <= _LETTERS else f"{node.name[: _LETTERS - 1]}…"
    c.axes.text(x + 0.05, y - 0.045, short, va="center", fontsize=6.3)
    hashed = first.content_hash[:SHORT] if len(node.members) == 1 else "several hashes"
    c.axes.text(x + 0.05, y + 0.06, hashed, va="center", fontsize=5.2, color=MUTED)


def _words(node: Node) -> str:
    if len(node.members) > 1:
        names = ", ".join(f"{a.name} {a.content_hash[:SHORT]}" for a in node.members)
        return f"{node.name}, rule {node.members[0].rule}: {names}"
    (a,) = node.members
    made = f"rule {a.rule}, {a.rows:,} rows" if a.rows is not None else "made elsewhere"
    return f"{a.name}: content hash {a.content_hash}, {made}"
