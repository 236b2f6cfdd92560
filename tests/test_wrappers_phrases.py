"""The rules over wording: what must count as declining or denying, and what must not.

The sentences are made for this file; none comes from a model.
"""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from copyceiling.config import ROOT
from copyceiling.errors import ConfigError
from copyceiling.wrappers.phrases import Phrases, load_phrases, mark, sentences
from hypothesis import given
from hypothesis import strategies as st

FILE = ROOT / "config" / "wrappers" / "phrases.yaml"
PHRASES = load_phrases(FILE)

DECLINES = [
    "I do not know.",
    "I don't really know which parts it has.",
    "I\N{RIGHT SINGLE QUOTATION MARK}m not sure what rye bread requires.",
    "I am not entirely certain.",
    "I cannot answer this from the notes.",
    "Sorry, I can't help with that.",
    "I'm unable to determine the parts.",
    "Unable to answer.",
    "I don't have enough information to say.",
    "I do not have access to the ontology.",
    "There is not enough context here.",
    "Insufficient information to answer.",
    "The notes make no mention of it.",
    "The notes cannot tell.",
    "The Gene Ontology does not explicitly state which parts it has.",
    "No parts at all are listed in the notes.",
    "I see no parts listed in the notes.",
    "The notes do not say what it is part of.",
    "The provided text doesn't mention any ingredient.",
    "There is no information about this term.",
    "The parents are not listed in the notes.",
    "No parts are listed in the given context.",
    "It is unclear which terms are meant.",
    "It is not known whether it has parts.",
]
DOES_NOT_DECLINE = [
    "Rye bread requires rye flour.",
    "The function of the gland is unknown.",
    "If you do not know rye, try wheat.",
    "It is not found in wheat bread.",
    "The notes say that it requires salt.",
    "It is known whether a starter is needed.",
    "The cell does not know its neighbours.",
    "I know that it is not part of the crumb.",
    "It provides information about the dough.",
    "Salt is not included in the starter.",
    "It is mentioned in the notes.",
    "According to the ontology it does not contain salt.",
    "",
]


@pytest.mark.parametrize("answer", DECLINES)
def test_declines(answer: str) -> None:
    assert PHRASES.declines(answer) and not PHRASES.closes(answer)
    assert PHRASES.declines(f"Rye bread is a bread.\n{answer} Thank you.")


@pytest.mark.parametrize("answer", DOES_NOT_DECLINE)
def test_does_not_decline(answer: str) -> None:
    assert not PHRASES.declines(answer)


DENIES = [
    "Rye bread does not require sea salt.",
    "It's not sea salt.",
    "It never needs sea salt.",
    "Rye bread requires neither yeast nor sea salt.",
    "Rye flour is required, and there is no sea salt in it.",
    "It calls for table salt rather than sea salt.",
    "It uses rye flour instead of sea salt.",
    "Sea salt isn't one of the ingredients.",
    "Sea salt is not part of rye bread.",
    "Sea salts do not belong to it.",
    "It is not made of rye flour or sea salt.",
    "It requires water. It does not require sea salt!",
    "It takes all of them, excluding sea salt.",
]
DOES_NOT_DENY = [
    "It requires not only sea salt but also water.",
    "It does not require yeast but sea salt.",
    "It does not require yeast, it requires sea salt.",
    "It cannot rise without sea salt.",
    "Sea salt is not well understood.",
    "There is no doubt that it requires sea salt.",
    "It has no ingredients other than sea salt.",
    "Its ingredients are none other than sea salt.",
    "Whether or not sea salt is fine, it is required.",
    "It is not required. Sea salt is.",
    "No yeast is needed.\nSea salt",
    "Its ingredients include, but are not limited to, sea salt.",
    "It does not require sea salt. Ingredients: sea salt.",
    "It does not require coarse sea salt, but sea salt.",
    "It does not require salt.",
    "I am not sure, perhaps sea salt.",
    "The notes do not mention sea salt.",
    "It is not known whether sea salt is required.",
    "Not much is known of it.",
    "",
]
OTHERS = ("Rye Bread", "Rye Flour", "Coarse Sea Salt")


@pytest.mark.parametrize("answer", DENIES)
def test_denies(answer: str) -> None:
    assert PHRASES.denies(answer, "Sea Salt", OTHERS)


