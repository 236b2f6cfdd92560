"""Which texts a re-score compares with which gold titles."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from copyceiling.questions import Question
from copyceiling.requests import Message, visible_input
from copyceiling.text import normalise

Row = Mapping[str, Any]
Shown = Mapping[str, Mapping[str, Sequence[Message]]]


def digest(text: str) -> str:
    """Return the hex sha256 by which frozen cosines know a text or a normalised title."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Plan:
    """Texts by digest, and the normalised titles that each is compared with.

    A text or a title without a word is left out: it has no span, respectively cannot be found.
    """

    texts: dict[str, str] = field(default_factory=dict)
    titles: dict[str, set[str]] = field(default_factory=dict)

    def add(self, text: str, titles: Iterable[str]) -> None:
        """Plan the comparison of a text with normalised titles."""
        wanted = {title for title in titles if title}
        if wanted and normalise(text):
            key = digest(text)
            self.texts[key] = text
            self.titles.setdefault(key, set()).update(wanted)

    @property
    def pairs(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Digests of text and title to the text's digest and the title, in order."""
        return {
            (key, digest(title)): (key, title)
            for key in sorted(self.texts)
            for title in sorted(self.titles[key])
        }


def gold_titles(question: Question) -> list[str]:
    """Return the normalised titles of a question's gold, in order."""
    return [normalise(item.title) for item in question.gold]


def shown_text(shown: Shown, question_id: str, arm: str) -> str:
    """Return what a question's arm shows a model, as one text."""
    return visible_input(shown[question_id][arm])


def plan_of(questions: Sequence[Question], shown: Shown, answers: Iterable[Row]) -> Plan:
    """Plan a study: every arm's visible input, and every answer, against the question's gold.

    Args:
        questions: With their gold.
        shown: Question id to arm to messages.
        answers: Rows of completions.
    """
    plan = Plan()
    titles = {q.id: gold_titles(q) for q in questions}
    for question in questions:
        for arm in shown[question.id]:
            plan.add(shown_text(shown, question.id, arm), titles[question.id])
    for row in answers:
        plan.add(row["answer"], titles[row["question_id"]])
    return plan
