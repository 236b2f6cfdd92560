"""Goes through a study's calls before any is made, to say what it asks at least and at most.

The study's own code asks a lookup that notes every call, answers those whose outcome is known and
imagines the others: for the least, that nothing more comes of them; for the most, that every answer
is as long as it may be and is cut. So an estimate follows what a run does, and counts what is known
as it was.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.completions import Cell, Prompt, complete
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Outcome
from copyceiling.scaffold import CHARS_PER_TOKEN

Known = Mapping[str, Outcome]  # key of a call to its outcome
Imagine = Callable[[Call], Outcome]


@dataclass(frozen=True)
class Asks:
    """What a run may ask of one model, each call once.

    Attributes:
        least: Calls that are sure to be asked, unless earlier ones end in errors. What they show
            may be shorter than it will be, never longer.
        most: Calls that a run asks if all goes as badly as it can. One whose words hang on a reply
            to come stands for each of those that there may be, so it may stand more than once.
        are_exact: Whether a call of ``most`` that is asked is asked in these very words, so that
            it can be looked up. Else nobody can say yet which of them were asked before.
    """

    least: Sequence[Call]
    most: Sequence[Call]
    are_exact: bool = True


class Rehearsal:
    """A lookup that notes what it is asked, answers what is known, and imagines the rest.

    Attributes:
        calls: Key to call, of all that was asked.
    """

    def __init__(self, known: Known, imagine: Imagine) -> None:
        self.calls: dict[str, Call] = {}
        self._known, self._imagine = known, imagine

    def __call__(self, calls: Sequence[Call]) -> dict[str, Outcome]:
        """Return the outcome of each call by key."""
        asked = {call.key: call for call in calls}
        self.calls |= asked
        return {key: self._known.get(key) or self._imagine(c) for key, c in asked.items()}


def never_came(call: Call) -> Outcome:
    """Return an outcome after which nothing more is asked, and nothing is judged."""
    return Outcome(call.key, "error", "", None, None, None, error="not asked yet")


def full_answer(call: Call) -> Outcome:
    """Return an answer as long as the budget allows, cut, and like no other call's."""
    text = f"{call.key} ".ljust(call.max_tokens * CHARS_PER_TOKEN, "x")
    return Outcome(call.key, "truncated", text, "length", None, None)


def answer_asks(spec: ModelSpec, prompts: Sequence[Prompt], known: Known) -> Asks:
    """Return what a model's plan asks.

    Args:
        spec: The model.
        prompts: What each question shows in each arm.
        known: Outcomes of calls that were made.
    """
    least, most = Rehearsal(known, never_came), Rehearsal(known, full_answer)
    complete(spec, prompts, least)
    complete(spec, prompts, most)
    return Asks([*least.calls.values()], [*most.calls.values()])


def known_cells(spec: ModelSpec, prompts: Sequence[Prompt], known: Known) -> list[Cell] | None:
    """Return a model's cells, None unless every call that its plan asks is known."""
    asked = Rehearsal(known, never_came)
    cells = complete(spec, prompts, asked)
    return cells if asked.calls.keys() <= known.keys() else None


def imagined_cells(
    spec: ModelSpec, prompts: Sequence[Prompt], known: Known, *, full: bool
) -> list[Cell]:
    """Return a model's cells as far as they are known; others fail, or are full to the budget."""
    return complete(spec, prompts, Rehearsal(known, full_answer if full else never_came))
