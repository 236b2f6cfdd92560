"""The re-score of released contexts: its gate, and its ceilings beside those of another encoder."""

from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import EXPOSURE_CHECK
from copyceiling.artefacts.published_schemas import COMPARISON
from copyceiling.artefacts.rescore_schemas import RESCORE_CEILING, RESCORE_PUBLISHED
from copyceiling.artefacts.store import to_table
from copyceiling.config import ROOT, load_study
from copyceiling.errors import ReleaseError
from copyceiling.published.compare import (
    EQUAL,
    KNOWN,
    LACKING,
    OTHER_ENCODER,
    WITHIN,
    compare,
    judge,
)
from copyceiling.published.expected import Known, Published, load_published
from copyceiling.published.recomputed import Recomputed
from copyceiling.published.rescore import EMBEDDER, THRESHOLDS, rescore_values, rescored_values
from copyceiling.questions import load_questions
from copyceiling.render import markdown
from copyceiling.rescore.gate import check_contexts
from copyceiling.rescore.published import published_rows
from copyceiling.scoring import question_score
from copyceiling.tables.published import published as report
from copyceiling.tables.published import published_rows as report_rows
from copyceiling.tables.rescore import beside, ceiling_rows
from copyceiling.text import normalise

from tests.paper_rows import sweep_of
from tests.test_published_audit import check_of

OURS = "all-minilm-l6-v2-int8"
MODELS = ["a", "b"]


def checked(model: str, **counts: int) -> dict[str, Any]:
    return {"model": model, "n": 5, "n_unstated": 0, "n_mismatches": 0, **counts}


def ceiling(threshold: int | None, value: float, n_exposed: int) -> dict[str, Any]:
    bounds = {f"ceiling_{by}_{end}": None for by in ("naive", "domain") for end in ("low", "high")}
    name = "paper" if threshold is None else f"cosine@{threshold / 10_000:.2f}"
    counts = {"n_gold": 9, "n_lexical": 8, "n_lexical_kept": 7, "question_exposed": 0}
    return {
        "matcher": name, "threshold": threshold, "n": 5, "n_domains": 2, "ceiling": value,
        "n_exposed": n_exposed, **bounds, **counts,
    }  # fmt: skip


# -- the gate


def test_the_gate_lets_agreeing_rows_through() -> None:
    rows = [checked("b"), checked("a")]
    assert to_table(rows, EXPOSURE_CHECK).num_rows == len(MODELS)
    check_contexts(rows, MODELS, 5)  # raises nothing


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([checked("a")], ["b: no released rows that state what was exposed"]),
        ([checked("a", n=4), checked("b")], ["a: 4 rows for 5 questions"]),
        ([checked("a"), checked("b", n_unstated=2)], ["b: 2 rows state no count"]),
        (
            [checked("a", n_mismatches=1), checked("b", n_mismatches=3)],
            ["a: 1 rows state another count", "b: 3 rows state another count", "2 of 2 model(s)"],
        ),
    ],
)
def test_the_gate_names_every_model_at_fault(rows: list[Any], said: list[str]) -> None:
    with pytest.raises(ReleaseError) as e:
        check_contexts(rows, MODELS, 5)
    assert [text for text in said if text not in str(e.value)] == []


def test_the_paper_passes_the_gate_with_all_ten_models(shared: Path) -> None:
    """Source: STUDIES section 1: 510 counts of each model, macro ceiling 0.964477."""
    study = load_study(ROOT / "config" / "studies" / "paper.yaml")
    models, check = study["sweep"]["models"], check_of(shared)
    check_contexts(check, models, 510)
    assert len(models) == 10 and {(r["n"], r["n_unstated"]) for r in check} == {(510, 0)}
    sweep = sweep_of(shared)
    exposed = {q.id: 0 for q in sweep.questions}
    for row in sweep.exposure:
        exposed[row["question_id"]] += row["exposed"]
    scores = [question_score(exposed[q.id], len(q.gold), q.gold_type) for q in sweep.questions]
    assert f"{sum(k / n for k, n in scores) / 510:.6f}" == "0.964477"


def test_one_context_that_shows_one_item_more_is_found(shared: Path) -> None:
    from copyceiling.audit.exposure import exposure_check_rows

    sweep = sweep_of(shared)
    exposed = {q.id: 0 for q in sweep.questions}
    for row in sweep.exposure:
        exposed[row["question_id"]] += row["exposed"]
    exposed["q0003"] += 1
    file = shared / "release" / "sweep" / "scores-glm-4.6-scaffold.jsonl"
    with pytest.raises(ReleaseError, match=r"glm-4\.6: 1 rows state another count"):
        check_contexts(exposure_check_rows({"glm-4.6": file}, exposed), ["glm-4.6"], 510)


