"""Tables 4 and 5: recall against the copy ceiling, and the exposure decomposition.

Source: paper Tables 4 and 5, DESIGN sections 5 and 9.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from copyceiling.artefacts.study_schemas import DECOMPOSITION, SWEEP, TABLE4, TABLE5
from copyceiling.render import (
    MISSING,
    Panel,
    Show,
    Table,
    bounded,
    integer,
    interval,
    number,
    text,
)
from copyceiling.requests import ARMS, STATUSES
from copyceiling.sweep import POLICIES, POOLED
from copyceiling.tables.intervals import flat_notes, interval_notes
from copyceiling.tables.layout import Layout, Row, positions


def _group_order(row: Row) -> int:
    return 0 if row["group"] == "model" else 1


def table4_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 4 in order: this policy first, models by gain, then readers.

    Args:
        rows: Rows of the sweep study; all are kept.
        policy: The study's declared policy, by which models are ordered.
    """
    gain = {r["model"]: r["gain"] for r in rows if (r["matcher"], r["policy"]) == ("paper", policy)}

    def order(row: Row) -> tuple[Any, ...]:
        best = gain.get(row["model"])
        return (
            row["policy"] != policy,
            POLICIES.index(row["policy"]),
            _group_order(row),
            best is None,
            -(best or 0.0),
            row["model"],
            row["matcher"],
        )

    return positions(sorted(rows, key=order))


