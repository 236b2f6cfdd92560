"""Template contamination on a corpus that has a class of the wording's name."""

from pathlib import Path

from copyceiling.config import load_study
from copyceiling.contamination import contamination_rows, intruder_rows, retrieve
from copyceiling.corpus.read import read_corpus
from copyceiling.questions import GoldItem, Question, load_questions
from copyceiling.render import interval, number
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.sweep import Settings

from tests.conftest import ROOT, make_class

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


def test_the_page_states_what_titles_alone_expose(shared: Path) -> None:
    """docs/findings/template-contamination.md, recomputed on the paper's corpus and questions."""
    study = load_study(ROOT / "config" / "studies" / "paper.yaml")
    archive = shared / "corpus" / "narrativegoldmine-pages-2026-08-07.tar.xz"
    corpus, _ = read_corpus({**study["corpus"], "path": str(archive)})
    titles = {c.slug: c.title for c in corpus.classes}
    asked = load_questions(shared / "release" / "questions.jsonl")
    before = (ROOT / study["scaffold"]["preamble"]).read_text(encoding="utf-8").strip()
    found = retrieve(asked, titles, ScaffoldEngine(corpus.classes), before)
    rows = contamination_rows(found, Settings(study["seed"], 10_000, 0.95))
    at = {r["query"]: r for r in rows if r["matcher"] == "paper"}
    page = (ROOT / "docs" / "findings" / "template-contamination.md").read_text(encoding="utf-8")
    shown = (
        number("ceiling"),
        number("seeds", 2),
        number("foreign", 2),
        number("tokens", 0),
        number("subjects_first"),
    )
    for query, row in at.items():
        assert " | ".join([f"| {query}", *(cell(row) for cell in shown)]) + " |" in page
    row = at["titles"]
    moved = f"{number('difference', signed=True)(row)} {interval('difference_domain')(row)}"
    assert f"differ by {moved}, by domain" in page
    assert f"{row['n_better']} questions have a higher one, {row['n_worse']} a lower" in page
