"""The wrapper ablation: what came of left-out and shown gold under each wrapper, and contrasts.

Source: paper section 10.4 and its conclusion, experiment (iii).
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.wrapper_schemas import (
    TABLE_WRAPPER_CONTRASTS,
    TABLE_WRAPPER_FLOW,
    TABLE_WRAPPER_TEXTS,
    TABLE_WRAPPERS,
    WRAPPER_CONTRASTS,
    WRAPPER_FLOW,
    WRAPPER_RATES,
    WRAPPER_TEXTS,
)
from copyceiling.render import Panel, Show, Table, integer, interval, number, text
from copyceiling.sweep import POOLED
from copyceiling.tables.contrasts import tests
from copyceiling.tables.layout import Layout, Row, positions
from copyceiling.wrappers.analysis import CONTRASTS, CREDITED, MEASURES
from copyceiling.wrappers.outcomes import LEFT_OUT, OUTCOMES, SCOPES, SHOWN
from copyceiling.wrappers.texts import ARMS, RAW

_MATCHERS = ("paper", "strict")
_SCOPES = {
    LEFT_OUT: "Gold that the context leaves out",
    SHOWN: "Gold that the context shows",
}
_CREDITED = {LEFT_OUT: "n01", SHOWN: "n11"}
# Of what contexts leave out, all that may come of it; of what they show, whether it is taken up.
_PRINTED = {LEFT_OUT: [m for m in MEASURES if m != "recovered"], SHOWN: [CREDITED]}
_NO_JUDGE = (
    "No judge: recovery is by the matcher, denial and declining by rules over wording "
    "(config/wrappers/phrases.yaml), which take no notice of what other words say."
)

_CONTRAST_NOTES = (
    "First minus second, on the same questions. Shares pool items, and whole questions or domains "
    "are resampled; p is the exact signed-rank test of the questions that differ, and r their "
    "rank-biserial.",
    f"Holm's adjustment is over the {len(CONTRASTS)} contrasts of one measure, model and set. "
    "Outcomes share items, so measures are no independent tests.",
    "p is 1 where no question differs: that is no evidence that arms are alike, and there is no "
    "interval, nor where all questions, or domains, differ by the same. Of measures other "
    "than n01 and n11, contrasts in which none differs are not printed.",
    _NO_JUDGE,
)


def _key(row: Row) -> tuple[Any, ...]:
    return _MATCHERS.index(row["matcher"]), SCOPES.index(row["scope"]), row["model"]


def rates_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the outcomes of one policy in printed order: by matcher, scope, model, set, arm."""
    kept = [row for row in rows if row["policy"] == policy]

    def order(row: Row) -> tuple[Any, ...]:
        return (*_key(row), row["set"] == POOLED, row["set"], ARMS.index(row["arm"]))

    return positions(sorted(kept, key=order))


