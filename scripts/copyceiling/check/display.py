"""Lays out a report for people: what is printed, and the Markdown file."""

from collections.abc import Callable, Mapping
from typing import Any

from copyceiling.check.faults import counted, shown
from copyceiling.check.report import Measures, Report, SystemReport, flat
from copyceiling.errors import listing
from copyceiling.matching import MATCHERS
from copyceiling.render import (
    Panel,
    Show,
    Table,
    integer,
    interval,
    markdown,
    number,
    text,
)
from copyceiling.requests import STATUSES
from copyceiling.sweep import POLICIES

Row = Mapping[str, Any]
_SHOWN_BAD = 20


def page(report: Report) -> str:
    """Return the report as Markdown."""
    rows = counted(sum(s.n_rows for s in report.systems), "row")
    caption = f"Copy-ceiling check: {rows}, {counted(len(report.systems), 'system')}"
    parts = [markdown(Table(caption, _panels(report), _notes(report)))]
    parts.append("\n".join(f"- {_sentence(s, report)}" for s in report.systems) + "\n")
    if report.n_bad:
        kept = [str(b) for b in report.bad[:_SHOWN_BAD]]
        more = report.n_bad - len(kept)
        left = f"\n  ... and {more:,} more" if more else ""
        head = f"{report.n_bad:,} of {report.n_read:,} rows are bad and were left out:"
        parts.append(f"{head}\n\n{listing(kept)}{left}\n")
    return "\n".join(parts)


def _panels(report: Report) -> list[Panel]:
    rows = [_row(s, s.of(m, report.policy)) for s in report.systems for m in MATCHERS]
    main = [r for r in rows if r["matcher"] == MATCHERS[0]]
    percent = f"{100 * report.level:g} %"
    panels = [
        Panel(f"Recall against the ceiling; intervals {percent}", _RECALL, rows),
        Panel("Gold items by exposure and recovery", _ITEMS, rows),
        Panel("Answers by status, and what the matcher cannot judge", _status_columns(), main),
    ]
    if any(r["n_raw"] for r in rows):
        panels.insert(2, Panel("With context against without", _UPLIFT, rows))
    if any(r["status"]["ok"] < r["n_rows"] for r in main):
        others = [_row(s, s.of(MATCHERS[0], p)) for s in report.systems for p in POLICIES]
        panels.append(Panel("What answers that are not ok make of it", _POLICIES, others))
    if report.pairs:
        pairs = [
            {**flat(p), "first": shown(p.first), "second": shown(p.second)} for p in report.pairs
        ]
        panels.append(Panel("Systems in pairs, on shared questions", _PAIRS, pairs))
    return panels


def _row(system: SystemReport, measures: Measures) -> dict[str, Any]:
    row = {**vars(system), **flat(measures), "system": shown(system.system)}
    row["n_exposed"] = measures.n11 + measures.n10
    return row


_NAME = (Show("System", text("system"), "left"), Show("Matcher", text("matcher"), "left"))
_RECALL = (
    *_NAME,
    Show("n", integer("n")),
    Show("Recall", number("recall")),
    Show("Ceiling", number("ceiling")),
    Show("Exposed", number("exposed_fraction")),
    Show("Gain", number("gain", signed=True)),
    Show("naive", interval("gain_naive")),
    Show("by cluster", interval("gain_cluster")),
    Show("Question alone", number("question_ceiling")),
)
_ITEMS = (
    *_NAME,
    Show("Gold", integer("n_gold")),
    Show("Exposed", integer("n_exposed")),
    Show("n11", integer("n11")),
    Show("n10", integer("n10")),
    Show("n01", integer("n01")),
    Show("n00", integer("n00")),
    Show("Utilisation", number("utilisation")),
    Show("By question alone", integer("n_question")),
    Show("n10 compliant", integer("n10_compliant")),
)
_UPLIFT = (
    *_NAME,
    Show("n", integer("n_raw")),
    Show("Raw recall", number("raw_recall")),
    Show("Uplift", number("uplift", signed=True)),
    Show("naive", interval("uplift_naive")),
    Show("by cluster", interval("uplift_cluster")),
)
_POLICIES = (
    Show("System", text("system"), "left"),
    Show("Policy", text("policy"), "left"),
    Show("n", integer("n")),
    Show("Recall", number("recall")),
    Show("Ceiling", number("ceiling")),
    Show("Gain", number("gain", signed=True)),
    Show("naive", interval("gain_naive")),
)
_PAIRS = (
    Show("First", text("first"), "left"),
    Show("Second", text("second"), "left"),
    Show("Of", text("quantity"), "left"),
    Show("n", integer("n")),
    Show("Difference", number("difference", signed=True)),
    Show("naive", interval("naive")),
    Show("by cluster", interval("cluster")),
    Show("p", number("p", 4)),
    Show("p (Holm)", number("p_holm", 4)),
    Show("Not asked alike", integer("n_mismatched")),
)


