"""The audit's sample: proportions against every other allocation, streams that do not touch."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
from copyceiling.audit.allocate import largest_remainder, spread
from copyceiling.audit.sampling import (
    CENSUS,
    DRAWN,
    Unit,
    check_frame,
    draw,
    draw_sample,
    draw_sheet,
    frame_units,
    quotas_of,
    raw_hit_units,
)
from copyceiling.errors import ArtefactError
from copyceiling.questions import GoldItem, Question
from hypothesis import given, settings
from hypothesis import strategies as st

CATEGORIES = (*DRAWN, CENSUS)
QUOTAS = {"n11": 240, "n10": 120, "n00": 60}
SEED = 42
names = st.sampled_from("abcd")
sizes_of = st.dictionaries(names, st.integers(0, 5), max_size=4)


@settings(deadline=None)
@given(st.integers(0, 9), sizes_of)
def test_no_allocation_is_nearer_to_proportional(quota: int, sizes: dict[str, int]) -> None:
    """Oracle: every way to give whole units; the method has the least sum of squared errors."""
    found = largest_remainder(quota, sizes)
    total = sum(sizes.values())
    drawn = min(quota, total)

    def error(shares: tuple[int, ...]) -> int:
        pairs = zip(shares, sizes.values(), strict=True)
        return sum((share * total - drawn * size) ** 2 for share, size in pairs)

    ways = product(*(range(size + 1) for size in sizes.values()))
    assert error(tuple(found.values())) == min(error(w) for w in ways if sum(w) == drawn)


weighed = st.dictionaries(names, st.tuples(st.integers(0, 4), st.integers(0, 9)), max_size=4)


@settings(deadline=None)
@given(st.integers(0, 30), weighed)
def test_spread_fills_by_weight_and_never_beyond(
    quota: int, cells: dict[str, tuple[int, int]]
) -> None:
    weights = {name: weight for name, (weight, _) in cells.items()}
    sizes = {name: size for name, (_, size) in cells.items()}
    found = spread(quota, weights, sizes)
    room = sum(size for name, size in sizes.items() if weights[name])
    assert sum(found.values()) == min(quota, room)
    for name, share in found.items():
        assert 0 <= share <= (sizes[name] if weights[name] else 0)
    if all(largest_remainder_fits(quota, weights, sizes)):
        # Where no cell is full, it is the method of the largest remainder on the weights.
        scaled = {name: weight * 1_000 for name, weight in weights.items()}
        assert found == largest_remainder(quota, scaled)


def largest_remainder_fits(
    quota: int, weights: dict[str, int], sizes: dict[str, int]
) -> list[bool]:
    scaled = largest_remainder(quota, {name: weight * 1_000 for name, weight in weights.items()})
    return [sum(weights.values()) > 0, *(scaled[name] <= sizes[name] for name in sizes)]


def test_forty_units_in_the_proportions_of_the_paper() -> None:
    """4:2:1 (paper section 10.2: 240, 120, 60); what n00 lacks the others give."""
    there = {"n11": 300, "n10": 500, "n00": 300}
    assert quotas_of(QUOTAS, 40, there) == {"n11": 23, "n10": 11, "n00": 6}
    assert sum(quotas_of(QUOTAS, 40, {**there, "n00": 2}).values()) == 40
    assert quotas_of(QUOTAS, 40, {**there, "n00": 2})["n00"] == 2
    assert quotas_of(QUOTAS, None, {**there, "n00": 2}) == {"n11": 240, "n10": 120, "n00": 2}
    assert quotas_of(QUOTAS, 40, {}) == {"n11": 0, "n10": 0, "n00": 0}


def unit(number: int, category: str, cell: tuple[str, str], model: str) -> Unit:
    return Unit("sample", model, f"q{number:03}", 0, category, *cell, "ok")


cells = st.sampled_from([("T-REL", "all"), ("T-TAX", "all"), ("T-COMMON", "any")])
frames = st.lists(
    st.tuples(st.sampled_from(CATEGORIES), cells, st.sampled_from(["m", "n", "o"])), max_size=60
).map(lambda drawn: [unit(i, *each) for i, each in enumerate(drawn)])


@settings(deadline=None, max_examples=60)
@given(frames, st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
def test_a_sample_keeps_its_quotas_and_all_of_the_census(
    frame: list[Unit], n11: int, n10: int, n00: int
) -> None:
    quotas = {"n11": n11, "n10": n10, "n00": n00}
    sample = draw_sample(frame, quotas, None, SEED)
    assert len(set(sample)) == len(sample) and set(sample) <= set(frame)
    sizes, drawn = (Counter(u.category for u in units) for units in (frame, sample))
    for name in DRAWN:
        assert drawn[name] == min(quotas[name], sizes[name])
    assert drawn[CENSUS] == sizes[CENSUS]
    for name in DRAWN:
        of_cell = Counter(u.cell for u in frame if u.category == name)
        share = largest_remainder(quotas[name], of_cell)
        assert Counter(u.cell for u in sample if u.category == name) == Counter(share)


@settings(deadline=None, max_examples=60)
@given(frames, st.sampled_from(DRAWN), st.integers(0, 30), st.integers(0, 30))
def test_another_quota_moves_no_other_draw(
    frame: list[Unit], changed: str, before: int, after: int
) -> None:
    quotas = {"n11": 12, "n10": 8, "n00": 4}
    first = draw_sample(frame, {**quotas, changed: before}, None, SEED)
    second = draw_sample(frame, {**quotas, changed: after}, None, SEED)
    for name in (*CATEGORIES,):
        if name != changed:
            kept = [[u for u in s if u.category == name] for s in (first, second)]
            assert kept[0] == kept[1]


@settings(deadline=None, max_examples=60)
@given(frames, st.integers(0, 30), st.integers(0, 30))
def test_within_a_stratum_a_larger_draw_holds_the_smaller(
    frame: list[Unit], one: int, other: int
) -> None:
    kept = [u for u in frame if (u.cell, u.model, u.category) == ("T-REL|all", "m", "n11")]
    small, large = sorted((one, other))
    assert set(draw(kept, small, SEED)) <= set(draw(kept, large, SEED))


@settings(deadline=None, max_examples=40)
@given(frames, st.randoms())
def test_the_order_of_the_frame_counts_for_nothing(frame: list[Unit], random: Any) -> None:
    shuffled = list(frame)
    random.shuffle(shuffled)
    assert draw_sample(frame, QUOTAS, 20, SEED) == draw_sample(shuffled, QUOTAS, 20, SEED)


def test_every_unit_of_a_stratum_is_drawn_alike() -> None:
    """1,000 seeds, 3 of 10 units: each is drawn 300 times give or take 5 standard errors."""
    units = [unit(i, "n11", ("T-REL", "all"), "m") for i in range(10)]
    counted = Counter(u.id for seed in range(1_000) for u in draw(units, 3, seed))
    assert all(abs(counted[u.id] - 300) < 5 * (1_000 * 0.3 * 0.7) ** 0.5 for u in units)


def test_streams_bear_the_names_of_their_strata() -> None:
    """Two strata of equal size draw different places, or their streams are one."""
    places = []
    for category, model in product(("n11", "n10"), ("m", "n")):
        units = [unit(i, category, ("T-REL", "all"), model) for i in range(200)]
        places.append(tuple(u.question_id for u in draw(units, 20, SEED)))
    sheet = draw([unit(i, "n11", ("T-REL", "all"), "m") for i in range(200)], 20, SEED, "sheet")
    assert len({*places, tuple(u.question_id for u in sheet)}) == 5


@settings(deadline=None, max_examples=40)
@given(frames, st.integers(1, 30))
def test_the_sheet_is_a_part_of_the_sample_in_its_proportions(frame: list[Unit], size: int) -> None:
    sample = draw_sample(frame, QUOTAS, 40, SEED)
    sheet = draw_sheet(sample, size, SEED)
    assert set(sheet) <= set(sample) and len(sheet) == min(size, len(sample))
    assert draw_sheet(sample, None, SEED) == sample


def asked(*titles: str) -> Question:
    gold = tuple(GoldItem(t.lower(), t) for t in titles)
    return Question("q1", "rel:s:requires", "d", "T-REL", ("s",), "p", "p", gold, "all")


def item(arm: str, number: int, recovered: bool, status: str = "ok") -> dict[str, Any]:
    same = {"question_id": "q1", "model": "m", "arm": arm, "item": number}
    return {**same, "status": status, "recovered": recovered}


def score(**cells: int) -> dict[str, Any]:
    same = {"model": "m", "question_id": "q1", "arm": "scaffold", "matcher": "paper"}
    return {**same, "status": "ok", **dict.fromkeys(CATEGORIES, 0), **cells}


def test_the_frame_is_gated_on_the_sweeps_own_cells() -> None:
    exposed = {("q1", 0): True, ("q1", 1): False}
    frame = frame_units([asked("A", "B")], exposed, [item("scaffold", 0, True),
                                                     item("scaffold", 1, False)])  # fmt: skip
    assert [u.category for u in frame] == ["n11", "n00"]
    check_frame(frame, [score(n11=1, n00=1)])
    with pytest.raises(ArtefactError, match="m, q1: frame"):
        check_frame(frame, [score(n11=1, n01=1)])
    with pytest.raises(ArtefactError, match="sweep None"):
        check_frame(frame, [])
    with pytest.raises(ArtefactError, match="1 answer"):
        check_frame([], [score(n11=1, n00=1)])


def test_raw_hits_are_what_only_the_bare_arm_could_have_known() -> None:
    exposed = {("q1", 0): True, ("q1", 1): False, ("q1", 2): False}
    items = [item("raw", 0, True), item("raw", 1, True), item("raw", 2, False)]
    items += [item("scaffold", i, False) for i in range(3)]
    (hit,) = raw_hit_units([asked("A", "B", "C")], exposed, items)
    assert (hit.part, hit.item, hit.category) == ("raw_hits", 1, "n01")
    broken = [{**row, "status": "error"} if row["arm"] == "scaffold" else row for row in items]
    assert raw_hit_units([asked("A", "B", "C")], exposed, broken) == []
    assert frame_units([asked("A", "B", "C")], exposed, broken) == [], "an error is no answer"
