"""The gold items that calibration answers are made of, and how items are drawn from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from copyceiling.calibration.relations import COMMON, PARENT, Relation
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text, Title, match
from copyceiling.questions import Question
from copyceiling.stats import named_rng

T = TypeVar("T")


@dataclass(frozen=True)
class Edge:
    """One gold item of one question: an edge of the graph that an answer may assert.

    Attributes:
        source: ``question|index of the item``.
        question: The question.
        subject: Title of the subject, or of both subjects.
        relation: The relation asked for.
        item: Title of the gold item.
        gold: Titles of all gold items, this one included.
    """

    source: str
    question: Question
    subject: str
    relation: Relation
    item: str
    gold: tuple[str, ...]

    @property
    def clause(self) -> str:
        """The clause that asserts the edge."""
        return self.relation.clause(self.subject, self.item)

    @property
    def line(self) -> str:
        """Subject, relation and item in one line."""
        return f"{self.subject} -- {self.relation.name} -- {self.item}"

    @property
    def others(self) -> tuple[str, ...]:
        """The other gold items."""
        return tuple(title for title in self.gold if title != self.item)


def names(title: str, text: str) -> bool:
    """Whether a text names a title, by the lenient matcher: rather too often than too seldom."""
    return match(Title.of(title), Text.of(text)).paper


def edges_of(
    questions: Sequence[Question],
    classes: Mapping[str, OntologyClass],
    relations: Mapping[str, Relation],
) -> list[Edge]:
    """Return the gold items that answers can be made of, in order.

    Left out are items that the question, the subject or another gold item names, or that name one
    of these: there the right label would hang on the reader.

    Args:
        questions: The study's questions.
        classes: Classes of the corpus by slug.
        relations: Relations by type; questions of other types are left out.
    """
    titles = {slug: c.title for slug, c in classes.items()}
    every = (
        edge_of(q, i, titles, relations)
        for q in questions
        if kind_of(q) in relations
        for i in range(len(q.gold))
    )
    return [edge for edge in every if _is_plain(edge)]


def edge_of(
    question: Question, item: int, titles: Mapping[str, str], relations: Mapping[str, Relation]
) -> Edge:
    """Return one gold item of a question as an edge of the graph.

    Args:
        question: The question.
        item: Place of the gold item, from 0.
        titles: Class slug to title; a subject that is no class goes by its slug.
        relations: Relations by type, the question's among them.
    """
    return Edge(
        source=f"{question.id}|{item}",
        question=question,
        subject=" and ".join(titles.get(slug, slug) for slug in question.class_slugs),
        relation=relations[kind_of(question)],
        item=question.gold[item].title,
        gold=tuple(gold.title for gold in question.gold),
    )


def kind_of(question: Question) -> str:
    """Return the type of the relation that a question asks for, as `relations_of` names it."""
    if question.template == "T-REL":
        return question.key.split(":", 2)[2]
    return PARENT if question.template == "T-TAX" else COMMON


def _is_plain(edge: Edge) -> bool:
    around = (edge.subject, edge.question.prompt, *edge.others)
    if not Title.of(edge.item).norm or any(names(edge.item, text) for text in around):
        return False
    return not any(names(title, edge.item) for title in (edge.subject, *edge.others))


def draw(
    items: Sequence[T], count: int, domain: Callable[[T], str], *, seed: int, name: str
) -> list[T]:
    """Return so many items, spread over the domains as evenly as they allow.

    Domains take turns in an order of their own, each giving its next item; a larger count holds a
    smaller one. Fewer come where there are not so many.
    """
    rng = named_rng(seed, f"calibration:{name}")
    by_domain: dict[str, list[T]] = {}
    for item in items:
        by_domain.setdefault(domain(item), []).append(item)
    queues = []
    for key in sorted(by_domain):
        order = rng.permutation(len(by_domain[key])).tolist()
        queues.append([by_domain[key][i] for i in order])
    queues = [queues[i] for i in rng.permutation(len(queues)).tolist()]
    depth = max(map(len, queues), default=0)
    turns = [queue[i] for i in range(depth) for queue in queues if i < len(queue)]
    return turns[:count]
