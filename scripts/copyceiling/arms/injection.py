"""Whether models were shown each block once: read off the prompt tokens that providers count.

A backend that injects a block of its own shows two, and a server with a small context window
drops what does not fit; neither says so. Prompt tokens do. Source: STUDIES section 4, fact 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from copyceiling.arms.asking import QuestionKey, key_of, messages_of
from copyceiling.errors import CopyCeilingError, listing

Row = Mapping[str, Any]
# Bytes of text a token, for the bounds alone; real tokenisers stay well within a factor of two.
_BYTES = 4
# Tokens a chat template may add to a prompt, its default system message included.
_TEMPLATE = 200
# Tokens counted over tokens expected: below, a part of the block was not shown; above, it was
# shown twice. Measured of two small models on 366 blocks: 0.67 to 1.15.
LEAST, MOST = 0.4, 1.5
# The same of one row against the median of its model: 0.83 to 1.42 in those measurements.
ROW_LEAST, ROW_MOST = 0.5, 1.7


def check_injection(prompts: Iterable[Row], completions: Sequence[Row]) -> int:
    """Refuse answers whose prompt tokens say that a block was shown twice, or not whole.

    An arm with injected text is compared with the arm of its question that has none. Without
    such an arm, or where the provider counts no tokens, nothing can be said.

    Args:
        prompts: Rows of `ARM_PROMPTS`.
        completions: Rows of `ARM_COMPLETIONS`, of all models.

    Returns:
        How many answers could be checked.

    Raises:
        CopyCeilingError: Names model, question and arm with tokens counted and expected.
    """
    sizes = {(*key_of(row), row["arm"]): _size(row) for row in prompts}
    counted: dict[tuple[str, QuestionKey], dict[str, int]] = {}
    for row in completions:
        if row["prompt_tokens"] is not None:
            counted.setdefault((row["model"], key_of(row)), {})[row["arm"]] = row["prompt_tokens"]
    faults: list[str] = []
    ratios: dict[str, dict[str, float]] = {}
    for (model, key), tokens in counted.items():
        plain = min(tokens, key=lambda arm: sizes[*key, arm])
        least = sizes[*key, plain]
        if tokens[plain] > MOST * least / _BYTES + _TEMPLATE:
            faults.append(
                f"{model}: {key.name}, arm {plain}: {tokens[plain]} prompt tokens for {least} "
                "bytes: more was shown than was sent"
            )
        for arm in tokens:
            more = sizes[*key, arm] - least
            if more > _BYTES * _TEMPLATE:
                ratio = (tokens[arm] - tokens[plain]) * _BYTES / more
                ratios.setdefault(model, {})[f"{key.name}, arm {arm}"] = ratio
    for model, of in ratios.items():
        faults += _outliers(model, of)
    if faults:
        raise CopyCeilingError(
            f"prompt tokens do not fit what was sent in {len(faults)} case(s):\n{listing(faults)}\n"
            "Does the model's server inject a block of its own, or cut long prompts? Switch that "
            "off, forget these answers and ask again."
        )
    return sum(map(len, ratios.values()))


def _outliers(model: str, ratios: Mapping[str, float]) -> list[str]:
    middle = median(ratios.values())
    if not LEAST <= middle <= MOST:
        return [_fault(model, f"{len(ratios)} answers with a block, median", middle, 1.0)]
    return [
        _fault(model, name, ratio, middle)
        for name, ratio in ratios.items()
        if not ROW_LEAST <= ratio / middle <= ROW_MOST
    ]


def _fault(model: str, name: str, ratio: float, usual: float) -> str:
    what = "shown more than once" if ratio > usual else "not shown whole"
    return f"{model}: {name}: {ratio:.2f} tokens for 4 bytes of block, not {usual:.2f}: {what}"


def _size(prompt: Row) -> int:
    return sum(len(m.content.encode()) for m in messages_of(prompt))
