"""What the figures of a report share: size, type, palette and the parts that several draw.

Each figure is drawn twice, for wide screens and for narrow ones, and the style sheet shows the one
that fits: a drawing for a wide screen cannot be shrunk to a telephone's and stay legible.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt  # the backend is chosen first

# Okabe and Ito's colours, told apart by most colour-blind readers; marks and patterns differ too.
# Ink and grid are stand-ins that the page's style sheet turns to the reader's light or dark.
INK, MUTED, GRID, PAPER = "#010203", "#55595d", "#d8d9da", "#fdfefe"
BLUE, SKY, ORANGE, GREEN = "#0072b2", "#56b4e9", "#e69f00", "#009e73"
VERMILION, PURPLE, GREY = "#d55e00", "#cc79a7", "#9a9c9e"
PALETTE = {
    INK: "ink",
    MUTED: "muted",
    GRID: "grid",
    PAPER: "paper",
    BLUE: "blue",
    SKY: "sky",
    ORANGE: "orange",
    GREEN: "green",
    VERMILION: "vermilion",
    PURPLE: "purple",
    GREY: "grey",
}
SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "copyceiling",
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.7,
    "lines.linewidth": 1.4,
    "lines.markersize": 6,
}
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Size:
    """A width that figures are drawn at.

    Attributes:
        name: Class of the drawing, which the style sheet shows or hides.
        width: Inches.
        letters: That fit in a line of the figure's type, from edge to edge.
    """

    name: str
    width: float
    letters: int

    @property
    def narrow(self) -> bool:
        """Whether labels stand above what they name, for want of room beside it."""
        return self is NARROW

    def height(self, rows: int, wide: float, narrow: float) -> float:
        """Return the height of rows in inches, given that of one at either width."""
        return rows * (narrow if self.narrow else wide)

    def fold(self, text: str, letters: int | None = None) -> str:
        """Return a text in lines that fit a narrow drawing; as it is in a wide one."""
        if not self.narrow:
            return text
        return "\n".join(textwrap.fill(t, letters or self.letters) for t in text.split("\n"))


LINE = 0.2  # inches: height of a legend's line
WIDE, NARROW = Size("wide", 7.2, 94), Size("narrow", 3.5, 44)
SIZES = (WIDE, NARROW)


@dataclass
class Canvas:
    """A figure under construction, with the text over each of its marks."""

    figure: Any
    axes: Any
    size: Size
    hover: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)

    def tell(self, artist: Any, text: str) -> None:
        """Show a text over a mark."""
        gid = f"v{len(self.hover)}"
        artist.set_gid(gid)
        self.hover[gid] = text


@contextmanager
def canvas(height: float, size: Size, **grid: Any) -> Iterator[Canvas]:
    """Open a figure in the report's style, and close it again.

    Args:
        height: Inches.
        size: Its width.
        grid: For `matplotlib.pyplot.subplots`.
    """
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(size.width, height), **grid)
        try:
            yield Canvas(figure, axes, size)
        finally:
            plt.close(figure)


def row_axis(axes: Any, labels: Sequence[str], size: Size, above: float = 0.34) -> None:
    """Label the rows of a chart from the top, without ticks.

    Args:
        axes: Where row y is drawn at y.
        labels: A row each.
        size: Where it is narrow, labels stand above their rows.
        above: How far above, in rows.
    """
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    if not size.narrow:
        axes.set_yticks(range(len(labels)), labels)
        return
    axes.set_yticks([])
    axes.set_ylim(len(labels) - 0.5, -0.8)
    for y, label in enumerate(labels):
        row_text(axes, y - above, label, va="bottom")


def row_text(axes: Any, y: float, text: str, **look: Any) -> None:
    """Write at the left of a row, over whatever lines run through it."""
    made = axes.text(0.0, y, text, transform=axes.get_yaxis_transform(), ha="left", **look)
    if text:
        made.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 0.8})


def legend_above(canvas: Canvas, handles: Sequence[Any], ncols: int, **look: Any) -> None:
    """Put a legend above a figure's axes and fit them below it: one column if narrow."""
    columns = 1 if canvas.size.narrow else ncols
    lines = -(-len(handles) // columns)
    canvas.figure.legend(
        handles=handles, loc="upper left", ncols=columns, frameon=False, borderaxespad=0.1, **look
    )
    height = 0.1 + LINE * lines
    canvas.figure.tight_layout(rect=(0, 0, 1, 1 - height / canvas.figure.get_figheight()))


def shown(value: float | None, digits: int = 3, *, signed: bool = False) -> str:
    """Return a value as tables show it, or that there is none."""
    sign = "+" if signed else ""
    return "undefined" if value is None else f"{value:{sign}.{digits}f}"


def bounds(row: Row, name: str, digits: int = 3, *, signed: bool = False) -> str:
    """Return an interval ``<name>_low`` to ``<name>_high`` in brackets, "" where there is none."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None:
        return ""
    sign = "+" if signed else ""
    return f" [{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"


def interval_line(canvas: Canvas, row: Row, name: str, y: float, **look: Any) -> None:
    """Draw an interval as a line across a row; nothing where it is missing."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is not None and high is not None:
        canvas.axes.plot([low, high], [y, y], solid_capstyle="butt", **look)
