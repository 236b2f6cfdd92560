"""The table of ceilings under rewritten questions (paper section 8)."""

from collections.abc import Sequence
from typing import Any

from copyceiling.artefacts.audit_schemas import PARAPHRASE, TABLE_PARAPHRASE
from copyceiling.render import MISSING, Panel, Show, Table, integer, interval, number
from copyceiling.rewrites import ALL, CEILINGS, FAILING, OTHERS, SUBSETS
from copyceiling.tables.layout import Layout, Row, positions

_ORDER = (
    "accepted",
    "attempts",
    *CEILINGS,
    "recovery",
    "recovery_if_unrelated",
    "failing",
    "fallback",
    "presence",
)
_NAMES = {
    "accepted": "rewrites accepted",
    "attempts": "rewrites tried a question",
    "original": "ceiling, original question, our engine",
    "original_served": "ceiling, original question, served node",
    "lexical": "ceiling, rewrite, lexical retrieval",
    "semantic": "ceiling, rewrite, semantic retrieval",
    "recovery": "semantic minus lexical",
    "recovery_if_unrelated": "the same if the two were unrelated",
    "failing": "lexical ceiling below 0.5",
    "fallback": "semantic fallback would be asked (nothing retrieved)",
    "presence": "lexical retrieval returns something",
}
_SUBSET_NAMES = {
    ALL: "All accepted rewrites",
    FAILING: "Those with a lexical ceiling below 0.5",
    OTHERS: "The others",
}


def paraphrase_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Return the rows in order: by subset, then as measures are listed."""

    def order(row: Row) -> tuple[int, int]:
        return SUBSETS.index(row["subset"]), _ORDER.index(row["measure"])

    return positions(sorted(rows, key=order))


def paraphrase(rows: Sequence[Row], title: str, _policy: str, level: float) -> Table:
    """Return the table, a panel a subset; rows as of `paraphrase_rows`."""
    columns = (
        Show("Measure", lambda row: _NAMES[row["measure"]], "left"),
        Show("k", lambda row: "" if row["k"] is None else f"{row['k']:,}"),
        Show("n", integer("n")),
        Show("Value", number("value")),
        Show("naive", _interval("naive")),
        Show("by domain", _interval("domain")),
        Show("Caution", lambda row: row["caution"] or "", "left"),
    )
    panels = [
        Panel(f"{_SUBSET_NAMES[s]}, intervals {100 * level:g} %", columns, kept)
        for s in SUBSETS
        if (kept := [r for r in rows if r["subset"] == s])
    ]
    return Table(
        f"Rewritten questions. {title}: exposure once a question avoids its subject's words",
        panels,
        (
            "Ceilings are measured on contexts alone; no model answers.",
            "An estimate of the recovery free of the choice of questions would need a second "
            "rewrite of each question, or exposure by gold item; one ceiling a question does not "
            "give it.",
            "Presence says that something was retrieved, not that it was the right thing.",
        ),
    )


def _interval(name: str) -> Any:
    shown = interval(name, signed=False)

    def cell(row: Row) -> str:
        found = shown(row)
        return "" if found == MISSING else found

    return cell


LAYOUTS = {
    "paraphrase": Layout(
        "studies/paraphrase",
        PARAPHRASE,
        TABLE_PARAPHRASE,
        paraphrase_rows,
        paraphrase,
        part="released_rewrites",
    ),
}
