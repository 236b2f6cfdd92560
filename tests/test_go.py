"""The shipped study's question set, from the Gene Ontology that the package psims carries.

Source of the thresholds: DESIGN section 12 and the project's first issue.
"""

import importlib.util
from collections import Counter

import pytest
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.model import Corpus
from copyceiling.corpus.read import Generation, read_corpus
from copyceiling.matching import Text, Title, match
from copyceiling.questions import Question, QuestionGenerator, wording_seeds
from copyceiling.retrieval import RetrievalIndex

STUDY = load_study(ROOT / "config" / "studies" / "go.yaml")


@pytest.fixture(scope="module")
def ontology() -> tuple[Corpus, Generation]:
    if importlib.util.find_spec("psims") is None:  # installed for its files, not importable
        pytest.skip("psims, which carries the Gene Ontology, is not installed")
    return read_corpus(STUDY["corpus"])


@pytest.fixture(scope="module")
def questions(ontology: tuple[Corpus, Generation]) -> list[Question]:
    return QuestionGenerator(ontology[0].classes, STUDY["questions"]).generate(STUDY["seed"])


def test_the_ontology(ontology: tuple[Corpus, Generation]) -> None:
    corpus, generation = ontology
    assert generation.n_classes == 38_245 and not corpus.issues
    assert generation.sha256 == STUDY["corpus"]["sha256"]


def test_the_question_set_is_large_and_varied_enough(questions: list[Question]) -> None:
    templates = Counter(q.template for q in questions)
    assert len(questions) >= 300
    assert len({q.domain for q in questions}) >= 12
    assert templates["T-REL"] / len(questions) >= 0.45


def test_no_gold_is_exposed_by_the_question_alone(questions: list[Question]) -> None:
    for q in questions:
        text = Text.of(q.prompt)
        assert not [g for g in q.gold if match(Title.of(g.title), text).paper], q.id


def test_no_root_is_gold_and_no_wording_names_a_class(
    ontology: tuple[Corpus, Generation], questions: list[Question]
) -> None:
    roots = {c.slug for c in ontology[0].classes if not c.parents}
    assert roots == set(STUDY["questions"]["drop_gold"])
    assert not [q for q in questions if roots & {g.slug for g in q.gold}]
    index = RetrievalIndex(ontology[0].classes)
    assert wording_seeds(index, STUDY["questions"]["wording"]) == {}
