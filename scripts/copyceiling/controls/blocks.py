"""What control arms are made of: a question with its block, and what becomes of the block."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.corpus.model import OntologyClass
from copyceiling.questions import Question
from copyceiling.scaffold import FOOTER, HEADER, estimate_tokens


@dataclass(frozen=True)
class Case:
    """A question and the block that retrieval gave it.

    Attributes:
        question: The question.
        subjects: Titles of the classes it is about.
        seeds: Classes whose sections the block holds, best first.
        block: The block, "" where nothing was retrieved; then there are no seeds.
    """

    question: Question
    subjects: tuple[str, ...]
    seeds: tuple[OntologyClass, ...]
    block: str

    @property
    def id(self) -> str:
        """Id of the question."""
        return self.question.id

    @property
    def slugs(self) -> tuple[str, ...]:
        """Slugs of the seeds, best first."""
        return tuple(c.slug for c in self.seeds)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the block."""
        return estimate_tokens(self.block)


def case_of(
    question: Question, scaffold: Mapping[str, Any], classes: Mapping[str, OntologyClass]
) -> Case:
    """Return the case of a question.

    Args:
        question: The question.
        scaffold: Its row of `SCAFFOLDS`; seeds whose section did not fit are left out.
        classes: Classes of the corpus by slug.
    """
    shown = [seed["slug"] for seed in scaffold["seeds"][: scaffold["n_sections"]]]
    subjects = tuple(classes[s].title if s in classes else s for s in question.class_slugs)
    return Case(question, subjects, tuple(classes[slug] for slug in shown), scaffold["block"])


@dataclass(frozen=True)
class Block:
    """The block of a control arm.

    Attributes:
        text: The block; "" in the arm that shows none.
        seeds: Slugs of the classes that it is made of, in order.
        donor: Question whose block it is, None where it is no other question's.
    """

    text: str
    seeds: tuple[str, ...] = ()
    donor: str | None = None


@dataclass(frozen=True)
class Infeasible:
    """A planned cell that cannot be made as its arm is declared, and why."""

    reason: str


NO_BLOCK = Infeasible("nothing was retrieved for the question, so there is no block to alter")


def wrap(sections: Sequence[str]) -> str:
    """Return a block of these sections, as the engine joins them; the budget is the caller's."""
    return "\n".join([HEADER, "\n\n".join(sections), FOOTER])


def peel(block: str) -> str:
    """Return a block without its header and footer lines."""
    lines = block.split("\n")
    if lines[0] == HEADER:
        lines = lines[1:]
    if lines and lines[-1] == FOOTER:
        lines = lines[:-1]
    return "\n".join(lines)
