"""Plans the production study: what each question shows a model in each arm, and its reference.

Settings: scaffold (the study's section), production (its section), relations (how relation types
are said), kinds (relation types that questions ask for), seed.
Inputs: classes, generation, questions, preamble (text before a block), general (file of general
questions, or nothing), reference_file (or nothing), node (blocks that a node served, or nothing).
Outputs: prompts, references.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, NODE_BLOCKS, REFERENCES
from copyceiling.artefacts.schemas import GENERATION
from copyceiling.artefacts.store import rows, write
from copyceiling.calibration.relations import relations_of
from copyceiling.jobs import run
from copyceiling.production.general import read_general
from copyceiling.production.node import served_by_node
from copyceiling.production.plan import Serve, draw_questions, general_rows, production_rows
from copyceiling.production.references import Reference, file_references, graph_reference
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine
from copyceiling.served import Generation, Served, confidence_of, serve


def main(
    *,
    classes: Path,
    generation: Path,
    questions: Path,
    preamble: Path,
    general: Any,
    reference_file: Any,
    node: Any,
    prompts: Path,
    references: Path,
    scaffold: Any,
    production: Any,
    relations: Any,
    kinds: Sequence[str],
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    found = read_classes(classes)
    asked = draw_questions(read_questions(questions), production["questions"], seed)
    told: dict[str, Reference]
    if reference_file:
        told = file_references(reference_file, [q.id for q in asked])
    else:
        titles = {c.slug: c.title for c in found}
        said = relations_of(kinds, relations)
        told = {q.id: graph_reference(q, titles, said) for q in asked}
    before = preamble.read_text(encoding="utf-8").strip()
    if node:
        source = served_by_node(rows(node, NODE_BLOCKS))
    else:
        source = _in_process(found, generation, scaffold, production["confidence"])
    shown, right = production_rows(
        asked, told, source, preamble=before, budget=scaffold["budget_tokens"]
    )
    if general:
        budget = production["general_budget_tokens"]
        more = general_rows(read_general(general), source, preamble=before, budget=budget)
        shown, right = shown + more[0], right + more[1]
    write(prompts, shown, ARM_PROMPTS, made)
    write(references, right, REFERENCES, made)


def _in_process(classes: Any, generation: Path, settings: Any, confidence: Any) -> Serve:
    engine = ScaffoldEngine(
        classes,
        relation_order=settings["relation_order"] or RELATION_ORDER,
        max_seeds=settings["max_seeds"],
        hops=settings["hops"],
    )
    (stamp,) = rows(generation, GENERATION)
    which = Generation(f"{stamp['name']}@{stamp['version']}", stamp["n_classes"])
    policy = confidence_of(confidence)

    def source(query: str, budget: int) -> Served:
        return serve(engine, query, budget, policy, which)

    return source


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
