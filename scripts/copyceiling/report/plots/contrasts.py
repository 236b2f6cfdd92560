"""Judged contrasts with intervals: negative controls and the production study."""

from collections.abc import Collection, Sequence

from copyceiling.cohorts import POOLED
from copyceiling.paired import COMPLETE_CASE
from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    INK,
    WIDE,
    Canvas,
    Row,
    Size,
    bounds,
    canvas,
    interval_line,
    row_axis,
    row_text,
    shown,
)
from copyceiling.report.plots.svg import to_svg
from copyceiling.report.words import plain


def draw_contrasts(
    rows: Sequence[Row],
    size: Size = WIDE,
    *,
    name: str,
    title: str,
    rules: Collection[str] = (),
) -> Html:
    """Return the mean differences of arms with their intervals; rows of `CONTRASTS`.

    Args:
        rows: In printed order.
        size: How wide.
        name: Name of the figure.
        title: What it shows.
        rules: Judges that are rules; see `drawn`.
    """
    kept = drawn(rows, rules)
    groups = list(dict.fromkeys((r["cohort"], r["judge"]) for r in kept))
    with canvas(1.1 + size.height(len(kept) + len(groups), 0.27, 0.4), size) as c:
        labels: list[str] = []
        for group in groups:
            band = size.fold(_band(*group, rules), 40)
            row_text(c.axes, len(labels), band, va="center", fontweight="bold")
            labels.append("")
            for row in (r for r in kept if (r["cohort"], r["judge"]) == group):
                _mark(c, row, len(labels))
                labels.append(_label(row))
        row_axis(c.axes, labels, size)
        c.axes.axvline(0.0, color=INK, lw=0.9, ls="--")
        c.axes.grid(axis="x")
        c.axes.set_xlabel(size.fold("mean difference of grades (0 to 5), pairs resampled"))
        c.figure.tight_layout()
        return to_svg(
            c,
            name=name,
            title=title,
            description="; ".join(_words(r) for r in kept),
        )


def drawn(rows: Sequence[Row], rules: Collection[str]) -> list[Row]:
    """Return the rows that are drawn: pooled contrasts of complete pairs, by cohort and judge.

    Where a cohort has no pooled one, its scopes stand for it. Judges that are rules are left out
    where a model judged too: what a rule cannot read it grades alike, which looks like no effect.
    """
    known = [r for r in rows if r["policy"] == COMPLETE_CASE and r["mean_diff"] is not None]
    complete = [r for r in known if r["judge"] not in rules] or known
    pooled = {(r["cohort"], r["judge"]) for r in complete if r["scope"] == POOLED}
    return [r for r in complete if r["scope"] == POOLED or (r["cohort"], r["judge"]) not in pooled]


def _band(cohort: str, judge: str, rules: Collection[str]) -> str:
    what = " (a rule, no model)" if judge in rules else ""
    return f"{plain(cohort)}, judged by {judge}{what}"


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
    scope = "" if row["scope"] == POOLED else f" ({plain(row['scope'])})"
    return f"{plain(row['first'])} - {plain(row['second'])}{scope}"


def _words(row: Row) -> str:
    return (
        f"{row['cohort']}, {row['judge']}, {row['first']} minus {row['second']} ({row['scope']}): "
        f"{shown(row['mean_diff'], 2, signed=True)}{bounds(row, 'diff', 2, signed=True)}, "
        f"n = {row['n']:,}, p {shown(row['p'], 4)}, Holm {shown(row['p_holm'], 4)}"
    )
