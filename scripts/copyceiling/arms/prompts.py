"""One planned cell as a row of `ARM_PROMPTS`, its exposure measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.arms.asking import QuestionKey
from copyceiling.errors import CopyCeilingError
from copyceiling.matching import Text, Title, match_all
from copyceiling.requests import Message, visible_input
from copyceiling.scaffold import estimate_tokens

# What a row says of a block where none was sought.
NO_BLOCK: Mapping[str, Any] = {
    "block": "",
    "block_tokens": 0,
    "engaged": False,
    "path": None,
    "top_score": None,
    "effective_budget": None,
    "seeds": None,
    "generation": None,
    "class_count": None,
}


def prompt_row(
    key: QuestionKey,
    arm: str,
    messages: Sequence[Message],
    *,
    question: str,
    telemetry: Mapping[str, Any] = NO_BLOCK,
    gold: Sequence[str] | None = None,
    proxy: Sequence[str] | None = None,
    donor: str | None = None,
) -> dict[str, Any]:
    """Return a row of `ARM_PROMPTS`.

    Args:
        key: Which question.
        arm: What it is asked with.
        messages: What the model is shown: an optional system message, then a user message.
        question: The question alone; what goes beyond it was injected.
        telemetry: The columns of `NO_BLOCK`.
        gold: Gold titles, None where the question has none to name.
        proxy: Titles of the gold proxy, None where it has none.
        donor: Question whose block is shown instead.

    Raises:
        CopyCeilingError: The messages are of another form.
    """
    roles = [m.role for m in messages]
    if roles not in (["user"], ["system", "user"]):
        raise CopyCeilingError(f"question {key.name}, arm {arm}: messages have the roles {roles}")
    visible = visible_input(messages)
    return {
        **key._asdict(),
        "arm": arm,
        "system": messages[0].content if len(messages) > 1 else None,
        "user": messages[-1].content,
        **telemetry,
        "injected_tokens": estimate_tokens(visible.replace(question, "", 1).strip()),
        "donor": donor,
        "n_gold": None if gold is None else len(gold),
        "n_gold_exposed": _hits(gold, visible),
        "n_gold_block": _hits(gold, telemetry["block"]),
        "n_proxy": None if proxy is None else len(proxy),
        "n_proxy_block": _hits(proxy, telemetry["block"]),
    }


def _hits(titles: Sequence[str] | None, text: str) -> int | None:
    if titles is None:
        return None
    return sum(m.paper for m in match_all([Title.of(t) for t in titles], Text.of(text)))
