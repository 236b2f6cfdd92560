"""Contexts that show some of a question's gold and leave some out.

Gold is left out in two ways, a set of questions each. ``retrieval``: by what retrieval finds and
the token budget holds. ``withheld``: the engine renders the block as if the corpus did not relate
one gold item to what it shows, where it otherwise shows all: one item is left out, the rest stay.
Which items a context exposes is measured on the whole visible input, wrapper and question included.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import ConfigError, listing
from copyceiling.matching import Match, Text, match_all
from copyceiling.questions import Question
from copyceiling.requests import Message, build_messages, visible_input
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.scoring import Gold
from copyceiling.stats import named_rng
from copyceiling.wrappers.texts import RAW, Wrapper

Omission = Literal["retrieval", "withheld"]
OMISSIONS: tuple[Omission, ...] = ("retrieval", "withheld")
# Why a question has no context for a set; the first that applies.
REASONS = (
    "any_of_gold",  # one of several items suffices: leaving out another is no omission
    "single_gold",  # withholding its only item would leave none to show
    "left_out_already",  # by retrieval, without withholding any
    "no_block",
    "wrapper_exposes",  # a wrapper's words expose an item that the block does not
    "others_left_out",  # along with the one withheld
    "all_exposed",  # withheld or not: other words of the block give the item away
)


@dataclass(frozen=True)
class Context:
    """One question's context.

    Attributes:
        question: The question.
        omission: How gold is left out.
        seeds: Slugs of the classes retrieved, best first, without a withheld one.
        top_score: Score of the best match.
        block: The block, not empty.
        shown: How each gold item is found in block and question; no wrapper exposes more.
        alone: How each is found in the question alone.
        withheld: Slug of the gold item that was withheld, None if none was.
    """

    question: Question
    omission: Omission
    seeds: tuple[str, ...]
    top_score: float
    block: str
    shown: tuple[Match, ...]
    alone: tuple[Match, ...]
    withheld: str | None = None

    @property
    def n_shown(self) -> int:
        """Gold items that the visible input exposes."""
        return sum(m.paper for m in self.shown)

    @property
    def n_left_out(self) -> int:
        """Gold items that it does not."""
        return len(self.shown) - self.n_shown


@dataclass(frozen=True)
class Candidate:
    """A question of the pool: its context for a set, or why it has none (of `REASONS`)."""

    question: Question
    omission: Omission
    context: Context | None
    reason: str | None


class ContextMaker:
    """Makes contexts over one corpus.

    Args:
        classes: The corpus, in corpus order.
        engine: The engine at the study's budget.
        wrappers: Every wrapper.
        seed: Study seed; decides which item is withheld.
    """

    def __init__(
        self,
        classes: Iterable[OntologyClass],
        engine: ScaffoldEngine,
        wrappers: Sequence[Wrapper],
        seed: int,
    ) -> None:
        self._classes = {c.slug: c for c in classes}
        self._engine = engine
        self._wrappers = wrappers
        self._seed = seed

    def candidate(self, question: Question, omission: Omission) -> Candidate:
        """Return a question's context for a set, or why it has none."""
        made: Context | str
        if question.gold_type == "any":
            made = "any_of_gold"
        elif omission == "withheld":
            made = self._withheld(question)
        else:
            made = self._context(question, "retrieval", None)
        if isinstance(made, Context):
            return Candidate(question, omission, made, None)
        return Candidate(question, omission, None, made)

    def _withheld(self, question: Question) -> Context | str:
        """Withhold an item of a context that shows all gold, so that it alone is left out."""
        if len(question.gold) < 2:
            return "single_gold"
        whole = self._context(question, "withheld", None)
        if whole != "all_exposed":
            return whole if isinstance(whole, str) else "left_out_already"
        order = named_rng(self._seed, f"wrappers:withheld:{question.id}")
        reasons = []
        for i in order.permutation(len(question.gold)).tolist():
            made = self._context(question, "withheld", question.gold[i].slug)
            if isinstance(made, Context):
                if made.n_left_out == 1 and not made.shown[i].paper:
                    return made
                made = "others_left_out"
            reasons.append(made)
        return min(reasons, key=REASONS.index)

    def _context(
        self, question: Question, omission: Omission, withheld: str | None
    ) -> Context | str:
        found = [s for s in self._engine.seeds(question.retrieval_text) if s.slug != withheld]
        seeds = tuple(s.slug for s in found)
        block = self._block(seeds, withheld)
        if not block:
            return "no_block"
        titles = Gold.of(question).titles
        shown = match_all(titles, Text.of(f"{block} {question.prompt}"))
        if all(m.paper for m in shown):
            return "all_exposed"
        messages = arm_messages(self._wrappers, block, question.prompt)
        by_arm = [
            match_all(titles, Text.of(visible_input(messages[w.arm]))) for w in self._wrappers
        ]
        if any([m.paper for m in arm] != [m.paper for m in shown] for arm in by_arm):
            return "wrapper_exposes"
        return Context(
            question=question,
            omission=omission,
            seeds=seeds,
            top_score=found[0].score,
            block=block,
            shown=tuple(shown),
            alone=tuple(match_all(titles, Text.of(question.prompt))),
            withheld=withheld,
        )

    def _block(self, seeds: Sequence[str], withheld: str | None) -> str:
        taken = frozenset(seeds)
        sections = [
            self._engine.section(without(self._classes[slug], withheld), taken) for slug in seeds
        ]
        return self._engine.clamp(sections)[0]


