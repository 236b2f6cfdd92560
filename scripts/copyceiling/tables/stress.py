"""The paraphrase stress: ceilings by retrieval, and how the rewriting went (paper section 8)."""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.stress_schemas import REWRITING, STRESS, TABLE_REWRITING, TABLE_STRESS
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.intervals import flat_notes, interval_notes
from copyceiling.tables.layout import Layout, Row, positions

_SCOPES = {
    "held_out": "Held-out half: gates' thresholds were chosen on the other half",
    "all": "All rewritten questions; gates without a chosen threshold",
    "names": "Rewrites that name the subject otherwise",
    "definitions": "Rewrites that quote the subject's definition: semantic retrieval over "
    "definitions meets nearly its own text",
    "failing": "Questions whose rewrite has a lexical ceiling below 0.5: chosen on lexical's own "
    "outcome, so that its rivals gain by regression to the mean",
}
_ARMS = (
    "lexical",
    "semantic",
    "semantic_titles",
    "fused",
    "absence",
    "hybrid_disagreement",
    "hybrid_confidence",
    "oracle",
)
_VERSIONS = ("original", "rewritten")


def stress_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in printed order: by scope, version, arm, matcher."""

    def order(row: Row) -> tuple[Any, ...]:
        scope = list(_SCOPES).index(row["scope"])
        version, arm = _VERSIONS.index(row["version"]), _ARMS.index(row["arm"])
        return row["matcher"] != "paper", scope, version, arm

    return positions(sorted(rows, key=order))


def stress(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the table of ceilings; rows as of `stress_rows`."""
    panels = [
        Panel(f"{heading}; n = {kept[0]['n']}, intervals {100 * level:g} %", _COLUMNS, kept)
        for scope, heading in _SCOPES.items()
        if (kept := [r for r in rows if (r["scope"], r["matcher"]) == (scope, "paper")])
    ]
    strict = [r for r in rows if (r["scope"], r["matcher"]) == ("held_out", "strict")]
    if strict:
        panels.append(Panel("Held-out half under the strict matcher", _COLUMNS, strict))
    clusters = rows[0]["n_domains"] if rows else 0
    return Table(
        f"Paraphrase stress. {title}: copy ceiling by retrieval, as asked and as rewritten",
        panels,
        (
            "No model answers: a ceiling says whether the block shows the gold. Every arm has the "
            "same number of seeds and the same token budget.",
            "semantic: nearest classes by vector of `Title. definition`; semantic_titles: by "
            "title alone; fused: both rankings of lexical and semantic by reciprocal rank fusion.",
            "Gates leave lexical retrieval where they fire. absence (semantic seeds where lexical "
            "finds nothing), hybrid_disagreement and hybrid_confidence (fused seeds where the "
            "first lexical seed stands low among the semantic hits, or scores low on the query "
            "without the wording's words). oracle: the best of lexical, semantic and fused for "
            "each question, which no gate can know.",
            "Difference is to lexical on the same questions. Alone: the question without a block.",
            *interval_notes(clusters),
            *flat_notes(rows, "difference_naive", "difference_domain"),
        ),
    )


def _share(name: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        return MISSING if row[name] is None else f"{100 * row[name]:.1f} %"

    return cell


def _gate(row: Row) -> str:
    if row["fired"] is None:
        return ""
    return _share("fired")(row)


def _threshold(row: Row) -> str:
    return "" if row["threshold"] is None else f"{row['threshold']:g}"


def _difference(name: str) -> Callable[[Row], str]:
    shown = interval(name) if name != "difference" else number(name, signed=True)
    return lambda row: "" if row["arm"] == "lexical" else shown(row)


def _better(row: Row) -> str:
    return "" if row["arm"] == "lexical" else f"{row['n_better']} / {row['n_worse']}"


_COLUMNS = (
    Show("Version", text("version"), "left"),
    Show("Retrieval", text("arm"), "left"),
    Show("Ceiling", number("ceiling")),
    Show("Difference", _difference("difference")),
    Show("naive", _difference("difference_naive")),
    Show("by domain", _difference("difference_domain")),
    Show("better / worse", _better),
    Show("fired", _gate),
    Show("threshold", _threshold),
    Show("tokens", number("tokens", 0)),
    Show("alone", number("alone")),
)

_MEASURES = {
    "ending": "questions by how their rewriting ended",
    "attempts": "questions by number of texts tried",
    "reason": "attempts turned down, by reason (an attempt may have several)",
    "template": "questions rewritten, by template",
    "how": "accepted rewrites by how they were made",
}


def rewriting_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in printed order."""
    order = list(_MEASURES)

    def place(row: Row) -> tuple[Any, ...]:
        trial = row["rewriter"] != "synonyms"
        measure = order.index(row["measure"])
        return trial, row["rewriter"], measure, -row["count"], row["value"]

    return positions(sorted(rows, key=place))


def rewriting(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the census of rewrites; rows as of `rewriting_rows`."""
    columns = (
        Show("Group", text("value"), "left"),
        Show("Count", integer("count")),
        Show("of", integer("of")),
    )
    rewriters = list(dict.fromkeys(r["rewriter"] for r in rows))
    notes = [
        "title_word: a content word of a subject's title, or one that starts with it; "
        "gold_verbatim: a gold title; gold_words: a gold title's words as the matcher has them; "
        "other_answers: the answers were judged not to be the same; no_rewrite: nothing (more) to "
        "propose. Sets of several rewriters are never pooled.",
    ]
    if "synonyms" in rewriters:
        notes.append(
            "Under synonyms, that the answers stay the same holds by construction, as far as a "
            "synonym or a definition tells its class from others."
        )
    return Table(
        f"Rewriting. {title}: questions rewritten by {' and by '.join(rewriters) or 'nobody'}",
        [
            Panel(f"{rewriter}: {heading}", columns, found)
            for rewriter in rewriters
            for measure, heading in _MEASURES.items()
            if (found := [r for r in rows if (r["rewriter"], r["measure"]) == (rewriter, measure)])
        ],
        notes,
    )


LAYOUTS = {
    "stress": Layout("studies/stress", STRESS, TABLE_STRESS, stress_rows, stress, part="stress"),
    "rewriting": Layout(
        "studies/rewriting", REWRITING, TABLE_REWRITING, rewriting_rows, rewriting, part="stress"
    ),
}
