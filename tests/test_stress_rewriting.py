"""Rewriting: four attempts in all, every reason kept, and rewrites that never leak."""

from collections.abc import Sequence
from typing import Any

import pytest
from copyceiling.corpus.model import OntologyClass
from copyceiling.errors import CopyCeilingError
from copyceiling.questions import GoldItem, Question
from copyceiling.stats import named_rng
from copyceiling.stress.census import attempt_rows, rewrite_row, rewriting_rows
from copyceiling.stress.describe import descriptions
from copyceiling.stress.gate import banned_in, content_words, mechanical_reasons
from copyceiling.stress.lexicon import Lexicon, shared_runs, stated_glosses
from copyceiling.stress.reword import Rewording
from copyceiling.stress.rewriting import (
    Attempt,
    Proposal,
    Rewrite,
    Task,
    drawn,
    rewrite_all,
    task_of,
)
from copyceiling.stress.synonyms import SynonymRewriter, compose, parse_glossary
from copyceiling.tables.stress import rewriting
from copyceiling.tables.stress import rewriting_rows as table_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import make_class

TITLES = {"yeast-dough": "Yeast Dough", "oven": "Oven"}


def question(number: int = 1, slugs: Sequence[str] = ("yeast-dough",)) -> Question:
    titles = " and ".join(TITLES[s] for s in slugs)
    return Question(
        id=f"q{number:04d}",
        key=f"rel:{number}",
        domain="baking",
        template="T-REL",
        class_slugs=tuple(slugs),
        prompt=f"What does {titles} need?",
        retrieval_text=titles,
        gold=(GoldItem("flour", "Flour"),),
        gold_type="all",
    )


class Scripted:
    """Proposes texts in a given order, and says NO to those that hold 'other'."""

    def __init__(self, texts: Sequence[str | None], error: str | None = None) -> None:
        self._texts, self._error = texts, error
        self.seen: list[list[str]] = []

    def propose(self, tasks: Sequence[tuple[Task, Sequence[Attempt]]]) -> list[Proposal]:
        """Return the next text for each task."""
        self.seen += [[str(r) for a in attempts for r in a.reasons] for _, attempts in tasks]
        return [Proposal(self._texts[len(a)], "scripted", self._error) for _, a in tasks]

    def verdicts(self, pairs: Sequence[tuple[Task, str]]) -> list[tuple[str | None, bool]]:
        """Return a verdict on each text; none for one that holds 'lost'."""
        return [
            (None, False)
            if "lost" in text
            else ("NO" if "other" in text else "YES", "other" not in text)
            for _, text in pairs
        ]


def ended(texts: Sequence[str | None], error: str | None = None) -> tuple[Rewrite, Scripted]:
    rewriter = Scripted(texts, error)
    (found,) = rewrite_all([task_of(question(), TITLES)], rewriter)
    return found, rewriter


def test_the_first_good_text_ends_it() -> None:
    found, rewriter = ended(["What does leavened paste need?"])
    assert (found.ending, len(found.attempts)) == ("accepted", 1)
    assert found.attempts[0].verdict == "YES" and not found.attempts[0].reasons
    assert rewriter.seen == [[]]


def test_every_reason_is_kept_and_told() -> None:
    texts = ["What does yeasty flour need?", "", "What does the other paste need?", "A paste?"]
    found, rewriter = ended(texts)
    assert found.ending == "accepted" and found.text == "A paste?"
    reasons = [[str(r) for r in a.reasons] for a in found.attempts]
    assert reasons == [
        ["title_word: yeast", "gold_verbatim: Flour"],
        ["no_text"],
        ["other_answers"],
        [],
    ]
    # Part (iii) is asked only of a text that passes the rest.
    assert [a.verdict for a in found.attempts] == [None, None, "NO", "YES"]
    assert rewriter.seen[1] == reasons[0]
    row = rewrite_row(found, "scripted")
    assert (row["n_attempts"], row["ending"], row["banned"]) == (3, "accepted", ["yeast", "dough"])
    assert [(r["words_ok"], r["gold_ok"]) for r in attempt_rows(found)][:2] == [
        (False, False),
        (True, True),
    ]


def test_four_attempts_in_all_not_four_retries() -> None:
    found, rewriter = ended(["yeast"] * 9)
    assert (found.ending, found.text, len(found.attempts)) == ("rejected", None, 4)
    assert len(rewriter.seen) == 4


def test_nothing_to_propose_is_a_reason() -> None:
    found, _ = ended(["yeast", None])
    assert [str(r) for a in found.attempts for r in a.reasons] == [
        "title_word: yeast",
        "no_rewrite",
    ]
    assert rewrite_row(found, "x")["n_attempts"] == 1


@pytest.mark.parametrize("texts", [["A paste?"], ["What is lost?"]])
def test_an_answer_that_never_came_is_an_error_not_a_rejection(texts: list[str]) -> None:
    found, _ = ended(texts, error=None if "lost" in texts[0] else "timeout")
    assert found.ending == "error" and found.text is None and found.error


