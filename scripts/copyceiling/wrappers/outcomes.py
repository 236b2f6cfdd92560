"""What came of each gold item in each answer: exactly one outcome, by matcher and wording alone.

Outcomes exclude one another, the first that fits: the answer ``failed`` (empty, refused, error); it
denies the item by name (``contradicted``); the matcher credits the item (``recovered``); the answer
says that there is nothing, or nothing more (``contradicted``); it declines (``abstained``); it was
cut at its budget (``truncated``); it passes the item over (``omitted``). Source: paper, conclusion,
experiment (iii); precedence of a denial over a name as in the rubric of six labels.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.matching import MATCHERS, SIGNATURE, Text, Title, match
from copyceiling.wrappers.phrases import Phrases

Row = Mapping[str, Any]
OUTCOMES = ("recovered", "contradicted", "abstained", "omitted", "truncated", "failed")
SCOPES = LEFT_OUT, SHOWN = ("left_out", "shown")
# From this share of its words on, an item may be the question in other words.
NEAR = 0.5
_FAILED = ("empty", "refused", "error")


def outcome(*, status: str, credited: bool, denied: bool, closed: bool, declined: bool) -> str:
    """Return what came of an item; see the module.

    Args:
        status: Status of the completion.
        credited: Whether the matcher finds the item in the answer.
        denied: Whether every sentence that names it denies it.
        closed: Whether the answer says that there is nothing (more).
        declined: Whether the answer says that it does not know.
    """
    if status in _FAILED:
        return "failed"
    if denied:
        return "contradicted"
    if credited:
        return "recovered"
    if closed:
        return "contradicted"
    if declined:
        return "abstained"
    return "truncated" if status == "truncated" else "omitted"


def scope_of(item: Row, matcher: str) -> str | None:
    """Return the scope of a row of `WRAPPER_ITEMS` under a matcher.

    An item that only the paper's matcher finds in the visible input is in neither scope of the
    strict one: whether it was shown is what the two disagree on.
    """
    if not item["exposed"]:
        return LEFT_OUT
    return SHOWN if matcher == "paper" or item["exposed_strict"] else None


def outcome_rows(
    items: Iterable[Row], completions: Iterable[Row], phrases: Phrases
) -> list[dict[str, Any]]:
    """Return rows of `WRAPPER_OUTCOMES`.

    Args:
        items: Rows of `WRAPPER_ITEMS`.
        completions: Rows of `ARM_COMPLETIONS`, of all models.
        phrases: Rules over wording.
    """
    by_question: dict[tuple[str, str], list[Row]] = {}
    for item in items:
        by_question.setdefault((item["set"], item["question_id"]), []).append(item)
    return [
        row
        for cell in completions
        for row in _cell_rows(cell, by_question[cell["set"], cell["question_id"]], phrases)
    ]


def _cell_rows(cell: Row, items: Sequence[Row], phrases: Phrases) -> list[dict[str, Any]]:
    answer = cell["answer"]
    text = Text.of(answer)
    about = {"closed": phrases.closes(answer), "declined": phrases.declines(answer)}
    which = {name: cell[name] for name in ("set", "question_id", "arm", "model", "status")}
    out = []
    for item in items:
        found = match(Title.of(item["title"]), text)
        denied = phrases.denies(answer, item["title"], item["others"])
        for matcher in MATCHERS:
            scope = scope_of(item, matcher)
            if scope is not None:
                says = {"credited": found.by(matcher), "denied": denied, **about}
                out.append(
                    {
                        **which,
                        "item": item["item"],
                        "matcher": matcher,
                        "domain": item["domain"],
                        "scope": scope,
                        "near": (item["question_words"] or 0.0) >= NEAR,
                        **says,
                        "outcome": outcome(status=cell["status"], **says),
                        "signature": f"{SIGNATURE}|phrases:v{phrases.version}",
                    }
                )
    return out
