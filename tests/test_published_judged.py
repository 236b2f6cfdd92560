"""Published values of the judged studies: every key is covered, and what we have is within reach.

Golden values: ``expected.yaml`` of the paper's material, with its tolerances.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from copyceiling.cohorts import build_cohorts
from copyceiling.diagnostics import retrieval_rows
from copyceiling.flow import flow_rows
from copyceiling.judged_diagnostics import judged_rows
from copyceiling.paired import contrast_rows
from copyceiling.published.compare import DIFFERS, EQUAL, LACKING, WITHIN, judge
from copyceiling.published.expected import Published, load_published
from copyceiling.published.judged import judged_values
from copyceiling.published.recomputed import Recomputed
from copyceiling.sweep import Settings

from tests.conftest import read_jsonl
from tests.judged_rows import answer, grade, released

# Published, recomputable from the reduced rows; the others lack fields that those leave out.
COUNTS = {
    "live": (44, 43),
    "live2": (5, 0),
    "controls5": (298, 277),
    "controls4": (61, 61),
    "ood": (19, 1),
    "diag": (7, 7),
}


def studies(answers: Any, grades: Any, exposure: Any = (), seed: int = 42) -> dict[str, Any]:
    """Return the arguments of `judged_values`."""
    how = Settings(seed=seed, resamples=10_000, level=0.95)
    cohorts = build_cohorts(answers, grades)
    return {
        "contrasts": contrast_rows(cohorts, how),
        "flow": flow_rows(cohorts, exposure),
        "diagnostics": judged_rows(answers, grades, how),
    }


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, Published]:
    values = load_published(shared / "reference" / "expected.yaml")
    return {v.key: v for v in values if v.family in COUNTS}


@pytest.fixture(scope="module")
def recomputed(shared: Path) -> dict[str, Recomputed]:
    found = studies(*released(shared))
    scaffolds = [
        {"seeds": [{"slug": slug, "score": score} for slug, score in row["seeds"]]}
        for row in read_jsonl(shared / "reference" / "scaffolds_502.jsonl")
    ]
    found["diagnostics"] += retrieval_rows(scaffolds, [])
    return judged_values(**found)


def test_every_published_key_is_covered_and_no_other(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    assert recomputed.keys() == published.keys()


def test_recomputed_values_lie_within_their_tolerance(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    verdicts = {key: judge(published[key], ours) for key, ours in recomputed.items()}
    worst: dict[str, tuple[float, str]] = {}
    for key, (_, deviation) in verdicts.items():
        slack = published[key].tolerance
        if deviation is not None and slack:
            family = published[key].family
            worst[family] = max(worst.get(family, (0.0, "")), (deviation / slack, key))
    print(json.dumps(worst, indent=1))
    wrong = {
        k: (published[k].value, recomputed[k].value) for k, v in verdicts.items() if v[0] == DIFFERS
    }
    assert wrong == {}
    assert {v[0] for v in verdicts.values()} <= {EQUAL, WITHIN, LACKING}


def test_how_many_are_recomputed_by_prefix(recomputed: dict[str, Recomputed]) -> None:
    total = Counter(key.partition(".")[0] for key in recomputed)
    ours = Counter(key.partition(".")[0] for key, v in recomputed.items() if v.value is not None)
    found = {name: (total[name], ours[name]) for name in COUNTS}
    print(found)
    assert found == COUNTS


def test_nothing_at_hand_gives_no_value_and_a_reason_for_each() -> None:
    found = judged_values([], [], [])
    assert len(found) == sum(n for n, _ in COUNTS.values())
    assert all(v.value is None and v.reason for v in found.values())


def test_aggregates_are_never_taken_over(recomputed: dict[str, Recomputed]) -> None:
    lacking = [k for k in recomputed if k.startswith(("controls5.exposure", "controls5.tokens"))]
    assert len(lacking) == 10
    assert all("aggregate" in str(recomputed[k].reason) for k in lacking)


def test_full_rows_give_what_reduced_ones_lack() -> None:
    """A rerun with its ends, exposure and tokens, a second judge and an out-of-domain arm."""
    arms = ("served", "raw", "true", "shuffled", "masked", "irrelevant", "fluent_noise")
    answers, grades = [], []
    for i in range(6):
        for arm in arms:
            empty = (i, arm) == (0, "true")
            given = {"exposure": i / 5, "injected_tokens": 100} if arm not in arms[:2] else {}
            status = "empty" if empty else "ok"
            answers.append(answer(f"q{i}", arm, status, cohort="controls", rerun=False, **given))
            score = None if empty else i
            grades.append(grade(f"q{i}", arm, score, cohort="controls", judge="gpt-4.1"))
        for arm, score in (("served", 5), ("raw", i)):
            more = {"of_set": "thin", "judge": "claude-opus-4-6"}
            grades.append(grade(f"q{i}", arm, score, **more))
        for arm in ("harness", "bare"):
            more = {"of_set": "off_domain", "cohort": "general"}
            answers.append(answer(f"q{i}", arm, engaged=i < 2, **more))
            grades.append(grade(f"q{i}", arm, 4 + (arm == "bare"), judge="gpt-4.1", **more))
    found = {k: v.value for k, v in judged_values(**studies(answers, grades)).items()}
    assert found["controls5.flow.true"] == {
        "planned": 6,
        "attempted": 6,
        "completed": 5,
        "empty": 1,
        "graded": 5,
    }
    assert found["controls5.empty_rate.true"] == pytest.approx(1 / 6)
    assert found["controls5.exposure.masked"] == {
        "mean": pytest.approx(0.5),
        "median": pytest.approx(0.5),
        "min": 0.0,
        "max": 1.0,
        "n_zero": 1,
        "n_full": 1,
    }
    assert (found["controls5.tokens.masked"], found["controls5.rows"]) == (100.0, 30)
    assert found["controls5.judged_rows"] == 41
    assert (found["live2.thin"], found["live2.nontied"]) == (2.5, 5)
    assert (found["ood.off_domain_engaged.delta"], found["ood.off_domain_engaged.n"]) == (-1.0, 2)
    assert (found["ood.skipped_off_domain"], found["ood.gradings"]) == (4, 12)
    assert found["ood.engaged_means"] == [5.0, 4.0]
    assert found["live.reruns"] is None, "no production answers, no such value"
