import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copyceiling.artefacts.rescore_schemas import COSINES, RESCORE, RESCORE_CEILING, TITLE_COSINES
from copyceiling.artefacts.store import check_frozen, read, rows, to_table, write
from copyceiling.config import load_study
from copyceiling.embedding import Embedder
from copyceiling.errors import ArtefactError, ConfigError, EmbeddingError
from copyceiling.questions import GoldItem, Question, load_questions
from copyceiling.requests import Message
from copyceiling.rescore import source
from copyceiling.rescore.cosines import attest, hits, measure, replay, scaled, threshold_of
from copyceiling.rescore.freeze import freeze_cosines
from copyceiling.rescore.items import exposure_rows, item_rows, lookup
from copyceiling.rescore.neighbours import measure_neighbours, replay_neighbours, titles_digest
from copyceiling.rescore.plan import Plan, digest, plan_of
from copyceiling.rescore.settings import rescore_params
from copyceiling.rescore.spans import spans
from copyceiling.rescore.study import ceiling_rows, matcher_name, rescore_rows, score_rows
from copyceiling.scoring import Gold, score_cell
from copyceiling.scoring import exposure_rows as lexical_exposure_rows
from copyceiling.sweep import POOLED, Settings
from copyceiling.text import normalise
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import ROOT, SMOKE
from tests.embedders import StubEmbedder, made_spec

THRESHOLDS = [8000, 8500, 9000]
SETTINGS = Settings(seed=1, resamples=200, level=0.95)

# -- spans


def naive_spans(text: str) -> set[str]:
    """Spans by walking over the characters, without regular expressions for the cuts."""
    found = {normalise(text)}
    chunk = ""
    for character in text + "\n":
        if character in "\n;,:()[]{}":
            words = normalise(chunk).split()
            found.add(" ".join(words))
            for start in range(len(words)):
                for stop in range(start + 1, min(start + 6, len(words)) + 1):
                    found.add(" ".join(words[start:stop]))
            chunk = ""
        else:
            chunk += character
    return found - {""}


@given(st.text(alphabet="ab1 .,;:()[]{}\n-/'\"é", max_size=60))
def test_spans_equal_brute_force(text: str) -> None:
    assert spans(text) == naive_spans(text)


def test_what_cuts_a_chunk_and_what_does_not() -> None:
    """Source: STUDIES section 1: full stop, dash, slash and quotes are no delimiters."""
    assert "a b" in spans("a. b") and "a b" in spans("a-b") and "a b" in spans('a/"b"')
    for mark in "\n;,:()[]{}":
        assert "a b" not in spans(f"a{mark}b c") and "a b c" in spans(f"a{mark}b c"), repr(mark)


def test_runs_have_at_most_six_words_and_the_chunk_stands_whole() -> None:
    found = spans("a b c d e f g h; i")
    assert "a b c d e f" in found and "a b c d e f g" not in found
    assert "a b c d e f g h" in found and "a b c d e f g h i" in found
    assert spans("") == spans(" .;\n") == set()


# -- cosines


def naive_best(embedder: StubEmbedder, text: str, title: str) -> int:
    """The best cosine by loops over spans, windows and numbers."""
    best = -1.0
    wanted = embedder.vector(title)
    for span in naive_spans(text):
        words = span.split(" ")
        for i in range(0, len(words), embedder.identity.window):
            piece = embedder.vector(" ".join(words[i : i + embedder.identity.window]))
            best = max(best, sum(a * b for a, b in zip(piece, wanted, strict=True)))
    return round(best * 10_000)