def rates(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return the table of outcomes; rows as of `rates_rows`."""
    panels = []
    for matcher in _MATCHERS:
        for scope, heading in _SCOPES.items():
            found = [row for row in rows if (row["matcher"], row["scope"]) == (matcher, scope)]
            if found:
                about = f"{heading}; {matcher} matcher; {policy}; intervals {100 * level:g} %"
                panels.append(Panel(about, _rate_columns(scope), found))
    return Table(
        f"Wrappers. {title}: what came of gold items, by the text around the context",
        panels,
        (
            "Every arm but raw shows the same block and question; only the wrapper differs. Sets: "
            "retrieval leaves gold out by what it finds and the token budget holds; withheld made "
            "the block as if the corpus did not relate one gold item to what it shows.",
            "Outcomes exclude one another, the first that fits: failed, denied by name, recovered, "
            "denied with all that is not named, abstained, truncated before it was named, omitted.",
            _NO_JUDGE,
            "n01 and n11 count what the matcher credits, denied or not. The paper's matcher also "
            "credits scattered words of a name; the strict one asks for the whole name. Of raw, "
            "which shows the question alone, n11 counts what is credited unaided.",
            "near: credited items half of whose long words or more stand in the question. There an "
            "answer may restate the question (`what negatively regulates X`: `negative regulation "
            "of X`) and know nothing.",
            "Whole questions, or whole domains, are resampled. Where all have the same share, 0 "
            "say, no resample moves it: there is no interval, for nothing tells how rare it is.",
            *_floor_notes(rows),
        ),
    )


def _floor_notes(rows: Sequence[Row]) -> list[str]:
    """Say of which models it cannot be told: what is not known unaided cannot be suppressed."""
    unaided: dict[tuple[str, str], int] = {}
    for row in rows:
        if (row["scope"], row["arm"]) == (LEFT_OUT, RAW):
            key = (row["model"], row["matcher"])
            unaided[key] = unaided.get(key, 0) + row[CREDITED] - row["credited_near"]
    unknown = [f"{model} ({matcher} matcher)" for (model, matcher), n in unaided.items() if not n]
    if not unknown:
        return []
    return [
        f"Unaided, no left-out gold but what is near is recovered by {', '.join(sorted(unknown))}. "
        "What is not known cannot be suppressed: there the wrappers' effect on it is not tested."
    ]


def _rate_columns(scope: str) -> tuple[Show, ...]:
    counts = [Show(name, integer(name)) for name in OUTCOMES]
    return (
        Show("Model", text("model"), "left"),
        Show("Set", text("set"), "left"),
        Show("Arm", text("arm"), "left"),
        Show("Questions", integer("n_questions")),
        Show("Items", integer("n_items")),
        Show(_CREDITED[scope], integer(CREDITED)),
        Show("near", integer("credited_near")),
        Show("share", number("rate")),
        Show("by question", interval("rate_question", signed=False)),
        Show("by domain", interval("rate_domain", signed=False)),
        *counts,
    )


def contrasts_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the contrasts of one policy in printed order: by matcher, scope, measure."""
    kept = [row for row in rows if row["policy"] == policy]

    def order(row: Row) -> tuple[Any, ...]:
        matcher, scope, model = _key(row)
        measure, contrast = MEASURES.index(row["measure"]), (row["first"], row["second"])
        sets = (row["set"] == POOLED, row["set"])
        return matcher, scope, measure, model, *sets, CONTRASTS.index(contrast)

    return positions(sorted(kept, key=order))


def contrasts(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return the table of contrasts; rows as of `contrasts_rows`.

    What is credited stands by set, for models that it happens to at all; of other measures, the
    contrasts in which some question differs, over all sets.
    """
    several = any(row["set"] == POOLED for row in rows)
    panels, never = [], []
    for matcher in _MATCHERS:
        for scope, printed in _PRINTED.items():
            for measure in printed:
                which = (matcher, scope, measure)
                found = [r for r in rows if (r["matcher"], r["scope"], r["measure"]) == which]
                about = f"{_SCOPES[scope]}: {_CREDITED[scope]}; {matcher} matcher"
                if measure == CREDITED:
                    found, left = _credited(found)
                    never += [f"{model} ({about})" for model in left]
                else:
                    about = f"{_SCOPES[scope]}: {measure}; {matcher} matcher"
                    pooled = [r for r in found if r["set"] == POOLED or not several]
                    found = [r for r in pooled if r["n_questions"] > r["ties"]]
                if found:
                    panels.append(Panel(about, _contrast_columns(), found))
    never_notes = [f"Credited in no arm, so not printed: {'; '.join(never)}."] if never else []
    return Table(
        f"Wrappers, contrasts. {title}: shares of gold items; {policy}; intervals "
        f"{100 * level:g} %",
        panels,
        (*_CONTRAST_NOTES, *never_notes),
    )


def _credited(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Return the rows of models that are credited with something in some arm, and other models."""
    some = {r["model"] for r in rows if r["rate_first"] or r["rate_second"]}
    kept = [r for r in rows if r["model"] in some]
    return kept, sorted({r["model"] for r in rows} - some)


def _contrast_columns() -> tuple[Show, ...]:
    return (
        Show("Model", text("model"), "left"),
        Show("Set", text("set"), "left"),
        Show("Contrast", lambda row: f"{row['first']} - {row['second']}", "left"),
        Show("Questions", integer("n_questions")),
        Show("Items", integer("n_items")),
        Show("First", number("rate_first")),
        Show("Second", number("rate_second")),
        Show("Difference", number("diff", signed=True)),
        Show("by question", interval("diff_question")),
        Show("by domain", interval("diff_domain")),
        *tests(),
    )


def flow_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the flow in printed order: by model, set, arm."""

    def order(row: Row) -> tuple[Any, ...]:
        return row["model"], row["set"] == POOLED, row["set"], ARMS.index(row["arm"])

    return positions(sorted(rows, key=order))


def flow(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return how the answers ended; rows as of `flow_rows`."""
    counts = ("planned", "ok", "truncated", "empty", "refused", "error", "declined", "closed")
    columns = [Show("Model", text("model"), "left"), Show("Set", text("set"), "left")]
    columns += [Show("Arm", text("arm"), "left")]
    columns += [Show(name, integer(name)) for name in counts]
    return Table(
        f"Wrappers, answers. {title}: how the answers ended",
        [Panel("", [*columns, Show("Words", number("words", 0))], rows)],
        (
            "declined: says that it does not know, or that the context does not say; closed: says "
            "that there is nothing, or nothing beyond what it names. Both by rules over wording.",
        ),
    )


def texts_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the wrappers in printed order."""
    return positions(sorted(rows, key=lambda row: ARMS.index(row["arm"])))


def texts(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the wrappers' texts; rows as of `texts_rows`."""
    columns = (
        Show("Arm", text("arm"), "left"),
        Show("Version", integer("version")),
        Show("sha256", lambda row: row["sha256"][:12], "left"),
        Show("Tokens", integer("tokens")),
        Show("Text", text("text"), "left"),
    )
    return Table(
        f"Wrappers, texts. {title}: what stands before the block", [Panel("", columns, rows)]
    )


_PART = "wrappers"
LAYOUTS = {
    "wrappers": Layout(
        "studies/wrappers", WRAPPER_RATES, TABLE_WRAPPERS, rates_rows, rates, part=_PART
    ),
    "wrapper_contrasts": Layout(
        "studies/wrapper_contrasts",
        WRAPPER_CONTRASTS,
        TABLE_WRAPPER_CONTRASTS,
        contrasts_rows,
        contrasts,
        part=_PART,
    ),
    "wrapper_flow": Layout(
        "studies/wrapper_flow", WRAPPER_FLOW, TABLE_WRAPPER_FLOW, flow_rows, flow, part=_PART
    ),
    "wrapper_texts": Layout(
        "wrappers/texts", WRAPPER_TEXTS, TABLE_WRAPPER_TEXTS, texts_rows, texts, part=_PART
    ),
}
