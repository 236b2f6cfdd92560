"""Figures of the sweep: recalls against the ceiling, and the forest plot of gains (Figure 3)."""

from collections.abc import Sequence

from matplotlib.lines import Line2D

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
    INK,
    MUTED,
    SKY,
    VERMILION,
    WIDE,
    Row,
    Size,
    bounds,
    canvas,
    interval_line,
    legend_above,
    row_axis,
    shown,
)
from copyceiling.report.plots.svg import to_svg

_RECALLS = (
    ("raw_recall", "o", GREY, "asked alone"),
    ("scaffold_recall", "s", BLUE, "asked with the block"),
    ("ceiling", "|", VERMILION, "copy ceiling"),
)


def draw_recalls(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return raw recall, scaffold recall and ceiling, a row a model; rows of Table 4."""
    with canvas(1.15 + size.height(len(rows), 0.34, 0.45), size) as c:
        for y, row in enumerate(rows):
            if None not in (row["raw_recall"], row["scaffold_recall"]):
                ends = [row["raw_recall"], row["scaffold_recall"]]
                c.axes.plot(ends, [y, y], color=SKY, lw=2.4, zorder=1)
            for name, mark, colour, what in _RECALLS:
                if row[name] is not None:
                    length = 15 if mark == "|" else 6.5
                    look = {"marker": mark, "color": colour, "markersize": length, "mew": 2.4}
                    look |= {} if mark == "|" else {"mew": 0}
                    (point,) = c.axes.plot([row[name]], [y], lw=0, zorder=2, **look)
                    c.tell(point, f"{row['model']}, {what}: {shown(row[name])}")
        row_axis(c.axes, [r["model"] for r in rows], size)
        c.axes.set_xlim(-0.02, 1.02)
        c.axes.grid(axis="x")
        c.axes.set_xlabel(size.fold("mean recall of gold names; the line is the uplift"))
        handles = [
            Line2D([], [], marker=m, color=k, lw=0, label=what, markersize=10 if m == "|" else 6.5,
                   mew=2.4 if m == "|" else 0)
            for _, m, k, what in _RECALLS
        ]  # fmt: skip
        legend_above(c, handles, 3)
        return to_svg(
            c,
            name="recalls",
            title="Recall without and with the block, and the copy ceiling",
            description="; ".join(
                f"{r['model']}: {shown(r['raw_recall'])} alone, {shown(r['scaffold_recall'])} with "
                f"the block, ceiling {shown(r['ceiling'])}"
                for r in rows
            ),
        )


def draw_forest(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return Figure 3, gain over copy with its intervals; rows of `FIGURE3`."""
    ordered = sorted(rows, key=lambda r: r["rank"])
    with canvas(1.15 + size.height(len(ordered), 0.32, 0.42), size) as c:
        for y, row in enumerate(ordered):
            model = row["group"] == "model"
            interval_line(c, row, "gain_naive", y, color=SKY if model else GREY, lw=4.2, zorder=1)
            interval_line(
                c, row, "gain_domain", y, color=BLUE if model else MUTED, lw=1.3, zorder=2
            )
            if row["gain"] is not None:
                look = {"color": BLUE, "marker": "o"} if model else {"color": MUTED, "marker": "s"}
                (point,) = c.axes.plot([row["gain"]], [y], lw=0, zorder=3, **look)
                c.tell(point, _gain(row))
        row_axis(c.axes, [_label(r) for r in ordered], size)
        c.axes.axvline(0.0, color=INK, lw=0.9, ls="--")
        c.axes.grid(axis="x")
        c.axes.set_xlabel(
            size.fold(
                "gain over copy (scaffold recall minus copy ceiling)\n"
                "thick bar: questions resampled, thin bar: whole domains"
            )
        )
        c.figure.tight_layout()
        return to_svg(
            c,
            name="figure3",
            title="Figure 3. Gain over copy by model",
            description="; ".join(_gain(r) for r in ordered),
        )


def _label(row: Row) -> str:
    return str(row["model"]) + ("" if row["gain"] is not None else " (undefined)")


def _gain(row: Row) -> str:
    return (
        f"{row['model']}: gain {shown(row['gain'], signed=True)}, by domain"
        f"{bounds(row, 'gain_domain', signed=True) or ' undefined'}, naive"
        f"{bounds(row, 'gain_naive', signed=True) or ' undefined'}"
    )