spoken_words = st.sampled_from(["cell", "wall", "growth", "of", ";", "x1"])
texts = st.lists(st.lists(spoken_words, max_size=14).map(" ".join), max_size=4)
some_titles = st.sampled_from(["cell wall", "growth of cell", "x1", "wall"])
titles = st.lists(some_titles, min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(texts, titles)
def test_best_cosines_equal_brute_force(found: list[str], wanted: list[str]) -> None:
    stub, plan = StubEmbedder(), Plan()
    for text in found:
        plan.add(text, wanted)
    measured = {(r["text"], r["gold"]): r for r in measure(plan, stub)} if plan.texts else {}
    spoken = [text for text in found if normalise(text)]
    assert set(measured) == {(digest(t), digest(g)) for t in spoken for g in wanted}
    for text in spoken:
        for title in wanted:
            row = measured[digest(text), digest(title)]
            assert abs(row["cosine"] - naive_best(stub, text, title)) <= 1
            assert row["n_spans"] == len(naive_spans(text))
    assert len(stub.asked) == len(set(stub.asked)), "each distinct string is embedded once"


def test_a_span_beyond_the_window_counts_with_its_best_window() -> None:
    """Its mean would lie far from the title that stands in its second window."""
    stub = StubEmbedder(made_spec(window=8))
    long = "a b c d e f g h cell wall growth of root hair in water"
    plan = Plan()
    plan.add(long, ["cell wall growth of root hair in water"])
    (row,) = measure(plan, stub)
    assert row["cosine"] == 10_000 and row["n_long"] == 1
    whole = np.mean([stub.vector(w) for w in stub.windows([long])[0]], axis=0)
    assert scaled(float(whole @ stub.vector(long[16:])) / float(np.linalg.norm(whole))) < 9_500


def test_thresholds_and_their_names() -> None:
    assert [threshold_of(t) for t in (0.8, 0.85, 0.9, 1, 0.8125)] == [*THRESHOLDS, 10_000, 8125]
    names = ["cosine@0.80", "cosine@0.8125", "cosine@1.00"]
    assert [matcher_name(t) for t in (8000, 8125, 10_000)] == names
    with pytest.raises(ConfigError, match="more than four decimals"):
        threshold_of(0.80001)
    assert hits([8000, 7999, None], 8000) == [True, False, False]


# -- replay, increments, attestation


def plan_for(*pairs: tuple[str, str]) -> Plan:
    plan = Plan()
    for text, title in pairs:
        plan.add(text, [title])
    return plan


def test_a_replay_needs_no_encoder_and_stops_where_a_row_is_missing() -> None:
    stub = StubEmbedder()
    frozen = measure(plan_for(("the cell wall", "cell wall"), ("growth", "wall")), stub)
    kept = replay(plan_for(("growth", "wall")), frozen, stub.identity, "toy")
    assert [r["text"] for r in kept] == [digest("growth")]
    with pytest.raises(EmbeddingError) as e:
        replay(plan_for(("growth", "wall"), ("a root", "root")), frozen, stub.identity, "toy")
    assert "study 'toy', embedder 'stub': 1 of 2 cosines, of 1 text(s)" in str(e.value)
    assert "a root" in str(e.value) and "copyceiling freeze --cosines" in str(e.value)


def test_rows_of_other_weights_answer_nothing() -> None:
    plan = plan_for(("growth", "wall"))
    frozen = measure(plan, StubEmbedder())
    with pytest.raises(EmbeddingError, match="1 of 1 cosines"):
        replay(plan, frozen, made_spec(weights_sha256="1" * 64), "toy")


def test_a_text_without_words_asks_for_nothing() -> None:
    plan = plan_for(("", "wall"), (" ... ", "wall"), ("growth", ""))
    assert plan.pairs == {} and replay(plan, [], made_spec(), "toy") == []


def find(plan: Plan, frozen: source.Frozen, how: Any, folder: Path) -> source.Frozen:
    wanted = source.Wanted(plan, ["cell wall", "root"], ["root"])
    return source.find(wanted, frozen, made_spec(), how, folder, "toy")


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> StubEmbedder:
    made = StubEmbedder()
    monkeypatch.setattr(source, "open_embedder", lambda spec: made)
    return made


def test_a_new_model_embeds_its_new_strings_alone(stub: StubEmbedder, tmp_path: Path) -> None:
    first = find(plan_for(("the cell wall", "cell wall")), source.Frozen((), ()), "live", tmp_path)
    before = set(stub.asked)
    both = plan_for(("the cell wall", "cell wall"), ("the cell grows", "cell wall"))
    second = find(both, first, "live", tmp_path / "without a cache")
    new = stub.asked[len(before) :]
    assert set(new) == spans("the cell grows") | {"cell wall"}, "no frozen text is embedded again"
    third = find(both, first, "live", tmp_path)
    cached = stub.asked[len(before) + len(new) :]
    assert set(cached) == spans("the cell grows") - before, "nor strings that the cache holds"
    assert sorted(map(str, second.cosines)) == sorted(map(str, third.cosines))
    assert len(stub.asked[: len(before)]) == len(before)


def test_a_replay_opens_no_encoder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(source, "open_embedder", lambda spec: pytest.fail("an encoder was opened"))
    with pytest.raises(EmbeddingError, match="never frozen"):
        find(plan_for(("the wall", "wall")), source.Frozen((), ()), "replay", tmp_path)


def test_deep_embeds_again_and_compares(stub: StubEmbedder, tmp_path: Path) -> None:
    plan = plan_for(("the cell wall", "cell wall"), ("growth", "cell wall"))
    frozen = find(plan, source.Frozen((), ()), "live", tmp_path)
    asked = len(stub.asked)
    assert find(plan, frozen, "deep", tmp_path) == frozen
    assert len(stub.asked) - asked == asked, "the cache of earlier runs is not asked"

    def moved(by: int) -> source.Frozen:
        first, *rest = frozen.cosines
        return source.Frozen([{**first, "cosine": first["cosine"] - by}, *rest], frozen.titles)

    assert find(plan, moved(1), "deep", tmp_path) == moved(1), "a rounding edge is no difference"
    with pytest.raises(EmbeddingError, match="1 of 2 frozen cosines"):
        find(plan, moved(2), "deep", tmp_path)


def test_attest_lists_what_differs() -> None:
    frozen = [{"title": "t" * 64, "cosine": 9000}, {"title": "u" * 64, "cosine": 1}]
    with pytest.raises(EmbeddingError, match=r"title t+\.\.\.: frozen 9000, found 8998"):
        attest(frozen, [{"title": "t" * 64, "cosine": 8998}, frozen[1]], ("title",))


# -- from cosines to the study


def question(number: int, gold: Sequence[str], gold_type: str, domain: str) -> Question:
    items = tuple(GoldItem(t.replace(" ", "-"), t) for t in gold)
    return Question(
        id=f"q{number:04d}",
        key=f"k{number}",
        domain=domain,
        template="T-REL",
        class_slugs=("x",),
        prompt=f"What of {number}?",
        retrieval_text="",
        gold=items,
        gold_type=gold_type,  # type: ignore[arg-type]
        gold_extra=(),
    )


class Toy:
    """A small study through the same functions as the scripts."""

    def __init__(self, questions: Sequence[Question], blocks: Sequence[str]) -> None:
        self.questions = list(questions)
        self.shown = {
            q.id: {
                "raw": (Message("user", q.prompt),),
                "scaffold": (Message("system", block), Message("user", q.prompt)),
            }
            for q, block in zip(questions, blocks, strict=True)
        }

    def copy(self, question_id: str, arm: str) -> str:
        return " ".join(m.content for m in self.shown[question_id][arm])

    def run(self, answers: Mapping[str, Any], embedder: Embedder) -> tuple[Any, Any]:
        """Return rows of `RESCORE` by model and matcher, and of `RESCORE_CEILING` by matcher."""
        cells = [
            {"question_id": q.id, "model": m, "arm": arm, "status": "ok", "tries": 1, "answer": a}
            for m, answer in answers.items()
            for q in self.questions
            for arm in ("raw", "scaffold")
            for a in [answer(q.id, arm)]
        ]
        lexical = [
            row
            for q in self.questions
            for row in lexical_exposure_rows(Gold.of(q), self.shown[q.id]["scaffold"])
        ]
        exposed = {
            (q.id, arm): [
                {"paper": r[column], "strict": r[column]}
                for r in lexical
                if r["question_id"] == q.id
            ]
            for q in self.questions
            for arm, column in (("raw", "question_exposed"), ("scaffold", "exposed"))
        }
        gold = {q.id: Gold.of(q) for q in self.questions}
        scored = [
            score_cell(gold[c["question_id"]], exposed[c["question_id"], c["arm"]], c)
            for c in cells
        ]
        found = lookup(measure(plan_of(self.questions, self.shown, cells), embedder))
        shown = exposure_rows(self.questions, self.shown, lexical, found)
        items = item_rows(self.questions, cells, [i for s in scored for i in s.items], found)
        rescored = score_rows(
            self.questions, [r for s in scored for r in s.scores], items, shown, THRESHOLDS
        )
        study = rescore_rows(rescored, items, frozenset({"reader-copy"}), THRESHOLDS, SETTINGS)
        ceilings = ceiling_rows(self.questions, shown, THRESHOLDS, SETTINGS)
        to_table(study, RESCORE), to_table(ceilings, RESCORE_CEILING)
        kept = [r for r in study if r["policy"] == "as_received"]
        return (
            {(r["model"], r["matcher"]): r for r in kept},
            {r["matcher"]: r for r in ceilings},
        )


WORDS = ["cell", "wall", "growth", "root", "hair", "of", "in", ";"]
phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
some_golds = st.sampled_from(["cell wall", "root hair", "growth of root"])
golds = st.lists(some_golds, min_size=1, max_size=3)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(golds, st.sampled_from(["all", "any"]), phrases, phrases), min_size=2, max_size=4
    )
)
def test_a_copy_has_no_gain_and_the_cells_add_up(drawn: list[tuple[Any, str, str, str]]) -> None:
    toy = Toy(
        [question(i, d[0], d[1], f"d{i % 2}") for i, d in enumerate(drawn)], [d[2] for d in drawn]
    )
    said = {f"q{i:04d}": d[3] for i, d in enumerate(drawn)}
    found, ceilings = toy.run(
        {"reader-copy": toy.copy, "model": lambda q, arm: said[q]}, StubEmbedder()
    )
    names = ["paper", *map(matcher_name, THRESHOLDS)]
    n_gold = sum(len(q.gold) for q in toy.questions)
    for name in names:
        copy = found["reader-copy", name]
        assert copy["gain"] == 0 and copy["gain_naive_low"] == copy["gain_domain_high"] == 0
        assert copy["scaffold_recall"] == ceilings[name]["ceiling"]
        assert copy["ceiling"] == found["model", name]["ceiling"] == ceilings[name]["ceiling"]
        assert copy["n10"] == copy["n01"] == 0
        for model in ("model", "reader-copy", POOLED):
            row = found[model, name]
            assert row["n11"] + row["n10"] + row["n01"] + row["n00"] == row["n_gold"] == n_gold
            assert row["n_lexical_kept"] <= row["n_lexical"]
        assert found["model", name]["n11"] == found[POOLED, name]["n11"], "readers are not pooled"
    for tighter, looser in ((3, 2), (2, 1)):
        assert found["model", names[tighter]]["n11"] <= found["model", names[looser]]["n11"]


