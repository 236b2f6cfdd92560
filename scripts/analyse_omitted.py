"""Compares the recovery of gold that the scaffold does not show, with the scaffold and without.

Settings: readers (labels of reference readers), judges (in order), rules (those that
are no models), statistics.
Inputs: questions, exposure, item_rows of all models, verdicts (or nothing), card (of the judges, or
nothing).
Outputs: omitted, hits.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import CALIBRATION
from copyceiling.artefacts.omitted_schemas import OMITTED, OMITTED_HITS
from copyceiling.artefacts.schemas import EXPOSURE, ITEMS
from copyceiling.artefacts.store import rows, write
from copyceiling.audit.panels import panels_of
from copyceiling.jobs import run
from copyceiling.omitted import MATCHERS, hit_rows, omitted_rows, slots_of
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import Settings


def main(
    *,
    questions: Path,
    exposure: Path,
    item_rows: Sequence[Path],
    verdicts: Sequence[Path],
    card: Sequence[Path],
    omitted: Path,
    hits: Path,
    readers: Sequence[str],
    judges: Sequence[str],
    rules: Sequence[str],
    statistics: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    items = [row for path in item_rows for row in rows(path, ITEMS)]
    shown = rows(exposure, EXPOSURE)
    domains = {q.id: q.domain for q in read_questions(questions)}
    slots = {matcher: slots_of(items, shown, domains, matcher) for matcher in MATCHERS}
    models = list(dict.fromkeys(row["model"] for row in items))
    apart = frozenset(readers)
    found = omitted_rows(slots, models, apart, Settings(**statistics))
    write(omitted, found, OMITTED, made)
    said = [row for path in verdicts for row in rows(path, VERDICTS)]
    panels = panels_of(
        said, judges, rules, [row for path in card for row in rows(path, CALIBRATION)]
    )
    write(hits, hit_rows(slots["paper"], panels, models, apart), OMITTED_HITS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
