"""Asks a judge through the client, as models are asked: calls by key, budgets climbed.

A judge is a row of the model table. Its calls are looked up like any others: frozen, live, or by a
rule for the reference judges, so that a reply is asked for once and every call is on record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from copyceiling.completions import Lookup, call_of
from copyceiling.errors import ConfigError
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Message, Outcome

Conversation = tuple[Message, Message]


@dataclass(frozen=True)
class Question:
    """One thing to ask a judge: the conversation, and the index of the repeat."""

    messages: Conversation
    repeat: int = 0


@dataclass(frozen=True)
class Asked:
    """One call and what came of it; ``purpose`` is ``verdict``, ``format`` or ``span``."""

    purpose: str
    call: Call
    outcome: Outcome


def check_judge(spec: ModelSpec) -> None:
    """Refuse a judge that would not judge the same way twice.

    Raises:
        ConfigError: Its temperature is not 0.
    """
    if not spec.is_reference and spec.params.get("temperature") != 0:
        raise ConfigError(
            f"judge '{spec.model}': temperature is {spec.params.get('temperature')!r}, but a "
            "judge is asked at 0. Set {\"temperature\": 0} in the column 'params' of its row"
        )


def ask(
    spec: ModelSpec, questions: Sequence[Question], lookup: Lookup, purpose: str
) -> list[list[Asked]]:
    """Return every call made for each question, in order; the last one counts.

    A judge with a ladder of budgets climbs on ``empty`` and ``truncated``.
    """
    made: list[list[Asked]] = [[] for _ in questions]
    climbing = list(range(len(questions)))
    for budget in spec.budgets:
        calls = {
            i: call_of(spec, questions[i].messages, budget, questions[i].repeat) for i in climbing
        }
        outcomes: Mapping[str, Outcome] = lookup(list(calls.values())) if calls else {}
        for i, call in calls.items():
            made[i].append(Asked(purpose, call, outcomes[call.key]))
        climbing = [i for i in climbing if made[i][-1].outcome.status in ("empty", "truncated")]
    return made
