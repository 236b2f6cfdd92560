"""Looks up the terms of extracted assertions among the names of the corpus's classes.

Settings: garbled (patterns of garbled names, or nothing), statistics (seed, resamples, level).
Inputs: classes, assertions (JSONL, or nothing).
Outputs: term_items (a row a term), terms (a row an arm).
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.overview_schemas import TERM_ITEMS, TERMS
from copyceiling.artefacts.store import write
from copyceiling.assertions import read_assertions
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.sweep import Settings
from copyceiling.terms import Inventory, compile_patterns, item_rows, term_rows


def main(
    *,
    classes: Path,
    assertions: Any,
    term_items: Path,
    terms: Path,
    garbled: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    patterns = compile_patterns(garbled)
    found = read_assertions(assertions) if assertions else []
    items = item_rows(found, Inventory(read_classes(classes))) if found else []
    write(term_items, items, TERM_ITEMS, made)
    write(terms, term_rows(found, items, patterns, Settings(**statistics)), TERMS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
