"""Model calls and completions as artefact rows."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import check_frozen, rows
from copyceiling.completions import Cell
from copyceiling.requests import Outcome
from copyceiling.rows import Row


def call_row(outcome: Outcome, **cell: Any) -> Row:
    """Return an outcome as a row of `CALLS`; ``cell`` gives the columns that say which cell."""
    return {**{f: getattr(outcome, f) for f in Outcome.__dataclass_fields__}, **cell}


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """Return the outcome in a row of calls, of a model or of a judge."""
    return Outcome(**{f: row[f] for f in Outcome.__dataclass_fields__})


def read_outcomes(path: Path) -> dict[str, Outcome]:
    """Read frozen calls by key."""
    return {r["key"]: outcome_of(r) for r in rows(path, CALLS)}


def read_frozen(
    frozen: Sequence[Path], read: Callable[[Path], Mapping[str, Outcome]] = read_outcomes
) -> Mapping[str, Outcome]:
    """Read frozen calls by key, once their bytes are those that the sums state.

    Args:
        frozen: The file and its ``SHA256SUMS``, or nothing.
        read: Reads the file.

    Raises:
        ArtefactError: The file is damaged, or the sums do not list it.
    """
    if not frozen:
        return {}
    calls, sums = frozen
    check_frozen([calls], sums)
    return read(calls)


def completion_row(model: str, cell: Cell) -> Row:
    """Return one cell's end as a row of `COMPLETIONS`."""
    o = cell.outcome
    return {
        "question_id": cell.question_id,
        "model": model,
        "arm": cell.arm,
        "key": o.key,
        "status": o.status,
        "answer": o.answer,
        "finish_reason": o.finish_reason,
        "prompt_tokens": o.prompt_tokens,
        "completion_tokens": o.completion_tokens,
        "budget": cell.budget,
        "n_calls": cell.n_calls,
        "tries": cell.tries,
        "error": o.error,
    }
