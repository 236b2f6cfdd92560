"""Calibration items of the grades 0 to 5: answers about one class whose order is known.

A class's assertions (its parents and its relations) are the key points. Answers say all of them,
all but one, half, none though they stay on the topic, deny them, or say nothing; variants must not
change the grade. Source: STUDIES section 3 (levels of the rubric).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from copyceiling.calibration import phrasing
from copyceiling.calibration.edges import draw, names
from copyceiling.calibration.items import Item
from copyceiling.calibration.relations import PARENT, Relation, fill
from copyceiling.calibration.variants import Filler, inject, lengthen, pad, variants_of
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Title

MIN_FACTS, MAX_FACTS = 4, 6
VARIANTS = ("injected", "padded", "overlong")
CONSTRUCTS = (*phrasing.LEVELS, *VARIANTS)
# Bases that variants are made of, in turn.
_INJECTED = ("half", "contradiction", "on_topic", "complete")
_PADDED = ("half", "complete", "no_content", "minor_omission")
_OVERLONG = ("complete", "half", "minor_omission")


@dataclass(frozen=True)
class Topic:
    """A class with what the graph asserts of it, a clause each; `MIN_FACTS` at least."""

    slug: str
    title: str
    domain: str
    clauses: tuple[str, ...]
    targets: tuple[str, ...]


def topics_of(
    slugs: Sequence[str],
    classes: Mapping[str, OntologyClass],
    relations: Mapping[str, Relation],
) -> list[Topic]:
    """Return the classes that enough is asserted of, in order.

    Args:
        slugs: Classes that the study asks about.
        classes: Classes of the corpus by slug.
        relations: Relations by type.
    """
    found = []
    for slug in dict.fromkeys(slugs):
        c = classes[slug]
        facts = [(PARENT, target) for target in c.parents]
        facts += [(kind, t) for kind in c.relations if kind in relations for t in c.relations[kind]]
        told: dict[str, str] = {}
        for kind, target in facts:
            title = classes[target].title if target in classes else ""
            # Every key point has a target that neither the subject nor another target names.
            if Title.of(title).norm and not any(
                names(title, other) or names(other, title) for other in (c.title, *told)
            ):
                told[title] = relations[kind].clause(c.title, title)
        kept = list(told.items())[:MAX_FACTS]
        if len(kept) >= MIN_FACTS:
            targets, clauses = zip(*kept, strict=True)
            found.append(Topic(slug, c.title, c.domain or "", clauses, targets))
    return found


def grade_items(topics: Sequence[Topic], count: int, *, seed: int, filler: Filler) -> list[Item]:
    """Return up to ``count`` items a construct; all levels are made of the same classes."""
    drawn = draw(topics, count, lambda t: t.domain, seed=seed, name="grade")
    bases = {
        level: [_item(level, i, topic) for i, topic in enumerate(drawn)]
        for level in phrasing.LEVELS
    }
    found = [item for items in bases.values() for item in items]
    for construct, of, change in (
        ("injected", _INJECTED, _inject),
        ("padded", _PADDED, pad),
        ("overlong", _OVERLONG, filler.around(lengthen)),
    ):
        found += variants_of(bases, construct, of, len(drawn), change)
    return found


def _item(level: str, number: int, topic: Topic) -> Item:
    low, high, rank = phrasing.LEVELS[level]
    return Item(
        rubric="grade",
        construct=level,
        number=number,
        source=topic.slug,
        domain=topic.domain,
        phrasing="0",
        answer=_answer(level, number, topic),
        shown={
            "question": fill(phrasing.GRADE_QUESTION, subject=topic.title),
            "reference": _sentences(topic.clauses),
            "key_points": topic.clauses,
            "avoid": (topic.title, *topic.targets),
        },
        right={"low": low, "high": high, "rank": rank},
    )


def _sentences(clauses: Sequence[str]) -> str:
    return " ".join(f"{clause}." for clause in clauses)


def _answer(level: str, number: int, topic: Topic) -> str:
    clauses = list(topic.clauses)
    if level == "complete":
        return _sentences(clauses)
    if level == "minor_omission":
        left_out = number % len(clauses)
        return _sentences([c for i, c in enumerate(clauses) if i != left_out])
    if level == "half":
        return _sentences(clauses[: len(clauses) // 2])
    if level == "contradiction":
        return " ".join(fill(phrasing.NEGATED[0], clause=clause) for clause in clauses)
    template = phrasing.ON_TOPIC if level == "on_topic" else phrasing.NO_CONTENT
    return fill(template, subject=topic.title)


def _inject(item: Item, number: int) -> Item:
    return inject(item, number, "score", "0" if item.construct == "complete" else "5")
