"""The first screen: what was measured, on what, by whom, and the copy check in one picture."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.matching import SIGNATURE
from copyceiling.render import MISSING
from copyceiling.report.markup import Html, el, join
from copyceiling.report.material import Material
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
    return join(
        el("p", _LEAD, class_="lead"),
        picture(material),
        el("h3", "How to read it"),
        el("dl", *(join(el("dt", name), el("dd", text)) for name, text in _READ), class_="read"),
        el("h3", "What was measured, on what, by whom"),
        el("dl", *_facts(material), class_="facts"),
    )


def picture(material: Material) -> Html:
    """Return the copy check in one picture, or why there is none."""
    row = headline(material.tables.get("table4", ()), material.policy)
    counts = {r["model"]: r for r in material.declared("table5")}
    if row is None or row["model"] not in counts:
        why = "no model of this study was asked both with and without the block"
        return el("p", f"No picture of the copy check: {why}.", class_="absent")
    words = (
        f"{row['model']} named {_percent(row['raw_recall'])} of the gold names asked alone and "
        f"{_percent(row['scaffold_recall'])} with the block, an uplift of "
        f"{100 * row['uplift']:+.1f} points. A verbatim copy of the block would have named "
        f"{_percent(row['ceiling'])}, so the gain over copy is {100 * row['gain']:+.1f} points."
    )
    models = sum(group == "model" for group in material.groups.values())
    which = f" Shown is the model with the greatest uplift of {models}." if models > 1 else ""
    return el(
        "figure",
        el("div", draw_picture(row, counts[row["model"]]), class_="scroll", role="region",
           tabindex=0, aria_label="Figure: the copy check in one picture"),
        el("figcaption", el("b", words), which, " Hatched: what the page alone gives."),
        id="picture-figure",
    )  # fmt: skip


def _percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f} %"


def _facts(material: Material) -> list[Html]:
    study, corpus = material.study, material.generation
    templates = ", ".join(f"{n:,} {name}" for name, n in material.n_questions.items())
    by_group = {
        group: [m for m, g in material.groups.items() if g == group]
        for group in ("model", "reader")
    }
    statistics = study["statistics"]
    facts: list[tuple[str, Any]] = [
        ("Study", f"{study['title']} ({study['study']})"),
        (
            "Corpus",
            f"{corpus['name']}, {corpus['version']}, {corpus['n_classes']:,} classes; "
            f"{corpus['source']}; licence {corpus['licence']}",
        ),
        ("Its bytes", join("sha256 ", el("code", corpus["sha256"], class_="hash"))),
        (
            "Questions",
            f"{sum(material.n_questions.values()):,} over {material.n_domains} domains: "
            f"{templates}",
        ),
        ("Models", ", ".join(by_group["model"]) or "none"),
        ("Reference readers", ", ".join(by_group["reader"]) or "none"),
        ("Answers", _ends(material)),
        ("Judges", ", ".join((study["judging"] or {}).get("judges", ())) or "none"),
        ("Matcher", el("code", SIGNATURE)),
        (
            "Statistics",
            f"{100 * statistics['level']:g} % percentile bootstrap intervals, "
            f"{statistics['resamples']:,} resamples, seed {study['seed']}; completions that are "
            f"not ok: {material.policy}",
        ),
        ("Made by", ", ".join(material.people)),
        ("Software", ", ".join(f"{name} {v}" for name, v in material.software.items())),
        ("Check it", join(el("code", _verify(study)), " recomputes it from the frozen rows.")),
    ]
    return [join(el("dt", name), el("dd", value)) for name, value in facts]


def _verify(study: Mapping[str, Any]) -> str:
    name = study["study"]
    option = "" if name == "go" else f" --configfile config/studies/{name}.yaml"
    return f"snakemake verify{option}"


def _ends(material: Material) -> str:
    """Return how the sweep's answers ended, over all models."""
    ends = Counter(a.status for a in material.answers if a.asked.part == "sweep")
    listed: Sequence[tuple[str, int]] = ends.most_common()
    total = sum(ends.values())
    return (
        f"{total:,}: " + ", ".join(f"{n:,} {status}" for status, n in listed) if total else "none"
    )