def test_any_collapses_on_both_sides() -> None:
    """One of two items of an any-question is enough, for the answer and for the context alike."""
    toy = Toy(
        [
            question(0, ["cell wall", "root hair"], "any", "a"),
            question(1, ["cell wall", "root hair"], "all", "b"),
        ],
        ["the cell wall", "the cell wall"],
    )
    found, ceilings = toy.run({"model": lambda q, arm: "root hair"}, StubEmbedder())
    row = found["model", "cosine@0.90"]
    assert row["scaffold_recall"] == (1 + 0.5) / 2 and row["ceiling"] == (1 + 0.5) / 2
    assert (row["n11"], row["n10"], row["n01"], row["n00"]) == (0, 2, 2, 0), "counts never do"
    assert ceilings["cosine@0.90"]["ceiling"] == 0.75 and ceilings["cosine@0.90"]["n_exposed"] == 2


def test_the_question_is_part_of_the_context() -> None:
    """It exposes an item in both arms, and nothing in an answer that leaves it out."""
    asked = [question(0, ["what of 0"], "all", "a"), question(1, ["root"], "all", "b")]
    toy = Toy(asked, ["x", "y"])
    found, ceilings = toy.run({"model": lambda q, arm: "no idea"}, StubEmbedder())
    assert ceilings["cosine@0.90"]["question_exposed"] == 1
    assert ceilings["cosine@0.90"]["n_exposed"] == 1
    assert found["model", "cosine@0.90"]["n10"] == 1


