"""Why the surface matcher errs, counted without a judge.

A unit is one gold item of one answer. Some traits belong to its title alone, others to how it came
to be credited. Source: paper section 10.2 and Table 3, STUDIES section 5.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit.labels import CATEGORIES, Row
from copyceiling.audit.traits import CREDITED, TITLE_TRAITS, spaced, title_traits
from copyceiling.questions import Question
from copyceiling.sweep import POOLED
from copyceiling.text import normalise

MECHANISMS = (
    *TITLE_TRAITS,
    "gold_in_question",
    "matched_by_word_bag_only",
    "credit_inside_word",
    "compliant_omission",
    "spaced_form_in_answer",
)


@dataclass(frozen=True)
class Unit:
    """One gold item of one answer.

    Attributes:
        model: Label of the model.
        question: Its question.
        item: Place in the gold list, from 0.
        subjects: Titles of the question's subjects.
        exposed: Whether what the model was shown exposes it.
        in_question: Whether the question alone does.
        path: How the answer earns credit: substring, word_bag, or neither.
        at_boundary: Whether the whole title stands in the answer at word boundaries.
        answered: Whether the question counts as answered in full.
        answer: The answer, normalised.
    """

    model: str
    question: Question
    item: int
    subjects: Sequence[str]
    exposed: bool
    in_question: bool
    path: str
    at_boundary: bool
    answered: bool
    answer: str

    @property
    def title(self) -> str:
        """Title of the gold item."""
        return self.question.gold[self.item].title

    @property
    def credited(self) -> bool:
        """Whether the paper's matcher credits it."""
        return self.path in CREDITED

    @property
    def category(self) -> str:
        """Its category: n11, n10, n01 or n00."""
        return f"n{int(self.exposed)}{int(self.credited)}"

    def mechanisms(self) -> dict[str, bool]:
        """Return which of `MECHANISMS` the unit has.

        Beside the title's traits: ``gold_in_question``, exposed by the question alone;
        ``matched_by_word_bag_only``, credited though the title itself is not there;
        ``credit_inside_word``, credited by a substring that begins or ends within a word;
        ``compliant_omission``, exposed and omitted where another item answered a question that
        asks for any one; ``spaced_form_in_answer``, a run-together title not credited though its
        words stand there apart.
        """
        traits = title_traits(self.title, self.subjects)
        words_apart = normalise(spaced(self.title)) in self.answer
        any_one = self.question.gold_type == "any" and self.answered
        return {
            **traits,
            "gold_in_question": self.in_question,
            "matched_by_word_bag_only": self.path == "word_bag",
            "credit_inside_word": self.path == "substring" and not self.at_boundary,
            "compliant_omission": self.category == "n10" and any_one,
            "spaced_form_in_answer": (
                traits["gold_unspaced_camel"] and not self.credited and words_apart
            ),
        }


def units_of(
    questions: Sequence[Question],
    titles: Mapping[str, str],
    exposure: Iterable[Row],
    items: Iterable[Row],
    completions: Iterable[Row],
) -> list[Unit]:
    """Return the units of the scaffold arm.

    Args:
        questions: The questions.
        titles: Class slug to title; a subject that is no class goes by its slug.
        exposure: Rows of `EXPOSURE`.
        items: Rows of `ITEMS`.
        completions: Rows of `COMPLETIONS`.
    """
    by_id = {q.id: q for q in questions}
    shown = {(r["question_id"], r["item"]): r for r in exposure}
    answers = {
        (r["model"], r["question_id"]): normalise(r["answer"])
        for r in completions
        if r["arm"] == "scaffold"
    }
    kept = [r for r in items if r["arm"] == "scaffold"]
    hits = Counter((r["model"], r["question_id"]) for r in kept if r["recovered"])
    out = []
    for r in kept:
        question, key = by_id[r["question_id"]], (r["model"], r["question_id"])
        wanted = 1 if question.gold_type == "any" else len(question.gold)
        out.append(
            Unit(
                model=r["model"],
                question=question,
                item=r["item"],
                subjects=[titles.get(slug, slug) for slug in question.class_slugs],
                exposed=shown[question.id, r["item"]]["exposed"],
                in_question=shown[question.id, r["item"]]["question_exposed"],
                path=r["path"],
                at_boundary=r["recovered_strict"],
                answered=hits[key] >= wanted,
                answer=answers[key],
            )
        )
    return out


def mechanism_rows(units: Iterable[Unit], readers: frozenset[str]) -> list[dict[str, Any]]:
    """Return the rows of `MECHANISMS`: units with each mechanism, by model and pooled.

    Args:
        units: The units; see `units_of`.
        readers: Labels of the reference readers, left out of the pooled rows.
    """
    counts: Counter[tuple[str, str, str]] = Counter()
    sizes: Counter[tuple[str, str]] = Counter()
    for unit in units:
        for model in [unit.model] if unit.model in readers else [unit.model, POOLED]:
            sizes[model, unit.category] += 1
            for name, has in unit.mechanisms().items():
                counts[model, name, unit.category] += has
    return [
        {
            "model": model,
            "group": "reader" if model in readers else "model",
            "mechanism": name,
            "category": category,
            "n": counts[model, name, category],
            "of": sizes[model, category],
        }
        for model in sorted({model for model, _ in sizes})
        for name in MECHANISMS
        for category in CATEGORIES
    ]


def run_together_rows(units: Iterable[Unit], readers: frozenset[str]) -> list[dict[str, Any]]:
    """Return the rows of `RUN_TOGETHER`: each run-together gold title, models pooled."""
    found: dict[str, Counter[str]] = {}
    for unit in units:
        has = unit.mechanisms()
        if has["gold_unspaced_camel"] and unit.model not in readers:
            omitted = "spaced" if has["spaced_form_in_answer"] else "absent"
            ended = unit.path if unit.credited else omitted
            found.setdefault(unit.title, Counter())[ended] += 1
    return [
        {
            "title": title,
            "spaced": spaced(title),
            "n": ended.total(),
            **{f"n_{name}": ended[name] for name in ("substring", "word_bag", "spaced", "absent")},
        }
        for title, ended in sorted(found.items())
    ]
