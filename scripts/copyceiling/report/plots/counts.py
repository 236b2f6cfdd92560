"""The four counts as a stacked bar a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.patches import Patch

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PAPER,
    WIDE,
    Row,
    Size,
    canvas,
    legend_above,
    row_axis,
)
from copyceiling.report.plots.svg import to_svg


@dataclass(frozen=True)
class Look:
    """How a count is drawn and named."""

    short: str
    meaning: str
    style: Mapping[str, Any]


CELLS: dict[str, Look] = {
    "n11": Look("shown, named", "exposed and recovered", {"facecolor": BLUE, "edgecolor": PAPER}),
    "n10": Look(
        "shown, left out",
        "exposed and omitted",
        {"facecolor": ORANGE, "edgecolor": INK, "hatch": "///", "linewidth": 0.4},
    ),
    "n01": Look(
        "not shown, named",
        "recovered without exposure",
        {"facecolor": GREEN, "edgecolor": INK, "hatch": "...", "linewidth": 0.4},
    ),
    "n00": Look(
        "neither", "neither exposed nor recovered", {"facecolor": GREY, "edgecolor": PAPER}
    ),
    "unknown": Look(
        "not determined",
        "that the rows at hand do not place",
        {"facecolor": PAPER, "edgecolor": INK, "hatch": "xx", "linewidth": 0.4},
    ),
}


def cell_counts(row: Row) -> dict[str, int]:
    """Return the four counts of a row of Table 5, and the items that its rows do not place.

    Where only bounds are known, each count is the least that they allow.
    """
    low, high = row["n11_low"], row["n11_high"]
    gold, exposed, hits = row["n_gold"], row["n_exposed"], row["n_hits"]
    return {
        "n11": low,
        "n10": exposed - high,
        "n01": hits - high,
        "n00": gold - exposed - hits + low,
        "unknown": 2 * (high - low),
    }


def draw_counts(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return the bars; rows of Table 5 under one matcher and policy, in printed order."""
    thick, least = (0.4, 0.13) if size.narrow else (0.68, 0.07)
    with canvas(1.1 + size.height(len(rows), 0.36, 0.58), size) as c:
        for y, row in enumerate(rows):
            left, total = 0.0, row["n_gold"] or 1
            for name, n in cell_counts(row).items():
                if not n:
                    continue
                share = n / total
                (bar,) = c.axes.barh([y], [share], left=left, height=thick, **CELLS[name].style)
                c.tell(
                    bar,
                    f"{row['model']}, {name}: {n:,} of {row['n_gold']:,} gold items "
                    f"({100 * share:.1f} %), {CELLS[name].meaning}",
                )
                if share >= least:  # room for its number
                    label = c.axes.text(left + share / 2, y, f"{n:,}", ha="center", va="center")
                    label.set_bbox({"facecolor": PAPER, "edgecolor": "none", "pad": 1.5})
                left += share
        row_axis(c.axes, [r["model"] for r in rows], size)
        c.axes.set_xlim(0, 1)
        c.axes.set_xlabel("share of gold items, scaffold arm")
        used = [n for n in CELLS if any(cell_counts(r)[n] for r in rows) or n != "unknown"]
        handles = [Patch(label=_legend(name), **CELLS[name].style) for name in used]
        legend_above(c, handles, len(used), fontsize=8, handlelength=1.6, columnspacing=1.2)
        return to_svg(
            c,
            name="counts",
            title="Gold items by exposure and recovery",
            description="; ".join(_words(r) for r in rows),
        )


def _legend(name: str) -> str:
    return CELLS[name].short if name == "unknown" else f"{name} {CELLS[name].short}"


def _words(row: Row) -> str:
    counts = {k: n for k, n in cell_counts(row).items() if n or k != "unknown"}
    return f"{row['model']}: " + ", ".join(f"{k} {n:,}" for k, n in counts.items())