def test_endings_and_reasons_are_counted() -> None:
    tasks = [task_of(question(i), TITLES) for i in (1, 2)]
    found = rewrite_all(tasks, Scripted(["yeast dough", "A paste?"]))
    rows = rewriting_rows(
        [rewrite_row(r, "s") for r in found],
        [row for r in found for row in attempt_rows(r)],
        [t.question for t in tasks],
    )
    counted = {(r["measure"], r["value"]): (r["count"], r["of"]) for r in rows}
    assert counted["ending", "accepted"] == (2, 2) and counted["ending", "error"] == (0, 2)
    assert counted["attempts", "2"] == (2, 2)
    assert counted["reason", "title_word"] == (2, 4), "once a text, whatever the number of words"
    assert counted["template", "T-REL"] == (2, 2)


def test_sets_of_two_rewriters_stand_apart_in_the_table() -> None:
    asked = [question(i) for i in (1, 2)]
    tasks = [task_of(q, TITLES) for q in asked]
    rows: list[dict[str, Any]] = []
    for name, texts in (("synonyms", ["A paste?"]), ("tiny", ["yeast dough"] * 4)):
        found = rewrite_all(tasks, Scripted(texts))
        tried = [row for r in found for row in attempt_rows(r)]
        rows += rewriting_rows([rewrite_row(r, name) for r in found], tried, asked)
    table = rewriting(table_rows(rows, ""), "Toy", "", 0.95)
    headings = [p.heading.partition(":")[0] for p in table.panels]
    assert headings == ["synonyms"] * 5 + ["tiny"] * 4, "no text of tiny was accepted"
    ends = {p.heading: {r["value"]: r["count"] for r in p.rows} for p in table.panels}
    at = "questions by how their rewriting ended"
    assert ends[f"synonyms: {at}"]["accepted"] == 2 and ends[f"tiny: {at}"]["rejected"] == 2
    reasons = ends["tiny: attempts turned down, by reason (an attempt may have several)"]
    assert reasons["title_word"] == 8 and sum(reasons.values()) == 8
    assert "by synonyms and by tiny" in table.caption


@given(st.integers(0, 40), st.integers(1, 40), st.integers(1, 40), st.integers(0, 9))
def test_a_larger_draw_holds_a_smaller_one(n: int, few: int, more: int, seed: int) -> None:
    asked = [question(i) for i in range(n)]
    few, more = min(few, more), max(few, more)
    small, large = (drawn(asked, k, seed, "m") for k in (few, more))
    assert len(small) == min(few, n) and len(large) == min(more, n)
    assert {q.id for q in small} <= {q.id for q in large}
    assert [q.id for q in large] == sorted(q.id for q in large), "in the study's order"
    assert drawn(asked, None, seed, "m") == asked


def corpus() -> list[OntologyClass]:
    kinds = ["sugar", "starch", "protein", "lipid"]
    made = [
        make_class(f"{k}-breakdown", title=f"{k} breakdown", synonyms=(f"{k} catabolism",))
        for k in kinds
    ]
    leaven = make_class(
        "yeast-dough",
        title="Yeast Dough",
        synonyms=("leavened paste",),
        definition="A paste of flour and water that is raised by yeast, a living leaven.",
        parents=("oven",),
    )
    oven = make_class(
        "oven",
        title="Oven",
        definition="A closed chamber in which food is baked. It is hot.",
        relations={"used_for": ("sugar-breakdown",)},
        parents=("sugar-breakdown",),
    )
    tongue = make_class(
        "nephron-growth",
        title="nephron growth",
        definition="Any process that grows a nephron, the functional unit of the kidney, by cells.",
    )
    return [*made, leaven, oven, tongue]


def test_titles_and_synonyms_that_differ_in_one_run_say_that_runs_mean_the_same() -> None:
    assert shared_runs(corpus()) == {"breakdown": ("catabolism",)}
    assert shared_runs(corpus()[2:]) == {}, "too few classes bear it out"


def test_definitions_explain_terms_in_passing() -> None:
    assert stated_glosses(corpus())["nephron"] == ("the functional unit of the kidney",)


def reword(text: str, title: str, glossary: dict[str, str] | None = None) -> str:
    banned = content_words([title])
    return Rewording(Lexicon.of(corpus()), glossary or {}, banned, named_rng(1, "t")).reword(text)


@pytest.mark.parametrize(
    ("text", "title", "said"),
    [
        ("The breakdown of food.", "breakdown", "The catabolism of food."),
        # A gloss takes the article's place, and stands only where no noun follows.
        (
            "Growth of a nephron, slowly.",
            "nephron",
            "Growth of the functional unit of the kidney, slowly.",
        ),
        ("Growth of a nephron cell.", "nephron", "Growth of a nephron cell."),
        ("Many ovens.", "oven", "Many stoves."),
        ("An oven.", "oven", "A stove."),
        ("It is hot.", "oven", "It is hot."),
    ],
)
def test_rewording(text: str, title: str, said: str) -> None:
    assert reword(text, title, {"oven": "stove"}) == said


