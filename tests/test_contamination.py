"""Template contamination on a corpus that has a class of the wording's name."""

from copyceiling.contamination import contamination_rows, intruder_rows, retrieve
from copyceiling.questions import GoldItem, Question
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.sweep import Settings

from tests.conftest import make_class

CLASSES = [
    make_class("bread", relations={"requires": ("flour",)}),
    make_class("cake", relations={"requires": ("flour",)}),
    make_class("flour"),
    make_class("knowledge-graph", definition="A graph of assertions." * 4),
]
TITLES = {c.slug: c.title for c in CLASSES}


def question(number: int, slug: str) -> Question:
    prompt = f"According to the knowledge graph, what does {TITLES[slug]} require?"
    gold = (GoldItem("flour", "Flour"),)
    return Question(
        f"q{number}", f"k{number}", f"d{number}", "T", (slug,), prompt, prompt, gold, "all"
    )


def test_a_class_that_the_wording_names_takes_a_seed_everywhere() -> None:
    engine = ScaffoldEngine(CLASSES)
    found = retrieve([question(1, "bread"), question(2, "cake")], TITLES, engine, "")
    rows = {
        (r["query"], r["matcher"]): r
        for r in contamination_rows(found, Settings(seed=1, resamples=100, level=0.95))
    }
    prompt, titles = rows["prompt", "paper"], rows["titles", "paper"]
    assert (prompt["seeds"], titles["seeds"]) == (2.0, 1.0)
    assert (prompt["foreign"], titles["foreign"]) == (1.0, 0.0)
    assert (prompt["subjects_first"], titles["subjects_first"]) == (0.0, 1.0)
    assert prompt["difference"] == 0.0 and titles["difference"] == 0.0
    assert prompt["tokens"] > titles["tokens"] and prompt["ceiling"] == 1.0
    (intruder,) = intruder_rows(found, TITLES)
    assert intruder == {
        "slug": "knowledge-graph",
        "title": "Knowledge Graph",
        "prompt": 2,
        "titles": 0,
        "both": 0,
        "first": 2,
        "questions": 2,
    }


def test_under_a_tight_budget_the_intruder_costs_exposure() -> None:
    engine = ScaffoldEngine(CLASSES, budget_tokens=45)
    found = retrieve([question(1, "bread")], TITLES, engine, "")
    rows = {
        r["query"]: r
        for r in contamination_rows(found, Settings(seed=1, resamples=100, level=0.95))
        if r["matcher"] == "paper"
    }
    assert (rows["prompt"]["ceiling"], rows["titles"]["ceiling"]) == (0.0, 1.0)
    assert (rows["titles"]["n_better"], rows["titles"]["n_worse"]) == (1, 0)
    assert rows["titles"]["difference_naive_low"] is None, "one question has no spread"
