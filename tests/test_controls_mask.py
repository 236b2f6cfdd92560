"""The masked arm: no form of a name is left, nothing else is hidden; and the published rule."""

import re
import unicodedata

import pytest
from copyceiling.controls.blocks import Infeasible
from copyceiling.controls.mask import MASKS, masked, released_masked
from copyceiling.controls.names import name_words, surface_forms, words_of
from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Text, Title, match
from copyceiling.scaffold import ScaffoldEngine
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class
from tests.control_cases import MARKS, corpora

# Written by hand: what the last word of a title may read as. Words of one letter and those that end
# in a digit have no plural; "genes" and "boxes" are plurals already.
ENDINGS = {
    **{w: (w, f"{w}s") for w in ("cell", "wall", "growth", "dna", "beta", "zell", "café")},
    "straße": ("straße", "straßes"),
    "activity": ("activity", "activities"),
    "array": ("array", "arrays"),
    "process": ("process", "processes"),
    "genes": ("genes", "gene"),
    "boxes": ("boxes", "box"),
    "1": ("1",),
    "b2": ("b2",),
    "β": ("β",),
}
# Words that hold a title's words, or nearly are one of their plurals; none is a form of any.
STRANGERS = ("cellar", "uncell", "walled", "dnaes", "activitys", "arraies", "b2s", "zoo", "éclair")
_CASES = (str.lower, str.upper, str.title)
_FORMS = ("NFC", "NFD", "wide")


def folded(text: str) -> str:
    """The independent definition of when two texts read alike, from the standard library alone."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return text.replace("i\u0307", "i")


def is_left(title: tuple[str, ...], text: str) -> bool:
    """Brute force: do the words stand in the text, apart or together, as whole words?"""
    *before, last = title
    ends = "|".join(re.escape(folded(end)) for end in ENDINGS[last])
    joint = r"[\W_]*" if sum(map(len, title)) >= 3 else r"[\W_]+"
    name = joint.join([*(re.escape(folded(word)) for word in before), f"(?:{ends})"])
    return bool(re.search(rf"(?<![^\W_]){name}(?![^\W_])", folded(text)))


def spaced(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def written(word: str, case: int, form: int) -> str:
    """A word in one of its cases and one of its encodings."""
    text = _CASES[case](word)
    if _FORMS[form] != "wide":
        return unicodedata.normalize(_FORMS[form], text)
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)


Titles = list[tuple[str, ...]]
_RUNS = st.integers(0, 2)


@st.composite
def titles_and_text(draw: st.DrawFn) -> tuple[Titles, str]:
    """Titles, and a text of their words in every spelling, of other titles' words and strangers."""
    words = st.lists(st.sampled_from([*ENDINGS]), min_size=1, max_size=3).map(tuple)
    titles = draw(st.lists(words, max_size=3))
    others = st.sampled_from([*(e for ends in ENDINGS.values() for e in ends), *STRANGERS])
    said: list[tuple[str, str]] = []
    for _ in range(draw(st.integers(1, 6))):
        title = draw(st.sampled_from([*titles, ()]))
        for word in title[:-1]:
            said.append((word, draw(st.sampled_from(MARKS))))
        last = st.sampled_from(ENDINGS[title[-1]]) if title else others
        said.append((draw(last), draw(st.sampled_from(MARKS))))
    return titles, "".join(written(w, draw(_RUNS), draw(_RUNS)) + mark for w, mark in said)


def named(found: Titles) -> list[OntologyClass]:
    """Classes of these titles, composed or not, whose slugs name nothing in the texts."""
    return [
        make_class(f"slug{i}x", title=written((" ", "-")[i % 2].join(t), 0, i % 2))
        for i, t in enumerate(found)
    ]


@settings(max_examples=200, deadline=None)
@given(titles_and_text())
def test_no_form_of_a_title_is_left(drawn: tuple[Titles, str]) -> None:
    found, text = drawn
    result = masked(text, named(found))
    assert isinstance(result, Infeasible) != any(is_left(t, text) for t in found), result
    if isinstance(result, Infeasible):
        return
    for t in found:
        assert not is_left(t, result)
        # The matcher of ASCII words takes a letter of another script for a mark between words.
        ascii_only = result.isascii() and all(word.isascii() for word in t)
        assert not ascii_only or not match(Title.of(" ".join(t)), Text.of(result)).strict


