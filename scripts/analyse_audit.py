"""Computes the semantic audit: verdicts, rates in three readings, frame, corrected rate, traits.

Settings: census, frame (how the frame is known beside the scores), judges (in order),
rules (those that are no models), statistics.
Inputs: verdicts, card (of the judges, or nothing), scores and item_rows of the audited models,
questions, exposure, classes.
Outputs: rates, confusion, corrected, frame_rows, mechanisms.
"""

from collections.abc import Callable, Sequence
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
from copyceiling.artefacts.judging_schemas import CALIBRATION
from copyceiling.artefacts.schemas import EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows, write
from copyceiling.audit import confusion as counts
from copyceiling.audit import frame as frames
from copyceiling.audit.corrected import corrected_rows
from copyceiling.audit.labels import Row
from copyceiling.audit.panels import panels_of
from copyceiling.audit.rates import rate_rows
from copyceiling.audit.traits import Material, audit_mechanism_rows
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import Settings


def main(
    *,
    verdicts: Path,
    card: Any,
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
    judges: Sequence[str],
    rules: Sequence[str],
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    settings = Settings(**statistics)
    cards = [row for path in card for row in rows(path, CALIBRATION)]
    panels = panels_of(rows(verdicts, VERDICTS), judges, rules, cards)
    # Every judge, in every form, has the same units.
    first = panels[0].verdicts if panels else []
    sample = [row for row in first if row["part"] == "sample"]
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
    settled, weights = frames.settle(answers, sample, census), frames.weights_of(framed)

    def each(analyse: Callable[[Sequence[Row]], list[dict[str, Any]]]) -> list[dict[str, Any]]:
        return [{**panel.about, **row} for panel in panels for row in analyse(panel.verdicts)]

    write(rates, each(lambda v: rate_rows(v, settings)), AUDIT_RATES, made)
    counted = each(lambda v: counts.confusion_rows(v, settings.level))
    write(confusion, counted, AUDIT_CONFUSION, made)
    weighted = each(lambda v: corrected_rows(v, weights, settings))
    write(corrected, weighted, AUDIT_CORRECTED, made)
    write(frame_rows, framed, AUDIT_FRAME, made)
    traits = each(
        lambda v: audit_mechanism_rows(settled, [r for r in v if r["part"] == "sample"], material)
    )
    write(mechanisms, traits, AUDIT_MECHANISMS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
