"""The generator and the loader of questions."""

import json
from pathlib import Path
from typing import Any

import pytest
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.errors import ConfigError, CopyCeilingError
from copyceiling.matching import Text, Title, match
from copyceiling.questions import QuestionGenerator, check_wording, load_questions, wording_seeds
from copyceiling.retrieval import RetrievalIndex

from tests.conftest import make_class

STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")


def generator(**changes: Any) -> QuestionGenerator:
    corpus, _ = read_corpus(
        {**STUDY["corpus"], "path": str(ROOT / "data" / "smoke" / "bakery.jsonl")}
    )
    return QuestionGenerator(corpus.classes, {**STUDY["questions"], **changes})


def test_same_seed_same_questions_other_seed_others() -> None:
    assert generator().generate(7) == generator().generate(7)
    assert generator().generate(7) != generator().generate(8)


def test_rules_of_each_template() -> None:
    found = generator(min_targets=2, max_targets=2).generate(7)
    assert [q.id for q in found] == [f"q{i:04d}" for i in range(1, len(found) + 1)]
    for q in found:
        titles = [g.title for g in q.gold]
        assert titles and len(set(titles)) == len(titles)
        assert q.gold_type == ("any" if q.template == "T-COMMON" else "all")
        assert q.template != "T-REL" or len(titles) == 2
        assert not {g.slug for g in q.gold} & {g.slug for g in q.gold_extra}
        assert q.template != "T-COMMON" or (len(q.class_slugs) == 2 and len(titles) <= 3)
    assert {q.template for q in found} == {"T-REL", "T-TAX", "T-COMMON"}


def test_domains_come_in_alphabetical_order() -> None:
    domains = [q.domain for q in generator().generate(7)]
    assert domains == sorted(domains)


def test_no_gold_that_the_question_exposes() -> None:
    def exposed(q: Any) -> int:
        return sum(match(Title.of(g.title), Text.of(q.prompt)).paper for g in q.gold)

    assert sum(map(exposed, generator().generate(7))) > 0, "else the setting shows nothing"
    assert sum(map(exposed, generator(drop_gold_in_question=True).generate(7))) == 0


def test_gold_that_is_never_gold() -> None:
    found = generator(drop_gold=["baked-food"]).generate(7)
    assert not any(g.slug == "baked-food" for q in found for g in (*q.gold, *q.gold_extra))
    with pytest.raises(ConfigError, match=r"questions\.drop_gold names no-such"):
        generator(drop_gold=["no-such"])


def test_retrieval_text_can_leave_the_wording_out() -> None:
    prompts = generator().generate(7)
    titles = generator(retrieval="titles").generate(7)
    assert [q.prompt for q in prompts] == [q.prompt for q in titles]
    assert all(q.retrieval_text == q.prompt for q in prompts)
    assert all("?" not in q.retrieval_text for q in titles)


def test_wording_that_names_a_class_is_refused() -> None:
    wording = {
        "relations": {"uses": "In the knowledge graph, what does {title} use?"},
        "parents": "Of what kind is {title}?",
        "common": "Of what kind are {title} and {other}?",
    }
    index = RetrievalIndex([make_class("knowledge-graph"), make_class("ball")])
    with pytest.raises(ConfigError, match=r"relations\.uses retrieves knowledge-graph"):
        check_wording(index, wording)


def test_the_shipped_wordings_name_no_class() -> None:
    corpus, _ = read_corpus(
        {**STUDY["corpus"], "path": str(ROOT / "data" / "smoke" / "bakery.jsonl")}
    )
    index = RetrievalIndex(corpus.classes)
    assert wording_seeds(index, STUDY["questions"]["wording"]) == {}


GOOD = {
    "id": "q1",
    "key": "k",
    "domain": "d",
    "template": "T-REL",
    "class_slugs": ["a"],
    "prompt": "p?",
    "gold": [{"slug": "g", "title": "G"}],
    "gold_type": "all",
}


def test_loader_lists_every_bad_row(tmp_path: Path) -> None:
    rows = [
        json.dumps(GOOD),
        json.dumps(GOOD),
        "{",
        json.dumps({**GOOD, "id": "q3", "gold_type": "some"}),
        json.dumps({**GOOD, "id": "q4", "gold": []}),
        json.dumps({**GOOD, "id": "q5", "class_slugs": ["x-y"]}),
    ]
    file = tmp_path / "q.jsonl"
    file.write_text("\n".join(rows))
    with pytest.raises(CopyCeilingError) as e:
        load_questions(file, ["a"])
    text = str(e.value)
    assert "5 fault(s)" in text
    for part in ("q.jsonl:2: field 'id'", "q.jsonl:3:", "q.jsonl:4:", "q.jsonl:5: field 'gold'"):
        assert part in text
    assert "q.jsonl:6: field 'class_slugs': question q5: 'x-y' is not a class" in text