def test_the_paper_asks_for_778_distinct_titles(shared: Path) -> None:
    """Source: STUDIES section 1, an emergent check of the gold side."""
    asked = load_questions(shared / "release" / "questions.jsonl")
    assert len(asked) == 510
    assert len({normalise(item.title) for q in asked for item in q.gold}) == 778


# -- values of another encoder

CEILINGS = [
    ceiling(None, 0.9645, 8),
    *(ceiling(t, 0.95 - t / 1e6, 7) for t in (8000, 8500, 9000)),
]


def test_values_of_another_encoder_are_never_judged() -> None:
    to_table(CEILINGS, RESCORE_CEILING)
    found = rescored_values(CEILINGS, OURS)
    assert set(found) == {f"rescore.ceiling@{t}" for t in THRESHOLDS}
    for value, tolerance in ((0.942, 0.002), (0.9420, 0.5), (0.1, 0.0), ([0.9], 1.0)):
        entry = Published("rescore.ceiling@0.80", "s6", "w", value, tolerance, "f", "s")
        assert judge(entry, found[entry.key])[0] == OTHER_ENCODER
    same = rescored_values(CEILINGS, EMBEDDER)["rescore.ceiling@0.80"]
    entry = Published("rescore.ceiling@0.80", "s6", "w", 0.942, 0.002, "f", "s")
    assert judge(entry, same)[0] == EQUAL
    assert judge(entry, Recomputed(0.943))[0] == WITHIN
    assert judge(entry, Recomputed(0.943, other_encoder=OURS)) == (
        OTHER_ENCODER, pytest.approx(0.001)
    )  # fmt: skip


def test_a_known_difference_does_not_hide_the_encoder() -> None:
    entry = Published("rescore.ceiling@0.80", "s6", "w", 0.942, 0.002, "f", "s")
    known = {entry.key: Known("0.94", "printed from another row")}
    (row,) = compare([entry], {entry.key: Recomputed(0.942, other_encoder=OURS)}, known)
    assert row["verdict"] == OTHER_ENCODER and row["verdict"] != KNOWN
    assert OURS in row["reason"] and row["recomputed"] == "0.942"
    to_table([row], COMPARISON)
    shown = markdown(report(report_rows([row], ""), "Toy", "", 0.95))
    assert "rests on another encoder" in shown and OURS in shown
    assert "| different encoder" in shown


def test_without_a_re_score_its_values_are_lacking() -> None:
    assert rescored_values([], None) == {}
    found = rescore_values(["a"], [], [], {}, {})
    lacking = found["rescore.ceiling@0.85"]
    entry = Published("rescore.ceiling@0.85", "s6", "w", 0.9, 0.1, "f", "s")
    assert judge(entry, lacking) == (LACKING, None) and "vectors: live" in str(lacking.reason)
    given = rescore_values(["a"], [], [], {}, rescored_values(CEILINGS, OURS))
    assert given["rescore.ceiling@0.85"].value == pytest.approx(0.9415)
    assert given.keys() == found.keys()


# -- side by side


def test_published_figures_stand_beside_ours(shared: Path) -> None:
    """Paper section 6: .9802, .9677 and .9366 with bge-small; exposed from n11 + n10."""
    published = load_published(shared / "reference" / "expected.yaml")
    rows = published_rows(CEILINGS, published, OURS)
    to_table(rows, RESCORE_PUBLISHED)
    read = {r["matcher"]: r for r in rows}
    assert [r["published_ceiling"] for r in rows] == [0.964477, 0.9802, 0.9677, 0.9366]
    assert [r["published_exposed"] for r in rows] == [1060, 1094, 1067, 1034]
    assert read["cosine@0.80"]["difference"] == pytest.approx(0.942 - 0.9802)
    assert read["paper"]["embedder"] is None and read["paper"]["published_embedder"] is None
    assert {r["published_embedder"] for r in rows[1:]} == {EMBEDDER}
    shown = markdown(beside(ceiling_rows(rows, ""), "Toy", "", 0.95))
    assert "0.9802" in shown and "1,094" in shown and OURS in shown


def test_a_threshold_that_was_not_published_has_nothing_beside_it() -> None:
    (row,) = published_rows([ceiling(8200, 0.9, 7)], [], OURS)
    assert row["published_ceiling"] is row["published_exposed"] is row["difference"] is None
    assert row["published_embedder"] is None
    cells = {"n11": 5, "n10": 2}
    values = [
        Published(f"rescore.{m}@0.80.{cell}", "s6", "w", n + (m == "b"), 3, "f", "s")
        for m in ("a", "b")
        for cell, n in cells.items()
    ]
    (row,) = published_rows([ceiling(8000, 0.9, 7)], values, OURS)
    assert row["published_exposed"] is None, "models that disagree on exposure settle nothing"
