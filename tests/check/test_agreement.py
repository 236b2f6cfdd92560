"""The check and the pipeline agree on the same rows: the smoke study, written as a log."""

from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.schemas import COMPLETIONS, SCORES
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import DECOMPOSITION, SWEEP
from copyceiling.check import Report, check_rows
from copyceiling.config import load_study
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions

from tests.conftest import ROOT, SMOKE


def study_as_log(results: Path) -> list[dict[str, Any]]:
    """Every model of a study as a system, its raw arm as the raw answer."""
    questions = {q.id: q for q in read_questions(results / "questions.parquet")}
    shown = read_messages(results / "scaffolds.parquet")
    log = []
    for path in sorted((results / "completions").glob("*.parquet")):
        cells = {(c["question_id"], c["arm"]): c for c in rows(path, COMPLETIONS)}
        for qid in sorted({qid for qid, _ in cells}):
            q, answer, raw = questions[qid], cells[qid, "scaffold"], cells[qid, "raw"]
            log.append(
                {
                    "system": path.stem,
                    "id": qid,
                    "question": q.prompt,
                    "gold": [{"title": item.title, "slug": item.slug} for item in q.gold],
                    "gold_type": q.gold_type,
                    "context": [
                        {"role": m.role, "content": m.content} for m in shown[qid]["scaffold"][:-1]
                    ],
                    "answer": answer["answer"],
                    "status": answer["status"],
                    "raw_answer": raw["answer"],
                    "raw_status": raw["status"],
                    "cluster": q.domain,
                }
            )
    return log


def visible(row: dict[str, Any]) -> str:
    return " ".join([*(m["content"] for m in row["context"]), row["question"]])


@pytest.fixture(scope="module")
def log(smoke: Path) -> list[dict[str, Any]]:
    return study_as_log(smoke)


@pytest.fixture(scope="module")
def found(log: list[dict[str, Any]]) -> Report:
    study = load_study(ROOT / SMOKE)
    statistics = study["statistics"]
    return check_rows(
        log, seed=study["seed"], resamples=statistics["resamples"], level=statistics["level"]
    )


def test_every_integer_agrees(smoke: Path, found: Report) -> None:
    scores = {
        (r["model"], r["question_id"], r["matcher"], r["arm"]): r
        for path in (smoke / "scores").glob("*.parquet")
        for r in rows(path, SCORES)
    }
    ours = found.rows.to_pylist()
    assert len(ours) == len(scores) / 2
    for r in ours:
        theirs = scores[r["system"], r["id"], r["matcher"], "scaffold"]
        raw = scores[r["system"], r["id"], r["matcher"], "raw"]
        for name in ("n11", "n10", "n01", "n00", "n_gold", "recall_num", "ceiling_num"):
            assert r[name] == theirs[name], (r["system"], r["id"], name)
        assert (r["den"], r["status"]) == (theirs["recall_den"], theirs["status"])
        assert r["n_unmatchable"] == theirs["n_unmatchable"]
        assert (r["raw_num"], r["n_raw_hits"]) == (raw["recall_num"], raw["n_hits"])
        assert (r["n_question"], r["question_num"]) == (raw["n_exposed"], raw["ceiling_num"])


def test_every_rate_and_interval_agrees(smoke: Path, found: Report) -> None:
    """Equal to the last bit: the sums are exact, and the weights are drawn from the same names."""
    systems = {s.system: s for s in found.systems}
    sweep = rows(smoke / "studies" / "sweep.parquet", SWEEP)
    assert {r["model"] for r in sweep} == set(systems)
    for r in sweep:
        m = systems[r["model"]].of(r["matcher"], r["policy"])
        assert (m.n, m.n_clusters) == (r["n"], r["n_domains"])
        assert (m.ceiling, m.exposed_fraction) == (r["ceiling"], r["exposed_fraction"])
        assert (m.recall, m.gain) == (r["scaffold_recall"], r["gain"])
        assert (m.raw_recall, m.uplift) == (r["raw_recall"], r["uplift"])
        for name in ("gain", "uplift"):
            for ours, theirs in (("naive", "naive"), ("cluster", "domain")):
                interval = getattr(m, f"{name}_{ours}")
                expected = (r[f"{name}_{theirs}_low"], r[f"{name}_{theirs}_high"])
                assert (interval.low, interval.high) == expected, (r["model"], name, ours)


def test_the_decomposition_agrees(smoke: Path, found: Report) -> None:
    systems = {s.system: s for s in found.systems}
    for r in rows(smoke / "studies" / "decomposition.parquet", DECOMPOSITION):
        if r["model"] not in systems:
            continue  # the pooled rows
        m = systems[r["model"]].of(r["matcher"], r["policy"])
        for name in ("n", "n_gold", "n11", "n10", "n01", "n00", "n10_any", "n10_compliant"):
            assert getattr(m, name) == r[name], (r["model"], r["policy"], name)
        assert m.utilisation == r["utilisation"]


def test_the_ceiling_is_the_score_of_the_visible_input(log: list[dict[str, Any]]) -> None:
    """A system that answers with all it was shown has gain 0, cell by cell, under each matcher."""
    copies = [
        {**r, "answer": visible(r), "status": None, "raw_answer": None, "raw_status": None}
        for r in log
        if r["system"] == "reader-silent"
    ]
    (system,) = check_rows(copies, resamples=10).systems
    for m in system.measures:
        assert (m.recall, m.gain, m.n10, m.n01) == (m.ceiling, 0.0, 0, 0)
