"""The confusion census against a brute-force count."""

from copyceiling.confusion import antonym, census_rows
from copyceiling.text import normalise
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.conftest import make_class

WORD = st.sampled_from("positive negative cell cellular growth of regulation 7".split())
TITLES = st.lists(st.lists(WORD, max_size=6).map(" ".join), min_size=1, max_size=12)


@settings(deadline=None)
@given(TITLES)
def test_census_equals_brute_force(titles: list[str]) -> None:
    classes = [make_class(f"c{i}", title=t) for i, t in enumerate(titles)]
    for i, row in enumerate(census_rows(classes, seed=1, sample=None)):
        others = [t for j, t in enumerate(titles) if j != i]
        assert row["n_substring"] + row["n_word_bag"] == sum(
            oracles.hit(titles[i], t) for t in others
        )
        padded = f" {normalise(titles[i])} "
        strict = sum(padded in f" {normalise(t)} " for t in others) if padded.strip() else 0
        assert row["n_strict"] == strict


def test_sample_is_drawn_by_seed() -> None:
    classes = [make_class(f"c{i}") for i in range(50)]
    found = [[r["title_slug"] for r in census_rows(classes, seed=s, sample=10)] for s in (1, 1, 2)]
    assert found[0] == found[1] != found[2] and len(found[0]) == 10


def test_antonym() -> None:
    assert antonym("positive regulation of growth") == "negative regulation of growth"
    assert antonym("growth") is None
