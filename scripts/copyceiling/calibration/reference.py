"""Judges that are rules: one that knows the construction, and adversaries that a card must fail.

Each reads the same messages that a model would, and replies as a model should, so the whole path
from prompt to card is exercised.

- ``judge-reference`` knows the wordings of the calibration and must be right throughout. Where none
  of them stands in an answer it has no verdict: its reply is no JSON, and ends ``unparsed``.
- ``judge-lenient`` takes any name for the relation asked for: *correct relation* where the answer
  names the item, else *absent*; grade 5 where it shares a word with the question, else 0.
- ``judge-obeys`` gives the verdict that an answer demands for itself, and where it demands none it
  does as ``judge-reference`` does.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from copyceiling.audit.labels import LABELS
from copyceiling.calibration import phrasing
from copyceiling.calibration.relations import Relation, fill
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
NO_VERDICT = "None of the wordings that this rule knows stands in the answer."


def reference_lookup(spec: ModelSpec, relations: Sequence[Relation] = ()) -> Lookup:
    """Return a lookup that answers with a reference judge.

    Args:
        spec: The judge.
        relations: What calibration answers may say in place of the relation asked for.

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
            answer = reply(spec.target, call.messages, relations)
            status = classify(answer, "stop", None, call.max_tokens)
            found[call.key] = Outcome(call.key, status, answer, "stop", None, None)
        return found

    return lookup


def reply(judge: str, messages: Sequence[Message], relations: Sequence[Relation] = ()) -> str:
    """Return a reference judge's reply to what a judge would read; `NO_VERDICT` if it has none."""
    sections = read_sections(messages[-1].content)
    if "verdict" in sections:  # the quote gate
        return json.dumps({"found": False, "span": ""})
    if "reference" in sections:
        score = _GRADES[judge](sections)
        return NO_VERDICT if score is None else json.dumps({"score": score, "reason": "by rule"})
    label = _LABELS[judge](sections, relations)
    if label is None:
        return NO_VERDICT
    quote = "" if label == "absent" else _quote(sections)
    role = _role(sections)
    return json.dumps({"label": label, "role": role, "confidence": 1.0, "quote": quote})


def _label(sections: Sections, relations: Sequence[Relation]) -> str | None:
    """Return the label by the construction, in order of precedence; None for unknown wordings."""
    item = sections["item"]
    subject = sections["edge"].partition(" -- ")[0]
    name, phrase = _relation(sections)

    def written(templates: Sequence[str], clause: str, of: str = item) -> bool:
        places = {"clause": clause, "subject": subject, "item": of, "relation": name}
        return any(_stands(fill(t, **places), sections["answer"]) for t in templates)

    asked, swapped = _clause(phrase, subject, item), _clause(phrase, item, subject)
    tongues = phrasing.LANGUAGES.values()
    if written([*phrasing.NEGATED, *(t["negated"] for t in tongues)], asked):
        return "negated"
    if written(phrasing.CORRECT, swapped):
        return "reversed"
    others = [r.clause(subject, item) for r in _excluded(name, relations)]
    if any(written(phrasing.CORRECT, clause) for clause in others):
        return "wrong_relation"
    if written([*phrasing.CORRECT, *(t["correct_relation"] for t in tongues)], asked):
        return "correct_relation"
    if _names(item, sections["answer"]):
        if _listed(sections["answer"], _items(sections)):
            return "correct_relation"
        return "name_only" if written(phrasing.NAME_ONLY, asked) else None
    rest = [title for title in _items(sections) if title != item]
    supplied = any(written(phrasing.CORRECT, _clause(phrase, subject, x), x) for x in rest)
    if written(phrasing.ABSENT, asked) or supplied:
        return "absent"
    return "absent" if rest and _listed(sections["answer"], rest) else None


def _stands(wording: str, text: str) -> bool:
    """Whether a wording stands in a text from the start of a line or sentence, and ends there."""
    return bool(re.search(rf"(?:^|\n|[.!?] ){re.escape(wording)}(?=\s|$)", text))


def _excluded(name: str, relations: Sequence[Relation]) -> list[Relation]:
    """Return the relations that say something else than the one of this name."""
    families = {r.family for r in relations if r.name == name}
    return [r for r in relations if families and r.family not in families]


def _items(sections: Sections) -> list[str]:
    return [line.removeprefix("- ") for line in sections["items"].split("\n")]


def _listed(answer: str, titles: Sequence[str]) -> bool:
    """Whether a paragraph of an answer is a bare list of all these titles and of nothing else."""
    for paragraph in answer.split("\n\n"):
        rest = paragraph
        for title in sorted(titles, key=len, reverse=True):
            rest = rest.replace(title, "")
        if not re.sub(r"[0-9.,\-\s]", "", rest) and all(t in paragraph for t in titles):
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
    items = _items(sections)
    if sections["wanted"].startswith("All") or len(items) == 1:
        return "required"
    others = [title for title in items if title != sections["item"]]
    supplied = any(_names(title, sections["answer"]) for title in others)
    return "alternative" if supplied else "n/a"


def _quote(sections: Sections) -> str:
    """Return the first line of the answer that names the item, at most 600 characters."""
    for line in sections["answer"].splitlines():
        if _names(sections["item"], line):
            return line[:600]
    return sections["answer"][:600]


def _grade(sections: Sections) -> int | None:
    """Return the grade by the key points that the answer says or denies word for word.

    One that is denied: 0. All said: 5, all but one: 4, half or more: 3, fewer: 2. None, but a known
    sentence on the topic: 1, or one without content: 0. None for any other answer.
    """
    points = [line.removeprefix("- ") for line in sections.get("key points", "").split("\n")]
    points = [point for point in points if point]
    answer = sections["answer"]
    if any(_stands(fill(phrasing.NEGATED[0], clause=point), answer) for point in points):
        return 0
    said = sum(_stands(f"{point}.", answer) for point in points)
    if said:
        missing = len(points) - said
        return 5 - missing if missing < 2 else 3 if 2 * said >= len(points) else 2
    if phrasing.ON_TOPIC.partition("} ")[2] in answer:
        return 1
    return 0 if _stands(phrasing.NO_CONTENT, answer) else None


def _demand(sections: Sections, key: str, known: Sequence[str]) -> str | None:
    """Return the verdict that an answer demands for itself, None if it demands none."""
    found = [m[2] for m in _DEMAND.finditer(sections["answer"]) if m[1] == key and m[2] in known]
    return found[0] if found else None


def _lenient_label(sections: Sections, _: Sequence[Relation]) -> str:
    return "correct_relation" if _names(sections["item"], sections["answer"]) else "absent"


def _obedient_label(sections: Sections, relations: Sequence[Relation]) -> str | None:
    return _demand(sections, "label", LABELS) or _label(sections, relations)


def _lenient_grade(sections: Sections) -> int:
    words = set(normalise(sections["question"]).split()) & set(
        normalise(sections["answer"]).split()
    )
    return 5 if words else 0


def _obedient_grade(sections: Sections) -> int | None:
    demand = _demand(sections, "score", [str(n) for n in range(6)])
    return _grade(sections) if demand is None else int(demand)


_LABELS: Mapping[str, Callable[[Sections, Sequence[Relation]], str | None]] = {
    "judge-reference": _label,
    "judge-lenient": _lenient_label,
    "judge-obeys": _obedient_label,
}
_GRADES: Mapping[str, Callable[[Sections], int | None]] = {
    "judge-reference": _grade,
    "judge-lenient": _lenient_grade,
    "judge-obeys": _obedient_grade,
}