def without(c: OntologyClass, slug: str | None) -> OntologyClass:
    """Return a class as if the corpus did not relate it to another; unchanged for None."""
    if slug is None:
        return c

    def kept(slugs: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(s for s in slugs if s != slug)

    return replace(
        c,
        parents=kept(c.parents),
        ancestors=kept(c.ancestors),
        relations={name: kept(targets) for name, targets in c.relations.items()},
    )


def arm_messages(
    wrappers: Iterable[Wrapper], block: str, prompt: str
) -> dict[str, tuple[Message, ...]]:
    """Return what each arm shows a model; the arms with a block differ in the wrapper alone."""
    shown = {w.arm: build_messages(w.text, block, prompt) for w in wrappers}
    return {**shown, RAW: build_messages("", "", prompt)}


def choose(
    pool: Callable[[Omission], Sequence[Candidate]],
    omissions: Sequence[Omission],
    count: int | None,
    seed: int,
) -> tuple[list[Context], list[Candidate]]:
    """Draw the questions of each set; a question stands in one set at most.

    Within a set, questions that also have shown items come first: they alone show what a wrapper
    costs. Among equals the order is a random permutation, a stream a set.

    Args:
        pool: A set to its candidates, one a question.
        omissions: Sets, in order of drawing.
        count: Questions of a set; fewer where there are fewer, None for all.
        seed: Study seed.

    Returns:
        The contexts drawn, by set and id; every candidate of every set.

    Raises:
        ConfigError: A set has no question; says what stands in the way.
    """
    drawn: dict[str, Context] = {}
    seen: list[Candidate] = []
    # The set with fewer to choose from draws first.
    for omission in sorted(omissions, key=OMISSIONS.index, reverse=True):
        candidates = sorted(pool(omission), key=lambda c: c.question.id)
        seen += candidates
        contexts = [
            c.context for c in candidates if c.context is not None and c.question.id not in drawn
        ]
        if not contexts:
            raise ConfigError(_nothing(omission, candidates))
        places = named_rng(seed, f"wrappers:questions:{omission}").permutation(len(contexts))
        order = [contexts[i] for i in places.tolist()]
        order.sort(key=lambda c: c.n_shown == 0)
        drawn |= {c.question.id: c for c in order[:count]}
    chosen = sorted(drawn.values(), key=lambda c: (c.omission, c.question.id))
    return chosen, seen


def _nothing(omission: str, candidates: Sequence[Candidate]) -> str:
    counts: Mapping[str, int] = {
        reason: sum(c.reason == reason for c in candidates) for reason in REASONS
    }
    lines = [f"{reason}: {n} question(s)" for reason, n in counts.items() if n]
    return (
        f"wrappers: no question's context leaves gold out by '{omission}':\n{listing(lines)}\n"
        "Change wrappers.budget_tokens, or take the set out of wrappers.omissions."
    )


def pool_rows(candidates: Iterable[Candidate], chosen: Iterable[Context]) -> list[dict[str, Any]]:
    """Return rows of `WRAPPER_POOL`: one a set and question, whether it was drawn, or why not."""
    taken = {(c.omission, c.question.id) for c in chosen}
    return [
        {
            "set": c.omission,
            "question_id": c.question.id,
            "template": c.question.template,
            "domain": c.question.domain,
            "n_gold": len(c.question.gold),
            "n_shown": c.context.n_shown if c.context else None,
            "n_left_out": c.context.n_left_out if c.context else None,
            "reason": c.reason,
            "chosen": (c.omission, c.question.id) in taken,
        }
        for c in candidates
    ]
