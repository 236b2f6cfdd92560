"""Every table, by name. A table belongs to a study that has the artefact it shows."""

from collections.abc import Mapping
from typing import Any

from copyceiling.tables import confusion, sweep
from copyceiling.tables.layout import Layout

LAYOUTS: dict[str, Layout] = {**sweep.LAYOUTS, **confusion.LAYOUTS}


def tables_of(study: Mapping[str, Any]) -> list[str]:
    """Return the names of the tables that a study has, from its configuration."""
    return [name for name, lay in LAYOUTS.items() if lay.part is None or study[lay.part]]