@pytest.mark.parametrize("answer", DOES_NOT_DENY)
def test_does_not_deny(answer: str) -> None:
    assert not PHRASES.denies(answer, "Sea Salt", OTHERS)


CLOSES = [
    "There are no parts.",
    "There are no other things.",
    "It requires rye flour and no other ingredient.",
    "The crumb and the crust have no parts.",
    "Rye bread has no parts.",
    "It does not have any known components.",
    "Rye flour, and nothing else.",
    "None of the terms is part of it.",
    "According to the Gene Ontology, rye bread has no parts.",
    "The only ingredient is rye flour.",
    "Only one term is its parent: bread.",
]
DOES_NOT_CLOSE = [
    "It has no effect on the crumb.",
    "There are no parts listed in the notes.",
    "The notes have no other terms.",
    "It only requires flour.",
    "It has parts.",
    "There is no doubt.",
    "I do not know whether there are no parts.",
    "It does not have a taste; parts are many.",
    "",
]


@pytest.mark.parametrize("answer", CLOSES)
def test_closes(answer: str) -> None:
    assert PHRASES.closes(answer) and not PHRASES.declines(answer)


@pytest.mark.parametrize("answer", DOES_NOT_CLOSE)
def test_does_not_close(answer: str) -> None:
    assert not PHRASES.closes(answer)


def test_every_pattern_is_shown_by_a_sentence() -> None:
    """A pattern that no sentence above needs is one that nothing tests."""
    unneeded = []
    for kind, wanted in (("decline", DECLINES), ("denied", DENIES), ("closed", CLOSES)):
        for pattern in PHRASES.patterns[kind]:
            others = tuple(p for p in PHRASES.patterns[kind] if p is not pattern)
            less = replace(PHRASES, patterns={**PHRASES.patterns, kind: others})
            if all(_found(less, kind, answer) for answer in wanted):
                unneeded.append(f"{kind}: {pattern.pattern}")
    assert not unneeded


def _found(phrases: Phrases, kind: str, answer: str) -> bool:
    if kind == "denied":
        return phrases.denies(answer, "Sea Salt", OTHERS)
    return phrases.declines(answer) if kind == "decline" else phrases.closes(answer)


def test_titles_are_marked_longest_first() -> None:
    (sentence,) = sentences("The cell and the cell membranes, cell")
    marked = mark(sentence, "cell", ["cell membrane", "cell"])
    assert marked == " the ITEM and the OTHER ITEM "
    assert mark(" the cellar ", "cell", []) == " the cellar "
    assert mark(" a b ", "!!", ["?"]) == " a b "


@given(st.text(max_size=80), st.sampled_from(["Sea Salt", "rye", "!"]))
def test_any_text_is_judged_and_letters_case_counts_for_nothing(text: str, item: str) -> None:
    found = (PHRASES.declines(text), PHRASES.closes(text), PHRASES.denies(text, item, OTHERS))
    ascii_text = text.encode("ascii", "replace").decode()
    upper = ascii_text.upper()
    assert found == (
        PHRASES.declines(ascii_text),
        PHRASES.closes(ascii_text),
        PHRASES.denies(ascii_text, item, OTHERS),
    )
    assert PHRASES.declines(upper) == PHRASES.declines(ascii_text)
    assert not (PHRASES.denies(text, "!", OTHERS))


def test_a_file_with_faults_names_them_all(tmp_path: Path) -> None:
    document = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    file = tmp_path / "phrases.yaml"
    file.write_text(
        yaml.safe_dump(
            {
                **document,
                "gap": "four",
                "breakers": [],
                "classes": {**document["classes"], "not": [False]},
            }
        )
    )
    with pytest.raises(ConfigError, match="3 fault") as error:
        load_phrases(file)
    assert "False is no text; put it in quotes" in str(error.value)
    file.write_text(yaml.safe_dump({**document, "closed": ["{nowhere} at all"]}))
    with pytest.raises(ConfigError, match=r"class \{nowhere\}, which is not declared"):
        load_phrases(file)
    file.write_text(yaml.safe_dump({"id": "x", "more": 1}))
    with pytest.raises(ConfigError, match="field 'more' is unknown"):
        load_phrases(file)
