"""Exposure over question seeds, thresholds and budgets: a dot a seed."""

from collections.abc import Sequence

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
    MUTED,
    WIDE,
    Row,
    Size,
    canvas,
    row_axis,
    shown,
)
from copyceiling.report.plots.svg import to_svg
from copyceiling.seeds import AS_IS


def draw_seeds(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return the copy ceiling of each seed's questions, a row a setting; rows of `FIGURE_SEEDS`."""
    labels = {r["rank"]: _label(r) for r in rows}
    with canvas(1.1 + size.height(max(len(labels), 1), 0.27, 0.4), size) as c:
        for row in sorted(rows, key=lambda r: (r["own"], r["rank"], r["seed"])):
            y = row["rank"]
            if row["own"] and row["ceiling_low"] is not None:
                ends = [row["ceiling_low"], row["ceiling_high"]]
                c.axes.plot(ends, [y, y], color=MUTED, lw=1.2, zorder=1)
            if row["ceiling"] is not None:
                look = {"color": BLUE, "marker": "D", "markersize": 6} if row["own"] else {}
                look = look or {"color": GREY, "marker": "o", "markersize": 4}
                (dot,) = c.axes.plot([row["ceiling"]], [y], lw=0, zorder=2 + row["own"], **look)
                own = ", the study's own" if row["own"] else ""
                text = f"{labels[y]}, seed {row['seed']}{own}: ceiling {shown(row['ceiling'])}"
                c.tell(dot, f"{text}, question alone {shown(row['alone'])}")
        row_axis(c.axes, [labels[rank] for rank in sorted(labels)], size)
        c.axes.grid(axis="x")
        c.axes.set_xlabel(
            size.fold(
                "copy ceiling; diamond: the study's own seed with its interval by domain, "
                "dots: others"
            )
        )
        c.figure.tight_layout()
        return to_svg(
            c,
            name="seeds",
            title="Copy ceiling over question seeds, thresholds and budgets",
            description=_words(rows, labels),
        )


def _label(row: Row) -> str:
    key = str(row["axis"]).partition(".")[2]
    return AS_IS if row["axis"] == AS_IS else f"{key} = {row['setting']}"


def _words(rows: Sequence[Row], labels: dict[int, str]) -> str:
    out = []
    for rank, label in sorted(labels.items()):
        found = [r["ceiling"] for r in rows if r["rank"] == rank and r["ceiling"] is not None]
        if found:
            out.append(f"{label}: {min(found):.3f} to {max(found):.3f} over {len(found)} seeds")
    return "; ".join(out)
