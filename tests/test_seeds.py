"""Seeds and snapshots: the same exposure as the pipeline's, spread over seeds and settings."""

from pathlib import Path
from statistics import fmean, stdev

import pytest
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.questions import QuestionGenerator
from copyceiling.requests import build_messages
from copyceiling.scaffold import ScaffoldEngine, estimate_tokens
from copyceiling.scoring import Gold, exposure_rows, question_score
from copyceiling.seeds import (
    AS_IS,
    BUDGET_AXIS,
    SeedRunner,
    Variant,
    question_seeds,
    run_rows,
    summary_rows,
    variants,
)
from copyceiling.seeds_figure import draw_seeds, figure_rows
from copyceiling.sweep import Settings
from copyceiling.tables.seeds import seeds, seeds_rows

STUDY = load_study(ROOT / "config" / "studies" / "smoke.yaml")
SETTINGS = Settings(seed=7, resamples=200, level=0.95)


@pytest.fixture(scope="module")
def runner() -> SeedRunner:
    corpus, _ = read_corpus({**STUDY["corpus"], "path": str(ROOT / STUDY["corpus"]["path"])})
    return SeedRunner(corpus.classes, STUDY["scaffold"], "Mind this.")


def test_the_studys_own_seed_comes_first() -> None:
    assert question_seeds(7, 4) == [7, 0, 1, 2]
    assert question_seeds(1, 4) == [1, 0, 2, 3]
    assert question_seeds(42, 1) == [42]


def test_each_variant_changes_one_setting_and_none_repeats_the_study() -> None:
    found = variants(STUDY["questions"], 200, {"min_targets": [1, 2]}, [100, 200])
    assert [(v.axis, v.setting, v.budget) for v in found] == [
        (AS_IS, "", 200),
        ("questions.min_targets", "2", 200),
        (BUDGET_AXIS, "100", 100),
    ]
    assert found[1].questions == {**STUDY["questions"], "min_targets": 2}


def test_one_seed_measures_what_the_pipeline_measures(runner: SeedRunner) -> None:
    corpus, _ = read_corpus({**STUDY["corpus"], "path": str(ROOT / STUDY["corpus"]["path"])})
    for budget in (60, 200):
        engine = ScaffoldEngine(corpus.classes, budget_tokens=budget)
        found = runner.measure(Variant(BUDGET_AXIS, str(budget), STUDY["questions"], budget), 7)
        asked = QuestionGenerator(corpus.classes, STUDY["questions"]).generate(7)
        assert len(asked) == len(found["paper"]) > 20
        for q, paper, strict in zip(asked, found["paper"], found["strict"], strict=True):
            block = engine.scaffold(q.retrieval_text).block
            rows = exposure_rows(Gold.of(q), build_messages("Mind this.", block, q.prompt))
            k = sum(bool(r["exposed"]) for r in rows)
            score = question_score(k, len(rows), q.gold_type)
            assert paper.ceiling == score[0] / score[1] and paper.tokens == estimate_tokens(block)
            assert paper.exposed * len(rows) == k
            assert strict.exposed * len(rows) == sum(bool(r["exposed_strict"]) for r in rows)
            assert (paper.alone > 0) == any(r["question_exposed"] for r in rows)


def test_spread_over_seeds_and_its_renderings(runner: SeedRunner, tmp_path: Path) -> None:
    changes = variants(STUDY["questions"], 200, {"min_targets": [2]}, [60])
    runs, own = run_rows(runner, changes, [7, 0, 1])
    rows = summary_rows(runs, own, SETTINGS)
    at = {(r["axis"], r["matcher"], r["measure"]): r for r in rows}
    values = [r["ceiling"] for r in runs if (r["axis"], r["matcher"]) == (BUDGET_AXIS, "paper")]
    budget = at[BUDGET_AXIS, "paper", "ceiling"]
    assert (budget["n_seeds"], budget["min"], budget["max"]) == (3, min(values), max(values))
    assert budget["mean"] == pytest.approx(fmean(values))
    assert budget["sd"] == pytest.approx(stdev(values))
    assert budget["study"] == values[0], "the study's own seed is the first"
    assert budget["study_naive_low"] <= budget["study"] <= budget["study_naive_high"]
    low, high = budget["study_domain_low"], budget["study_domain_high"]
    assert budget["inside"] == sum(low <= v <= high for v in values[1:])
    assert at[AS_IS, "paper", "n"]["study_naive_low"] is at[AS_IS, "paper", "n"]["inside"] is None
    assert at[AS_IS, "paper", "ceiling"]["study"] >= budget["study"], "a smaller block shows less"
    table = seeds(seeds_rows(rows, ""), "Bakery", "", 0.95)
    first = [p.columns[0].cell(p.rows[0]) for p in table.panels]
    assert first == [AS_IS] * len(table.panels)
    drawn = figure_rows(runs, rows, 7)
    assert len(drawn) == 9 and [r["seed"] for r in drawn if r["own"]] == [7, 7, 7]
    assert [r["axis"] for r in drawn if r["rank"] == 0] == [AS_IS] * 3
    images = draw_seeds(drawn, "Bakery")
    assert images == draw_seeds(drawn, "Bakery") and images["png"].startswith(b"\x89PNG")


def test_a_setting_under_which_nothing_is_drawn_has_no_mean(runner: SeedRunner) -> None:
    changes = [Variant("questions.min_targets", "9", {**STUDY["questions"], "min_quality": 2}, 200)]
    runs, own = run_rows(runner, changes, [7, 0])
    assert {(r["n"], r["ceiling"]) for r in runs} == {(0, None)}
    rows = summary_rows(runs, own, SETTINGS)
    (row,) = [r for r in rows if (r["measure"], r["matcher"]) == ("ceiling", "paper")]
    assert (row["mean"], row["sd"], row["study"], row["n_seeds"]) == (None, None, None, 0)
    assert draw_seeds(figure_rows(runs, rows, 7), "Nothing")["svg"]
