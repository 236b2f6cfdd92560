"""What the figures of a report share: size, type, palette and the parts that several draw."""

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
WIDTH = 7.2  # inches
Row = Mapping[str, Any]


@dataclass
class Canvas:
    """A figure under construction, with the text over each of its marks."""

    figure: Any
    axes: Any
    hover: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)

    def tell(self, artist: Any, text: str) -> None:
        """Show a text over a mark."""
        gid = f"v{len(self.hover)}"
        artist.set_gid(gid)
        self.hover[gid] = text


@contextmanager
def canvas(height: float, width: float = WIDTH, **grid: Any) -> Iterator[Canvas]:
    """Open a figure in the report's style, and close it again.

    Args:
        height, width: Inches.
        grid: For `matplotlib.pyplot.subplots`.
    """
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(width, height), **grid)
        try:
            yield Canvas(figure, axes)
        finally:
            plt.close(figure)


def row_axis(axes: Any, labels: Sequence[str]) -> None:
    """Label the rows of a chart from the top, without ticks."""
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)


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
