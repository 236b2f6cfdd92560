"""Traits of gold titles that mislead the surface matcher, and what the audit says of such units.

They follow from the question alone, so they can be counted where answers are not at hand. Source:
paper section 10.2 and Table 3, STUDIES section 5.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit.frame import Answer
from copyceiling.audit.labels import CATEGORIES, Row
from copyceiling.questions import Question
from copyceiling.text import normalise

Item = tuple[str, int]  # question id and place in its gold list, from 0

TITLE_TRAITS = ("gold_substring_of_subject", "gold_unspaced_camel", "gold_single_token")
# Paths of credit by the paper's matcher.
CREDITED = ("substring", "word_bag")
_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# The other category on the same side of exposure.
_SIBLING = {"n11": "n10", "n10": "n11", "n01": "n00", "n00": "n01"}


def title_traits(gold: str, subjects: Iterable[str]) -> dict[str, bool]:
    """Return which of `TITLE_TRAITS` a gold title has, given the titles of its subjects.

    ``gold_substring_of_subject``: the normalised title stands within a subject's and is shorter,
    so restating the question earns credit. ``gold_unspaced_camel``: words run together, told by a
    capital right after a small letter, and no space. ``gold_single_token``: one word.
    """
    norm = normalise(gold)
    names = [normalise(subject) for subject in subjects]
    return {
        "gold_substring_of_subject": bool(norm) and any(norm != s and norm in s for s in names),
        "gold_unspaced_camel": bool(re.search("[a-z][A-Z]", gold)) and " " not in gold,
        "gold_single_token": len(norm.split()) == 1,
    }


def spaced(title: str) -> str:
    """Return a title with the words that its capitals show apart.

    >>> spaced("MultiAccessEdgeComputing")
    'Multi Access Edge Computing'
    """
    return _JOINT.sub(" ", title)


@dataclass(frozen=True)
class Material:
    """What is known of gold items.

    Attributes:
        questions: Question id to question.
        titles: Class slug to title; a subject that is no class goes by its slug.
        exposed: (question id, item) to whether what the model was shown exposes it.
        paths: (model, question id, item) to how the answer earns credit, see `matching.Match`;
            empty where the rows at hand count hits without naming them.
    """

    questions: Mapping[str, Question]
    titles: Mapping[str, str]
    exposed: Mapping[Item, bool]
    paths: Mapping[tuple[str, str, int], str]


def audit_mechanism_rows(
    answers: Sequence[Answer], sample: Sequence[Row], material: Material
) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_MECHANISMS`: frame units by trait of title, and their verdicts.

    Where rows say how many items an answer omits, not which, units of a trait are exact only where
    their bounds meet.

    Args:
        answers: The frame's answers, settled as far as they are; see `frame.settle`.
        sample: Audited units of the scaffold arm.
        material: What is known of the gold items.
    """
    traits = {
        (q.id, i): title_traits(gold.title, [material.titles.get(s, s) for s in q.class_slugs])
        for q in material.questions.values()
        for i, gold in enumerate(q.gold)
    }
    out = []
    for name in TITLE_TRAITS:
        having = {key: has[name] for key, has in traits.items()}
        found = _counted(answers, having, material)
        bounds = found or _trait_bounds(answers, sample, having, material.exposed)
        by_words = _by_words(having, material) if found else None
        titled = {material.questions[q].gold[i].title for (q, i), has in having.items() if has}
        in_question = Counter(q for (q, _), has in having.items() if has)
        judged = [r for r in sample if having[r["question_id"], r["item_index"]]]
        for category in CATEGORIES:
            low, high = bounds[category]
            kept = [r for r in judged if r["category"] == category]
            out.append(
                {
                    "mechanism": name,
                    "category": category,
                    "n_titles": len(titled),
                    "n_frame": sum(in_question[a.question_id] for a in answers),
                    "n": low if low == high else None,
                    "n_low": low,
                    "n_high": high,
                    "n_word_bag": None if by_words is None else by_words[category],
                    "n_sampled": len(kept),
                    "n_correct": sum(r["label"] == "correct_relation" for r in kept),
                }
            )
    return out


def _counted(
    answers: Sequence[Answer], having: Mapping[Item, bool], material: Material
) -> dict[str, tuple[int, int]] | None:
    """Return, by category, the units that have a trait, None where rows do not name the hits."""
    known = {(model, q) for model, q, _ in material.paths}
    if not known or any((a.model, a.question_id) not in known for a in answers):
        return None
    counts = Counter(
        _category(material.exposed[q, item], path)
        for (_, q, item), path in material.paths.items()
        if having[q, item]
    )
    return {category: (counts[category], counts[category]) for category in CATEGORIES}


def _category(exposed: bool, path: str) -> str:
    return f"n{int(exposed)}{int(path in CREDITED)}"


def _by_words(having: Mapping[Item, bool], material: Material) -> Counter[str]:
    return Counter(
        _category(material.exposed[q, item], path)
        for (_, q, item), path in material.paths.items()
        if having[q, item] and path == "word_bag"
    )


def _trait_bounds(
    answers: Sequence[Answer],
    sample: Sequence[Row],
    having: Mapping[Item, bool],
    exposed: Mapping[Item, bool],
) -> dict[str, tuple[int, int]]:
    """Return, by category, the least and the most units that have a trait.

    What is known of an answer: how many items of each side of exposure have the trait, bounds of
    the category, and the category of the items that were audited.
    """
    sides = Counter((q, exposed[q, item], has) for (q, item), has in having.items())
    audited = Counter(
        (r["model"], r["question_id"], r["category"], having[r["question_id"], r["item_index"]])
        for r in sample
    )
    totals = {}
    for category in CATEGORIES:
        low = high = 0
        for a in answers:
            key, side = (a.model, a.question_id), category in ("n11", "n10")
            least, most = a.bounds(category)
            others = sides[a.question_id, side, False] - audited[*key, _SIBLING[category], False]
            low += max(audited[*key, category, True], least - others)
            high += min(
                sides[a.question_id, side, True] - audited[*key, _SIBLING[category], True],
                most - audited[*key, category, False],
            )
        totals[category] = (low, high)
    return totals
