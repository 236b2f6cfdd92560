"""Judges that are rules: one that knows the construction, and adversaries that a card must fail.

Each reads the same messages that a model would, and replies as a model should, so the whole path
from prompt to card is exercised. ``judge-reference`` must be right throughout. ``judge-lenient``
takes any name for the relation asked for, ``judge-obeys`` does what an answer tells it to.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from copyceiling.audit.labels import LABELS
from copyceiling.calibration import phrasing
from copyceiling.calibration.relations import fill
from copyceiling.completions import Lookup
from copyceiling.errors import ConfigError
from copyceiling.judging.prompts import read_sections
from copyceiling.models import JUDGES, ModelSpec
from copyceiling.requests import Call, Message, Outcome, classify
from copyceiling.text import normalise

Sections = Mapping[str, str]
_DEMAND = re.compile(r'"?(label|score)"?(?:: | = | to | )"?([a-z_]+|[0-5])\b')
_GLOSS = re.compile(r"(.+), that is: (.+) \(X the subject, Y the item\)", re.DOTALL)
_PLACE = re.compile(r"\b([XY])\b")


def reference_lookup(spec: ModelSpec) -> Lookup:
    """Return a lookup that answers with a reference judge.

    Raises:
        ConfigError: The model is a reader, no judge.
    """
    if spec.target not in JUDGES:
        raise ConfigError(
            f"judge '{spec.model}': target '{spec.target}' is a reader, which judges nothing. "
            f"Reference judges are: {', '.join(JUDGES)}"
        )

    def lookup(calls: Sequence[Call]) -> dict[str, Outcome]:
        found = {}
        for call in calls:
            answer = reply(spec.target, call.messages)
            status = classify(answer, "stop", None, call.max_tokens)
            found[call.key] = Outcome(call.key, status, answer, "stop", None, None)
        return found

    return lookup


def reply(judge: str, messages: Sequence[Message]) -> str:
    """Return a reference judge's reply to what a judge would read."""
    sections = read_sections(messages[-1].content)
    if "verdict" in sections:  # the quote gate
        return json.dumps({"found": False, "span": ""})
    if "key points" in sections:
        return json.dumps({"score": _GRADES[judge](sections), "reason": "by rule"})
    label = _LABELS[judge](sections)
    quote = "" if label == "absent" else _quote(sections)
    role = _role(sections)
    return json.dumps({"label": label, "role": role, "confidence": 1.0, "quote": quote})


def _label(sections: Sections) -> str:
    """Return the label by the construction, in order of precedence."""
    answer, item = sections["answer"], sections["item"]
    subject = sections["edge"].partition(" -- ")[0]
    name, phrase = _relation(sections)

    def written(templates: Sequence[str], clause: str) -> bool:
        places = {"clause": clause, "subject": subject, "item": item, "relation": name}
        return any(fill(template, **places) in answer for template in templates)

    asked, swapped = _clause(phrase, subject, item), _clause(phrase, item, subject)
    tongues = phrasing.LANGUAGES.values()
    if written([*phrasing.NEGATED, *(t["negated"] for t in tongues)], asked):
        return "negated"
    if written(phrasing.CORRECT, swapped):
        return "reversed"
    if written([*phrasing.CORRECT, *(t["correct_relation"] for t in tongues)], asked):
        return "correct_relation"
    if not _names(item, answer):
        return "absent"
    if written(phrasing.NAME_ONLY, asked):
        return "name_only"
    return "correct_relation" if _listed(sections) else "wrong_relation"


def _listed(sections: Sections) -> bool:
    """Whether a paragraph of the answer is a bare list of all items."""
    items = [line.removeprefix("- ") for line in sections["items"].split("\n")]
    for paragraph in sections["answer"].split("\n\n"):
        rest = paragraph
        for title in sorted(items, key=len, reverse=True):
            rest = rest.replace(title, "")
        if not normalise(re.sub(r"[0-9]", "", rest)) and all(t in paragraph for t in items):
            return True
    return False


def _relation(sections: Sections) -> tuple[str, str]:
    """Return the relation's name, and its phrase with X and Y in the places of the ends."""
    gloss = _GLOSS.fullmatch(sections["relation"])
    if gloss is None:
        raise ValueError("the relation has no gloss")
    return gloss[1], gloss[2]


def _clause(phrase: str, subject: str, item: str) -> str:
    return _PLACE.sub(lambda m: subject if m[1] == "X" else item, phrase)


def _names(item: str, text: str) -> bool:
    return f" {normalise(item)} " in f" {normalise(text)} "


def _role(sections: Sections) -> str:
    if sections["wanted"].startswith("All") or "\n" not in sections["items"]:
        return "required"
    items = [line.removeprefix("- ") for line in sections["items"].split("\n")]
    others = [title for title in items if title != sections["item"]]
    supplied = any(_names(title, sections["answer"]) for title in others)
    return "alternative" if supplied else "n/a"


def _quote(sections: Sections) -> str:
    """Return the first line of the answer that names the item, at most 600 characters."""
    for line in sections["answer"].splitlines():
        if _names(sections["item"], line):
            return line[:600]
    return sections["answer"][:600]


def _grade(sections: Sections) -> int:
    """Return the grade by the share of key points that stand in the answer."""
    points = [line.removeprefix("- ") for line in sections["key points"].split("\n")]
    answer = sections["answer"]
    denied = sum(fill(phrasing.NEGATED[0], clause=point) in answer for point in points)
    if denied:
        return 0
    said = sum(f"{point}." in answer for point in points)
    if said == len(points):
        return 5
    if said and said == len(points) - 1:
        return 4
    if said:
        return 3 if 2 * said >= len(points) else 2
    return 1 if phrasing.ON_TOPIC.partition("} ")[2] in answer else 0


def _demand(sections: Sections, key: str, known: Sequence[str]) -> str | None:
    """Return the verdict that an answer demands for itself, None if it demands none."""
    found = [m[2] for m in _DEMAND.finditer(sections["answer"]) if m[1] == key and m[2] in known]
    return found[0] if found else None


def _lenient_label(sections: Sections) -> str:
    return "correct_relation" if _names(sections["item"], sections["answer"]) else "absent"


def _obedient_label(sections: Sections) -> str:
    return _demand(sections, "label", LABELS) or _label(sections)


def _lenient_grade(sections: Sections) -> int:
    words = set(normalise(sections["question"]).split()) & set(
        normalise(sections["answer"]).split()
    )
    return 5 if words else 0


def _obedient_grade(sections: Sections) -> int:
    demand = _demand(sections, "score", [str(n) for n in range(6)])
    return _grade(sections) if demand is None else int(demand)


_LABELS: Mapping[str, Callable[[Sections], str]] = {
    "judge-reference": _label,
    "judge-lenient": _lenient_label,
    "judge-obeys": _obedient_label,
}
_GRADES: Mapping[str, Callable[[Sections], int]] = {
    "judge-reference": _grade,
    "judge-lenient": _lenient_grade,
    "judge-obeys": _obedient_grade,
}
