"""Reads people's labels of the audit's sheet and checks them line by line.

Settings: none.
Inputs: units; labels (label files, one an annotator; maybe none).
Outputs: label_rows.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.annotate.files import check_name, read_labels
from copyceiling.annotate.labelling import label_rows as rows_of
from copyceiling.artefacts.audit_unit_schemas import AUDIT_LABELS, AUDIT_UNITS
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run


def main(*, units: Path, labels: Sequence[Path], label_rows: Path, made: Any) -> None:
    """Run the step; see the header."""
    shown = rows(units, AUDIT_UNITS)
    found = []
    for path in labels:
        check_name(path.stem)
        found += rows_of(path.stem, read_labels(path, shown))
    write(label_rows, found, AUDIT_LABELS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
