"""The stress, contamination and seeds as their users run them, on the smoke study."""

import json
import shutil
from pathlib import Path

import pytest
from copyceiling.artefacts.schemas import SCAFFOLDS
from copyceiling.artefacts.store import file_sha256, rows, write, write_sums
from copyceiling.artefacts.stress_schemas import (
    ARM_EXPOSURE,
    HITS,
    STRESS,
    STRESS_ATTEMPTS,
    STRESS_REWRITES,
)
from copyceiling.config import ROOT, study_of
from copyceiling.embedding import embedder_spec
from copyceiling.retrieval import RetrievalIndex
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.questions import read_questions
from copyceiling.semantic import CLASS_TEXTS, Hit
from copyceiling.stress.freeze import freeze_stress
from copyceiling.stress.hits import Plan, hit_rows

from tests.conftest import SMOKE, snakemake

NAME = "all-minilm-l6-v2-int8"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smoke study with a stress of its own, its hits those of lexical retrieval."""
    folder = tmp_path_factory.mktemp("stress")
    results, frozen = folder / "results", folder / "frozen"
    done = _run(folder, f"{results}/stress/rewrites.parquet", f"{results}/scaffolds.parquet")
    assert done.returncode == 0, done.stderr[-3000:]
    classes = read_classes(results / "corpus" / "classes.parquet")
    asked = [q.retrieval_text for q in read_questions(results / "questions.parquet")]
    rewrites = rows(results / "stress" / "rewrites.parquet", STRESS_REWRITES)
    asked += [r["text"] for r in rewrites if r["text"] is not None]
    plan = Plan(tuple(dict.fromkeys(asked)), classes, embedder_spec(NAME))
    index = RetrievalIndex(classes)
    found = {q: [Hit(s.slug, 0.5) for s in index.seeds(q, 20)] for q in plan.queries}
    found = {q: hits or [Hit(classes[0].slug, 0.1)] for q, hits in found.items()}
    made = [row for form in CLASS_TEXTS for row in hit_rows(plan, form, found)]
    write(frozen / "vectors" / f"{NAME}.hits.parquet", made, HITS, {"rule": "test"})
    write_sums(frozen)
    done = _run(folder, "paraphrase", "contamination", "seeds")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Paraphrase stress. Smoke test" in done.stdout and "Seeds and snapshots" in done.stdout
    return folder


def _run(folder: Path, *targets: str):  # type: ignore[no-untyped-def]
    return snakemake(
        *targets, "--configfile", SMOKE, "--config", f"results={folder}/results",
        f"frozen={folder}/frozen", "paraphrase={source: synonyms}",
        "seeds={n: 2, budgets: [60], thresholds: {min_targets: [2]}}",
    )  # fmt: skip


def test_rewrites_hold_no_word_of_their_subject(built: Path) -> None:
    found = rows(built / "results/stress/rewrites.parquet", STRESS_REWRITES)
    tried = rows(built / "results/stress/attempts.parquet", STRESS_ATTEMPTS)
    accepted = [r for r in found if r["ending"] == "accepted"]
    assert accepted and {r["question_id"] for r in tried} == {r["question_id"] for r in found}
    words = {r["question_id"]: r["text"].lower() for r in accepted}
    assert not [q for r in accepted for q in r["banned"] if f" {q}" in words[r["question_id"]]]


def test_the_lexical_arm_is_the_engine_of_the_sweep(built: Path) -> None:
    scaffolds = {r["question_id"]: r for r in rows(built / "results/scaffolds.parquet", SCAFFOLDS)}
    arms = rows(built / "results/stress/exposure.parquet", ARM_EXPOSURE)
    lexical = [r for r in arms if (r["version"], r["arm"]) == ("original", "lexical")]
    assert len(lexical) == len(scaffolds)
    for row in lexical:
        assert row["seeds"] == [s["slug"] for s in scaffolds[row["question_id"]]["seeds"]]
    # The stand-in for semantic hits ranks as lexical retrieval does, so fusing changes nothing.
    fused = {(r["question_id"], r["version"]): r["seeds"] for r in arms if r["arm"] == "fused"}
    both = [r for r in arms if r["arm"] == "lexical" and r["seeds"]]
    assert all(fused[r["question_id"], r["version"]] == r["seeds"] for r in both)
    study = rows(built / "results/studies/stress.parquet", STRESS)
    hybrid = [r for r in study if r["arm"].startswith("hybrid")]
    assert hybrid and all(r["difference"] == 0.0 for r in hybrid)


def test_a_query_that_was_never_embedded_stops_the_replay(built: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    shutil.copytree(built / "results", results)
    (results / "stress" / "hits.parquet").unlink()
    done = snakemake(
        f"{results}/stress/hits.parquet", "--configfile", SMOKE, "--config", f"results={results}",
        f"frozen={tmp_path}/none", "paraphrase={source: synonyms}",
    )  # fmt: skip
    assert done.returncode
    assert "queries were never embedded" in done.stderr and "copyceiling freeze" in done.stderr


def test_freezing_keeps_the_hits_and_their_sums(built: Path, tmp_path: Path) -> None:
    frozen = tmp_path / "frozen"
    overrides = [f"results={built}/results", f"frozen={frozen}", "paraphrase={source: synonyms}"]
    study = study_of([ROOT / SMOKE], overrides)
    (line,) = freeze_stress(study, ROOT)
    file = frozen / "vectors" / f"{NAME}.hits.parquet"
    assert line.startswith(f"vectors/{NAME}.hits.parquet: ") and "rows frozen" in line
    sums = (frozen / "SHA256SUMS").read_text()
    assert f"{file_sha256(file)}  vectors/{NAME}.hits.parquet" in sums
    assert rows(file, HITS) == rows(built / "results/stress/hits.parquet", HITS)
    assert freeze_stress(study_of([ROOT / SMOKE]), ROOT) == []


def test_a_study_without_a_stress_says_what_it_takes(tmp_path: Path) -> None:
    done = snakemake(
        "seeds", "--configfile", SMOKE, "--config", f"results={tmp_path}/r", "seeds=null"
    )
    assert done.returncode and "has no seeds" in done.stderr
    assert json.dumps("seeds={n: 20}")[1:-1] in done.stderr