@settings(max_examples=200, deadline=None)
@given(titles_and_text())
def test_no_word_that_is_no_name_is_hidden(drawn: tuple[Titles, str]) -> None:
    """Words of no title stay in their order, and so do lines; what goes makes place for a label."""
    found, text = drawn
    result = masked(text, named(found))
    if isinstance(result, Infeasible):
        return
    assert [w for w in name_words(result) if w in map(folded, STRANGERS)] == [
        w for w in name_words(text) if w in map(folded, STRANGERS)
    ]
    assert result.count("\n") == text.count("\n")
    label = re.compile(r"(?:Entity|Item|Thing|Object|Unit)-(?:\d|[A-Z])(?![^\W_])")
    cut = [part for part in label.split(result) if part]
    assert len(cut) < len(result), "something was labelled"
    at = 0
    for part in cut:  # all the rest is the text's own, character for character
        start = text.find(part, at)
        assert start >= 0
        at = start + len(part)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpora(most=6))
def test_no_title_of_a_rendered_block_is_left(classes: list[OntologyClass]) -> None:
    seeds = classes[:3]
    block, n = ScaffoldEngine(classes).block([c.slug for c in seeds])
    assume(n == len(seeds))
    result = masked(block, seeds)
    assert isinstance(result, str) and result != block
    for c in seeds:
        assert f" {spaced(c.title)} " not in f" {spaced(result)} "
    assert result.count("\n") == block.count("\n"), "lines stay lines"


SEEDS = [
    make_class("client-side-validation", title="Client-Side Validation"),
    make_class("large-language-model-llm", title="Large Language Model (LLM)"),
    make_class("datagovernance", title="DataGovernance"),
    make_class("catalytic-activity-acting-on-rna", title="catalytic activity, acting on RNA"),
    make_class("validation", title="Validation"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## Client-Side Validation (web)", "## Entity-1 (web)"),
        ("client side validation; CLIENT_SIDE/VALIDATION", "Entity-1; Entity-1"),
        ("ClientSideValidation, clientside validations", "Entity-1, Entity-1"),
        ("a Large Language Model (LLM) is", "a Entity-2 is"),
        ("Large language models, a large language model, LLMs", "Entity-2, a Entity-2, Entity-2"),
        ("(see Large Language Model (LLM))", "(see Entity-2)"),
        ("Data Governance and DataGovernance", "Entity-3 and Entity-3"),
        ("Catalytic activity, acting on RNA; validation", "Entity-4; Entity-5"),
        ("invalidation, validations, validation", "invalidation, Entity-5, Entity-5"),
        # A name that runs over the end of a list item: both items stay items.
        ("- client\n- side, validation.", "- Entity-1\n- Entity-1, Entity-1."),
        # Unseen inside a word, and marks that are no letters beside one.
        (
            "vali\u00addation\u2122, \u201cvalidation\u201d's",
            "Entity-5\u2122, \u201cEntity-5\u201d's",
        ),
    ],
)
def test_masks_by_hand(text: str, expected: str) -> None:
    assert masked(text, SEEDS) == expected


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Müller cell", "mu\u0308ller cell, MÜLLER CELLS", "Entity-1, Entity-1"),
        ("mu\u0308ller cell", "Müller cell", "Entity-1"),
        ("Straße", "STRASSE strasse", "Entity-1 Entity-1"),
        ("İstanbul Region", "istanbul region İSTANBUL i\u0307stanbul region", None),
        (
            "Ki-67 antigen",
            "\uff2b\uff49-\uff16\uff17 antigen; \u212aI67 antigens",
            "Entity-1; Entity-1",
        ),
        ("Data Set", "dataset DataSet data-set Data Sets", " ".join(["Entity-1"] * 4)),
        ("action potential", "Action Potentials", "Entity-1"),
        ("Cell Bodies", "cell body", "Entity-1"),
        ("ﬁlament", "FILAMENTS", "Entity-1"),
        ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8 \ud55c\uad6d", "Entity-1 Entity-1"),
        # A character that holds two words goes with either.
        ("2 Cell", "\u00bd cell", "Entity-1"),
        ("C++", "C++ or c", "Entity-1 or Entity-1"),
    ],
)
def test_letters_that_read_alike_are_alike(title: str, text: str, expected: str | None) -> None:
    expected = expected or "Entity-1 İSTANBUL Entity-1"
    assert masked(text, [make_class("slug-x", title=title)]) == expected


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Database", "a data base, databased, metadatabase"),  # no word of a name is cut
        ("A-T", "at it"),  # too short to be joined
        ("News", "a new one"),  # common words are no inflection
        ("HI", "his"),
        ("DO", "does"),
        ("Plan", "planes"),  # no plural of it
        ("Process", "proces"),
        ("Nucleus", "nuclei"),  # irregular, and declared to stay
        ("Value at Risk", "values at risk"),
        ("naïve cell", "naive cell"),
    ],
)
def test_what_is_no_form_of_a_name_stays(title: str, text: str) -> None:
    seed = make_class("slug-x", title=title)
    assert masked(f"{title}. {text}", [seed]) == f"Entity-1. {text}"
    assert isinstance(masked(text, [seed]), Infeasible)


