"""Noise and placebo: properties against brute-force oracles, and cases by hand."""

import pytest
from copyceiling.controls.blocks import NO_BLOCK, Block, Case, Infeasible
from copyceiling.controls.derangement import Limits, donor_blocks
from copyceiling.controls.exposure import Targets
from copyceiling.controls.fill import FULL, Sections, answer_disjoint, fluent_noise
from copyceiling.corpus.model import OntologyClass
from copyceiling.scaffold import FOOTER, HEADER, ScaffoldEngine, estimate_tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class
from tests.control_cases import case, drawn_cases, plain_cases
from tests.oracles import hit

Drawn = tuple[list[OntologyClass], list[Case]]


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
