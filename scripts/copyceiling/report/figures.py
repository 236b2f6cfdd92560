"""The figures of a report: which there are, what each is drawn from, and what it shows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.cohorts import POOLED
from copyceiling.report.absent import reason
from copyceiling.report.cautions import boxes
from copyceiling.report.markup import Html, code_spans, el
from copyceiling.report.material import Material
from copyceiling.report.plots.calibration import draw_calibration
from copyceiling.report.plots.contrasts import draw_contrasts, drawn
from copyceiling.report.plots.counts import draw_counts
from copyceiling.report.plots.frame import SIZES, Size
from copyceiling.report.plots.paraphrase import draw_rewrites, draw_stress
from copyceiling.report.plots.rescore import draw_rescore
from copyceiling.report.plots.seeds import draw_seeds
from copyceiling.report.plots.sweep import draw_forest, draw_recalls
from copyceiling.report.words import ARMS, ENGAGED, SETS, legend, plain
from copyceiling.tables import LAYOUTS


@dataclass(frozen=True)
class Figure:
    """One figure.

    Attributes:
        name: Of its section in the page.
        heading: Above it.
        caption: How to read it; backticks mark code.
        table: Table whose rows it draws, and whose part of the study it needs.
        draw: Material and width to the drawing.
        ready: Whether the material holds rows to draw.
        instead: A figure of the same thing from other rows; where it is there, none is missed.
        names: Material to what names in the drawing mean.
        left_out: Material to the judges that the drawing leaves out.
        undrawn: Material to the judges that gave no pair of grades to draw.
    """

    name: str
    heading: str
    caption: str
    table: str
    draw: Callable[[Material, Size], Html]
    ready: Callable[[Material], bool]
    instead: str = ""
    names: Callable[[Material], Html] | None = None
    left_out: Callable[[Material], Sequence[str]] = lambda _: ()
    undrawn: Callable[[Material], Sequence[str]] = lambda _: ()


def _rows(table: str) -> Callable[[Material], bool]:
    return lambda m: bool(m.tables.get(table))


def _figure(name: str) -> Callable[[Material], bool]:
    return lambda m: bool(m.figures.get(name))


def _contrasts(table: str, name: str, title: str) -> Callable[[Material, Size], Html]:
    return lambda m, s: draw_contrasts(m.tables[table], s, name=name, title=title, rules=m.rules)


def _left_out(table: str) -> Callable[[Material], list[str]]:
    """Return the rules that judged too and that a table's drawing leaves out."""

    def judges(material: Material) -> list[str]:
        found = material.tables[table]
        kept = {r["judge"] for r in drawn(found, material.rules)}
        if kept <= material.rules:  # a rule that is missing all the same has nothing to draw
            return []
        return sorted({r["judge"] for r in found} & material.rules)

    return judges


def _undrawn(table: str) -> Callable[[Material], list[str]]:
    """Return the judges of a table of which there is nothing to draw, left out or not."""

    def judges(material: Material) -> list[str]:
        found = material.tables[table]
        kept = {r["judge"] for r in drawn(found, material.rules)}
        return sorted({r["judge"] for r in found} - kept)

    return judges


def _names(table: str) -> Callable[[Material], Html]:
    """Return what the arms and sets of a table's drawing are."""

    def made(material: Material) -> Html:
        kept = drawn(material.tables[table], material.rules)
        arms = legend(ARMS, (r[side] for r in kept for side in ("first", "second")))
        scopes = {r["scope"].removesuffix(ENGAGED) for r in kept if r["scope"] != POOLED}
        entries = [*arms, *legend(SETS, scopes)]
        if any(r["scope"].endswith(ENGAGED) for r in kept):
            entries.append(("engaged", "questions of the set for which a block was shown"))
        lines = (el("li", el("b", plain(name)), f": {text}") for name, text in entries)
        return el("ul", *lines, class_="names")

    return made


