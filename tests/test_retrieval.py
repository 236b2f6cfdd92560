"""The fast retrieval against a brute-force form of the same rules, ties included."""

from copyceiling.corpus.model import OntologyClass
from copyceiling.retrieval import RetrievalIndex
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.conftest import make_class

# A small vocabulary with words inside words, stop words and single letters makes ties, substring
# hits and repeated n-grams frequent.
WORD = st.sampled_from(
    ["cell", "cellular", "growth", "grow", "the", "of", "x", "ion", "ionic", "transport", "42"]
)
TITLE = st.lists(WORD, min_size=0, max_size=6).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> list[OntologyClass]:
    titles = draw(st.lists(TITLE, min_size=1, max_size=14))
    quality = st.sampled_from([None, 0.5, 0.9])
    slug_words = st.lists(WORD, min_size=1, max_size=3).map("-".join)
    out: dict[str, OntologyClass] = {}
    for i, title in enumerate(titles):
        slug = draw(slug_words)
        slug = slug if slug not in out else f"{slug}-{i}"
        out[slug] = make_class(slug, title=title, quality=draw(quality))
    return list(out.values())


@settings(max_examples=400, deadline=None)
@given(corpora(), st.lists(WORD | st.just("cells,"), max_size=12).map(" ".join))
def test_seeds_equal_brute_force(classes: list[OntologyClass], query: str) -> None:
    found = [(s.slug, s.score) for s in RetrievalIndex(classes).seeds(query)]
    assert found == oracles.seeds(classes, query)


def test_repeated_phrases_count_each_time() -> None:
    """Two occurrences of a one-word title: 2 x 8 for the phrase, 2 for the term, 0.75 inside."""
    (seed,) = RetrievalIndex([make_class("graph")]).seeds("graph graph")
    assert seed.score == 2 * 8 + 2 + 0.75


def test_nothing_is_found_below_two() -> None:
    assert RetrievalIndex([make_class("alpha-beta-gamma")]).seeds("alpha") == []
