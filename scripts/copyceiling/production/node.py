"""What a served node replies, checked, and served again from what is stored of it.

A node's reply is untrusted: every field that is used is checked for type and range, and all
replies of a study must be of one corpus generation. Source: STUDIES section 6 (telemetry,
generation stamp); DESIGN section 11.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.errors import CopyCeilingError, MissingCompletionsError, listing
from copyceiling.production.plan import Serve
from copyceiling.scaffold import estimate_tokens
from copyceiling.served import NO_MATCH, PATHS, Generation, Served

Row = Mapping[str, Any]
MAX_BLOCK_CHARS = 1_000_000
_MAX_SEEDS = 1_000


def node_row(reply: Any, query: str, budget_tokens: int) -> dict[str, Any]:
    """Return a node's reply as the columns of `NODE_BLOCKS` that it states.

    Raises:
        ValueError: The reply is not of the form; says every fault.
    """
    if not isinstance(reply, dict):
        raise ValueError("it is no JSON object")
    read = _Fields(reply)
    block = read.text("scaffold") or ""
    seeds = read.seeds()
    generation = reply.get("generation")
    stamp = _Fields(generation if isinstance(generation, dict) else {"id": generation})
    row = {
        "query": query,
        "budget_tokens": budget_tokens,
        "block": block,
        "engaged": read.flag("engaged"),
        "approx_tokens": read.count("approx_tokens"),
        "seeds": [slug for slug, _ in seeds],
        "scores": [score for _, score in seeds],
        "top_score": read.number("top_score"),
        "effective_budget": read.count("effective_budget"),
        "path": read.text("fusion_path"),
        "generation": stamp.text("id"),
        "class_count": stamp.count("class_count"),
    }
    faults = read.faults + [f"generation: {fault}" for fault in stamp.faults]
    faults += _faults_across(row)
    if faults:
        raise ValueError("; ".join(faults))
    return row


def _faults_across(row: Row) -> list[str]:
    faults = []
    if row["engaged"] is not None and row["engaged"] != bool(row["block"]):
        faults.append(f"engaged is {row['engaged']}, but the block has {len(row['block'])} letters")
    if row["path"] is not None and row["path"] not in PATHS:
        faults.append(f"fusion_path '{row['path']}' is none of {', '.join(PATHS)}")
    elif row["block"] and row["path"] == NO_MATCH:
        faults.append(f"there is a block, but fusion_path is {NO_MATCH}")
    if len(row["block"]) > MAX_BLOCK_CHARS:
        faults.append(f"the block has {len(row['block'])} letters, more than {MAX_BLOCK_CHARS}")
    elif estimate_tokens(row["block"]) > row["budget_tokens"]:
        faults.append(
            f"the block takes {estimate_tokens(row['block'])} tokens, more than the "
            f"{row['budget_tokens']} asked for"
        )
    return faults


class _Fields:
    """Reads fields of a reply by type; what is wrong is gathered, what is absent is None."""

    def __init__(self, reply: Mapping[str, Any]) -> None:
        self._reply = reply
        self.faults: list[str] = []

    def _value(self, name: str, good: bool, wanted: str) -> Any:
        value = self._reply.get(name)
        if value is None or good:
            return value
        self.faults.append(f"field '{name}' is {str(value)[:60]!r}, no {wanted}")
        return None

    def text(self, name: str) -> str | None:
        """Return a text."""
        found: str | None = self._value(name, isinstance(self._reply.get(name), str), "text")
        return found

    def flag(self, name: str) -> bool:
        """Return a truth value, which must be stated."""
        if not isinstance(self._reply.get(name), bool):
            self.faults.append(f"field '{name}' is {self._reply.get(name)!r}, no truth value")
        return bool(self._reply.get(name))

    def count(self, name: str) -> int | None:
        """Return a whole number from 0."""
        value = self._reply.get(name)
        good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        found: int | None = self._value(name, good, "whole number from 0")
        return found

    def number(self, name: str) -> float | None:
        """Return a finite number from 0."""
        value = self._reply.get(name)
        found = self._value(name, _is_score(value), "finite number from 0")
        return None if found is None else float(found)

    def seeds(self) -> list[tuple[str, float]]:
        """Return seeds with their scores; a seed may be a slug, or state ``iri`` and ``score``."""
        value = self._reply.get("seeds") or []
        if not isinstance(value, list) or len(value) > _MAX_SEEDS:
            self.faults.append("field 'seeds' is no list of seeds")
            return []
        found = []
        for seed in value:
            plain = {"iri": seed, "score": 0.0} if isinstance(seed, str) else seed
            if not isinstance(plain, dict) or not isinstance(plain.get("iri"), str):
                self.faults.append(f"a seed is {str(seed)[:60]!r}, which names no class")
            elif not _is_score(plain.get("score")):
                self.faults.append(f"seed '{plain['iri'][:60]}' has no finite score from 0")
            else:
                found.append((plain["iri"].rsplit("/", 1)[-1], float(plain["score"])))
        return found


def _is_score(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value) and value >= 0


def check_generation(rows: Sequence[Row], wanted: str | None) -> None:
    """Refuse blocks of several corpus generations, or of another than the study declares.

    Raises:
        CopyCeilingError: Names the generations with the number of blocks of each.
    """
    found: dict[str, int] = {}
    for row in rows:
        name = row["generation"] or "(none stated)"
        found[name] = found.get(name, 0) + 1
    counts = listing([f"{name}: {n} block(s)" for name, n in sorted(found.items())])
    if len(found) > 1:
        raise CopyCeilingError(
            f"the node served blocks of {len(found)} corpus generations:\n{counts}\n"
            "It was changed while it was asked, or since its blocks were frozen. Ask again once it "
            "stands still; to have frozen blocks asked for as well, move production/node.parquet "
            "out of the frozen folder."
        )
    if wanted is not None and rows and wanted not in found:
        raise CopyCeilingError(
            f"the node serves another corpus generation than '{wanted}':\n{counts}\n"
            "Serve that one, or correct production.node.generation."
        )


def asked_with(scaffold: Mapping[str, Any]) -> dict[str, Any]:
    """Return what goes into every request beside query and budget.

    Args:
        scaffold: The study's section ``scaffold``.
    """
    return {"max_seeds": scaffold["max_seeds"], "hops": scaffold["hops"], "prose": False}


def replay_blocks(
    had: Mapping[tuple[str, int], dict[str, Any]],
    queries: Sequence[tuple[str, int]],
    study: str,
) -> list[dict[str, Any]]:
    """Return the frozen block of each distinct query at its budget, in order.

    Args:
        had: Rows of `NODE_BLOCKS` by query and budget in tokens.
        queries: What the study asks the node.
        study: Name of the study.

    Raises:
        MissingCompletionsError: Counts and names what was never frozen, and how to ask for it.
    """
    missing = [q for q in dict.fromkeys(queries) if q not in had]
    if missing:
        shown = [f"{query[:80]} ({budget} tokens)" for query, budget in missing]
        raise MissingCompletionsError(
            f"study '{study}': {len(missing)} of {len(queries)} blocks of the node were never "
            f"frozen:\n{listing(shown, 5)}\nAsk the node live, then freeze what it gave:\n"
            "  snakemake table6 --config mode=live\n  copyceiling freeze --judges"
        )
    return [had[query] for query in dict.fromkeys(queries)]


def served_by_node(rows: Iterable[Row]) -> Serve:
    """Return a source of blocks over what a node served.

    Raises (when asked):
        CopyCeilingError: The node was never asked this.
    """
    had = {(row["query"], row["budget_tokens"]): row for row in rows}

    def source(query: str, budget: int) -> Served:
        row = had.get((query, budget))
        if row is None:
            raise CopyCeilingError(
                f"the node was never asked for '{query[:80]}' at {budget} tokens. Ask it: "
                "snakemake table6 --config mode=live"
            )
        which = None
        if row["generation"] is not None:
            which = Generation(row["generation"], row["class_count"])
        path = row["path"] or (PATHS[0] if row["block"] else NO_MATCH)
        return Served(
            row["block"],
            tuple(row["seeds"]),
            row["top_score"],
            row["effective_budget"],
            path,
            which,
        )

    return source
