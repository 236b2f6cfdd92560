"""The re-score as tables: by model and threshold, its ceilings, and what a semantic hit means.

Source: paper section 6, STUDIES section 1.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.rescore_schemas import (
    NEIGHBOURS,
    RESCORE,
    RESCORE_CEILING,
    RESCORE_PUBLISHED,
    TABLE_NEIGHBOURS,
    TABLE_RESCORE,
    TABLE_RESCORE_CEILING,
    TABLE_RESCORE_PUBLISHED,
)
from copyceiling.embedding import embedder_spec
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.sweep import POLICIES, POOLED
from copyceiling.tables.layout import Layout, Row, positions


def _matcher_order(row: Row) -> int:
    return row["threshold"] or 0


def rescore_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the re-score in printed order: this policy first, models, pooled, readers."""

    def order(row: Row) -> tuple[Any, ...]:
        return (
            row["policy"] != policy,
            POLICIES.index(row["policy"]),
            row["group"] != "model",
            row["model"] == POOLED,
            row["model"],
            _matcher_order(row),
        )

    return positions(sorted(rows, key=order))


_GAINS = (
    Show("Model", text("model"), "left"),
    Show("Matcher", text("matcher"), "left"),
    Show("n", integer("n")),
    Show("Raw", number("raw_recall")),
    Show("Scaffold", number("scaffold_recall")),
    Show("Uplift", number("uplift", signed=True)),
    Show("by domain", interval("uplift_domain")),
    Show("Ceiling", number("ceiling")),
    Show("Gain", number("gain", signed=True)),
    Show("naive", interval("gain_naive")),
    Show("by domain", interval("gain_domain")),
)
_COUNTS = (
    Show("Model", text("model"), "left"),
    Show("Matcher", text("matcher"), "left"),
    Show("Gold", integer("n_gold")),
    Show("n11", integer("n11")),
    Show("n10", integer("n10")),
    Show("n01", integer("n01")),
    Show("n00", integer("n00")),
    Show("Paper's hits", integer("n_lexical")),
    Show("kept", integer("n_lexical_kept")),
)


def rescore(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return the re-score for the study's declared policy; rows as of `rescore_rows`."""
    shown = [r for r in rows if r["policy"] == policy]
    panels = []
    for group, name in (("model", "Models"), ("reader", "Reference readers")):
        mine = [r for r in shown if r["group"] == group]
        if mine:
            means = [r for r in mine if r["model"] != POOLED]
            heading = f"{name}; policy {policy}, intervals {100 * level:g} %"
            panels += [Panel(heading, _GAINS, means), Panel(f"{name}; gold items", _COUNTS, mine)]
    return Table(
        f"Re-score. {title}: gain over copy under a matcher that tolerates paraphrase",
        panels,
        (
            "An answer names a title where some span of it (the whole text, a chunk between "
            "punctuation marks, or one to six words in a row) has at least that cosine with it. "
            "The visible input is scored by the same function, so a copy of it has gain 0.",
            "The level moves with the threshold; what to read is the sign of the gain, and whether "
            "it depends on the matcher. A near phrase is not the same thing: see the table of "
            "neighbouring titles before reading a level.",
            "Kept: of the items that the paper's matcher finds in the scaffold answers, those that "
            "this one finds too. A title of more than six words within a longer chunk can be lost.",
            "Pooled over models, without readers; gold items never collapse.",
        ),
    )


def ceiling_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return rows in printed order: the paper's matcher, then thresholds rising."""
    return positions(sorted(rows, key=_matcher_order))


def ceiling(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the ceilings; rows as of `ceiling_rows`."""
    columns = (
        Show("Matcher", text("matcher"), "left"),
        Show("n", integer("n")),
        Show("Ceiling", number("ceiling", 4)),
        Show("naive", interval("ceiling_naive", 4, signed=False)),
        Show("by domain", interval("ceiling_domain", 4, signed=False)),
        Show("Gold", integer("n_gold")),
        Show("Exposed", integer("n_exposed")),
        Show("Paper's", integer("n_lexical")),
        Show("kept", integer("n_lexical_kept")),
        Show("by the question alone", integer("question_exposed")),
    )
    return Table(
        f"Re-scored ceilings. {title}: what a copy of the visible input scores",
        (Panel(f"intervals {100 * level:g} %", columns, rows),),
        (
            "Exposed: gold items that the visible input of the scaffold arm names, under each "
            "matcher. Kept: of those that the paper's matcher finds, those this one finds too.",
            "By the question alone: gold items that the question names without any context.",
        ),
    )


def beside(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return ceilings beside the published ones; rows as of `ceiling_rows`."""
    columns = (
        Show("Matcher", text("matcher"), "left"),
        Show("Encoder", _or_none("embedder"), "left"),
        Show("Ceiling", number("ceiling", 4)),
        Show("Exposed", integer("n_exposed")),
        Show("published with", _or_none("published_embedder"), "left"),
        Show("published ceiling", number("published_ceiling", 4)),
        Show("published exposed", integer("published_exposed")),
        Show("Difference", number("difference", 4, signed=True)),
    )
    return Table(
        f"Re-scored ceilings beside the published ones. {title}",
        (Panel("", columns, rows),),
        (
            "The contexts are the same: every released row states the exposure that they give. "
            "Where encoders differ so do levels, and a difference says nothing of either re-score.",
        ),
    )


def _or_none(name: str) -> Callable[[Row], str]:
    return lambda row: row[name] or ""


def neighbours(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return how near titles come to one another; rows as of `ceiling_rows`."""
    columns = (
        Show("Matcher", text("matcher"), "left"),
        Show("Titles", integer("titles")),
        Show("of", integer("of")),
        Show("Share", number("share")),
        Show("told apart by the paper's", integer("unlexical")),
    )
    return Table(
        f"Neighbouring titles. {title}: titles that another class's title would be taken for",
        (Panel("", columns, rows),),
        (
            "The titles of the confusion census, each against all other titles of the corpus. "
            "Where one lies above the threshold, a hit does not tell the two classes apart.",
        ),
    )


def _notes(study: Mapping[str, Any]) -> list[str]:
    spec = embedder_spec(study["rescore"]["embedder"], Path(study["rescore"]["table"]))
    return [
        f"Embedder: {spec.name} ({spec.revision}), weights sha256 {spec.weights_sha256[:16]}; "
        "another one gives other levels."
    ]


LAYOUTS = {
    "rescore": Layout(
        "studies/rescore",
        RESCORE,
        TABLE_RESCORE,
        rescore_rows,
        rescore,
        part="rescored_answers",
        printed_panels=2,
        notes=_notes,
    ),
    "rescore_ceiling": Layout(
        "studies/rescore_ceiling",
        RESCORE_CEILING,
        TABLE_RESCORE_CEILING,
        ceiling_rows,
        ceiling,
        part="rescore",
        notes=_notes,
    ),
    "rescore_published": Layout(
        "studies/rescore_published",
        RESCORE_PUBLISHED,
        TABLE_RESCORE_PUBLISHED,
        ceiling_rows,
        beside,
        part="rescore_published",
    ),
    "neighbours": Layout(
        "studies/neighbours",
        NEIGHBOURS,
        TABLE_NEIGHBOURS,
        ceiling_rows,
        neighbours,
        part="rescore",
        notes=_notes,
    ),
}
