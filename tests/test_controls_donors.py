"""The irrelevant arm: properties against brute-force oracles, and cases by hand."""

from collections import Counter
from dataclasses import replace
from itertools import product

from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible
from copyceiling.controls.derangement import DONORS, Limits, donor_blocks, greedy_blocks
from copyceiling.controls.exposure import Targets
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class
from tests.control_cases import case, drawn_cases, plain_cases
from tests.oracles import hit

Drawn = tuple[list[OntologyClass], list[Case]]
limits = st.builds(
    Limits,
    reuse_cap=st.integers(1, 2),
    length_tolerance=st.sampled_from((0.05, 0.3, 1.0)),
    exposure_ceiling=st.sampled_from((0.0, 0.5, 1.0)),
)


def may_lend(donor: Case, to: Case, limit: Limits) -> bool:
    """Brute force, from the declaration of the arm alone."""
    gold = [item.title for item in to.question.gold]
    asked = to.question.prompt
    exposed = sum(
        hit(title, donor.block) or (hit(title, f"{donor.block} {asked}") and not hit(title, asked))
        for title in gold
    )
    return (
        bool(donor.block)
        and donor.id != to.id
        and not {c.slug for c in donor.seeds} & {c.slug for c in to.seeds}
        and abs(donor.tokens - to.tokens) <= limit.length_tolerance * to.tokens
        and exposed <= limit.exposure_ceiling * len(gold)
    )


def most_that_can_be_served(cases: list[Case], limit: Limits) -> int:
    """Brute force: the most recipients that donors can serve, over all choices."""
    donors = {c.block: c for c in cases if c.block}
    choices = [
        [None, *(text for text, d in donors.items() if may_lend(d, to, limit))]
        for to in cases
        if to.block
    ]
    best = 0
    for choice in product(*choices):
        uses = Counter(text for text in choice if text)
        if not uses or max(uses.values()) <= limit.reuse_cap:
            best = max(best, sum(uses.values()))
    return best


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(most=5), limits, st.integers(0, 9))
def test_donors_keep_to_the_declaration_and_serve_as_many_as_can_be(
    drawn: Drawn, limit: Limits, seed: int
) -> None:
    cases = drawn[1]
    found = donor_blocks(cases, cases, limit, seed)
    assert found.keys() == {c.id for c in cases}
    by_id = {c.id: c for c in cases}
    served = {q: b for q, b in found.items() if isinstance(b, Block)}
    for q, block in served.items():
        donor = by_id[block.donor or ""]
        assert may_lend(donor, by_id[q], limit)
        assert (block.text, block.seeds) == (donor.block, donor.slugs)
    uses = Counter(block.text for block in served.values())
    assert not uses or max(uses.values()) <= limit.reuse_cap
    assert len(served) == most_that_can_be_served(cases, limit)
    for q in by_id.keys() - served.keys():
        assert isinstance(found[q], Infeasible)
        assert (found[q] == NO_BLOCK) == (not by_id[q].block)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(), limits, st.integers(0, 9), st.randoms(use_true_random=False))
def test_the_order_of_questions_counts_for_nothing(
    drawn: Drawn, limit: Limits, seed: int, random: object
) -> None:
    cases = drawn[1]
    mixed, pool = list(cases), list(cases)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    random.shuffle(pool)  # type: ignore[attr-defined]
    assert donor_blocks(mixed, pool, limit, seed) == donor_blocks(cases, cases, limit, seed)


