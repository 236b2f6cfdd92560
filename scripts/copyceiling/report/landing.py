"""The first screen: the copy check in one picture, how to read it, and the facts."""

from collections.abc import Mapping
from typing import Any

from copyceiling.render import MISSING
from copyceiling.report import cautions
from copyceiling.report.facts import block_words, facts
from copyceiling.report.markup import Html, el, join
from copyceiling.report.material import Material
from copyceiling.report.plots.frame import SIZES
from copyceiling.report.plots.picture import draw_picture, headline

_LEAD = (
    "A model that is shown a context and then names the right things may have reasoned, or it may "
    "have read the names off the page. This report measures the second: for every gold item it "
    "records whether the text shown exposes it and whether the answer recovers it."
)
_READ = (
    (
        "Copy ceiling",
        "the recall that a verbatim copy of the visible input scores, under the very matcher that "
        "scores the answers.",
    ),
    (
        "Gain over copy",
        "recall with the block minus the ceiling. Below 0 a model left out names that it was "
        "shown; above 0 it recovered names that it was not shown.",
    ),
    (
        "The four counts",
        "of all gold names with the block: n11 shown and named, n10 shown and left out, n01 named "
        "though not shown, n00 neither.",
    ),
    (
        "What 0 does not say",
        "that the model did not reason. Where the names that an answer needs are on the page, an "
        "answer that was reasoned out and one that was copied score the same. Read the four "
        "counts before the gain: omissions can make up for finds.",
    ),
    (
        "What recall does not say",
        "that an answer is good. Wrong names are not counted, and a credited name may stand in "
        "the wrong relation.",
    ),
)


def overview(material: Material) -> Html:
    """Return the landing section."""
    read = (("The block", block_words(material.study)), *_READ)
    said = cautions.distinct(material.cautions)
    return join(
        el("p", _LEAD, class_="lead"),
        picture(material),
        el("h3", "How to read it"),
        el("dl", *(join(el("dt", name), el("dd", text)) for name, text in read), class_="read"),
        el("h3", "What was measured, on what, by whom"),
        el("dl", *facts(material), class_="facts"),
        el("h3", "What stands against the judges", id=cautions.ANCHOR) if said else None,
        cautions.section(said),
    )


def picture(material: Material) -> Html:
    """Return the copy check in one picture, or why there is none."""
    row = headline(material.tables.get("table4", ()), material.policy)
    counts = {r["model"]: r for r in material.declared("table5")}
    if row is None or row["model"] not in counts:
        why = "no model of this study was asked both with and without the block"
        return el("p", f"No picture of the copy check: {why}.", class_="absent")
    models = sum(group == "model" for group in material.groups.values())
    which = f" Of the {models} models, this is the one with the greatest uplift."
    return el(
        "figure",
        *(draw_picture(row, counts[row["model"]], size) for size in SIZES),
        el("figcaption", el("b", _recalls(row)), _items(counts[row["model"]]),
           which if models > 1 else "", " Hatched: what the page alone gives."),
        id="picture-figure",
    )  # fmt: skip


def _recalls(row: Mapping[str, Any]) -> str:
    """Say what Table 4 holds of a model: means over questions, not shares of all gold names."""
    return (
        f"Averaged over {row['n']:,} questions, {row['model']} recalled "
        f"{_percent(row['raw_recall'])} of a question's gold names asked alone and "
        f"{_percent(row['scaffold_recall'])} with the block, an uplift of "
        f"{100 * row['uplift']:+.1f} points. A verbatim copy of the block would score "
        f"{_percent(row['ceiling'])}, so the gain over copy is {100 * row['gain']:+.1f} points."
    )


def _items(counts: Mapping[str, Any]) -> str:
    """Say what Table 5 holds of it: gold names, each counted once."""
    gold, hits = counts["n_gold"], counts["n_hits"]
    if not gold:
        return ""
    return (
        f" Name by name it gave {hits:,} of the {gold:,} gold names with the block "
        f"({_percent(hits / gold)}), as the coloured areas show; the average is another number, "
        "for questions differ in how many names they ask for, and some are answered by any one."
    )


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f} %"
