"""Donors, noise and placebo: properties against brute-force oracles, and cases by hand."""

from collections import Counter
from itertools import product

import pytest
from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible
from copyceiling.controls.derangement import Limits, donor_blocks
from copyceiling.controls.exposure import Targets
from copyceiling.controls.fill import FULL, Sections, answer_disjoint, fluent_noise
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text
from copyceiling.scaffold import FOOTER, HEADER, ScaffoldEngine, estimate_tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class
from tests.control_cases import case, drawn_cases
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


def plain_cases(n: int) -> list[Case]:
    """Questions with a class each, of equal length, that expose nothing of one another."""
    seeds = [make_class(f"s{i}", title=f"Loaf{i:02d}", definition="Baked.") for i in range(n)]
    return [case(i, [seeds[i]], [f"Gold{i:02d}"]) for i in range(n)]


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


def sections_of(classes: list[OntologyClass]) -> Sections:
    return Sections(classes, ScaffoldEngine(classes))


def bodies(block: str) -> list[str]:
    lines = block.split("\n")
    assert (lines[0], lines[-1]) == (HEADER, FOOTER)
    return "\n".join(lines[1:-1]).split("\n\n")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(most=2), st.sampled_from((0.1, 0.5, 0.95)), st.integers(0, 9))
def test_the_placebo_exposes_no_gold_and_is_as_long(
    drawn: Drawn, tolerance: float, seed: int
) -> None:
    classes, cases = drawn
    sections = sections_of(classes)
    for c in cases:
        found = answer_disjoint(c, sections, tolerance, seed)
        if isinstance(found, Infeasible):
            continue
        gold = [item.title for item in c.question.gold]
        assert not any(hit(title, found.text) for title in gold)
        shown = f"{found.text} {c.question.prompt}"
        assert [hit(t, shown) for t in gold] == [hit(t, c.question.prompt) for t in gold]
        assert (1 - tolerance) * c.tokens <= estimate_tokens(found.text) <= c.tokens
        assert not set(found.seeds) & set(c.slugs)
        assert bodies(found.text) == [sections.text(slug) for slug in found.seeds]
        assert len(set(found.seeds)) == len(found.seeds) > 0


def related(c: OntologyClass) -> set[str]:
    return {c.slug, *c.parents, *c.ancestors, *(t for ts in c.relations.values() for t in ts)}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(most=2), st.integers(0, 9))
def test_the_noise_follows_the_published_rule(drawn: Drawn, seed: int) -> None:
    """STUDIES section 4, fluent noise, step by step over the order that was drawn."""
    classes, cases = drawn
    sections = sections_of(classes)
    engine = ScaffoldEngine(classes)
    by_slug = {c.slug: c for c in classes}
    for c in cases:
        found = fluent_noise(c, sections, seed)
        banned = {slug for s in c.seeds for slug in related(s)}
        name = f"controls:fluent_noise:{c.id}"
        pool = [s for s in sections.drawn(frozenset(), seed, name) if s not in banned]
        if not c.block or not pool:
            assert isinstance(found, Infeasible)
            continue
        assert isinstance(found, Block)
        used, taken = estimate_tokens(f"{HEADER}\n\n{FOOTER}"), []
        for slug in pool[:600]:
            if used >= FULL * c.tokens and taken:
                break
            cost = estimate_tokens(engine.section(by_slug[slug], frozenset())) + 1
            if used + cost <= c.tokens:
                used, taken = used + cost, [*taken, slug]
        assert list(found.seeds) == (taken or pool[:1])
        assert estimate_tokens(found.text) <= c.tokens or len(found.seeds) == 1
        assert not set(found.seeds) & banned


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(drawn_cases(most=2), st.integers(0, 9), st.randoms(use_true_random=False))
def test_the_order_of_the_corpus_counts_for_nothing(
    drawn: Drawn, seed: int, random: object
) -> None:
    classes, cases = drawn
    mixed = list(classes)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = sections_of(classes), sections_of(mixed)
    for c in cases:
        assert fluent_noise(c, one, seed) == fluent_noise(c, other, seed)
        assert answer_disjoint(c, one, 0.5, seed) == answer_disjoint(c, other, 0.5, seed)


def bakery(n: int = 60) -> list[OntologyClass]:
    return [
        make_class(f"s{i:02d}", title=f"Loaf{i:02d} Kind", definition=f"Baked food number {i}.")
        for i in range(n)
    ]


def test_one_seed_one_block_another_seed_another() -> None:
    classes = bakery()
    sections = sections_of(classes)
    c = case(1, classes[20:24], ["Gold01"], ScaffoldEngine(classes))
    for make in (fluent_noise, lambda *a: answer_disjoint(a[0], a[1], 0.1, a[2])):
        blocks = [make(c, sections, seed) for seed in (1, 1, 2)]
        assert all(isinstance(b, Block) for b in blocks)
        assert blocks[0] == blocks[1] != blocks[2]
    # Each question and arm has a stream of its own.
    other = case(2, classes[20:24], ["Gold01"], ScaffoldEngine(classes))
    assert fluent_noise(c, sections, 1) != fluent_noise(other, sections, 1)
    assert answer_disjoint(c, sections, 0.1, 1) != answer_disjoint(other, sections, 0.1, 1)
    assert fluent_noise(c, sections, 1) != answer_disjoint(c, sections, 0.1, 1)


