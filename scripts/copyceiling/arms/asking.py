"""From planned prompts to ended cells: the arms of a question go through one plan.

All arms of a question are one `completions.Prompt`, so one retry policy and the same realised
budget hold in all of them: where one arm climbs, all climb. Source: DESIGN section 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from copyceiling.completions import Cell, Prompt
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.requests import Message

Row = Mapping[str, Any]


class QuestionKey(NamedTuple):
    """Which question: its cohort, its set, and its id within the set."""

    cohort: str
    set: str
    question_id: str

    @property
    def name(self) -> str:
        """One text that tells it from all others, as the plan of completions needs it."""
        return "/".join(self)


def key_of(row: Row) -> QuestionKey:
    """Return the question of a row of any of `arm_schemas`."""
    return QuestionKey(row["cohort"], row["set"], row["question_id"])


def messages_of(row: Row) -> tuple[Message, ...]:
    """Return what a row of `ARM_PROMPTS` shows a model."""
    user = Message("user", row["user"])
    return (user,) if row["system"] is None else (Message("system", row["system"]), user)


def prompts_of(rows: Iterable[Row]) -> list[Prompt]:
    """Return the plan of `ARM_PROMPTS`: a prompt a question with all its arms, in order of rows.

    Raises:
        CopyCeilingError: Two questions could not be told apart by name; lists them.
    """
    shown: dict[QuestionKey, dict[str, tuple[Message, ...]]] = {}
    for row in rows:
        shown.setdefault(key_of(row), {})[row["arm"]] = messages_of(row)
    bad = [key.name for key in shown if "/" in key.cohort + key.set]
    if bad:
        raise CopyCeilingError(f"cohorts and sets must hold no '/':\n{listing(bad)}")
    return [Prompt(key.name, arms) for key, arms in shown.items()]


def completion_rows(model: str, cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return ended cells as rows of `ARM_COMPLETIONS`."""
    return [_row(model, cell) for cell in cells]


def _row(model: str, cell: Cell) -> dict[str, Any]:
    o = cell.outcome
    return {
        **QuestionKey(*cell.question_id.split("/", 2))._asdict(),
        "arm": cell.arm,
        "model": model,
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
        "response_model": o.response_model,
        "latency_ms": o.latency_ms,
        "cost_usd": o.cost_usd,
    }
