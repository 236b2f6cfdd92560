"""Computes the semantic audit: verdicts, rates in three readings, frame, corrected rate, traits.

Settings: census, frame (how the frame is known beside the scores), statistics.
Inputs: verdicts, scores and item_rows of all models, questions, exposure, classes.
Outputs: rates, confusion, corrected, frame_rows, mechanisms.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import (
    AUDIT_CONFUSION,
    AUDIT_CORRECTED,
    AUDIT_FRAME,
    AUDIT_MECHANISMS,
    AUDIT_RATES,
)
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.schemas import EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.audit import confusion as counts
from copyceiling.audit import frame as frames
from copyceiling.audit.corrected import corrected_rows
from copyceiling.audit.rates import rate_rows
from copyceiling.audit.traits import Material, audit_mechanism_rows
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import Settings


def main(
    *,
    verdicts: Path,
    scores: Any,
    item_rows: Any,
    questions: Path,
    exposure: Path,
    classes: Path,
    rates: Path,
    confusion: Path,
    corrected: Path,
    frame_rows: Path,
    mechanisms: Path,
    census: Any,
    frame: Any,
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    settings = Settings(**statistics)
    found = rows(verdicts, VERDICTS)
    sample = [row for row in found if row["part"] == "sample"]
    answers = frames.answers(row for path in scores for row in rows(path, SCORES))
    framed = frames.frame_rows(answers, sample, census, frame)
    material = Material(
        {q.id: q for q in read_questions(questions)},
        {c.slug: c.title for c in read_classes(classes)},
        {(r["question_id"], r["item"]): r["exposed"] for r in rows(exposure, EXPOSURE)},
        {
            (r["model"], r["question_id"], r["item"]): r["path"]
            for path in item_rows
            for r in rows(path, ITEMS)
            if r["arm"] == "scaffold"
        },
    )
    traits = audit_mechanism_rows(frames.settle(answers, sample, census), sample, material)
    write(rates, rate_rows(found, settings), AUDIT_RATES, made)
    write(confusion, counts.confusion_rows(found, settings.level), AUDIT_CONFUSION, made)
    weighted = corrected_rows(found, frames.weights_of(framed), settings)
    write(corrected, weighted, AUDIT_CORRECTED, made)
    write(frame_rows, framed, AUDIT_FRAME, made)
    write(mechanisms, traits, AUDIT_MECHANISMS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
