"""Says how the audit's judging went, and compares people's labels with judges'.

Settings: judges (in order), rules (those that are no models), level.
Inputs: sample, units, verdicts, judgements of every judge, labels, frame, card (of the judges, or
nothing).
Outputs: judging, human.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import AUDIT_FRAME
from copyceiling.artefacts.audit_unit_schemas import (
    AUDIT_HUMAN,
    AUDIT_JUDGING,
    AUDIT_LABELS,
    AUDIT_SAMPLE,
    AUDIT_UNITS,
)
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import CALIBRATION, JUDGEMENTS
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.frame import sizes_of
from copyceiling.audit.human import Sheet, human_rows
from copyceiling.audit.judging import judging_rows
from copyceiling.audit.panels import panels_of
from copyceiling.jobs import run


def main(
    *,
    sample: Path,
    units: Path,
    verdicts: Path,
    judgements: Sequence[Path],
    labels: Path,
    frame: Path,
    card: Any,
    judging: Path,
    human: Path,
    judges: Sequence[str],
    rules: Sequence[str],
    level: float,
    made: Any,
) -> None:
    """Run the step; see the header."""
    cards = [row for path in card for row in rows(path, CALIBRATION)]
    panels = panels_of(rows(verdicts, VERDICTS), judges, rules, cards)
    said = [row for path in judgements for row in rows(path, JUDGEMENTS)]
    about = {(panel.judge, panel.form): panel.about for panel in panels}
    write(judging, judging_rows(said, about), AUDIT_JUDGING, made)
    drawn = rows(sample, AUDIT_SAMPLE)
    on_sheet = {row["code"] for row in rows(units, AUDIT_UNITS) if row["on_sheet"]}
    sheet = Sheet(
        {r["code"]: r["category"] for r in drawn if r["code"] in on_sheet},
        {(r["part"], r["unit_id"]): r["code"] for r in drawn},
        sizes_of(rows(frame, AUDIT_FRAME)),
    )
    found = human_rows(rows(labels, AUDIT_LABELS), panels, sheet, level)
    write(human, found, AUDIT_HUMAN, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
