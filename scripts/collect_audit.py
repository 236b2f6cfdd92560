"""Puts the audit's verdicts together: every unit, judge and form, and what the quote gate made.

Settings: none.
Inputs: sample; judgements of every judge.
Outputs: verdicts.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_unit_schemas import AUDIT_SAMPLE
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.units import verdict_rows
from copyceiling.jobs import run


def main(*, sample: Path, judgements: Sequence[Path], verdicts: Path, made: Any) -> None:
    """Run the step; see the header."""
    said = [row for path in judgements for row in rows(path, JUDGEMENTS)]
    write(verdicts, verdict_rows(rows(sample, AUDIT_SAMPLE), said), VERDICTS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