def table4(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return Table 4: recall and gain, then how the completions ended.

    Args:
        rows: Rows of `table4_rows`.
        title: Title of the study.
        policy: The study's declared policy; the others are shown where they can differ.
        level: Level of the intervals.
    """
    shown = [r for r in rows if r["policy"] == policy]
    paper = [r for r in shown if r["matcher"] == "paper"]
    others = {(r["model"], r["policy"]): r for r in rows if r["matcher"] == "paper"}
    percent = f"{100 * level:g} %"
    clusters = paper[0]["n_domains"] if paper else 0
    statuses = "Completions by status, and the other policies"
    return Table(
        f"Table 4. {title}: recall of gold names with and without the scaffold, against the copy "
        "ceiling",
        (
            *_by_group(f"policy {policy}, intervals {percent}", _recall_columns(), shown),
            Panel(statuses, _status_columns(others, policy), paper),
        ),
        (
            "Recall counts gold names that appear in the answer. It is not answer quality, and "
            "zero gain over copy shows neither that reasoning took place nor that none did.",
            "Reference readers are no models: they answer with the whole context (copy), nothing "
            "(silent), its first lines (lead) or the lines that match the question (extract).",
            "`strict` is the same row under whole titles at word boundaries.",
            *interval_notes(clusters),
            *flat_notes(shown, "uplift_naive", "uplift_domain", "gain_naive", "gain_domain"),
            "as_received scores whatever text came, as_wrong scores a completion that is not ok 0, "
            "complete_case leaves out its pair.",
        ),
    )


def _by_group(what: str, columns: Sequence[Show], rows: Sequence[Row]) -> list[Panel]:
    """Return a panel of the models and one of the reference readers, where there are any."""
    groups = {"model": f"Models; {what}", "reader": f"Reference readers; {what}"}
    found = {group: [r for r in rows if r["group"] == group] for group in groups}
    return [Panel(groups[group], columns, kept) for group, kept in found.items() if kept]


def _recall_columns() -> tuple[Show, ...]:
    return (
        Show("Model", text("model"), "left"),
        Show("Matcher", text("matcher"), "left"),
        Show("n", integer("n")),
        Show("Raw", number("raw_recall")),
        Show("Scaffold", number("scaffold_recall")),
        Show("Uplift", number("uplift", signed=True)),
        Show("uplift, by domain", interval("uplift_domain")),
        Show("uplift, naive", interval("uplift_naive")),
        Show("Ceiling", number("ceiling")),
        Show("Gain", number("gain", signed=True)),
        Show("gain, by domain", interval("gain_domain")),
        Show("gain, naive", interval("gain_naive")),
    )


def _status_columns(others: Mapping[tuple[str, str], Row], policy: str) -> list[Show]:
    columns = [
        Show("Model", text("model"), "left"),
        Show("Raw", _statuses("raw"), "left"),
        Show("Scaffold", _statuses("scaffold"), "left"),
        Show("Cut in either", integer("n_truncated_either")),
        Show("Retried raw", _retried("raw")),
        Show("Retried scaffold", _retried("scaffold")),
    ]
    for other in POLICIES:
        if other != policy:
            columns.append(Show(f"{other}: n, scaffold, gain", _under(others, other)))
    return columns


def _statuses(arm: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        counts = [f"{row[f'{arm}_{s}']} {s}" for s in STATUSES if row[f"{arm}_{s}"]]
        return ", ".join(counts) or "none planned"

    return cell


def _retried(arm: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        unknown = row[f"{arm}_tries_unknown"]
        return f"{row[f'{arm}_retried']}" + (f" ({unknown} not stated)" if unknown else "")

    return cell


def _under(others: Mapping[tuple[str, str], Row], policy: str) -> Callable[[Row], str]:
    """Return a cell that tells a row under another policy, where the two can differ."""

    def cell(row: Row) -> str:
        if not any(row[f"{arm}_{s}"] for arm in ARMS for s in STATUSES if s != "ok"):
            return "same"
        other = others[row["model"], policy]
        recall, gain = other["scaffold_recall"], other["gain"]
        numbers = MISSING if recall is None or gain is None else f"{recall:.3f}, {gain:+.3f}"
        return f"{other['n']}, {numbers}"

    return cell


def table5_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return the rows of Table 5 in order: by matcher, models by utilisation, pooled, readers."""

    def order(row: Row) -> tuple[Any, ...]:
        used = row["utilisation"]
        return (
            row["policy"] != policy,
            POLICIES.index(row["policy"]),
            row["matcher"],
            _group_order(row),
            row["model"] == POOLED,
            used is None,
            -(used or 0.0),
            row["model"],
        )

    return positions(sorted(rows, key=order))


def _n10(row: Row, n11: str) -> int:
    return int(row["n_exposed"] - row[n11])


def _n01(row: Row, n11: str) -> int:
    return int(row["n_hits"] - row[n11])


def _n00(row: Row, n11: str) -> int:
    return int(row["n_gold"] - row["n_exposed"] - row["n_hits"] + row[n11])


_TABLE5 = (
    Show("Model", text("model"), "left"),
    Show("Matcher", text("matcher"), "left"),
    Show("Gold", integer("n_gold")),
    Show("Exposed", integer("n_exposed")),
    Show("Recovered", integer("n_hits")),
    Show("n11", bounded("n11", lambda r: r["n11_low"], lambda r: r["n11_high"])),
    Show("n10", bounded("n10", lambda r: _n10(r, "n11_high"), lambda r: _n10(r, "n11_low"))),
    Show("n01", bounded("n01", lambda r: _n01(r, "n11_high"), lambda r: _n01(r, "n11_low"))),
    Show("n00", bounded("n00", lambda r: _n00(r, "n11_low"), lambda r: _n00(r, "n11_high"))),
    Show("Utilisation", number("utilisation")),
    Show("utilisation, by domain", interval("utilisation_domain", signed=False)),
    Show("n10 any", integer("n10_any")),
    Show("of these, compliant", integer("n10_compliant")),
    Show("Omission", number("omission_rate")),
    Show("omission, adjusted", number("omission_rate_adjusted")),
    Show("Retried", integer("n_retried")),
)


def table5(rows: Sequence[Row], title: str, policy: str, level: float) -> Table:
    """Return Table 5 for the study's declared policy; see `table5_rows`."""
    shown = [r for r in rows if r["policy"] == policy]
    notes = [
        "n11 exposed and recovered, n10 exposed and omitted, n01 recovered without exposure, n00 "
        "neither: gold items of the scaffold arm, never collapsed. Pooled over models, without "
        "readers.",
        "Compliant: n10 of questions that any one item answers, where another item answered; the "
        "adjusted omission rate leaves them out.",
    ]
    if any(r["n11"] is None for r in shown):
        notes.append(
            "a..b: the rows at hand hold counts without titles, so the cell is only bounded by its "
            "margins; n/a: not determined by them."
        )
    caption = f"Table 5. {title}: gold items by exposure and recovery"
    heading = f"policy {policy}, intervals {100 * level:g} %"
    return Table(caption, _by_group(heading, _TABLE5, shown), notes)


LAYOUTS = {
    "table4": Layout("studies/sweep", SWEEP, TABLE4, table4_rows, table4),
    "table5": Layout("studies/decomposition", DECOMPOSITION, TABLE5, table5_rows, table5),
}
