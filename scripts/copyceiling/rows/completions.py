"""Model calls and completions as artefact rows."""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.schemas import CALLS
from copyceiling.artefacts.store import rows
from copyceiling.completions import Cell
from copyceiling.requests import Outcome
from copyceiling.rows import Row


def call_row(outcome: Outcome, **cell: Any) -> Row:
    """Return an outcome as a row of `CALLS`; ``cell`` gives the columns that say which cell."""
    return {**{f: getattr(outcome, f) for f in Outcome.__dataclass_fields__}, **cell}


def read_outcomes(path: Path) -> dict[str, Outcome]:
    """Read frozen calls by key."""
    return {
        r["key"]: Outcome(**{f: r[f] for f in Outcome.__dataclass_fields__})
        for r in rows(path, CALLS)
    }


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
