"""What the tables of judged studies share: columns, order and panels of paired contrasts.

Source: paper Tables 6 and 7, DESIGN section 5.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.calibration.banner import stamp
from copyceiling.cohorts import ARMS, FAMILIES, INTERSECTION, POOLED
from copyceiling.judging.harness import GRADED, STATUSES, UNPARSED
from copyceiling.models import JUDGES
from copyceiling.paired import ALL_ENGAGED, COMPLETE_CASE, PAIR_POLICIES
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number, text
from copyceiling.tables.layout import Row, positions

_LAST = (ALL_ENGAGED, POOLED, INTERSECTION)
# How judging ended to its column of `FLOW`; the other ends have one of their own.
ENDS = {status: status for status in (GRADED, UNPARSED)}
ENDS_NOTE = (
    "Judged: answers that were put to the judge; each ended in one of the next columns, and one "
    "that did not end in a grade has no score. Answer cut: the judge's cap hid part of it."
)
FEW = 5  # differing pairs at which a test is pointed out as resting on them alone
SCALE = (
    "Scores are 0 to 5, given against a reference answer by a judge that is no person. They "
    "measure another thing than the recall of Table 4."
)
READINGS = (
    "The interval is of the mean difference (pairs resampled); p is the exact signed-rank test of "
    "the pairs that differ, and r their rank-biserial. They are two readings of the same pairs."
)
NO_INTERVAL = (
    "Where no pair differs, or all by the same, no resample does either: there is no interval, for "
    "nothing tells how great a difference could be."
)
POLICIES = (
    "complete_case leaves out a pair without both scores; as_failure scores 0 an answer that was "
    "asked for and came back without text."
)


def contrast_order(rows: Sequence[Row], *, by_scope: bool) -> list[dict[str, Any]]:
    """Return contrasts in printed order, numbered: by cohort, judge and policy.

    Args:
        rows: Rows of `CONTRASTS`.
        by_scope: Whether scopes come before contrasts, sets first and pooled last; else contrasts
            stand in their declared order within a scope, pooled first.
    """

    def order(row: Row) -> tuple[Any, ...]:
        contrasts = FAMILIES[row["cohort"]].contrasts
        last = row["scope"] in _LAST
        scope = (last == by_scope, row["scope"] == INTERSECTION, row["scope"])
        return (
            [*FAMILIES].index(row["cohort"]),
            *_judge_order(row),
            PAIR_POLICIES.index(row["policy"]),
            scope,
            contrasts.index((row["first"], row["second"])),
        )

    return positions(sorted(rows, key=order))


def flow_order(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows of `FLOW` in printed order, numbered: pooled last, arms as declared."""

    def order(row: Row) -> tuple[Any, ...]:
        return (
            [*FAMILIES].index(row["cohort"]),
            *_judge_order(row),
            row["set"] == POOLED,
            row["set"],
            ARMS.index(row["arm"]),
        )

    return positions(sorted(rows, key=order))


def _judge_order(row: Row) -> tuple[bool, str]:
    """Judges that are models come first; a rule knows only wordings of its own."""
    return row["judge"] in JUDGES, row["judge"]


def groups(rows: Sequence[Row], *names: str) -> list[tuple[tuple[str, ...], list[Row]]]:
    """Group rows by columns, in order of first occurrence."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(found.items())


def determined(rows: Sequence[Row]) -> tuple[list[Row], str]:
    """Return the contrasts that the rows at hand determine, and how many of all, for headings."""
    kept = [row for row in rows if row["n"] is not None]
    if len(kept) == len(rows):
        return kept, ""
    return kept, f"; {len(kept)} of {len(rows)} contrasts, the others need ends that are unknown"


def pair(row: Row) -> str:
    """Return a contrast's cell."""
    return f"{row['first']} - {row['second']}"


def _p(name: str) -> Any:
    def cell(row: Row) -> str:
        p = row[name]
        if p is None:
            return MISSING
        return f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"

    return cell


def _wlt(row: Row) -> str:
    if row["wins"] is None:
        return MISSING
    return f"{row['wins']}/{row['losses']}/{row['ties']}"