def test_an_answer_without_words_misses_and_is_not_a_cosine_of_zero() -> None:
    toy = Toy([question(0, ["root"], "all", "a")], ["the root"])
    cells = [{"question_id": "q0000", "model": "m", "arm": "scaffold", "answer": " .. "}]
    lexical = [{**cells[0], "item": 0, "recovered": False}]
    (row,) = item_rows(toy.questions, cells, lexical, {})
    assert row["cosine"] is None and hits([None], 1) == [False]


# -- neighbouring titles


@given(st.lists(phrases.map(normalise), min_size=2, max_size=8))
@settings(max_examples=40, deadline=None)
def test_neighbours_equal_brute_force(found: list[str]) -> None:
    stub = StubEmbedder()
    measured = {r["title"]: r["cosine"] for r in measure_neighbours(found, found, stub)}
    for i, title in enumerate(found):
        others = [
            sum(a * b for a, b in zip(stub.vector(title), stub.vector(other), strict=True))
            for j, other in enumerate(found)
            if j != i and other and title
        ]
        if others:
            assert abs(measured[digest(title)] - round(max(others) * 10_000)) <= 1
        else:
            assert digest(title) not in measured


def test_neighbours_are_of_these_classes_and_no_others() -> None:
    stub, found = StubEmbedder(), ["cell wall", "root"]
    frozen = measure_neighbours(found, found, stub)
    assert len(replay_neighbours(found, ["root"], frozen, stub.identity)) == 1
    with pytest.raises(EmbeddingError, match="for these 3 classes"):
        replay_neighbours([*found, "hair"], ["root"], frozen, stub.identity)
    assert titles_digest(["a", "b"]) != titles_digest(["b", "a"])