def test_another_label_where_entity_spells_a_name() -> None:
    seeds = [make_class("entity", title="Entity"), make_class("x", title="1 Cell")]
    assert masked("An entity has 1 cell.", seeds) == "An Item-1 has Item-2."
    # "Entity-1 Cell" would complete the second name.
    seeds = [make_class("wall", title="Wall"), make_class("x", title="1 Cell")]
    assert masked("Wall cell; 1 cell.", seeds) == "Entity-A cell; Entity-B."
    every = [
        make_class(f"x{i}", title=t) for i, t in enumerate("Entity Item Thing Object Unit".split())
    ]
    assert isinstance(masked("An entity.", every), Infeasible)


def test_what_names_two_classes_names_the_nearer() -> None:
    seeds = [
        make_class("a", title="exosome (RNase complex)"),
        make_class("b", title="exosome"),
        make_class("c", title="Gene"),
        make_class("d", title="Genes"),
        make_class("e", title="Data Set"),
        make_class("f", title="Dataset"),
    ]
    assert masked("exosome (RNase complex), exosome", seeds) == "Entity-1, Entity-2"
    assert masked("gene, genes", seeds) == "Entity-3, Entity-4"
    assert masked("data set, dataset, data sets, datasets", seeds) == (
        "Entity-5, Entity-6, Entity-5, Entity-6"
    )
    # The longest name at a place, however it is written.
    long = [make_class("a", title="a b c"), make_class("b", title="abc defg")]
    assert masked("abc defg, ab c", long) == "Entity-2, Entity-1"


def test_surface_forms_of_a_title() -> None:
    assert surface_forms("Large Language Model (LLM)", "llm-1") == [
        ("large", "language", "model", "llm"),
        ("llm", "1"),
        ("large", "language", "model"),
        ("llm",),
    ]
    # What stands in brackets is no name of the class unless it abbreviates it.
    assert ("biology",) not in surface_forms("Cell (biology)", "cell")


@given(st.text(max_size=30))
def test_words_stand_where_they_say(text: str) -> None:
    found = words_of(text)
    assert all(word.text and 0 <= word.start < word.end <= len(text) for word in found)
    for word in found:
        # Read alone, a word's place holds the word.
        assert word.text in name_words(text[word.start : word.end])
    # What reads alike has the same words.
    assert name_words(unicodedata.normalize("NFD", text)) == name_words(text)


def test_nothing_to_mask_is_infeasible() -> None:
    assert isinstance(masked("Nothing here.", [make_class("loaf")]), Infeasible)
    assert isinstance(masked("Nothing here.", []), Infeasible)


def test_the_published_rule_by_hand() -> None:
    """STUDIES section 4: slug, slug with spaces, title case; no word boundaries; fact 3."""
    seeds = [
        make_class("client-side-validation", title="Client-Side Validation"),
        make_class("cell", title="Cell"),
    ]
    text = (
        "Client-side validation, client side validation, Client-Side-Validation; a cellar, CELLS."
    )
    assert released_masked(text, seeds) == (
        "Client-side validation, Entity-1, Entity-1; a Entity-2ar, Entity-2S."
    )
    # A block that it does not touch is the masked block; the better form says that there is none.
    assert released_masked("Nothing here.", seeds) == "Nothing here."
    # Seeds are hidden in order, so a later one may hide a label.
    assert released_masked("A cell.", [seeds[1], make_class("entity")]) == "A Entity-2-1."
    assert MASKS["released"] is released_masked and MASKS["forms"] is masked
