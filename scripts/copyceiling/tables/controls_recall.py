"""Table 7, the part that needs no judge: recall, copy ceiling and gain of the controls.

Source: paper section 10.7; DESIGN sections 9 and 10.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copyceiling.artefacts.control_schemas import CONTROLS_RECALL, TABLE7_RECALL
from copyceiling.cohorts import ARMS, FAMILIES, INTERSECTION, POOLED
from copyceiling.matching import MATCHERS
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.sweep import POLICIES
from copyceiling.tables.contrasts import groups, pair, tests
from copyceiling.tables.layout import Layout, Row, positions

Beside = Mapping[tuple[str, str], Row]


def table7_recall_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return all rows in order: the study's policy first, the paper's matcher first, pooled first.

    Args:
        rows: Rows of `CONTROLS_RECALL`.
        policy: The study's declared policy.
    """

    def order(row: Row) -> tuple[Any, ...]:
        contrasts = FAMILIES[row["cohort"]].contrasts
        which = (row["first"], row["second"])
        return (
            row["policy"] != policy,
            POLICIES.index(row["policy"]),
            MATCHERS.index(row["matcher"]),
            row["model"],
            (row["scope"] != POOLED, row["scope"] != INTERSECTION, row["scope"]),
            contrasts.index(which) if row["second"] else ARMS.index(row["first"]) - len(ARMS),
        )

    return positions(sorted(rows, key=order))


def table7_recall(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return the table: arms, blocks and contrasts pooled, then contrasts on common questions.

    Args:
        rows: Rows of `table7_recall_rows`; under the study's policy they are shown.
        title: Title of the study.
        policy: The study's declared policy.
        level: Level of the intervals.
    """
    shown = [row for row in rows if row["policy"] == policy]
    pooled = [row for row in shown if row["scope"] == POOLED]
    panels: list[Panel] = []
    for (model,), found in groups(pooled, "model"):
        paper, strict = (_of(found, matcher) for matcher in MATCHERS)
        arms, contrasts = _arms(paper), _contrasts(paper)
        beside = {(r["first"], r["second"]): r for r in strict}
        if not panels:
            panels.append(Panel("Blocks, and what they give away", _blocks(beside), arms))
        heading = f"{model}; {policy}; intervals {100 * level:g} %"
        panels.append(Panel(f"Arms; {heading}", _ARMS, arms))
        panels.append(
            Panel(f"Contrasts; {heading}; {_family(contrasts)}", _pairs(beside), contrasts)
        )
        common = [
            r for r in _of(shown, "paper") if (r["model"], r["scope"]) == (model, INTERSECTION)
        ]
        again = _contrasts(common)
        if any(r["n"] != b["n"] for r, b in zip(again, contrasts, strict=True)):
            heading = f"Contrasts on the questions of every arm; {heading}; {_family(again)}"
            panels.append(Panel(heading, _PAIRS, again))
    return Table(
        f"Table 7, recall. {title}: negative controls without a judge, recall of gold names "
        "against the copy ceiling",
        panels,
        _NOTES,
    )


_NOTES = (
    "Recall counts gold names that appear in the answer. The ceiling is the recall of a copy of "
    "all the arm shows, the question included; gain is recall minus ceiling. In a contrast each is "
    "a difference, question by question.",
    "Read a contrast of blocks in recall beside that of their ceilings: a block that exposes more "
    "gold leaves more to copy. true - answer_disjoint sets a block against one of its length that "
    "exposes none; answer_disjoint - raw is what such a block does by being there.",
    "The first interval resamples questions, the one by domain whole domains; it is missing where "
    "all have the same value, for then no resample tells how great it could be. p is the exact "
    "signed-rank test of the differences in recall. A contrast that does not survive Holm's "
    "adjustment shows neither a difference nor that there is none.",
    "Not made: no block keeps to the arm's declaration; the artefact controls/cells has each "
    "reason. Such a question is left out of the arm's contrasts, not scored.",
    "Exposed is the mean share of names that the block alone gives away, none the number of blocks "
    "that give nothing away; proxy: titles of the true block's classes and of the subject. strict "
    "asks for whole titles at word boundaries: masking leaves none, but the paper's matcher may "
    "still find a title's words apart.",
)


def _of(rows: Sequence[Row], matcher: str) -> list[Row]:
    return [row for row in rows if row["matcher"] == matcher]


def _arms(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if not row["second"]]


def _contrasts(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["second"]]


def _family(rows: Sequence[Row]) -> str:
    sizes = [row["n_family"] for row in rows if row["n_family"]]
    return f"Holm over {max(sizes)}" if sizes else "not tested"


_ARMS = (
    Show("Arm", text("first"), "left"),
    Show("n", integer("n")),
    Show("Not made", integer("infeasible")),
    Show("Not ok", integer("not_ok")),
    Show("Recall", number("recall")),
    Show("interval", interval("recall", signed=False)),
    Show("by domain", interval("recall_domain", signed=False)),
    Show("Ceiling", number("ceiling")),
    Show("Gain", number("gain", signed=True)),
    Show("interval", interval("gain")),
    Show("by domain", interval("gain_domain")),
)
_TESTS = tuple(show for show in tests() if show.heading != "r")
_PAIRS = (
    Show("Contrast", pair, "left"),
    Show("n", integer("n")),
    Show("Not made", integer("infeasible")),
    Show("Recall", number("recall", signed=True)),
    Show("interval", interval("recall")),
    Show("by domain", interval("recall_domain")),
    *_TESTS,
    Show("Ceiling", number("ceiling", signed=True)),
    Show("Gain", number("gain", signed=True)),
    Show("interval", interval("gain")),
)


def _pairs(strict: Beside) -> tuple[Show, ...]:
    return (*_PAIRS, Show("Recall, strict", _beside(strict, number("recall", signed=True))))


def _blocks(strict: Beside) -> tuple[Show, ...]:
    return (
        Show("Arm", text("first"), "left"),
        Show("Blocks", integer("blocks")),
        Show("Texts", integer("texts")),
        Show("Not made", integer("infeasible")),
        Show("Tokens, mean", number("tokens", 0)),
        Show("over true", number("length", 2)),
        Show("Gold exposed", number("gold_exposed")),
        Show("none", integer("gold_none")),
        Show("strict", _beside(strict, number("gold_exposed"))),
        Show("Proxy exposed", number("proxy_exposed")),
        Show("none", integer("proxy_none")),
        Show("strict", _beside(strict, number("proxy_exposed"))),
    )


def _beside(rows: Beside, cell: Callable[[Row], str]) -> Callable[[Row], str]:
    """Return a cell function that shows the same row under another matcher."""

    def shown(row: Row) -> str:
        found = rows.get((row["first"], row["second"]))
        return MISSING if found is None else cell(found)

    return shown


LAYOUTS = {
    "table7_recall": Layout(
        "studies/controls_recall",
        CONTROLS_RECALL,
        TABLE7_RECALL,
        table7_recall_rows,
        table7_recall,
        part="controls_calls",
        printed_panels=3,
    ),
}
