"""Rewrites questions by a model, and asks a model whether the answers stay the same.

Both ask through a lookup: frozen outcomes, and in a live run a client for the rest. The client
keeps every answer, so a run that was killed goes on where it stopped, and a question that ended in
an error is asked again. The prompts are files of the project; their text is part of every call's
key.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from copyceiling.completions import Lookup, call_of
from copyceiling.models import ModelSpec
from copyceiling.requests import Call, Message, Outcome
from copyceiling.rows.completions import call_row
from copyceiling.stress.gate import Reason, same_answers
from copyceiling.stress.rewriting import Attempt, Proposal, Task

# What asks models for calls that were never frozen.
LIVE = "snakemake paraphrase --config mode=live"
REWRITE_TOKENS = 256
VERDICT_TOKENS = 8
_SAID: Mapping[str, str] = {
    "title_word": "it uses the word '{0}'",
    "gold_verbatim": "it names an answer",
    "gold_words": "it gives an answer away in other order",
    "other_answers": "its answers are not the same",
    "no_text": "it was empty",
}


@dataclass(frozen=True)
class Prompts:
    """The three texts: the task, what a rejection adds to it, and the question of part (iii)."""

    rewrite: str
    rejected: str
    same_answers: str

    @property
    def sha256(self) -> str:
        """Hex sha256 over the three texts."""
        joined = "\0".join([self.rewrite, self.rejected, self.same_answers])
        return hashlib.sha256(joined.encode()).hexdigest()


@dataclass(frozen=True)
class Asked:
    """One call, what came of it, and what it was for: ``rewrite`` or ``verdict``."""

    task: Task
    call: Call
    outcome: Outcome
    model: str
    purpose: str


@dataclass
class ModelRewriter:
    """Asks one model for rewrites and another, or the same, for verdicts.

    Attributes:
        spec: The model that rewrites.
        judge: The model that says whether the answers are the same.
        prompts: What they are asked.
        lookup: Answers the first one's calls.
        judge_lookup: Answers the second one's.
        asked: Every call with its outcome, in order, for freezing.
    """

    spec: ModelSpec
    judge: ModelSpec
    prompts: Prompts
    lookup: Lookup
    judge_lookup: Lookup
    asked: list["Asked"] = field(default_factory=list)

    def propose(self, tasks: Sequence[tuple[Task, Sequence[Attempt]]]) -> list[Proposal]:
        """Return a rewrite of each question; see `Rewriter`."""
        calls = [self._call(self.spec, self._task_text(t, a), REWRITE_TOKENS) for t, a in tasks]
        outcomes = self._ask([t for t, _ in tasks], calls, "rewrite")
        return [_proposal(o) for o in outcomes]

    def verdicts(self, pairs: Sequence[tuple[Task, str]]) -> list[tuple[str | None, bool]]:
        """Return the reply on each rewrite, and whether it says the answers are the same."""
        calls = [self._call(self.judge, self._judged(t, text), VERDICT_TOKENS) for t, text in pairs]
        outcomes = self._ask([t for t, _ in pairs], calls, "verdict")
        return [
            (None, False) if o.status == "error" else (o.answer.strip(), same_answers(o.answer))
            for o in outcomes
        ]

    def _call(self, spec: ModelSpec, text: str, tokens: int) -> Call:
        return call_of(spec, (Message("user", text),), tokens)

    def _ask(self, tasks: Sequence[Task], calls: Sequence[Call], purpose: str) -> list[Outcome]:
        rewrites = purpose == "rewrite"
        lookup, spec = (self.lookup, self.spec) if rewrites else (self.judge_lookup, self.judge)
        found = lookup(calls)
        outcomes = [found[call.key] for call in calls]
        triples = zip(tasks, calls, outcomes, strict=True)
        self.asked += [Asked(t, c, o, spec.model, purpose) for t, c, o in triples]
        return outcomes

    def _task_text(self, task: Task, attempts: Sequence[Attempt]) -> str:
        rejected = ""
        if attempts:
            reasons = "; ".join(map(said, attempts[-1].reasons))
            rejected = _filled(self.prompts.rejected, text=attempts[-1].text, reasons=reasons)
        return _filled(
            self.prompts.rewrite,
            banned=", ".join(task.banned) or "(none)",
            rejected=rejected,
            question=task.question.prompt,
        )

    def _judged(self, task: Task, text: str) -> str:
        # Marks that neither wording can hold: corpus text and a model's reply stay inside them.
        nonce = hashlib.sha256(f"{task.question.prompt}\0{text}".encode()).hexdigest()[:16]
        return _filled(
            self.prompts.same_answers, nonce=nonce, question=task.question.prompt, rewrite=text
        )


def clean(answer: str) -> str:
    """Return a reply without white space and double quotes around it."""
    return answer.strip().strip('"').strip()


def said(reason: Reason) -> str:
    """Return a reason as the model is told it; an answer's name is never said."""
    return _SAID[reason.kind].replace("{0}", reason.detail)


def _filled(template: str, **values: str) -> str:
    """Fill a template in one pass, so that a value that looks like a field stays as it is."""
    parts = template.split("{")
    out = [parts[0]]
    for part in parts[1:]:
        name, closed, rest = part.partition("}")
        out.append(values[name] + rest if closed and name in values else "{" + part)
    return "".join(out)


def _proposal(outcome: Outcome) -> Proposal:
    if outcome.status == "error":
        return Proposal(None, "model", outcome.error or "no answer arrived")
    # A question cut at its budget is no question.
    return Proposal("" if outcome.status == "truncated" else clean(outcome.answer), "model")


def call_rows(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """Return every distinct call as a row of `CALLS`; the arm says what it was for."""
    rows = {
        a.call.key: call_row(
            a.outcome,
            model=a.model,
            question_id=a.task.question.id,
            arm=a.purpose,
            repeat=a.call.repeat,
            budget=a.call.max_tokens,
        )
        for a in asked
    }
    return list(rows.values())
