"""Gain over copy against the least cosine of a hit (the semantic re-score)."""

from collections.abc import Sequence
from typing import Any

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    GREY,
    INK,
    LINE,
    MARKS,
    MUTED,
    SERIES,
    WIDE,
    Canvas,
    Row,
    Size,
    bounds,
    canvas,
    shown,
)
from copyceiling.report.plots.svg import to_svg
from copyceiling.rescore.study import matcher_name


def draw_rescore(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return a line a model over thresholds, the paper's matcher apart; rows of the figure."""
    thresholds = sorted({r["threshold"] for r in rows if r["threshold"] is not None})
    models = sorted({(r["rank"], r["model"], r["group"]) for r in rows})
    below = LINE * len(models) if size.narrow else 0.0
    with canvas(3.6 + below, size) as c:
        for rank, model, group in models:
            mine = [r for r in rows if r["model"] == model and r["gain"] is not None]
            _line(c, mine, thresholds, _look(rank, group), 0.3 * (rank / len(models) - 0.4))
            if mine:
                look = _look(rank, group)
                c.axes.plot([], [], label=model, markersize=5.5, **look)
        names = [matcher_name(t).replace("@", "\n") for t in thresholds]
        c.axes.set_xticks(range(1 + len(names)), ["paper's\nmatcher", *names])
        c.axes.tick_params(axis="x", labelsize=8 if size.narrow else 9)
        c.axes.axhline(0.0, color=INK, lw=0.9, ls="--")
        c.axes.grid(axis="y")
        c.axes.set_ylabel("gain over copy")
        if size.narrow:
            c.figure.legend(loc="lower left", frameon=False, borderaxespad=0.1)
        else:
            c.axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        c.figure.tight_layout(rect=(0, below / c.figure.get_figheight(), 1, 1))
        return to_svg(
            c,
            name="rescore",
            title="Gain over copy against the threshold of a hit",
            description="; ".join(_point(r) for r in rows),
        )


def _look(rank: int, group: str) -> dict[str, Any]:
    mark = MARKS[rank % len(MARKS)]
    if group == "model":
        return {"color": SERIES[rank % len(SERIES)], "marker": mark, "ls": "-"}
    return {"color": GREY if rank % 2 else MUTED, "marker": mark, "ls": ":"}


def _line(
    c: Canvas, rows: Sequence[Row], thresholds: Sequence[int], look: Any, shift: float
) -> None:
    """Draw one model's points with their intervals by domain; ``shift`` keeps bars apart."""
    place = {threshold: i for i, threshold in enumerate([None, *thresholds])}
    ordered = sorted(rows, key=lambda r: place[r["threshold"]])
    joined = [(place[r["threshold"]] + shift, r["gain"]) for r in ordered if r["threshold"]]
    if joined:
        c.axes.plot(*zip(*joined, strict=True), color=look["color"], ls=look["ls"], lw=1.2)
    for row in ordered:
        x = place[row["threshold"]] + shift
        low, high = row["gain_domain_low"], row["gain_domain_high"]
        if low is not None and high is not None:
            c.axes.plot([x, x], [low, high], color=look["color"], lw=1.0)
        point = {"color": look["color"], "marker": look["marker"], "markersize": 5.5}
        (mark,) = c.axes.plot([x], [row["gain"]], lw=0, **point)
        c.tell(mark, _point(row))


def _point(row: Row) -> str:
    return (
        f"{row['model']}, {row['matcher']}: gain {shown(row['gain'], signed=True)}"
        f"{bounds(row, 'gain_domain', signed=True)}"
    )
