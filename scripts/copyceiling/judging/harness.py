"""Judges units: asks, reads the replies, asks once more where one could not be read.

Every unit ends in exactly one status: ``graded``, ``unparsed``, or as the call ended (``empty``,
``truncated``, ``refused``, ``error``). There is no default verdict, and nothing is skipped on a
rerun but what the client has an answer to. Source: DESIGN sections 5 and 11.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.completions import Lookup
from copyceiling.judging import lenient, replies
from copyceiling.judging.asking import Asked, Conversation, Question, ask
from copyceiling.judging.forms import Form
from copyceiling.judging.prompts import Prompt, build_prompt, with_reask
from copyceiling.judging.replies import Grade, Relation, Reply, Span
from copyceiling.judging.rubrics import Rubric
from copyceiling.judging.units import Unit
from copyceiling.models import ModelSpec

Value = Grade | Relation | Span
GRADED, UNPARSED = "graded", "unparsed"
STATUSES = (GRADED, UNPARSED, "empty", "truncated", "refused", "error")
Reader = Callable[[str], Reply[Any]]
_READ: Mapping[tuple[str, str], Reader] = {
    ("grade", "strict"): replies.parse_grade,
    ("relation", "strict"): replies.parse_relation,
    ("span", "strict"): replies.parse_span,
    ("grade", "lenient"): lenient.parse_grade,
    ("relation", "lenient"): lenient.parse_relation,
    ("span", "lenient"): lenient.parse_span,
}


@dataclass(frozen=True)
class Case:
    """One judging of a unit: in which order things are shown, and which repeat it is."""

    unit: Unit
    order: int = 0
    repeat: int = 0


@dataclass(frozen=True)
class Heard:
    """How one conversation with a judge ended.

    Attributes:
        status: One of `STATUSES`.
        value: What the judge said, None unless ``graded``.
        fault: Why the last reply could not be read, None if it could or none came.
        repair: What the reader had to mend, see `Reply`.
        reasked: Whether the format was asked for once more.
        asked: Every call, in order.
    """

    status: str
    value: Value | None
    fault: str | None
    repair: str | None
    reasked: bool
    asked: tuple[Asked, ...]


@dataclass(frozen=True)
class Judgement:
    """What a judge made of one case, and what it was shown."""

    case: Case
    prompt: Prompt
    heard: Heard


def judge(
    cases: Sequence[Case],
    *,
    spec: ModelSpec,
    rubric: Rubric,
    form: Form,
    seed: int,
    lookup: Lookup,
) -> list[Judgement]:
    """Judge cases under one rubric, in order.

    Args:
        cases: What to judge.
        spec: The judge.
        rubric: What it is told.
        form: How it is asked and read.
        seed: Study seed, from which the codes of the marks come.
        lookup: Returns the outcome of each call by key.
    """
    prompts = [build_prompt(c.unit, rubric, form, seed=seed, order=c.order) for c in cases]
    heard = converse(
        [p.messages for p in prompts],
        [c.repeat for c in cases],
        spec=spec,
        rubric=rubric,
        form=form,
        lookup=lookup,
        purpose="verdict",
    )
    return [Judgement(*each) for each in zip(cases, prompts, heard, strict=True)]


def converse(
    conversations: Sequence[Conversation],
    repeats: Sequence[int],
    *,
    spec: ModelSpec,
    rubric: Rubric,
    form: Form,
    lookup: Lookup,
    purpose: str,
) -> list[Heard]:
    """Ask, read, and ask those once more whose reply arrived but could not be read."""
    read = _READ[rubric.kind, form.parse]
    questions = [Question(*each) for each in zip(conversations, repeats, strict=True)]
    first = ask(spec, questions, lookup, purpose)
    cut_too = form.parse == "lenient"
    found = [_hear(asked, read, reasked=False, cut_too=cut_too) for asked in first]
    again = [i for i, heard in enumerate(found) if heard.status == UNPARSED]
    mended = [
        Question(with_reask(questions[i].messages, rubric, found[i].fault or ""), repeats[i])
        for i in again
    ]
    second = ask(spec, mended, lookup, "format")
    for i, asked in zip(again, second, strict=True):
        heard = _hear([*first[i], *asked], read, reasked=True, cut_too=cut_too)
        found[i] = _after_reask(heard)
    return found


def _hear(asked: Sequence[Asked], read: Reader, *, reasked: bool, cut_too: bool) -> Heard:
    """Return how a conversation ended; ``cut_too`` takes what it can from a reply that was cut."""
    outcome = asked[-1].outcome
    ended = Heard(outcome.status, None, None, None, reasked, tuple(asked))
    if outcome.status != "ok" and not (cut_too and outcome.status == "truncated"):
        return ended
    reply = read(outcome.answer)
    if reply.value is None and outcome.status == "truncated":
        return ended
    status = UNPARSED if reply.value is None else GRADED
    return Heard(status, reply.value, reply.fault, reply.repair, reasked, tuple(asked))


def _after_reask(heard: Heard) -> Heard:
    """A re-ask that never came through stays an error, to be asked again; all else is unparsed."""
    if heard.status in (GRADED, UNPARSED, "error"):
        return heard
    fault = f"the reply to the re-ask was {heard.status}"
    return Heard(UNPARSED, None, fault, None, True, heard.asked)
