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
from copyceiling.audit import sampling
from copyceiling.audit.units import code_of, sample_rows, unit_rows
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
    asked = {q.id: q for q in read_questions(questions)}
    exposed = {(r["question_id"], r["item"]): r["exposed"] for r in rows(exposure, EXPOSURE)}
    items = [row for path in item_rows for row in rows(path, ITEMS)]
    frame = sampling.frame_units(asked.values(), exposed, items)
    sampling.check_frame(frame, [row for path in scores for row in rows(path, SCORES)])
    drawn = sampling.draw_sample(frame, quotas, units, seed)
    hits = sampling.raw_hit_units(asked.values(), exposed, items)
    hits = sampling.draw(hits, len(hits) if raw_hits is None else raw_hits, seed)
    found = sample_rows([*drawn, *hits], asked, items, seed)
    answers = {
        (r["model"], r["question_id"], r["arm"]): r["answer"]
        for path in completions
        for r in rows(path, COMPLETIONS)
    }
    on_sheet = {code_of(unit, seed) for unit in sampling.draw_sheet(drawn, sheet, seed)}
    titles = {c.slug: c.title for c in read_classes(classes)}
    write(sample, found, AUDIT_SAMPLE, made)
    shown_rows = unit_rows(found, on_sheet, asked, titles, relations, answers)
    write(shown, shown_rows, AUDIT_UNITS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
