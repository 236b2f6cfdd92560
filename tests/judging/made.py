"""What the tests of judges share: units, rubrics, judges that play a script, a small graph."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from copyceiling.calibration.build import calibration_items
from copyceiling.calibration.items import Item
from copyceiling.calibration.relations import relations_of
from copyceiling.completions import Lookup
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.judging.prompts import read_sections
from copyceiling.judging.rubrics import Kind, Rubric, load_rubric
from copyceiling.judging.units import Unit, grade_unit, relation_unit
from copyceiling.models import ModelSpec, load_models
from copyceiling.questions import QuestionGenerator
from copyceiling.requests import Call, Outcome, classify

MODELS = load_models(ROOT / "config" / "models.tsv")
STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")
SEED = 7
KINDS: tuple[Kind, ...] = ("relation", "grade", "span")
RUBRICS: Mapping[str, Rubric] = {
    kind: load_rubric(ROOT / "config" / "rubrics" / f"{kind}.yaml", kind) for kind in KINDS
}
ANSWER = "Bread requires Wheat Flour. It also requires Water, and some say salt."

# How the bakery's relations are said.
RELATIONS = relations_of(STUDY["questions"]["wording"]["relations"], STUDY["judging"]["relations"])

# What a reply may be: text, or text with how the call ended.
Play = str | tuple[str, Mapping[str, Any]]


def judge_spec(**changes: Any) -> ModelSpec:
    """Return a judge that is no rule; a script answers for it."""
    return replace(MODELS["smollm2-135m"], model="played", **changes)


def relation(answer: str = ANSWER, **changes: Any) -> Unit:
    """Return a unit of the six labels."""
    fields: dict[str, Any] = {
        "question": "For Bread, which ingredients are called for?",
        "relation": "requires, that is: X requires Y (X the subject, Y the item)",
        "edge": "Bread -- requires -- Wheat Flour",
        "item": "Wheat Flour",
        "gold": ["Wheat Flour", "Water"],
        "gold_type": "all",
        "credited": ["Water"],
    }
    return relation_unit("secret-model|q1|0", answer=answer, **{**fields, **changes})


def grade(answer: str = ANSWER) -> Unit:
    """Return a unit of the grades."""
    return grade_unit(
        "secret-model|q1|raw",
        question="What does Bread require?",
        reference="Bread requires Wheat Flour. Bread requires Water.",
        key_points=["Bread requires Wheat Flour", "Bread requires Water"],
        answer=answer,
    )


def label(name: str = "correct_relation", **changes: Any) -> str:
    """Return a well-formed reply to the rubric of six labels."""
    quote = "" if name == "absent" else "Bread requires Wheat Flour"
    reply = {"label": name, "role": "required", "confidence": 0.9, "quote": quote}
    return json.dumps({**reply, **changes})


class Script:
    """A lookup that plays replies in order, the last one on; notes what it was asked."""

    def __init__(self, *plays: Play | Callable[[Call], str]) -> None:
        self.plays = plays
        self.calls: list[Call] = []

    def __call__(self, calls: Sequence[Call]) -> dict[str, Outcome]:
        """Answer each call."""
        return {call.key: self._answer(call) for call in calls}

    def _answer(self, call: Call) -> Outcome:
        play = self.plays[min(len(self.calls), len(self.plays) - 1)]
        self.calls.append(call)
        if callable(play):
            return outcome(call, play(call))
        text, how = (play, {}) if isinstance(play, str) else play
        return outcome(call, text, **how)


def outcome(call: Call, text: str, **how: Any) -> Outcome:
    """Return an outcome as the client would class it."""
    finish, tokens = how.get("finish", "stop"), how.get("tokens", 5)
    status = classify(text, finish, tokens, call.max_tokens, refused=how.get("refused", False))
    return Outcome(call.key, status, text, finish, 10, tokens, error=how.get("error"))


def lookup_of(reply: Callable[[Mapping[str, str], Call], str]) -> Lookup:
    """Return a lookup that replies to the sections of a call."""

    def lookup(calls: Sequence[Call]) -> dict[str, Outcome]:
        return {c.key: outcome(c, reply(read_sections(c.messages[-1].content), c)) for c in calls}

    return lookup


def bakery_items(count: int = 12, seed: int = SEED) -> list[Item]:
    """Return the calibration items of the bakery, as the smoke study makes them."""
    corpus = read_corpus(STUDY["corpus"])[0]
    questions = QuestionGenerator(corpus.classes, STUDY["questions"]).generate(STUDY["seed"])
    return calibration_items(corpus.classes, questions, RELATIONS, count=count, seed=seed)
