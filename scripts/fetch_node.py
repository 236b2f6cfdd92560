"""Replays the frozen blocks of the production study; a live run fetches the rest from its node.

Settings: node (production.node), production (its section), scaffold (the study's section), seed,
study, mode.
Inputs: questions, general (file of general questions, or nothing), frozen (blocks and their
SHA256SUMS, or nothing).
Outputs: blocks.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import NODE_BLOCKS
from copyceiling.artefacts.store import check_frozen, describe, rows, write
from copyceiling.jobs import run
from copyceiling.production.general import read_general
from copyceiling.production.node import asked_with, check_generation, replay_blocks
from copyceiling.production.plan import draw_questions
from copyceiling.rows.questions import read_questions

Query = tuple[str, int]  # text and token budget
Blocks = dict[Query, dict[str, Any]]


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
        found = _live(frozen, queries, node, scaffold)
    else:
        found = _replay(frozen, queries, study)
    check_generation(found, node["generation"])
    write(blocks, found, NODE_BLOCKS, made)


def _replay(frozen: Sequence[Path], queries: Sequence[Query], study: str) -> list[dict[str, Any]]:
    return replay_blocks(_read(frozen), queries, study)


def _live(
    frozen: Sequence[Path], queries: Sequence[Query], node: Any, scaffold: Any
) -> list[dict[str, Any]]:
    """Take frozen blocks of this very node, asked in this very way; fetch the others."""
    # Imported here alone: a replay asks no node.
    from copyceiling.live.node import fetch_blocks, node_of

    had = _read(frozen)
    if had and describe(frozen[0])["provenance"].get("asked_with") != asked_with(scaffold):
        had = {}
    here = node["base_url"].rstrip("/")
    wanted = dict.fromkeys(queries)
    kept = [had[q] for q in wanted if q in had and had[q]["base_url"] == here]
    rest = wanted.keys() - {(r["query"], r["budget_tokens"]) for r in kept}
    asked = [query for query in wanted if query in rest]
    fresh = fetch_blocks(node_of(node, scaffold), asked, node["generation"]) if asked else []
    return [*kept, *fresh]


def _read(frozen: Sequence[Path]) -> Blocks:
    if not frozen:
        return {}
    path, sums = frozen
    check_frozen([path], sums)
    return {(r["query"], r["budget_tokens"]): r for r in rows(path, NODE_BLOCKS)}


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
