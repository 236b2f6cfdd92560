"""The calibration card: what judges score on answers whose right verdict is known."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from copyceiling.report.markup import Html
from copyceiling.report.plots.frame import (
    BLUE,
    GREY,
    INK,
    PAPER,
    VERMILION,
    WIDE,
    Canvas,
    Row,
    Size,
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
Card = tuple[str, str, str]  # rubric, judge and its kind
Found = Mapping[tuple[Card, str], Row]
_ACROSS = 3  # measures in a line of a narrow card
_HEAD = 0.8  # room above a narrow card for its name, in lines of it
_FRAME = 0.86  # width of a measure's frame, of a column's


def draw_calibration(rows: Sequence[Row], form: str, size: Size = WIDE) -> Html:
    """Return a card a judge and rubric: a bar a measure, its floor, whether it is reached, k of n.

    Args:
        rows: Rows of `CALIBRATION`, in printed order.
        form: The form of judging that the study's tables rest on.
        size: How wide; see `_columns` and `_lines`.
    """
    kept = [r for r in rows if (r["form"], r["by"]) == (form, _ALL) and r["measure"] in _MEASURES]
    cards = list(dict.fromkeys((r["rubric"], r["judge"], r["kind"]) for r in kept))
    found = {((r["rubric"], r["judge"], r["kind"]), r["measure"]): r for r in kept}
    measures = [m for m in _MEASURES if any(r["measure"] == m for r in kept)]
    lines = -(-len(measures) // _ACROSS)
    height = 0.4 + (0.62 * lines + 0.5) * len(cards) if size.narrow else 1.0 + 0.6 * len(cards)
    with canvas(height, size) as c:
        (_lines if size.narrow else _columns)(c, cards, measures, found)
        c.figure.tight_layout()
        return to_svg(
            c,
            name="calibration",
            title="Calibration card of the judges",
            description="; ".join(_words(r) for r in kept),
        )


def _columns(c: Canvas, cards: Sequence[Card], measures: Sequence[str], found: Found) -> None:
    """Draw a line a card and a column a measure."""
    for y, card in enumerate(cards):
        for x, measure in enumerate(measures):
            if (card, measure) in found:
                _measure(c, found[card, measure], x, y)
    row_axis(c.axes, [_name(card) for card in cards], c.size)
    c.axes.set_xlim(0, len(measures))
    c.axes.set_xticks([x + 0.49 for x in range(len(measures))], [_MEASURES[m] for m in measures])
    c.axes.tick_params(axis="x", length=0, labelsize=8)
    c.axes.xaxis.tick_top()
    c.axes.spines["bottom"].set_visible(False)


def _lines(c: Canvas, cards: Sequence[Card], measures: Sequence[str], found: Found) -> None:
    """Draw the measures of each card in lines below its name, each below its own."""
    top = 0.0
    for card in cards:
        c.axes.text(0.06, top - 0.6, _name(card), ha="left", va="bottom", fontweight="bold")
        there = [m for m in measures if (card, m) in found]
        for i, measure in enumerate(there):
            line, x = divmod(i, _ACROSS)
            _measure(c, found[card, measure], x, top + line)
            name = _MEASURES[measure].replace("\n", " ")
            c.axes.text(x + 0.06, top + line - 0.33, name, ha="left", va="bottom", fontsize=8)
        top += -(-len(there) // _ACROSS) + _HEAD
    c.axes.set_axis_off()
    c.axes.set_xlim(0, _ACROSS)
    c.axes.set_ylim(top - _HEAD - 0.6, -_HEAD - 0.6)


def _name(card: Card) -> str:
    rubric, judge, kind = card
    return f"{judge}\n{rubric}, {kind}"


def _measure(c: Canvas, row: Row, x: int, y: float) -> None:
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
    c.axes.text(x + 0.49, y + 0.21, _counts(row), fontsize=7, **middle)
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
