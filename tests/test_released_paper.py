"""The paper's own production and control rows come in as published, and no digit changes unseen.

Source of every number: shared/reference/expected.yaml and STUDIES sections 3 and 4.
"""

import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from copyceiling.config import load_study
from copyceiling.errors import ReleaseError
from copyceiling.released.controls import import_controls
from copyceiling.released.layout import find_part
from copyceiling.released.production import import_production
from copyceiling.released.reading import Reader

from tests.conftest import ROOT

GATES = load_study(ROOT / "config" / "studies" / "paper.yaml")["release"]["gates"]
Row = dict[str, Any]


def import_both(root: Path) -> tuple[list[Row], list[Row]]:
    """Return answers and grades of production and controls."""
    answers: list[Row] = []
    grades: list[Row] = []
    for part, function in (("production", import_production), ("controls", import_controls)):
        files = {k: [Path(p) for p in v] for k, v in find_part(str(root), part).items()}
        reader = Reader(part)
        found = function(reader, files, GATES)
        reader.stop()
        answers += found.answers
        grades += found.grades
    return answers, grades


@pytest.fixture(scope="module")
def rows(shared: Path) -> tuple[list[Row], list[Row]]:
    return import_both(shared / "release")


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, Any]:
    text = (shared / "reference" / "expected.yaml").read_text(encoding="utf-8")
    return {e["key"]: e["value"] for e in yaml.safe_load(text)["expected"]}


def of(rows: list[Row], **columns: Any) -> list[Row]:
    return [r for r in rows if all(r[k] == v for k, v in columns.items())]


def test_the_production_study(rows: tuple[list[Row], list[Row]], expected: dict[str, Any]) -> None:
    answers, grades = (of(table, cohort="production") for table in rows)
    status = Counter(r["status"] for r in answers)
    assert status["empty"] == expected["live.still_empty"] == 3
    graded = len(answers) - status["empty"]
    assert [status["truncated"], graded] == expected["diag.live_budget_truncated"]
    assert sum(r["n_chars"] > 4000 for r in answers) == expected["diag.live_over_4000_chars"]
    assert len({r["question_id"] for r in answers if r["rerun"]}) == expected["live.reruns"]
    served = of(answers, arm="served")
    assert {r["generation"] for r in served} == {expected["corpus.generation_stamp"]}
    assert {r["class_count"] for r in served} == {expected["corpus.classes"]}
    for name in ("arcane", "thin", "general"):
        engaged = [r["engaged"] for r in of(served, set=name)]
        assert round(sum(engaged) / len(engaged), 3) == expected[f"live.{name}.engagement"]
    scores = {
        (r["set"], r["question_id"], r["arm"]): r["score"] for r in of(grades, judge="gpt-4.1")
    }
    for name in ("arcane", "thin", "general"):
        both = [
            (score, scores[name, q, "raw"])
            for (s, q, arm), score in scores.items()
            if (s, arm) == (name, "served") and None not in (score, scores[name, q, "raw"])
        ]
        assert len(both) == expected[f"live.{name}.n"]
        mean = sum(a - b for a, b in both) / len(both)
        assert mean == pytest.approx(expected[f"live.{name}.mean_diff"], abs=1e-6)


def test_the_control_cohorts(rows: tuple[list[Row], list[Row]], expected: dict[str, Any]) -> None:
    answers, grades = rows
    first = of(answers, cohort="controls_first")
    for arm, n_ok in expected["diag.controls4_ok"].items():
        mine = of(first, arm=arm)
        assert [
            len(of(mine, status="empty")),
            len(of(mine, attempted=True)),
        ] == expected[f"controls4.empty.{arm}"]
        assert len(of(mine, status="ok")) == n_ok
    rerun = of(grades, cohort="controls", judge="gpt-4.1")
    for arm in ("loom", "raw", "true", "shuffled", "masked", "irrelevant", "fluent_noise"):
        ours = of(rerun, arm={"loom": "served"}.get(arm, arm))
        flow = expected[f"controls5.flow.{arm}"]
        assert (len(ours), len(of(ours, status="graded"))) == (flow["planned"], flow["graded"])


def test_two_judgings_of_one_cohort_stay_apart(rows: tuple[list[Row], list[Row]]) -> None:
    """Paper, section 10.7: 227 of 240 scores are the same, and all lie within a point."""
    grades = of(rows[1], cohort="controls_first")
    first, again = (
        {(r["question_id"], r["arm"]): r["score"] for r in of(grades, judge=judge)}
        for judge in ("gpt-4.1-first", "gpt-4.1")
    )
    gaps = Counter(abs(first[k] - again[k]) for k in again if again[k] is not None)
    assert gaps == {0: 227, 1: 13}


def test_a_digit_changed_in_any_released_score_is_seen(
    shared: Path, rows: tuple[list[Row], list[Row]], tmp_path: Path
) -> None:
    """Thirty random digits of the score files: refused, or another grade comes out."""
    root = tmp_path / "release"
    names = ("paper-v2/judged.json", "controls/four_arm_rejudged_scores.tsv")
    for name in ("paper-v2", "controls"):
        shutil.copytree(shared / "release" / name, root / name)
    rng, refused = random.Random(5), 0
    for name in (*names, "controls/five_arm_scores.tsv"):
        (root / name).chmod(0o644)
        good = (root / name).read_text(encoding="utf-8")
        mark = '"score": ' if name.endswith("json") else "\t"
        places = [i for i in range(1, len(good)) if good[i].isdigit() and good[:i].endswith(mark)]
        for i in rng.sample(places, 10):
            other = rng.choice([d for d in "0123456789" if d != good[i]])
            (root / name).write_text(good[:i] + other + good[i + 1 :], encoding="utf-8")
            try:
                assert import_both(root) != rows, (name, i, other)
            except ReleaseError as e:
                refused += 1
                assert name in str(e) or "gate '" in str(e)
        (root / name).write_text(good, encoding="utf-8")
    assert refused >= 15
