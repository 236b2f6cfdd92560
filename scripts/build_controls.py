"""Plans the negative controls: every question in every arm, and what each block exposes.

Settings: scaffold (the study's section), controls (its section), relations (how relation types are
said), kinds (relation types that questions ask for), seed.
Inputs: classes, generation, questions, scaffolds (the questions' own blocks).
Outputs: prompts (cells that could be made), references, cells (all that were planned),
block_exposure (of the gold proxy, by arm).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.control_schemas import CONTROL_CELLS
from copyceiling.artefacts.judged_schemas import BLOCK_EXPOSURE
from copyceiling.artefacts.schemas import GENERATION, SCAFFOLDS
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.relations import relations_of
from copyceiling.controls.blocks import Case, case_of
from copyceiling.controls.derangement import Limits
from copyceiling.controls.fill import Sections
from copyceiling.controls.plan import (
    CONTROLS,
    Settings,
    block_exposure_rows,
    cell_rows,
    make_blocks,
    prompt_rows,
    reference_rows,
)
from copyceiling.jobs import run
from copyceiling.production.plan import draw_questions
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine
from copyceiling.served import LEXICAL, NO_MATCH, Generation, Served


def main(
    *,
    classes: Path,
    generation: Path,
    questions: Path,
    scaffolds: Path,
    prompts: Path,
    references: Path,
    cells: Path,
    block_exposure: Path,
    scaffold: Any,
    controls: Any,
    relations: Any,
    kinds: Sequence[str],
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = {c.slug: c for c in read_classes(classes)}
    frozen = {row["question_id"]: row for row in rows(scaffolds, SCAFFOLDS)}
    asked = read_questions(questions)
    pool = [case_of(q, frozen[q.id], found) for q in asked]
    drawn = {q.id for q in draw_questions(asked, controls["questions"], seed, CONTROLS)}
    cases = [case for case in pool if case.id in drawn]
    engine = ScaffoldEngine(
        [*found.values()],
        relation_order=scaffold["relation_order"] or RELATION_ORDER,
        hops=scaffold["hops"],
    )
    blocks = make_blocks(
        cases, pool, Sections([*found.values()], engine), _settings(controls, seed)
    )
    (stamp,) = rows(generation, GENERATION)
    which = Generation(f"{stamp['name']}@{stamp['version']}", stamp["n_classes"])
    retrieved = {
        case.id: _served(case, frozen[case.id], scaffold["budget_tokens"], which).telemetry()
        for case in cases
    }
    before = next(iter(frozen.values()))["preamble"] if frozen else ""
    shown = prompt_rows(cases, blocks, before, retrieved)
    told = reference_rows(
        cases, {slug: c.title for slug, c in found.items()}, relations_of(kinds, relations)
    )
    write(prompts, shown, ARM_PROMPTS, made)
    write(references, told, REFERENCES, made)
    write(cells, cell_rows(cases, blocks), CONTROL_CELLS, made)
    write(block_exposure, block_exposure_rows(shown), BLOCK_EXPOSURE, made)


def _settings(controls: Mapping[str, Any], seed: int) -> Settings:
    names = ("reuse_cap", "length_tolerance", "exposure_ceiling")
    limits = Limits(**{name: controls[name] for name in names})
    forms = {name: controls[name] for name in ("splitter", "mask", "donors")}
    return Settings(tuple(controls["arms"]), **forms, limits=limits, seed=seed)


def _served(case: Case, row: Mapping[str, Any], budget: int, which: Generation) -> Served:
    """Return how the question's own block was found: as in the sweep, without a gate."""
    top = row["seeds"][0]["score"] if row["seeds"] else None
    path = LEXICAL if case.block else NO_MATCH
    return Served(case.block, case.slugs, top, budget if case.block else None, path, which)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
