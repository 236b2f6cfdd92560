"""How a table comes from a study: its artefact, and what is displayed.

Each table is an artefact (the study rows it shows, in printed order, full precision) and a
`Table` for its renderings.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.artefacts.schema import Schema
from copyceiling.render import Table

Row = Mapping[str, Any]


def positions(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Number rows by their place in the table as printed, from 0."""
    return [{**row, "position": i} for i, row in enumerate(rows)]


@dataclass(frozen=True)
class Layout:
    """How one table comes from a study artefact.

    Attributes:
        source: Name of the study artefact.
        study: Its schema.
        schema: Schema of the table's artefact.
        rows: Study rows and policy to the table's rows, in printed order.
        table: Table rows, title, policy and level to what is displayed.
        part: What a study must have for there to be such a table (see `parts`); None: nothing.
        printed_panels: How many panels go to the terminal; None: all.
        notes: A study's configuration to what it adds to the table's notes.
        rubric: Kind of rubric of the verdicts that it shows, ``relation`` or ``grade``; the cards
            of its judges stand below it. None: it shows no verdicts.
    """

    source: str
    study: Schema
    schema: Schema
    rows: Callable[[Sequence[Row], str], list[dict[str, Any]]]
    table: Callable[[Sequence[Row], str, str, float], Table]
    part: str | None = None
    printed_panels: int | None = None
    notes: Callable[[Mapping[str, Any]], Sequence[str]] | None = None
    rubric: str | None = None
