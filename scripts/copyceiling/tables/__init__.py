"""Every table, by name. A table belongs to a study that has the artefact it shows."""

from collections.abc import Mapping
from typing import Any

from copyceiling.tables import confusion, published, sweep
from copyceiling.tables.layout import Layout
from copyceiling.tables.parts import has_part

LAYOUTS: dict[str, Layout] = {
    **sweep.LAYOUTS,
    **confusion.LAYOUTS,
    **published.LAYOUTS,
}


def tables_of(study: Mapping[str, Any]) -> list[str]:
    """Return the names of the tables that a study has, from its configuration."""
    return [name for name, layout in LAYOUTS.items() if has_part(study, layout.part)]
