"""Judged contrasts with intervals: negative controls and the production study."""

from collections.abc import Sequence

from copyceiling.cohorts import POOLED
from copyceiling.paired import COMPLETE_CASE
from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    INK,
    Canvas,
    Row,
    bounds,
    canvas,
    interval_line,
    row_axis,
    shown,
)
from copyceiling.report.plots.svg import to_svg


def draw_contrasts(rows: Sequence[Row], *, name: str, title: str) -> Html:
    """Return the mean differences of arms with their intervals; rows of `CONTRASTS`.

    Pooled contrasts of complete pairs, a band a cohort and judge; where a cohort has no pooled
    one, its scopes.

    Args:
        rows: In printed order.
        name: Name of the figure.
        title: What it shows.
    """
    kept = _kept(rows)
    groups = list(dict.fromkeys((r["cohort"], r["judge"]) for r in kept))
    with canvas(1.1 + 0.27 * (len(kept) + len(groups))) as c:
        labels: list[str] = []
        for group in groups:
            c.axes.text(
                0.0, len(labels), f"{group[0]}, judged by {group[1]}", fontweight="bold",
                transform=c.axes.get_yaxis_transform(), va="center", ha="left",
            )  # fmt: skip
            labels.append("")
            for row in (r for r in kept if (r["cohort"], r["judge"]) == group):
                _mark(c, row, len(labels))
                labels.append(_label(row))
        row_axis(c.axes, labels)
        c.axes.axvline(0.0, color=INK, lw=0.9, ls="--")
        c.axes.grid(axis="x")
        c.axes.set_xlabel("mean difference of grades (0 to 5), pairs resampled")
        c.figure.tight_layout()
        return to_svg(
            c.figure,
            name=name,
            title=title,
            description="; ".join(_words(r) for r in kept),
            hover=c.hover,
        )


def _kept(rows: Sequence[Row]) -> list[Row]:
    complete = [r for r in rows if r["policy"] == COMPLETE_CASE and r["mean_diff"] is not None]
    pooled = {(r["cohort"], r["judge"]) for r in complete if r["scope"] == POOLED}
    return [r for r in complete if r["scope"] == POOLED or (r["cohort"], r["judge"]) not in pooled]


def _mark(c: Canvas, row: Row, y: int) -> None:
    interval_line(c, row, "diff", y, color=BLUE, lw=1.6, zorder=1)
    beyond = _beyond(row)
    look = {"marker": "o", "color": BLUE if beyond else "none", "markeredgecolor": BLUE}
    (dot,) = c.axes.plot([row["mean_diff"]], [y], lw=0, zorder=2, **look)
    c.tell(dot, _words(row))


def _beyond(row: Row) -> bool:
    """Whether the interval leaves zero out; a filled mark says so."""
    low, high = row["diff_low"], row["diff_high"]
    return low is not None and high is not None and (low > 0 or high < 0)


def _label(row: Row) -> str:
    scope = "" if row["scope"] == POOLED else f" ({row['scope']})"
    return f"{row['first']} - {row['second']}{scope}"


def _words(row: Row) -> str:
    return (
        f"{row['cohort']}, {row['judge']}, {row['first']} minus {row['second']} ({row['scope']}): "
        f"{shown(row['mean_diff'], 2, signed=True)}{bounds(row, 'diff', 2, signed=True)}, "
        f"n = {row['n']:,}, p {shown(row['p'], 4)}, Holm {shown(row['p_holm'], 4)}"
    )
