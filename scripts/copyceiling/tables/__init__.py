"""Every table, by name. A table belongs to a study that has the artefact it shows."""

from collections.abc import Mapping
from typing import Any

from copyceiling.tables import (
    audit,
    audit_frame,
    audit_judging,
    calibration,
    confusion,
    contamination,
    controls,
    controls_recall,
    diagnostics,
    mechanisms,
    omitted,
    overview,
    paraphrase,
    pipeline,
    production,
    published,
    rescore,
    seeds,
    stress,
    sweep,
    terms,
    wrappers,
)
from copyceiling.tables.layout import Layout
from copyceiling.tables.parts import has_part

LAYOUTS: dict[str, Layout] = {
    **pipeline.LAYOUTS,
    **overview.LAYOUTS,
    **sweep.LAYOUTS,
    **confusion.LAYOUTS,
    **terms.LAYOUTS,
    **mechanisms.LAYOUTS,
    **audit.LAYOUTS,
    **audit_frame.LAYOUTS,
    **audit_judging.LAYOUTS,
    **omitted.LAYOUTS,
    **production.LAYOUTS,
    **controls.LAYOUTS,
    **controls_recall.LAYOUTS,
    **wrappers.LAYOUTS,
    **diagnostics.LAYOUTS,
    **paraphrase.LAYOUTS,
    **stress.LAYOUTS,
    **contamination.LAYOUTS,
    **seeds.LAYOUTS,
    **rescore.LAYOUTS,
    **calibration.LAYOUTS,
    **published.LAYOUTS,
}


def tables_of(study: Mapping[str, Any]) -> list[str]:
    """Return the names of the tables that a study has, from its configuration."""
    return [name for name, layout in LAYOUTS.items() if has_part(study, layout.part)]


def notes_of(study: Mapping[str, Any], name: str) -> list[str]:
    """Return what a study's configuration adds to the notes of one of its tables."""
    notes = LAYOUTS[name].notes
    return list(notes(study)) if notes else []
