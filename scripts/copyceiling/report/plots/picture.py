"""The copy check in one picture: what was recalled, what a copy recalls, and the four counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from copyceiling.report.markup import Html
from copyceiling.report.plots.counts import CELLS, cell_counts
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
    INK,
    PAPER,
    WIDE,
    Canvas,
    Row,
    Size,
    canvas,
    row_axis,
    shown,
)
from copyceiling.report.plots.svg import to_svg

_BARS = (
    ("raw_recall", "asked alone", GREY),
    ("scaffold_recall", "asked with the block", BLUE),
    ("ceiling", "a copy of the block", None),
)


def headline(rows: Sequence[Row], policy: str) -> Row | None:
    """Return the row of Table 4 that the picture shows: the model with the greatest uplift."""
    kept = [
        r
        for r in rows
        if (r["matcher"], r["policy"], r["group"]) == ("paper", policy, "model")
        and None not in (r["uplift"], r["gain"])
    ]
    return min(kept, key=lambda r: (-r["uplift"], r["model"]), default=None)


def draw_picture(row: Row, counts: Row, size: Size = WIDE) -> Html:
    """Return the picture of one model.

    Args:
        row: Its row of Table 4.
        counts: Its row of Table 5, same matcher and policy.
        size: How wide; where it is narrow, the two halves stand below one another.
    """
    halves: dict[str, Any] = {"ncols": 2, "width_ratios": (3, 2)}
    if size.narrow:
        halves = {"nrows": 2, "height_ratios": (3, 2)}
    with canvas(5.2 if size.narrow else 2.5, size, **halves) as c:
        bars, mosaic = c.axes
        _bars(c, bars, row)
        _mosaic(c, mosaic, counts)
        c.figure.tight_layout(w_pad=2.5, h_pad=1.5)
        return to_svg(
            c,
            name="picture",
            title=f"The copy check on {row['model']}",
            description=_words(row, counts),
        )


def _bars(c: Canvas, axes: Any, row: Row) -> None:
    """Draw the three recalls below one another, with uplift and gain between them."""
    height, between, above = (0.36, 0.42, 0.23) if c.size.narrow else (0.55, 0.5, 0.0)
    for y, (name, what, colour) in enumerate(_BARS):
        look: Mapping[str, Any] = (
            {"color": colour} if colour else {"facecolor": "none", "edgecolor": INK, "hatch": "//"}
        )
        (bar,) = axes.barh([y], [row[name]], height=height, **look)
        c.tell(bar, f"{what}: recall {shown(row[name])}")
        axes.text(row[name] + 0.015, y, shown(row[name]), va="center")
    row_axis(axes, [what for _, what, _ in _BARS], c.size, above)
    axes.spines["left"].set_visible(True)
    axes.set_xlim(0, 1.16)
    axes.set_xticks([0, 0.5, 1])
    axes.set_xlabel("recall of gold names, mean over questions")
    _arrow(axes, row["raw_recall"], row["scaffold_recall"], between, f"uplift {row['uplift']:+.3f}")
    _arrow(axes, row["ceiling"], row["scaffold_recall"], 1 + between, f"gain {row['gain']:+.3f}")


def _arrow(axes: Any, start: float, end: float, y: float, text: str) -> None:
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.1, "shrinkA": 0, "shrinkB": 0}
    if abs(end - start) > 0.02:
        axes.annotate("", (end, y), (start, y), arrowprops=arrow)
    if abs(end - start) > 0.25:
        axes.text((start + end) / 2, y - 0.07, text, ha="center", va="bottom", fontsize=8)
    else:  # too short to carry its words
        axes.text(max(start, end) + 0.015, y, text, va="center", fontsize=8)


def _mosaic(c: Canvas, axes: Any, counts: Row) -> None:
    """Draw the gold items as areas: exposed or not across, recovered or not up.

    What rows leave open lies between the two counts that it may belong to.
    """
    cells = cell_counts(counts)
    either = cells["unknown"] // 2
    columns = (
        {"n11": cells["n11"], "unknown": either, "n10": cells["n10"]},
        {"n01": cells["n01"], "unknown": either, "n00": cells["n00"]},
    )
    total = sum(sum(column.values()) for column in columns)
    axes.set_axis_off()
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.14, 1.16)
    # A column too thin to see keeps a sliver, so that it can be pointed at.
    split = min(max(sum(columns[0].values()) / max(total, 1), 0.04), 0.96)
    for left, width, column in zip((0.0, split), (split, 1 - split), columns, strict=True):
        top = 1.0
        for name, n in column.items():
            height = n / max(sum(column.values()), 1)
            top -= height
            if n:
                box = (left + 0.006, top + 0.006, width - 0.012, max(height - 0.012, 0.004))
                _cell(c, axes, name, n, box)
    axes.text(0, 1.04, "gold names, each once: on the page", ha="left", fontsize=8)
    axes.text(1, -0.03, "not on it", ha="right", va="top", fontsize=8)


def _cell(c: Canvas, axes: Any, name: str, n: int, box: tuple[float, float, float, float]) -> None:
    left, bottom, width, height = box
    look = CELLS[name]
    patch = Rectangle((left, bottom), width, height, **look.style)
    axes.add_patch(patch)
    c.tell(patch, f"{name}: {n:,} gold items {look.meaning}")
    if width > 0.3 and height > 0.12:
        label = axes.text(
            left + width / 2,
            bottom + height / 2,
            f"{name}  {n:,}\n{look.short}",
            ha="center",
            va="center",
            fontsize=8,
            color=INK,
        )
        label.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 2.0})


def _words(row: Row, counts: Row) -> str:
    cells = cell_counts(counts)
    made = ", ".join(f"{name} {n:,}" for name, n in cells.items() if n or name != "unknown")
    return (
        f"{row['model']}: recall {shown(row['raw_recall'])} asked alone, "
        f"{shown(row['scaffold_recall'])} asked with the block, {shown(row['ceiling'])} for a "
        f"verbatim copy of the block. Uplift {shown(row['uplift'], signed=True)}, gain over copy "
        f"{shown(row['gain'], signed=True)}. Gold items: {made}."
    )
