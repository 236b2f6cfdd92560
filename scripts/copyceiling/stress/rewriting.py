"""Rewrites questions, at most four attempts each, and keeps every attempt with its reasons.

The loop is the same for every rewriter: it proposes a text for each open question, the gate
decides, and what was turned down goes back with its reasons. A set of rewrites comes from one
rewriter and is never pooled with another's. Source: STUDIES section 2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from copyceiling.questions import Question
from copyceiling.stats import named_rng
from copyceiling.stress.gate import Reason, content_words, mechanical_reasons

MAX_ATTEMPTS = 4
Ending = Literal["accepted", "rejected", "error"]
ENDINGS: tuple[Ending, ...] = ("accepted", "rejected", "error")
BY_CONSTRUCTION = "by construction"


@dataclass(frozen=True)
class Task:
    """A question to rewrite: what its rewrite may not say, and how it reads."""

    question: Question
    titles: tuple[str, ...]
    banned: tuple[str, ...]
    gold_words: bool = False

    @property
    def gold(self) -> tuple[str, ...]:
        """Titles of the gold items."""
        return tuple(item.title for item in self.question.gold)


@dataclass(frozen=True)
class Proposal:
    """What a rewriter came up with for one question.

    Attributes:
        text: The rewritten question; None if it has nothing (more) to propose.
        how: How the text was made, for the log.
        error: What went wrong, where no answer arrived; the question then ends as an error and is
            asked again by the next run.
    """

    text: str | None
    how: str
    error: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One attempt: its number from 1, the text, part (iii) as replied, and why it was turned down.

    ``verdict`` is None where part (iii) was not asked. No reason means that the text was accepted.
    """

    number: int
    text: str
    how: str
    verdict: str | None
    reasons: tuple[Reason, ...]


@dataclass(frozen=True)
class Rewrite:
    """How the rewriting of one question ended, with every attempt."""

    task: Task
    ending: Ending
    text: str | None
    attempts: tuple[Attempt, ...]
    error: str | None = None


@dataclass
class _Open:
    task: Task
    attempts: list[Attempt] = field(default_factory=list)


class Rewriter(Protocol):
    """Proposes texts, and answers part (iii) of the gate."""

    def propose(self, tasks: Sequence[tuple[Task, Sequence[Attempt]]]) -> Sequence[Proposal]:
        """Return a proposal for each task, given the attempts that were turned down."""

    def verdicts(self, pairs: Sequence[tuple[Task, str]]) -> Sequence[tuple[str | None, bool]]:
        """Return for each rewrite the reply, and whether it says that the answers are the same.

        The reply is None where none arrived.
        """


def task_of(
    question: Question,
    titles: Mapping[str, str],
    boilerplate: Sequence[str] = (),
    *,
    gold_words: bool = False,
) -> Task:
    """Return the task of rewriting a question; ``titles`` gives the title of each slug."""
    found = tuple(titles[slug] for slug in question.class_slugs)
    return Task(question, found, content_words(found, boilerplate), gold_words)


def drawn(
    questions: Sequence[Question], subset: int | None, seed: int, rewriter: str
) -> list[Question]:
    """Return the questions that a rewriter is given, in their order.

    Drawn without replacement by the study seed and the rewriter's name, so a larger subset holds a
    smaller one.

    Args:
        questions: The study's questions.
        subset: Questions to draw, None for all.
        seed: Study seed.
        rewriter: Label of the rewriter.
    """
    order = named_rng(seed, f"rewrites:{rewriter}").permutation(len(questions)).tolist()
    return [questions[i] for i in sorted(order[:subset])]


def rewrite_all(
    tasks: Sequence[Task], rewriter: Rewriter, max_attempts: int = MAX_ATTEMPTS
) -> list[Rewrite]:
    """Rewrite every question, in order; each ends as exactly one of `ENDINGS`.

    Args:
        tasks: The questions.
        rewriter: What proposes and judges.
        max_attempts: Attempts in all, the first included.
    """
    done: dict[str, Rewrite] = {}
    waiting = [_Open(task) for task in tasks]
    for number in range(1, max_attempts + 1):
        proposals = rewriter.propose([(o.task, o.attempts) for o in waiting]) if waiting else []
        judged: list[tuple[_Open, Proposal]] = []
        for o, proposal in zip(waiting, proposals, strict=True):
            if proposal.error is not None or proposal.text is None:
                done[o.task.question.id] = _ended(o, proposal)
            elif _passes_mechanically(o, number, proposal):
                judged.append((o, proposal))
        done |= _judge(judged, number, rewriter)
        waiting = [o for o in waiting if o.task.question.id not in done]
    done |= {
        o.task.question.id: Rewrite(o.task, "rejected", None, tuple(o.attempts)) for o in waiting
    }
    return [done[task.question.id] for task in tasks]


def _ended(o: _Open, proposal: Proposal) -> Rewrite:
    """End a question for which the rewriter has nothing to propose, or had no answer."""
    if proposal.error is not None:
        return Rewrite(o.task, "error", None, tuple(o.attempts), proposal.error)
    number = len(o.attempts) + 1
    nothing = Attempt(number, "", proposal.how, None, (Reason("no_rewrite"),))
    return Rewrite(o.task, "rejected", None, (*o.attempts, nothing))


def _passes_mechanically(o: _Open, number: int, proposal: Proposal) -> bool:
    text = proposal.text or ""
    reasons: tuple[Reason, ...] = (Reason("no_text"),)
    if text.strip():
        task = o.task
        reasons = mechanical_reasons(text, task.banned, task.gold, gold_words=task.gold_words)
    if reasons:
        o.attempts.append(Attempt(number, text, proposal.how, None, reasons))
    return not reasons


def _judge(
    judged: Sequence[tuple[_Open, Proposal]], number: int, rewriter: Rewriter
) -> dict[str, Rewrite]:
    """Ask part (iii) of the rewrites that passed the rest; return those that this ends."""
    replies = rewriter.verdicts([(o.task, p.text or "") for o, p in judged]) if judged else []
    done: dict[str, Rewrite] = {}
    for (o, proposal), (reply, same) in zip(judged, replies, strict=True):
        text = proposal.text or ""
        if reply is None:
            error = "no verdict arrived on whether the answers are the same"
            done[o.task.question.id] = Rewrite(o.task, "error", None, tuple(o.attempts), error)
            continue
        reasons = () if same else (Reason("other_answers"),)
        o.attempts.append(Attempt(number, text, proposal.how, reply, reasons))
        if same:
            done[o.task.question.id] = Rewrite(o.task, "accepted", text, tuple(o.attempts))
    return done