# -- the shipped studies


def test_the_paper_asks_for_778_distinct_titles(shared: Path) -> None:
    """Source: STUDIES section 1, an emergent check of the gold side."""
    asked = load_questions(shared / "release" / "questions.jsonl")
    assert len(asked) == 510
    assert len({normalise(item.title) for q in asked for item in q.gold}) == 778


def test_the_smoke_study_replays_its_frozen_cosines(smoke: Path) -> None:
    found = rows(smoke / "studies/rescore.parquet", RESCORE)
    copy = [r for r in found if r["model"] == "reader-copy"]
    assert {r["matcher"] for r in copy} == {"paper", *map(matcher_name, THRESHOLDS)}
    assert all(r["gain"] == 0 for r in copy)
    text = (smoke / "tables/rescore.md").read_text(encoding="utf-8")
    assert re.search(r"reader-copy +\| cosine@0.90 .*\+0\.000", text)
    assert "weights sha256 8199be6f699a395f" in text
    for kind in ("svg", "png"):
        assert (smoke / f"figures/rescore.{kind}").stat().st_size > 1000


@pytest.mark.parametrize("study", ["go", "smoke"])
def test_frozen_cosines_are_listed_and_of_the_declared_encoder(study: str) -> None:
    config = load_study(ROOT / f"config/studies/{study}.yaml")
    spec = rescore_params(config)["spec"]
    folder = ROOT / config["frozen"]
    files = [folder / "vectors" / f"{spec['name']}{end}.parquet" for end in ("", ".titles")]
    check_frozen(files, folder / "SHA256SUMS")
    digests = {
        value
        for path, schema in zip(files, (COSINES, TITLE_COSINES), strict=True)
        for value in read(path, schema).column("embedder").to_pylist()
    }
    assert digests == {made_digest(spec)}


def made_digest(spec: Mapping[str, Any]) -> str:
    return made_spec(**spec).digest


def test_freezing_refuses_another_encoder_and_lists_its_files(tmp_path: Path) -> None:
    config = {**load_study(ROOT / SMOKE), "results": "results", "frozen": "frozen"}
    assert freeze_cosines({**config, "rescore": None}, tmp_path) == []
    assert "no re-score" in freeze_cosines(config, tmp_path)[0]
    plan, stub = plan_for(("growth", "wall")), StubEmbedder()
    folder = tmp_path / "results" / "rescore"
    write(folder / "cosines.parquet", measure(plan, stub), COSINES, {})
    write(folder / "titles.parquet", measure_neighbours(["a", "b"], ["a"], stub), TITLE_COSINES, {})
    with pytest.raises(ArtefactError, match="of another encoder"):
        freeze_cosines(config, tmp_path)
    digest_of = made_digest(rescore_params(config)["spec"])
    rows_of = [{**row, "embedder": digest_of} for row in measure(plan, stub)]
    write(folder / "cosines.parquet", rows_of, COSINES, {})
    near = [{**r, "embedder": digest_of} for r in measure_neighbours(["a", "b"], ["a"], stub)]
    write(folder / "titles.parquet", near, TITLE_COSINES, {})
    assert len(freeze_cosines(config, tmp_path)) == 2
    name = config["rescore"]["embedder"]
    frozen = tmp_path / "frozen"
    files = [frozen / "vectors" / f"{name}.parquet", frozen / "vectors" / f"{name}.titles.parquet"]
    check_frozen(files, frozen / "SHA256SUMS")
    assert rows(files[0], COSINES) == rows_of
