"""Goes through a judge's calls before they are made, see `copyceiling.rehearsal`.

The worst judge's first reply can never be read; asked once more, it gives a label whose quote does
not stand in the answer; and what it says of the span cannot be read either, twice. That is every
call that the harness and the quote gate can make of one case, at every budget of the judge.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from copyceiling.audit.labels import ROLES
from copyceiling.judging.forms import FORMS
from copyceiling.judging.harness import Case
from copyceiling.judging.rubrics import Rubric
from copyceiling.judging.session import Session
from copyceiling.models import ModelSpec
from copyceiling.rehearsal import Imagine, Known, Rehearsal, never_came
from copyceiling.requests import Call, Outcome

_LABEL = "correct_relation"
_UNREADABLE = "{}"
Work = tuple[Sequence[Case], Rubric, str]  # cases, what the judge is told, name of the form


@dataclass(frozen=True)
class Sitting:
    """One judge, and what its calls rest on.

    Attributes:
        spec: The judge.
        span: Rubric of the quote gate.
        seed: Study seed.
        answer_cap: Characters of an answer shown, None for all; see `Session`.
        known: Outcomes of calls that were made.
    """

    spec: ModelSpec
    span: Rubric
    seed: int
    answer_cap: int | None
    known: Known

    def least(self, work: Sequence[Work]) -> list[Call]:
        """Return the distinct calls that are sure to be asked for these cases."""
        return self._calls(work, worst=False)

    def most(self, work: Sequence[Work]) -> list[Call]:
        """Return the calls that are asked at most; see `Asks` for those that stand twice."""
        return self._calls(work, worst=True)

    def _calls(self, work: Sequence[Work], *, worst: bool) -> list[Call]:
        found: dict[tuple[str, ...], Call] = {}
        for cases, rubric, form in work:
            lookup = Rehearsal(self.known, self._worst(rubric) if worst else never_came)
            session = Session(self.spec, self.span, self.seed, lookup, answer_cap=self.answer_cap)
            for judged, gated in session.judge(cases, rubric, form):
                asked = (*judged.heard.asked, *(gated.asked if gated else ()))
                # What follows a reply hangs on how it is read and what it says: other words, and
                # so another call, for every way of reading every first call.
                follows = FORMS[form].parse, asked[0].call.key
                for one in asked:
                    key = one.call.key
                    fixed = not worst or one.purpose == "verdict" or key in self.known
                    found[(key,) if fixed else (key, *follows)] = one.call
        return [*found.values()]

    def _worst(self, rubric: Rubric) -> Imagine:
        def imagine(call: Call) -> Outcome:
            if call.max_tokens < self.spec.budgets[-1]:
                return Outcome(call.key, "truncated", "", "length", None, None)
            user = call.messages[-1].content
            again = rubric.kind == "relation" and _is_reask(user, rubric)
            reply = _unproven(user) if again else _UNREADABLE
            return Outcome(call.key, "ok", reply, "stop", None, None)

        return imagine


def _is_reask(user: str, rubric: Rubric) -> bool:
    """Whether the words after the last section are those of this rubric's re-ask."""
    return f"{rubric.request}\n\n{rubric.reask}" in user.rpartition(">>>")[2]


def _unproven(user: str) -> str:
    """Return a label with a quote that stands nowhere in what the judge was shown."""
    quote, shown = "zz", user.lower()
    while quote in shown:
        quote += "z"
    reply = {"label": _LABEL, "role": ROLES[-1], "confidence": 1.0, "quote": quote}
    return json.dumps(reply)