def test_one_seed_one_derangement_another_seed_another() -> None:
    cases = plain_cases(8)
    first, again, other = (
        {q: b.donor for q, b in donor_blocks(cases, cases, Limits(), seed).items()}  # type: ignore[union-attr]
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert sorted(first.values()) == sorted(first), "each block is used, each once"
    assert all(q != donor for q, donor in first.items())


def test_questions_with_one_text_count_as_one_donor() -> None:
    """The release showed four texts to 56 questions; the cap is on texts, not on questions."""
    one, two, three = plain_cases(3)
    twin = case(7, two.seeds, ["Gold07"])
    found = donor_blocks([one, three], [one, twin, two, three], Limits(), 1)
    assert {b.donor for b in found.values() if isinstance(b, Block)} <= {two.id, one.id, three.id}
    assert twin.block == two.block
    # With two recipients and the twins' text alone to lend, one goes without.
    found = donor_blocks([one, three], [twin, two], Limits(), 1)
    assert sorted(type(b).__name__ for b in found.values()) == ["Block", "Infeasible"]
    found = donor_blocks([one, three], [twin, two], Limits(reuse_cap=2), 1)
    assert {b.donor for b in found.values() if isinstance(b, Block)} == {two.id}


def test_the_reason_counts_what_was_in_the_way() -> None:
    a, b = plain_cases(2)
    long = case(5, [make_class("s5", title="Loaf05", definition="Baked. " * 40)], ["Gold05"])
    giving = case(6, [make_class("s6", title="Gold00", definition="Baked.")], ["Gold06"])
    found = donor_blocks([a], [a, long, giving], Limits(), 1)[a.id]
    assert isinstance(found, Infeasible)
    for part in (
        "2 of 3 blocks share no class",
        "1 of these are within 10%",
        "0 of these give away",
    ):
        assert part in found.reason, found.reason
    assert isinstance(donor_blocks([a], [a, b], Limits(), 1)[a.id], Block)
    assert donor_blocks([], [a, b], Limits(), 1) == {}
    assert isinstance(donor_blocks([a], [], Limits(), 1)[a.id], Infeasible)


def test_gold_that_the_question_exposes_is_not_given_away_by_a_block() -> None:
    one, two = plain_cases(2)
    asked = case(3, one.seeds, ["Gold Bar"], prompt="What of the gold bar?")
    assert Targets.of(asked).given_away(Text.of(two.block)) == 0
    assert Targets.of(asked).given_away(Text.of(f"{two.block} Gold bar.")) == 1
    assert isinstance(donor_blocks([asked], [two], Limits(), 1)[asked.id], Block)
    # The block completes what the question leaves open.
    open_one = case(4, one.seeds, ["Loaf01 Crumb"], prompt="What of the crumb?")
    assert isinstance(donor_blocks([open_one], [two], Limits(), 1)[open_one.id], Infeasible)


def of_template(number: int, template: str, seeds: list[OntologyClass]) -> Case:
    one = case(number, seeds, [f"Gold{number:02d}"])
    return Case(replace(one.question, template=template), one.subjects, one.seeds, one.block)


def test_greedy_takes_the_first_fit_again_and_again_and_a_matching_does_not() -> None:
    """STUDIES section 4: the first one of the other set with no shared seed, else of the same."""
    classes = [make_class(f"s{i}", title=f"Loaf{i:02d}", definition="Baked.") for i in range(8)]
    a = [of_template(i, "A", [classes[i]]) for i in range(4)]
    # The first of the other template is long, shares a class with a3, and gives away a1's gold.
    long = make_class("long", title="Gold01", definition="Baked. " * 40)
    b = [of_template(4, "B", [long, classes[3]]), of_template(5, "B", [classes[5]])]
    bare = case(9, [], ["Gold"])
    cases = [bare, *a, *b]  # a question without a block lends none
    found = greedy_blocks(cases, cases, Limits(), 1)
    lent = {q: block.donor for q, block in found.items() if isinstance(block, Block)}
    assert lent == {
        **dict.fromkeys([a[0].id, a[1].id, a[2].id], b[0].id),
        a[3].id: b[1].id,  # b0 shows its class, so the next of the other template
        **dict.fromkeys([b[0].id, b[1].id], a[0].id),
    }
    assert found[bare.id] == NO_BLOCK
    assert found[a[0].id] == Block(b[0].block, b[0].slugs, b[0].id)
    matched = donor_blocks(cases, cases, Limits(), 1)
    uses = Counter(x.donor for x in matched.values() if isinstance(x, Block))
    assert max(uses.values()) == 1 < max(Counter(lent.values()).values()) == 3
    assert {"matching": donor_blocks, "greedy": greedy_blocks} == DONORS


def test_greedy_falls_back_on_its_own_template_and_says_where_none_is_left() -> None:
    one, two, three = (make_class(f"s{i}", title=f"Loaf{i}") for i in range(3))
    a0, a1 = of_template(0, "A", [one, two]), of_template(1, "A", [three])
    b0 = of_template(2, "B", [two, three])
    found = greedy_blocks([a0, a1, b0], [a0, a1, b0], Limits(), 1)
    assert [getattr(found[c.id], "donor", None) for c in (a0, a1, b0)] == [a1.id, a0.id, None]
    assert "shares a class" in found[b0.id].reason  # type: ignore[union-attr]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(), st.integers(0, 9))
def test_greedy_is_the_rule_read_literally(drawn: Drawn, seed: int) -> None:
    """Whatever the limits and the seed; only some of the pool are asked."""
    pool = [of_template(i, "AB"[i % 2], list(c.seeds)) for i, c in enumerate(drawn[1])]
    found = greedy_blocks(pool[::2], pool, Limits(), seed)
    assert [*found] == [c.id for c in pool[::2]]
    for c in pool[::2]:
        apart = [d for d in pool if d.block and d.id != c.id and not {*d.slugs} & {*c.slugs}]
        other = [d for d in apart if d.question.template != c.question.template]
        first = next(iter(other or apart), None)
        block = found[c.id]
        if not c.block:
            assert block == NO_BLOCK
        elif first is None:
            assert isinstance(block, Infeasible)
        else:
            assert block == Block(first.block, first.slugs, first.id)