def test_noise_that_fits_nowhere_is_the_first_section_alone() -> None:
    """STUDIES section 4: if nothing fits, take the first pool entry alone."""
    short = make_class("s", title="Loaf", definition="Flour.")
    long = [make_class(f"l{i}", title=f"Long{i}", definition="word " * 30) for i in range(4)]
    classes = [short, *long]
    sections = sections_of(classes)
    c = case(1, [short], ["Gold01"], ScaffoldEngine(classes))
    found = fluent_noise(c, sections, 1)
    first = next(sections.drawn(frozenset({"s"}), 1, f"controls:fluent_noise:{c.id}"))
    assert isinstance(found, Block) and found.seeds == (first,)
    assert estimate_tokens(found.text) > c.tokens
    assert isinstance(answer_disjoint(c, sections, 0.1, 1), Infeasible)


def test_a_bag_of_words_over_several_sections_is_exposure() -> None:
    """The matcher finds "Rye Baker" words apart, so no block may hold both of these sections."""
    words = [
        make_class(f"w{i}", title=f"{w} {i}", definition="x " * 8)
        for i, w in enumerate(("Ryemeal", "Bakery") * 10)
    ]
    seed = make_class("s", title="Loaf", definition="y " * 40)
    classes = [seed, *words]
    c = case(1, [seed], ["Ryemeal Bakery"], ScaffoldEngine(classes))
    sections = sections_of(classes)
    for seed_number in range(12):  # of both kinds in every order
        found = answer_disjoint(c, sections, 0.5, seed_number)
        assert isinstance(found, Block) and len(found.seeds) > 1
        assert not hit("Ryemeal Bakery", found.text)
    alone = [w for w in words if not hit("Ryemeal Bakery", sections.text(w.slug))]
    assert len(alone) == len(words), "no section exposes it by itself"
    # And the question may not complete it either.
    asked = case(2, [seed], ["Ryemeal Bakery"], ScaffoldEngine(classes), "Ryemeal of what?")
    with_question = answer_disjoint(asked, sections, 0.5, 1)
    assert isinstance(with_question, Block) and "Bakery" not in with_question.text


def test_gold_that_the_question_exposes_is_not_given_away_by_a_block() -> None:
    one, two = plain_cases(2)
    asked = case(3, one.seeds, ["Gold Bar"], prompt="What of the gold bar?")
    assert Targets.of(asked).given_away(Text.of(two.block)) == 0
    assert Targets.of(asked).given_away(Text.of(f"{two.block} Gold bar.")) == 1
    assert isinstance(donor_blocks([asked], [two], Limits(), 1)[asked.id], Block)
    # The block completes what the question leaves open.
    open_one = case(4, one.seeds, ["Loaf01 Crumb"], prompt="What of the crumb?")
    assert isinstance(donor_blocks([open_one], [two], Limits(), 1)[open_one.id], Infeasible)


def test_gold_that_the_matcher_cannot_see_has_no_placebo() -> None:
    classes = bakery()
    c = case(1, classes[:1], ["酵母", "Gold"], ScaffoldEngine(classes))
    found = answer_disjoint(c, sections_of(classes), 0.1, 1)
    assert isinstance(found, Infeasible) and "1 of 2 gold titles" in found.reason


def test_gold_that_is_everywhere_has_no_placebo() -> None:
    classes = bakery()
    c = case(1, classes[:4], ["Baked Food"], ScaffoldEngine(classes))
    found = answer_disjoint(c, sections_of(classes), 0.1, 1)
    assert isinstance(found, Infeasible) and "fill" in found.reason


def test_a_question_without_a_block_has_none_in_any_arm() -> None:
    classes = bakery()
    bare = case(1, [], ["Gold"])
    assert fluent_noise(bare, sections_of(classes), 1) == NO_BLOCK
    assert answer_disjoint(bare, sections_of(classes), 0.1, 1) == NO_BLOCK
    assert donor_blocks([bare], plain_cases(3), Limits(), 1)[bare.id] == NO_BLOCK


@pytest.mark.parametrize("number", [1, 2])
def test_the_proxy_is_seeds_and_subject_each_once(number: int) -> None:
    seeds = [make_class("a", title="Rye Loaf"), make_class("b", title="rye-loaf!")][:number]
    proxy = Targets.of(case(1, [*seeds, make_class("c", title="酵母")], ["Gold"])).proxy
    assert [title.text for title in proxy] == ["Rye Loaf", "Subject"]


def test_short_targets_are_tried_from_another_start() -> None:
    """Greedy filling ends short where the first section leaves a gap that no other fits."""
    seed = make_class("s", title="Seed", definition="y " * 60)
    fill = [make_class("a", title="A", definition="x " * 42)] + [
        make_class(f"b{i}", title=f"B{i}", definition="x " * 27) for i in range(2)
    ]
    classes = [seed, *fill]
    c = case(1, [seed], ["Gold"], ScaffoldEngine(classes))
    sections = sections_of(classes)
    found = [answer_disjoint(c, sections, 0.1, n) for n in range(6)]
    assert all(isinstance(b, Block) and set(b.seeds) == {"b0", "b1"} for b in found)