def measures() -> tuple[Show, ...]:
    """Return the columns of a contrast from its number of pairs to its difference."""
    return (
        Show("n", integer("n")),
        Show("First", number("mean_first", 2)),
        Show("Second", number("mean_second", 2)),
        Show("Difference", number("mean_diff", 2, signed=True)),
        Show("interval", interval("diff", 2)),
    )


def tests() -> tuple[Show, ...]:
    """Return the columns of a contrast's test."""
    return (
        Show("p", _p("p")),
        Show("Holm p", _p("p_holm")),
        Show("r", number("rank_biserial", signed=True)),
        Show("W/L/T", _wlt),
    )


def scope_column(heading: str) -> Show:
    """Return the column of a set or scope."""
    return Show(heading, text("scope"), "left")


def graded(table: Table, rows: Sequence[Row]) -> Table:
    """Return a table of grades with what the cards of its judges say against them across its top.

    Args:
        table: The table.
        rows: Rows of `CONTRASTS` or `FLOW` that it shows.
    """
    said = list(dict.fromkeys(r["caution"] for r in rows if r["caution"] is not None))
    return stamp(table, " ".join(said) or None)


def few_notes(rows: Sequence[Row]) -> list[str]:
    """Point out the tests that rest on few differing pairs, and those that rest on none."""
    several = len({row["judge"] for row in rows}) > 1
    tested = [row for row in rows if row["p"] is not None]
    named = dict.fromkeys(
        f"{row['judge'] + ': ' if several else ''}{row['scope']}, {pair(row)}: "
        f"{row['n_nonzero']} of {row['n']}"
        for row in tested
        if 0 < row["n_nonzero"] <= FEW
    )
    notes = []
    if named:
        notes.append(f"Few pairs differ, and the test rests on these alone: {'; '.join(named)}.")
    tied = sum(row["n_nonzero"] == 0 for row in tested)
    if tied:
        notes.append(f"In {tied} of {len(tested)} contrasts no pair differs.")
    return [*notes, NO_INTERVAL]


def same_prompt_notes(rows: Sequence[Row]) -> list[str]:
    """Say of how many pairs both arms were asked the same, where rows tell: they cannot differ."""
    found: dict[tuple[str, str, str, int, int], list[str]] = {}
    for row in rows:
        if (row["scope"], row["policy"]) == (POOLED, COMPLETE_CASE) and row["n_same_prompt"]:
            key = row["cohort"], row["first"], row["second"], row["n_same_prompt"], row["n"]
            found.setdefault(key, []).append(row["judge"])
    every = {row["judge"] for row in rows}
    return [
        f"{cohort}, {first} - {second}: {k} of {n} pairs are one prompt in both arms, since "
        "retrieval finds nothing to show; they tie by construction"
        + ("." if {*judges} == every else f" (judge {', '.join(judges)}).")
        for (cohort, first, second, k, n), judges in found.items()
    ]


def all_graded(row: Row) -> bool:
    """Whether every answer of a row of `FLOW` that was judged got a score, and was shown whole."""
    return row["graded"] == row["judged"] and not row["judge_cut"]


def once(panels: Sequence[Panel]) -> list[Panel]:
    """Return the panels without those that repeat an earlier one: what hangs on no judge."""
    kept: dict[Any, Panel] = {}
    for panel in panels:
        cells = tuple(tuple(c.cell(row) for c in panel.columns) for row in panel.rows)
        kept.setdefault((panel.heading, cells), panel)
    return list(kept.values())


def ends_panel(rows: Sequence[Row], heading: str) -> Panel:
    """Return how the judging of the answers ended, by set and arm; rows of `FLOW`."""
    columns = (
        Show("Set", text("set"), "left"),
        Show("Arm", text("arm"), "left"),
        Show("Judged", integer("judged")),
        *(Show(status, integer(ENDS.get(status, f"judge_{status}"))) for status in STATUSES),
        Show("answer cut", integer("judge_cut")),
    )
    return Panel(f"How judging ended; {heading}", columns, rows)
