"""Arms packed from sections of the corpus to the length of the true block.

``fluent_noise`` draws sections of classes that are no neighbours of the seeds, by the published
rule. ``answer_disjoint`` is the placebo that the paper asks for: real sections, admitted only while
the block as a whole, and with the question, exposes no gold. Source: paper sections 5.4, 10.7 and
16, STUDIES section 4.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible, wrap
from copyceiling.controls.exposure import Targets
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text
from copyceiling.scaffold import FOOTER, HEADER, ScaffoldEngine, estimate_tokens
from copyceiling.stats import named_rng

WALK = 600  # candidates that the published rule looks at
RESTARTS = 20  # starts of a greedy filling that came out too short
FULL = 0.95  # share of the true block's tokens at which packing stops
_FRAME = estimate_tokens("\n".join([HEADER, "", FOOTER]))


class Sections:
    """The sections of a corpus, as the engine writes them of a class on its own.

    Args:
        classes: The corpus; their order counts for nothing.
        engine: What renders them.
    """

    def __init__(self, classes: Sequence[OntologyClass], engine: ScaffoldEngine) -> None:
        self._classes = {c.slug: c for c in classes}
        self._engine = engine
        self._texts: dict[str, str] = {}
        self._defined = sorted(c.slug for c in classes if c.definition.strip())

    def text(self, slug: str) -> str:
        """Return a class's section."""
        if slug not in self._texts:
            self._texts[slug] = self._engine.section(self._classes[slug], frozenset())
        return self._texts[slug]

    def drawn(self, excluded: frozenset[str], seed: int, name: str) -> Iterator[str]:
        """Yield the slugs of classes with a definition, in an order that seed and name decide."""
        order = named_rng(seed, name).permutation(len(self._defined)).tolist()
        return (s for s in (self._defined[i] for i in order) if s not in excluded)


def fluent_noise(case: Case, sections: Sections, seed: int) -> Block | Infeasible:
    """Return a block of unrelated classes, packed to the true block's length.

    Left out are the seeds, all classes above them, and the targets of all their relations; not what
    points at them. Of the first `WALK` candidates each that fits is taken, a section at its tokens
    and one more. Where none fits the first stands alone, however long.
    """
    if not case.block:
        return NO_BLOCK
    drawn = sections.drawn(_related(case.seeds), seed, f"controls:fluent_noise:{case.id}")
    candidates = [slug for slug, _ in zip(drawn, range(WALK), strict=False)]
    if not candidates:
        return Infeasible("every class with a definition is a seed or related to one")
    kept: list[str] = []
    used = _FRAME
    for slug in candidates:
        cost = estimate_tokens(sections.text(slug)) + 1
        if used + cost <= case.tokens:
            kept.append(slug)
            used += cost
            if used >= FULL * case.tokens:
                break
    return _block(kept or candidates[:1], sections)


def _related(seeds: Iterable[OntologyClass]) -> frozenset[str]:
    found: set[str] = set()
    for c in seeds:
        found.update((c.slug, *c.parents, *c.ancestors))
        found.update(target for targets in c.relations.values() for target in targets)
    return frozenset(found)


def answer_disjoint(
    case: Case, sections: Sections, length_tolerance: float, seed: int
) -> Block | Infeasible:
    """Return a block of real sections that exposes no gold, as long as the true one.

    A section is taken only if the block that it would complete exposes no gold item by the paper's
    matcher, whose bag of words may draw on several sections, and if block and question together
    expose none that the question alone does not. No section is one of the true block's. They are
    taken greedily in a drawn order; where that ends too short it starts over one section later.

    Args:
        case: The question and its block.
        sections: What is drawn from.
        length_tolerance: Most that its tokens may fall short, as a share of the true block's.
        seed: Study seed.
    """
    if not case.block:
        return NO_BLOCK
    targets = Targets.of(case)
    if targets.n_unmatchable:
        return Infeasible(
            f"the matcher cannot see {targets.n_unmatchable} of {len(targets.gold)} gold titles, "
            "so no block can be shown to expose none"
        )

    def admits(block: str) -> bool:
        return not targets.given_away(Text.of(block))

    name = f"controls:answer_disjoint:{case.id}"
    drawn = [*sections.drawn(frozenset(case.slugs), seed, name)]
    least = math.ceil((1 - length_tolerance) * case.tokens)
    best = 0
    for start in range(min(RESTARTS, len(drawn))):
        kept = _fill([*drawn[start:], *drawn[:start]], sections, case.tokens, least, admits)
        filled = _tokens(kept, sections) if kept else 0
        if filled >= least:
            return _block(kept, sections)
        best = max(best, filled)
    return Infeasible(
        f"sections that expose no gold fill {best} of {case.tokens} tokens, short by more than "
        f"{length_tolerance:.0%}"
    )


def _block(slugs: Sequence[str], sections: Sections) -> Block:
    return Block(wrap([sections.text(slug) for slug in slugs]), tuple(slugs))


def _tokens(slugs: Sequence[str], sections: Sections) -> int:
    return estimate_tokens(wrap([sections.text(slug) for slug in slugs]))


def _fill(
    candidates: Iterable[str],
    sections: Sections,
    target: int,
    least: int,
    admits: Callable[[str], bool],
) -> list[str]:
    """Return classes whose sections make an admitted block of at most ``target`` tokens.

    Filling stops near the target, and after `WALK` candidates at ``least`` tokens.
    """
    kept: list[str] = []
    tokens = 0
    for looked, slug in enumerate(candidates):
        if tokens >= (least if looked >= WALK else FULL * target):
            break
        section = sections.text(slug)
        if estimate_tokens(section) > target - tokens:
            continue
        # What a section exposes a block that holds it exposes too, so the short text comes first.
        more = _tokens([*kept, slug], sections)
        if more > target or not admits(section):
            continue
        if admits(wrap([sections.text(s) for s in (*kept, slug)])):
            kept.append(slug)
            tokens = more
    return kept
