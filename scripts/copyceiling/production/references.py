"""Reference answers of graph questions: said by the graph, or read from a file.

From the graph a reference is a sentence that asserts the gold, and each gold item is a key point.
Where any one item suffices there is one key point that says so: an answer that gives one of them
is complete. Source: STUDIES section 3 (reference and key points of the rubric judge).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.calibration.edges import edge_of, kind_of
from copyceiling.calibration.relations import Relation
from copyceiling.config import load_yaml
from copyceiling.errors import ConfigError, listing
from copyceiling.questions import Question

GRAPH = "graph"


@dataclass(frozen=True)
class Reference:
    """What a right answer says: a text, its key points, and where they stand."""

    text: str
    key_points: tuple[str, ...]
    source: str


def graph_reference(
    question: Question, titles: Mapping[str, str], relations: Mapping[str, Relation]
) -> Reference:
    """Return the reference of a question as the graph has it.

    Args:
        question: The question.
        titles: Class slug to title.
        relations: Relations by type, as `relations_of` gives them.
    """
    edges = [edge_of(question, i, titles, relations) for i in range(len(question.gold))]
    clauses = [edge.clause for edge in edges]
    relation, subject = relations[kind_of(question)], edges[0].subject
    items = [edge.item for edge in edges]
    if question.gold_type == "any" and len(items) > 1:
        said = relation.clause(subject, listed(items, "or"))
        return Reference(f"{said}. Any one of these suffices.", (f"{said} (one of them)",), GRAPH)
    return Reference(_assertion(relation, subject, items), tuple(clauses), GRAPH)


def _assertion(relation: Relation, subject: str, items: Sequence[str]) -> str:
    """Say all items in one sentence; in one each where they come first and govern the verb."""
    if relation.phrase.index("{object}") < relation.phrase.index("{subject}"):
        return " ".join(f"{relation.clause(subject, item)}." for item in items)
    return f"{relation.clause(subject, listed(items, 'and'))}."


def listed(items: Sequence[str], word: str) -> str:
    """Return items as a list in running text; semicolons where an item holds a comma."""
    if len(items) == 1:
        return items[0]
    mark = "; " if any("," in item for item in items) else ", "
    return f"{mark.join(items[:-1])} {word} {items[-1]}"


def file_references(path: Path, ids: Iterable[str]) -> dict[str, Reference]:
    """Return the references of these questions from a file.

    The file is YAML (question id to ``reference`` and ``key_points``) or JSONL (rows that have an
    ``id`` besides).

    Raises:
        ConfigError: It cannot be read, an entry is at fault, or a question has none; lists all.
    """
    entries = _entries(path)
    faults = [f"question '{q}' has no entry" for q in ids if q not in entries]
    faults += [
        f"'{name}': {fault}" for name in entries for fault in reference_faults(entries[name])
    ]
    if faults:
        raise ConfigError(
            f"production.references: '{path}' has {len(faults)} fault(s):\n{listing(faults)}\n"
            "An entry has 'reference' (text) and 'key_points' (texts, at least one)."
        )
    return {
        q: Reference(entries[q]["reference"], tuple(entries[q]["key_points"]), path.name)
        for q in ids
    }


def reference_faults(entry: Any) -> list[str]:
    """Return what is wrong with the reference of an entry, in words."""
    if not isinstance(entry, Mapping):
        return ["is no mapping of fields"]
    faults = []
    text, points = entry.get("reference"), entry.get("key_points")
    if not isinstance(text, str) or not text.strip():
        faults.append("'reference' must be text")
    fine = isinstance(points, list) and points
    if not fine or not all(isinstance(p, str) and p.strip() for p in points or []):
        faults.append("'key_points' must be a list of texts, at least one")
    return faults


def _entries(path: Path) -> dict[str, Any]:
    if path.suffix != ".jsonl":
        found = load_yaml(path)
        if not isinstance(found, dict):
            raise ConfigError(f"production.references: '{path}' holds no mapping of questions")
        return found
    entries: dict[str, Any] = {}
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line) if line.strip() else None
            if row is not None:
                entries[str(row["id"])] = row
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as e:
        raise ConfigError(f"production.references: cannot read '{path}': {e!r}") from e
    return entries
