"""Compares the exposure counts of released score rows with those recomputed from the corpus.

Settings: models (labels, in the order of the files).
Inputs: exposure, files (released rows of the scaffold arm, JSONL, one a model).
Outputs: exposure_check.
"""

from collections import Counter
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import EXPOSURE_CHECK
from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.exposure import exposure_check_rows
from copyceiling.jobs import run


def main(*, exposure: Path, files: Any, exposure_check: Path, models: Any, made: Any) -> None:
    """Run the step; see the header."""
    exposed: Counter[str] = Counter()
    for row in rows(exposure, EXPOSURE):
        exposed[row["question_id"]] += row["exposed"]
    found = exposure_check_rows(dict(zip(models, files, strict=True)), exposed)
    write(exposure_check, found, EXPOSURE_CHECK, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
