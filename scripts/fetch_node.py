"""Fetches the blocks of the production study from a served node, or replays the frozen ones.

Settings: node (production.node), production (its section), scaffold (the study's section), seed,
study, mode.
Inputs: questions, general (file of general questions, or nothing), frozen (blocks and their
SHA256SUMS, or nothing).
Outputs: blocks.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import NODE_BLOCKS
from copyceiling.artefacts.store import check_frozen, rows, write
from copyceiling.jobs import run
from copyceiling.production.general import read_general
from copyceiling.production.node import check_generation, replay_blocks
from copyceiling.production.plan import draw_questions
from copyceiling.rows.questions import read_questions


def main(
    *,
    questions: Path,
    general: Any,
    frozen: Any,
    blocks: Path,
    node: Any,
    production: Any,
    scaffold: Any,
    seed: int,
    study: str,
    mode: str,
    made: Any,
) -> None:
    """Run the step; see the header."""
    asked = draw_questions(read_questions(questions), production["questions"], seed)
    queries = [(q.retrieval_text, scaffold["budget_tokens"]) for q in asked]
    if general:
        budget = production["general_budget_tokens"]
        queries += [(q.text, budget) for q in read_general(general)]
    if mode == "live":
        # Imported here alone: a replay asks no node.
        from copyceiling.live.node import fetch_blocks, node_of

        found = fetch_blocks(node_of(node, scaffold), queries, node["generation"])
    else:
        found = _replay(frozen, queries, study)
    check_generation(found, node["generation"])
    write(blocks, found, NODE_BLOCKS, made)


def _replay(frozen: Any, queries: list[tuple[str, int]], study: str) -> list[dict[str, Any]]:
    had = {}
    if frozen:
        path, sums = frozen
        check_frozen([path], sums)
        had = {(r["query"], r["budget_tokens"]): r for r in rows(path, NODE_BLOCKS)}
    return replay_blocks(had, queries, study)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