def _status_columns() -> list[Show]:
    return [
        Show("System", text("system"), "left"),
        Show("Rows", integer("n_rows")),
        Show("Answers", _statuses("status"), "left"),
        Show("Without context", _statuses("raw_status"), "left"),
        Show("No context shown", integer("n_without_context")),
        Show("Clusters", integer("n_clusters")),
        Show("Unmatchable gold", integer("n_unmatchable")),
        Show("Gold over 12 words", integer("n_long")),
    ]


def _statuses(name: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        return ", ".join(f"{row[name][s]:,} {s}" for s in STATUSES if row[name][s]) or "none"

    return cell


def _notes(report: Report) -> list[str]:
    notes = [
        f"Policy {report.policy} for answers that are not ok; {report.resamples:,} resamples, seed "
        f"{report.seed}. Naive intervals resample rows; by cluster, whole clusters"
        + (" (no row states one)." if _no_clusters(report) else "."),
        "`paper` gives credit for a name inside a text or for four fifths of its longer words; "
        "`strict` asks for the whole name at word boundaries. If they tell different stories, "
        "believe neither before you have looked at rows.",
        "n11 exposed and recovered, n10 exposed and left out, n01 recovered without exposure, n00 "
        "neither; `n10 compliant` counts omissions where another accepted name was given.",
    ]
    if report.pairs:
        notes.append(
            "p: sign-flip test of the mean difference, clusters flipped whole where they are "
            "stated; Holm over all rows of that panel."
        )
    if any(s.n_long for s in report.systems):
        notes.append(
            "Some gold is longer than 12 words. A sentence is hardly ever found as a name: give "
            "the names that an answer must hold."
        )
    n_joined = sum(s.n_joined for s in report.systems)
    if n_joined:
        notes.append(
            f"{counted(n_joined, 'row')} with a single gold name that holds ; or | or a comma: if "
            'that is a list, write it as one, ["...", "..."]; as it stands it is one name.'
        )
    if not report.exact:
        notes.append("Row scores were rounded by less than 1e-9 so that sums stay exact.")
    return notes


def _no_clusters(report: Report) -> bool:
    return all(s.n_without_cluster == s.n_rows for s in report.systems)


def _sentence(system: SystemReport, report: Report) -> str:
    """Return one sentence on what the gain of a system does and does not say.

    After the paper's section 5.3: the scalar is a net of two counts, and neither sign of it tells
    how an answer came about.
    """
    m = system.of(MATCHERS[0], report.policy)
    name = shown(system.system)
    if m.gain is None:
        return f"{name}: no answer counts under this policy, so nothing can be said."
    bounds = m.gain_cluster if m.gain_cluster.low is not None else m.gain_naive
    clear = bounds.low is not None and bounds.high is not None and bounds.low * bounds.high > 0
    counts = f"{m.n10:,} shown names left out, {m.n01:,} names given that were not shown"
    said = _SAID[_verdict(m, clear)]
    return f"{name}: gain {m.gain:+.3f} ({counts}) {said}{_unshown(system)}"


def _verdict(measures: Measures, clear: bool) -> str:
    gain = measures.gain or 0.0
    if measures.n == 1:
        return "single"
    if gain and not clear:
        return "unclear"
    return "below" if gain < 0 else "above" if gain else "zero"


def _unshown(system: SystemReport) -> str:
    """Return what the rows without context and without answer do to the gain."""
    said = ""
    if system.n_without_context:
        of = f"{system.n_without_context:,} of {counted(system.n_rows, 'row')}"
        said += f" No context was given for {of}, so the ceiling there is of the question alone."
    if system.status["empty"] == system.n_rows:
        said += " All its answers are empty."
    return said


_ROUTE = (
    "whether a name on the page was reasoned out or read off cannot be told from it, for both "
    "earn the same credit"
)
_SAID = {
    "below": (
        "says that the answers deliver fewer of the right names than a copy of what was shown "
        f"would; it does not say why they are missing, and {_ROUTE}."
    ),
    "above": (
        "says that the answers hold right names beyond those a copy of what was shown would give; "
        "it does not say where they come from (memory, a guess, a wording that the matcher misses "
        f"in the context), and {_ROUTE}."
    ),
    "single": (
        "comes from one row, and one row gives no interval, so nothing can be said of the gain's "
        f"sign; and {_ROUTE}."
    ),
    "zero": (
        "says that the answers deliver as many right names as a copy of what was shown would, on "
        f"balance and perhaps not the same ones; {_ROUTE}."
    ),
    "unclear": (
        "is not told apart from zero by its interval, so these rows do not say whether the answers "
        "deliver more or fewer of the right names than a copy of what was shown would; and "
        f"{_ROUTE}."
    ),
}