FIGURES: Sequence[Figure] = (
    Figure(
        "figure-recalls",
        "Recall against the copy ceiling",
        "Circle: asked alone. Square: asked with the block. Upright bar: what a verbatim copy of "
        "the visible input scores. The line between circle and square is the uplift; what is "
        "missing from the square to the bar is the gain over copy. Readers are rules, no models.",
        "table4",
        lambda m, s: draw_recalls(m.declared("table4"), s),
        _rows("table4"),
    ),
    Figure(
        "figure-figure3",
        "Figure 3. Gain over copy",
        "Scaffold recall minus copy ceiling. At 0 a model scores what a copy scores, which shows "
        "neither that it reasoned nor that it did not.",
        "table4",
        lambda m, s: draw_forest(m.figures["figure3"], s),
        _figure("figure3"),
    ),
    Figure(
        "figure-counts",
        "The four counts",
        "Every gold item of the scaffold arm: `n11` exposed and recovered, `n10` exposed and left "
        "out, `n01` recovered without exposure, `n00` neither. A gain of 0 can hide any number of "
        "`n10` made up for by `n01`.",
        "table5",
        lambda m, s: draw_counts(m.declared("table5"), s),
        _rows("table5"),
    ),
    Figure(
        "figure-rescore",
        "Gain over copy against the threshold of a hit",
        "The same answers under a matcher that tolerates paraphrase: a hit is a cosine at or above "
        "the threshold. Bars are intervals by domain; the paper's matcher stands apart.",
        "rescore",
        lambda m, s: draw_rescore(m.figures["rescore"], s),
        _figure("rescore"),
    ),
    Figure(
        "figure-stress",
        "Exposure under paraphrase",
        "What the block still exposes once the question no longer holds its subject's words. No "
        "model answers: a ceiling says whether the block shows the gold.",
        "stress",
        lambda m, s: draw_stress(m.tables["stress"], s),
        _rows("stress"),
        instead="figure-rewrites",
    ),
    Figure(
        "figure-rewrites",
        "Exposure under paraphrase, released rewrites",
        "Mean copy ceilings of the questions whose rewrite was accepted.",
        "paraphrase",
        lambda m, s: draw_rewrites(m.tables["paraphrase"], s),
        _rows("paraphrase"),
        instead="figure-stress",
    ),
    Figure(
        "figure-controls",
        "Negative controls with intervals",
        "Mean difference of grades between two arms on the same questions: the first arm minus the "
        "second. A filled mark: the interval leaves 0 out. The exact tests and Holm's adjustment "
        "stand in Table 7. Beside the question, the model was shown:",
        "table7",
        _contrasts("table7", "controls", "Negative controls: differences between arms"),
        _rows("table7"),
        names=_names("table7"),
        left_out=_left_out("table7"),
        undrawn=_undrawn("table7"),
    ),
    Figure(
        "figure-production",
        "Served against raw answers",
        "Mean difference of grades between two arms on the same questions: served minus raw on the "
        "corpus's questions, harness minus bare on general ones, which the corpus does not answer. "
        "A filled mark: the interval leaves 0 out. Beside the question, the model was shown:",
        "table6",
        _contrasts("table6", "production", "Production: served against raw answers"),
        _rows("table6"),
        names=_names("table6"),
        left_out=_left_out("table6"),
        undrawn=_undrawn("table6"),
    ),
    Figure(
        "figure-calibration",
        "Calibration card of the judges",
        "Judges on answers whose right verdict is known by construction. The upright line is the "
        "floor that a judge must reach; a cross and a hatched bar say that it does not, and n/a "
        "that no verdict was there to measure. A judge that misses a floor, or has n/a for one, "
        "bears no conclusion. Rows marked rule are no models: some are made to fail, and show that "
        "the card notices.",
        "calibration",
        lambda m, s: draw_calibration(m.tables["calibration"], DEFAULT_FORM, s),
        _rows("calibration"),
    ),
    Figure(
        "figure-seeds",
        "Exposure over question seeds",
        "Whether the copy ceiling hangs on which questions were drawn, on thresholds or on the "
        "budget of the block.",
        "seeds",
        lambda m, s: draw_seeds(m.figures["seeds"], s),
        _figure("seeds"),
    ),
)


def figure_sections(material: Material) -> list[tuple[str, str, Html]]:
    """Return every figure as name, heading and section; one that is lacking says why."""
    out: list[tuple[str, str, Html]] = []
    drawn = {figure.name for figure in FIGURES if figure.ready(material)}
    for figure in FIGURES:
        there = figure.name in drawn
        if not there and figure.instead in drawn | {name for name, _, _ in out}:
            continue
        inside = _drawn(figure, material) if there else _lacking(figure)
        heading = el("h3", figure.heading, id=f"{figure.name}-heading")
        section = el(
            "section",
            heading,
            inside,
            class_="figure" if there else "figure lacking",
            id=figure.name,
            aria_labelledby=f"{figure.name}-heading",
        )
        out.append((figure.name, figure.heading, section))
    return out


def _drawn(figure: Figure, material: Material) -> Html:
    values = el("a", material.displayed[figure.table].caption, href=f"#{figure.table}")
    drawings = [figure.draw(material, size) for size in SIZES]
    left = figure.left_out(material)
    without = [judge for judge in figure.undrawn(material) if judge not in left]
    cautions = material.cautions.get(figure.table, ())
    return el(
        "figure",
        *boxes([c for c in cautions if not any(f"judge '{j}'" in c for j in left)], "figure"),
        *drawings,
        el(
            "figcaption",
            code_spans(figure.caption),
            figure.names(material) if figure.names else None,
            el("p", f"Left out, as rules that read nothing: {', '.join(left)}.") if left else None,
            el("p", f"No pair of two grades to draw, by judge: {', '.join(without)}.")
            if without
            else None,
            el("span", " Values: ", values, class_="source"),
        ),
    )


def _lacking(figure: Figure) -> Html:
    part = LAYOUTS[figure.table].part
    why = reason(part) if part else "rows to draw"
    return el("p", f"Not in this study. What it takes: {why}.", class_="absent")
