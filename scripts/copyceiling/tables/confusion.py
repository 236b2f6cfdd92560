"""The confusion census, summed up (DESIGN section 9)."""

from collections.abc import Callable, Sequence
from typing import Any

from copyceiling.artefacts.study_schemas import CONFUSION, TABLE_CONFUSION
from copyceiling.render import Panel, Show, Table, integer, number, text
from copyceiling.tables.layout import Layout, Row, positions


def confusion_rows(rows: Sequence[Row], _policy: str) -> list[dict[str, Any]]:
    """Sum up the census: titles that another title, or an antonym, credits."""
    n = len(rows)
    measures: dict[str, Callable[[Row], Any]] = {
        "another class's title alone earns credit": lambda r: r["n_substring"] or r["n_word_bag"],
        "... as a substring": lambda r: r["n_substring"],
        "... at word boundaries (strict)": lambda r: r["n_strict"],
        "one word has an opposite": lambda r: r["antonym"] is not None,
        "the title with that opposite earns credit": lambda r: r["antonym_credited"],
        "the matcher cannot see the title": lambda r: not r["matchable"],
    }
    counted = {name: sum(bool(test(r)) for r in rows) for name, test in measures.items()}
    return positions(
        [
            {"measure": name, "titles": k, "of": n, "share": k / n if n else None}
            for name, k in counted.items()
        ]
    )


def confusion(rows: Sequence[Row], title: str, _policy: str, _level: float) -> Table:
    """Return the confusion census as a table; rows as of `confusion_rows`."""
    columns = (
        Show("Titles for which", text("measure"), "left"),
        Show("Titles", integer("titles")),
        Show("of", integer("of")),
        Show("Share", number("share")),
    )
    return Table(
        f"Confusion census. {title}: titles of the corpus that other words earn credit for",
        (Panel("", columns, rows),),
        ("Credit under the paper's matcher unless stated. Read it beside Tables 4 and 5.",),
    )


LAYOUTS = {
    "confusion": Layout("studies/confusion", CONFUSION, TABLE_CONFUSION, confusion_rows, confusion),
}
