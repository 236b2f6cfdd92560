"""The calibration card: what judges score on answers whose right verdict is known."""

from collections.abc import Sequence
from typing import Any

from matplotlib.patches import Rectangle

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
    INK,
    PAPER,
    VERMILION,
    Canvas,
    Row,
    canvas,
    row_axis,
)
from copyceiling.report.plots.svg import to_svg

_MEASURES = {
    "accuracy": "accuracy",
    "worst_construct": "worst kind",
    "kappa": "kappa",
    "known_order": "known\norder",
    "injection_resistance": "resists\ninjection",
    "order_stability": "order",
    "length_stability": "length",
    "repeatability": "repeats",
    "scored": "verdicts",
}
_ALL = "all"
_FRAME = 0.86  # width of a measure's frame, of a column's


def draw_calibration(rows: Sequence[Row], form: str) -> Html:
    """Return a card a judge and rubric: a bar a measure, its floor, whether it is reached, k of n.

    Args:
        rows: Rows of `CALIBRATION`, in printed order.
        form: The form of judging that the study's tables rest on.
    """
    kept = [r for r in rows if (r["form"], r["by"]) == (form, _ALL) and r["measure"] in _MEASURES]
    cards = list(dict.fromkeys((r["rubric"], r["judge"], r["kind"]) for r in kept))
    found = {((r["rubric"], r["judge"], r["kind"]), r["measure"]): r for r in kept}
    measures = [m for m in _MEASURES if any(r["measure"] == m for r in kept)]
    with canvas(1.0 + 0.6 * len(cards)) as c:
        for y, card in enumerate(cards):
            for x, measure in enumerate(measures):
                row = found.get((card, measure))
                if row is not None:
                    _measure(c, row, x, y)
        row_axis(c.axes, [f"{judge}\n{rubric}, {kind}" for rubric, judge, kind in cards])
        c.axes.set_xlim(0, len(measures))
        c.axes.set_xticks(
            [x + 0.49 for x in range(len(measures))], [_MEASURES[m] for m in measures]
        )
        c.axes.tick_params(axis="x", length=0, labelsize=8)
        c.axes.xaxis.tick_top()
        c.axes.spines["bottom"].set_visible(False)
        c.figure.tight_layout()
        return to_svg(
            c.figure,
            name="calibration",
            title="Calibration card of the judges",
            description="; ".join(_words(r) for r in kept),
            hover=c.hover,
        )


def _measure(c: Canvas, row: Row, x: int, y: int) -> None:
    """Draw one measure of a card: its bar within a frame, its floor, its value and its counts."""
    frame = Rectangle((x + 0.06, y - 0.3), _FRAME, 0.6, facecolor=PAPER, edgecolor=GREY)
    c.axes.add_patch(frame)
    if row["value"] is not None:
        width = _FRAME * min(max(row["value"], 0.0), 1.0)
        look: dict[str, Any] = {"facecolor": VERMILION, "hatch": "///", "edgecolor": INK}
        if row["meets"] is not False:
            look = {"facecolor": BLUE, "edgecolor": BLUE}
        c.axes.add_patch(Rectangle((x + 0.06, y - 0.3), width, 0.22, linewidth=0, **look))
    if row["floor"] is not None:
        at = x + 0.06 + _FRAME * row["floor"]
        c.axes.plot([at, at], [y - 0.33, y - 0.05], color=INK, lw=1.1)
    middle: dict[str, Any] = {"ha": "center", "va": "center"}
    c.axes.text(x + 0.49, y + 0.05, _value(row), fontsize=8, **middle)
    # 1.00 of a single case says next to nothing, so the counts stand beside it.
    c.axes.text(x + 0.49, y + 0.21, _counts(row), fontsize=6.5, **middle)
    c.tell(frame, _words(row))


def _value(row: Row) -> str:
    if row["value"] is None:
        return "n/a"  # a cross would look like a value that was measured
    value = f"{row['value']:.2f}"
    return value if row["meets"] is None else f"{value} {'✓' if row['meets'] else '✗'}"


def _counts(row: Row) -> str:
    if not row["n"]:
        return "no cases"
    return f"n = {row['n']:,}" if row["k"] is None else f"{row['k']:,} of {row['n']:,}"


def _words(row: Row) -> str:
    value = "not measured" if row["value"] is None else f"{row['value']:.3f}"
    floor = "" if row["floor"] is None else f", floor {row['floor']:g}"
    met = {None: "", True: ", reached", False: ", not reached"}[row["meets"]]
    measure = row["measure"].replace("_", " ")
    return f"{row['judge']}, {row['rubric']}, {measure}: {value}{floor}{met}, {_counts(row)}"
