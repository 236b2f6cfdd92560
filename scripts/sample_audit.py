"""Draws the units of the semantic audit, and writes apart what judges and people are shown of them.

Settings: quotas, units, raw_hits (most of them; nothing for all), sheet (units people are asked to
label; nothing for all), relations (how relations are said), seed.
Inputs: questions, classes, exposure; item_rows, scores and completions of the audited models.
Outputs: sample, shown.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_unit_schemas import AUDIT_SAMPLE, AUDIT_UNITS
from copyceiling.artefacts.schemas import COMPLETIONS, EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.draw import Answered, draw_audit
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions


def main(
    *,
    questions: Path,
    classes: Path,
    exposure: Path,
    item_rows: Sequence[Path],
    scores: Sequence[Path],
    completions: Sequence[Path],
    sample: Path,
    shown: Path,
    quotas: Mapping[str, int],
    units: int | None,
    raw_hits: int | None,
    sheet: int | None,
    relations: Any,
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    answered = Answered(
        [row for path in item_rows for row in rows(path, ITEMS)],
        [row for path in scores for row in rows(path, SCORES)],
        {
            (r["model"], r["question_id"], r["arm"]): r["answer"]
            for path in completions
            for r in rows(path, COMPLETIONS)
        },
    )
    drawn = draw_audit(
        answered,
        read_questions(questions),
        rows(exposure, EXPOSURE),
        {c.slug: c.title for c in read_classes(classes)},
        {"quotas": quotas, "units": units, "raw_hits": raw_hits, "sheet": sheet},
        relations,
        seed,
    )
    write(sample, drawn.sample, AUDIT_SAMPLE, made)
    write(shown, drawn.shown, AUDIT_UNITS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
