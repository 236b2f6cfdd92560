"""Draws contexts that leave gold out, and plans them under every wrapper.

Settings: scaffold and wrappers (sections of the study), relations (how relation types are said),
kinds (relation types that questions ask for), seed.
Inputs: classes, questions, texts (the file of wrappers).
Outputs: prompts, references, item_rows (what contexts expose), pool (what there was to draw from),
wrapper_texts.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.store import write
from copyceiling.artefacts.wrapper_schemas import WRAPPER_ITEMS, WRAPPER_POOL, WRAPPER_TEXTS
from copyceiling.calibration.relations import relations_of
from copyceiling.jobs import run
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine
from copyceiling.wrappers.contexts import ContextMaker, choose, pool_rows
from copyceiling.wrappers.plan import item_rows as rows_of_items
from copyceiling.wrappers.plan import prompt_rows, reference_rows, text_rows
from copyceiling.wrappers.texts import load_wrappers


def main(
    *,
    classes: Path,
    questions: Path,
    texts: Path,
    prompts: Path,
    references: Path,
    item_rows: Path,
    pool: Path,
    wrapper_texts: Path,
    scaffold: Any,
    wrappers: Any,
    relations: Any,
    kinds: Sequence[str],
    seed: int,
    made: Any,
) -> None:
    """Run the step; see the header."""
    corpus, asked, told = read_classes(classes), read_questions(questions), load_wrappers(texts)
    engine = ScaffoldEngine(
        corpus,
        relation_order=scaffold["relation_order"] or RELATION_ORDER,
        budget_tokens=wrappers["budget_tokens"],
        max_seeds=scaffold["max_seeds"],
        hops=scaffold["hops"],
    )
    maker = ContextMaker(corpus, engine, told, seed)
    chosen, seen = choose(
        lambda omission: [maker.candidate(q, omission) for q in asked],
        wrappers["omissions"],
        wrappers["questions"],
        seed,
    )
    write(prompts, prompt_rows(chosen, told, wrappers["budget_tokens"]), ARM_PROMPTS, made)
    titles = {c.slug: c.title for c in corpus}
    said = relations_of(kinds, relations)
    write(references, reference_rows(chosen, titles, said), REFERENCES, made)
    write(item_rows, rows_of_items(chosen, titles), WRAPPER_ITEMS, made)
    write(pool, pool_rows(seen, chosen), WRAPPER_POOL, made)
    write(wrapper_texts, text_rows(told), WRAPPER_TEXTS, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
