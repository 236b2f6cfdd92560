"""The irrelevant arm: whose block each question is shown instead of its own.

Donors ``matching`` are drawn together: each recipient gets a block that shares no class with its
own, is about as long, exposes no more of its gold than declared, and serves no more recipients than
the cap allows. As many recipients as can be get one; among these matchings chance decides.
``greedy`` is the published rule, the first fit by classes alone, which used four texts for 56
questions; it is kept for comparison. Source: STUDIES sections 4 and 8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from copyceiling.cohorts import Unit
from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible
from copyceiling.controls.exposure import Targets
from copyceiling.donors import greedy_donor
from copyceiling.matching import Text
from copyceiling.stats import Floats, named_rng


@dataclass(frozen=True)
class Limits:
    """What a donor's block must keep to.

    Attributes:
        reuse_cap: Most recipients of one text, at least 1.
        length_tolerance: Most that its tokens may differ, as a share of the true block's.
        exposure_ceiling: Most of the recipient's gold that it may give away, by itself or with the
            question's words, as a share.
    """

    reuse_cap: int = 1
    length_tolerance: float = 0.1
    exposure_ceiling: float = 0.0

    def fits(self, tokens: int, wanted: int) -> bool:
        """Whether a block of so many tokens may stand for one of ``wanted`` tokens."""
        return abs(tokens - wanted) <= self.length_tolerance * wanted


def donor_blocks(
    recipients: Sequence[Case], pool: Sequence[Case], limits: Limits, seed: int
) -> dict[str, Block | Infeasible]:
    """Return each recipient's block, or why it has none; the order of cases counts for nothing.

    Args:
        recipients: Questions to be shown another one's block.
        pool: Questions that may lend theirs. Of several with one text the first by id lends it.
        limits: What a donor must keep to.
        seed: Study seed.
    """
    # Imported where it is used: scipy takes a while, and most jobs need none of it.
    from scipy.optimize import linear_sum_assignment

    texts = {case.block: case for case in sorted(pool, key=lambda c: c.id, reverse=True)}
    donors = sorted((c for text, c in texts.items() if text), key=lambda c: c.id)
    asked = sorted((c for c in recipients if c.block), key=lambda c: c.id)
    found: dict[str, Block | Infeasible] = {c.id: NO_BLOCK for c in recipients if not c.block}
    if not asked:
        return found
    admitted, reasons = _admitted(asked, donors, limits)
    cost = np.where(admitted, _chances(asked, len(donors), seed), len(asked) + 1.0)
    cost = np.repeat(cost, limits.reuse_cap, axis=1)
    rows, columns = linear_sum_assignment(cost) if donors else ((), ())
    chosen = {int(r): int(c) // limits.reuse_cap for r, c in zip(rows, columns, strict=True)}
    for i, case in enumerate(asked):
        j = chosen.get(i)
        if j is None or not admitted[i, j]:
            found[case.id] = Infeasible(reasons[i])
        else:
            found[case.id] = Block(donors[j].block, donors[j].slugs, donors[j].id)
    return found


def _chances(asked: Sequence[Case], n: int, seed: int) -> Floats:
    """Return a draw in [0, 1) for each recipient and donor, shape (recipients, donors)."""
    names = [f"controls:irrelevant:{case.id}" for case in asked]
    return np.array([named_rng(seed, name).random(n) for name in names]).reshape(len(asked), n)


def _admitted(
    asked: Sequence[Case], donors: Sequence[Case], limits: Limits
) -> tuple[np.ndarray, list[str]]:
    """Return which donors each recipient may have, and what to say where none is left for it."""
    texts = [Text.of(donor.block) for donor in donors]
    admitted = np.zeros((len(asked), len(donors)), dtype=bool)
    reasons = []
    for i, case in enumerate(asked):
        own, targets = set(case.slugs), Targets.of(case)
        most = limits.exposure_ceiling * len(targets.gold)
        # A question shares its seeds with itself, so none is its own donor.
        apart = [j for j, d in enumerate(donors) if not own & set(d.slugs)]
        long = [j for j in apart if limits.fits(donors[j].tokens, case.tokens)]
        kept = [j for j in long if targets.given_away(texts[j]) <= most]
        admitted[i, kept] = True
        reasons.append(
            f"no donor is left: {len(apart)} of {len(donors)} blocks share no class, {len(long)} "
            f"of these are within {limits.length_tolerance:.0%} of {case.tokens} tokens, "
            f"{len(kept)} of these give away at most {limits.exposure_ceiling:.0%} of the gold, "
            f"and a block may serve {limits.reuse_cap}"
        )
    return admitted, reasons


def greedy_blocks(
    recipients: Sequence[Case], pool: Sequence[Case], limits: Limits, seed: int
) -> dict[str, Block | Infeasible]:
    """Return each recipient's block by the published rule, or why it has none.

    The first question of another template that shares no class lends its block, else the first such
    one of the same template. How often it lends, its length and what it exposes count for nothing.

    Args:
        recipients: Questions to be shown another one's block, all of them in the pool.
        pool: Questions that may lend theirs, in the order that the rule scans.
        limits: Not kept to.
        seed: Not used: nothing is drawn.
    """
    lenders = {_unit(case): case for case in pool if case.block}
    shown = {unit: frozenset(case.slugs) for unit, case in lenders.items()}
    found: dict[str, Block | Infeasible] = {}
    for case in recipients:
        donor = greedy_donor(_unit(case), shown) if case.block else None
        if not case.block:
            found[case.id] = NO_BLOCK
        elif donor is None:
            found[case.id] = Infeasible("every other question's block shares a class with its own")
        else:
            lent = lenders[donor]
            found[case.id] = Block(lent.block, lent.slugs, lent.id)
    return found


def _unit(case: Case) -> Unit:
    return Unit(case.question.template, case.id, "")


Lending = Callable[[Sequence[Case], Sequence[Case], Limits, int], Mapping[str, Block | Infeasible]]
DONORS: Mapping[str, Lending] = {"matching": donor_blocks, "greedy": greedy_blocks}
