"""Exposure once questions are rewritten: the stress of our own, and the released rewrites."""

from collections.abc import Sequence

from matplotlib.lines import Line2D

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
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
from copyceiling.rewrites import ALL, CEILINGS

# The half on which no threshold was chosen comes first; where there is none, all questions.
_SCOPES = ("held_out", "all")
_NAMES = {
    "original": "as asked",
    "original_served": "as asked, served node",
    "lexical": "rewritten, lexical retrieval",
    "semantic": "rewritten, semantic retrieval",
}


def draw_stress(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return the ceiling of each retrieval, as asked and as rewritten; rows of `STRESS`."""
    paper = [r for r in rows if r["matcher"] == "paper"]
    scope = next((s for s in _SCOPES if any(r["scope"] == s for r in paper)), "")
    kept = {(r["arm"], r["version"]): r for r in paper if r["scope"] == scope}
    arms = list(dict.fromkeys(arm for arm, _ in kept))
    with canvas(1.25 + size.height(len(arms), 0.32, 0.42), size) as c:
        for y, arm in enumerate(arms):
            pair = {v: kept.get((arm, v)) for v in ("original", "rewritten")}
            values = [r["ceiling"] for r in pair.values() if r and r["ceiling"] is not None]
            c.axes.plot(values, [y] * len(values), color=SKY, lw=2.0, zorder=1)
            for (version, row), (mark, colour) in zip(pair.items(), _LOOKS, strict=True):
                if row and row["ceiling"] is not None:
                    point = {"marker": mark, "color": colour, "mew": 0}
                    (dot,) = c.axes.plot([row["ceiling"]], [y], lw=0, zorder=2, **point)
                    c.tell(dot, _stress_words(version, row))
        row_axis(c.axes, [arm.replace("_", " ") for arm in arms], size)
        c.axes.set_xlim(-0.02, 1.02)
        c.axes.grid(axis="x")
        n = next(iter(kept.values()))["n"] if kept else 0
        half = (
            "held-out half of the questions" if scope == "held_out" else "all rewritten questions"
        )
        c.axes.set_xlabel(size.fold(f"mean copy ceiling, {half} (n = {n:,})"))
        names = ("question as asked", "question rewritten without its subject's words")
        handles = [
            Line2D([], [], marker=mark, color=colour, lw=0, mew=0, label=size.fold(name, 40))
            for (mark, colour), name in zip(_LOOKS, names, strict=True)
        ]
        legend_above(c, handles, 2)
        return to_svg(
            c,
            name="stress",
            title="Copy ceiling by retrieval, as asked and as rewritten",
            description="; ".join(_stress_words(v, r) for (_, v), r in kept.items()),
        )


_LOOKS = (("o", GREY), ("s", VERMILION))


def _stress_words(version: str, row: Row) -> str:
    text = f"{row['arm']}, {version}: ceiling {shown(row['ceiling'])}"
    if row["arm"] == "lexical":
        return text
    return (
        f"{text}, {shown(row['difference'], signed=True)}"
        f"{bounds(row, 'difference_domain', signed=True)} against lexical"
    )


def draw_rewrites(rows: Sequence[Row], size: Size = WIDE) -> Html:
    """Return the mean ceilings of released rewrites with intervals; rows of `PARAPHRASE`."""
    found = {r["measure"]: r for r in rows if r["subset"] == ALL}
    kept = [found[m] for m in CEILINGS if m in found and found[m]["value"] is not None]
    with canvas(1.0 + size.height(len(kept), 0.4, 0.48), size) as c:
        for y, row in enumerate(kept):
            interval_line(c, row, "naive", y, color=SKY, lw=4.2, zorder=1)
            interval_line(c, row, "domain", y, color=BLUE, lw=1.3, zorder=2)
            (dot,) = c.axes.plot([row["value"]], [y], "o", color=BLUE, zorder=3)
            c.tell(dot, _rewrite_words(row))
        row_axis(c.axes, [_NAMES[r["measure"]] for r in kept], size)
        c.axes.set_xlim(-0.02, 1.02)
        c.axes.grid(axis="x")
        c.axes.set_xlabel(
            size.fold(
                "mean copy ceiling of the accepted rewrites\n"
                "thick bar: questions resampled, thin bar: whole domains"
            )
        )
        c.figure.tight_layout()
        return to_svg(
            c,
            name="rewrites",
            title="Copy ceiling of questions as asked and as rewritten",
            description="; ".join(_rewrite_words(r) for r in kept),
        )


def _rewrite_words(row: Row) -> str:
    return (
        f"{_NAMES[row['measure']]}: {shown(row['value'])}{bounds(row, 'domain')} by domain, "
        f"n = {row['n']:,}"
    )