def test_descriptions_come_by_the_declared_rules() -> None:
    classes = {c.slug: c for c in corpus()}
    banned = content_words(["Yeast Dough"])
    words = Rewording(Lexicon.of(corpus()), {}, banned, named_rng(1, "t"))
    found = descriptions(classes["yeast-dough"], words)
    assert (found[0].rule, found[0].text) == ("synonym", "leavened paste")
    assert not any(banned_in(d.text, banned) for d in found)


def test_a_name_takes_the_titles_place_and_a_definition_is_quoted() -> None:
    rewriter = SynonymRewriter(corpus(), {}, 42)
    tasks = [
        task_of(question(1), TITLES),
        task_of(question(2, ["oven"]), TITLES),
        task_of(question(3, ["yeast-dough", "oven"]), TITLES),
    ]
    one, two, both = (r.text for r in rewrite_all(tasks, rewriter))
    assert one == "What does leavened paste need?"
    assert two == (
        'Take the term defined as "A closed chamber in which food is baked". What does it need?'
    )
    assert both == (
        'Take two terms. The first is known as "leavened paste". The second is defined as '
        '"A closed chamber in which food is baked". What does the first and the second need?'
    )


def test_a_question_without_its_title_is_not_rewritten() -> None:
    odd = Question(**{**{f: getattr(question(), f) for f in Question.__slots__}, "prompt": "What?"})
    (found,) = rewrite_all([task_of(odd, TITLES)], SynonymRewriter(corpus(), {}, 42))
    assert found.ending == "rejected" and "subject's title" in found.attempts[0].how


def test_the_longer_title_is_replaced_first() -> None:
    titles = {"a": "Oven", "b": "Oven Door"}
    asked = Question(
        "q1", "k", "d", "T-COMMON", ("a", "b"), "Do Oven and Oven Door match?", "", (), "any"
    )
    task = task_of(asked, titles)
    rewriter = SynonymRewriter(
        [make_class("a", title="Oven", synonyms=("Stove",)),
         make_class("b", title="Oven Door", synonyms=("Hatch",))], {}, 1,
    )  # fmt: skip
    chosen = [rewriter.describe(task, slug)[0] for slug in ("a", "b")]
    assert compose(task, chosen) == "Do Stove and Hatch match?"


WORDS = st.sampled_from("oven ovens heat sugar nephron rise kidney of the a, in which food".split())
PHRASE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
CLASS = st.tuples(PHRASE, st.lists(PHRASE, max_size=2), st.lists(WORDS, max_size=14).map(" ".join))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CLASS, min_size=1, max_size=6), PHRASE)
def test_no_rewrite_leaks_and_all_are_a_function_of_corpus_and_seed(
    described: list[tuple[str, list[str], str]], gold: str
) -> None:
    classes = [
        make_class(f"c{i}", title=title, synonyms=tuple(others), definition=text, parents=("c0",))
        for i, (title, others, text) in enumerate(described)
    ]
    titles = {c.slug: c.title for c in classes}
    tasks = [
        task_of(
            Question(f"q{i}", f"k{i}", "d", "T-TAX", (c.slug,), f"What is {c.title} in?", "",
                     (GoldItem("g", gold),), "all"),
            titles, gold_words=True,
        )
        for i, c in enumerate(classes)
    ]  # fmt: skip
    found = rewrite_all(tasks, SynonymRewriter(classes, {"heat": "warmth"}, 3))
    for task, rewrite in zip(tasks, found, strict=True):
        assert (rewrite.text is None) == (rewrite.ending == "rejected")
        assert len(rewrite.attempts) <= 4
        if rewrite.text is not None:
            assert not mechanical_reasons(rewrite.text, task.banned, task.gold, gold_words=True)
    again = rewrite_all(list(reversed(tasks)), SynonymRewriter(classes, {"heat": "warmth"}, 3))
    assert {r.task.question.id: r.text for r in again} == {
        r.task.question.id: r.text for r in found
    }


def test_a_glossary_names_every_bad_line() -> None:
    assert parse_glossary("phrase\tother words\nOven\tstove\n", "g") == {"oven": "stove"}
    with pytest.raises(CopyCeilingError) as caught:
        parse_glossary("phrase\tother words\nOven\nheat\twarmth\nHeat\tglow\n", "g.tsv")
    assert "g.tsv:2" in str(caught.value) and "g.tsv:4: 'Heat' stands twice" in str(caught.value)


def test_the_shipped_glossary_can_be_read() -> None:
    from copyceiling.config import ROOT

    text = (ROOT / "config" / "glossaries" / "go.tsv").read_text(encoding="utf-8")
    found = parse_glossary(text, "go.tsv")
    assert found["membrane"] == "bilayer"
    assert not [phrase for phrase, said in found.items() if phrase == said.lower()]
