"""Writes a table in all its forms: the artefact first, then what people read."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from copyceiling.artefacts.hashing import FLOAT_FORMAT
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.store import write, write_text
from copyceiling.render import Table, html, latex, markdown


def publish_table(
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    schema: Schema,
    paths: Mapping[str, Path],
    made: Mapping[str, Any],
    printed_panels: int | None = None,
) -> None:
    """Write ``parquet``, ``csv``, ``md``, ``tex`` and ``html``, and print the Markdown.

    Args:
        table: As displayed.
        rows: As stored, every column of the schema.
        schema: Of the artefact.
        paths: Form to path.
        made: Provenance.
        printed_panels: How many panels to print; None prints all.
    """
    write(paths["parquet"], rows, schema, made)
    write_text(paths["csv"], to_csv(rows, schema))
    write_text(paths["md"], markdown(table))
    write_text(paths["tex"], latex(table))
    write_text(paths["html"], html(table))
    shown = replace(table, panels=table.panels[:printed_panels])
    print("\n" + markdown(shown), flush=True)


def to_csv(rows: Sequence[Mapping[str, Any]], schema: Schema) -> str:
    """Return rows as CSV: floats at the ten digits of the content hash, missing as empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([c.name for c in schema.columns])
    for row in rows:
        writer.writerow([_cell(row[c.name]) for c in schema.columns])
    return buffer.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return FLOAT_FORMAT % (value + 0.0) if isinstance(value, float) else str(value)
