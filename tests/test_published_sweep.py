"""Published values of the sweep, its questions and corpus against what the released rows give.

Source of every number: reference/expected.yaml of the paper's material.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from copyceiling.published.compare import DIFFERS, judge
from copyceiling.published.decomposition import decomposition_values
from copyceiling.published.expected import Published, load_published
from copyceiling.published.recomputed import Recomputed
from copyceiling.published.sweep import (
    ceiling_values,
    corpus_values,
    paper_only_values,
    question_values,
    sweep_values,
)

from tests.paper_rows import audit_of, served_answers, sweep_of

COUNTS = {
    "sweep": (82, 82),
    "ceiling": (4, 4),
    "decomp": (74, 74),
    "questions": (8, 8),
    "corpus": (4, 2),
    "node": (2, 0),
    "casestudy": (10, 0),
    "page": (6, 0),
}


def values(
    models: list[str],
    s: Any,
    frame: Any,
    answers: Any,
) -> dict[str, Recomputed]:
    return {
        **sweep_values(models, s.scores, s.sweep, s.labels),
        **ceiling_values(s.sweep, s.decomposition),
        **decomposition_values(models, s.decomposition, s.sweep, frame, s.labels),
        **question_values(s.questions),
        **corpus_values(answers),
        **paper_only_values(),
    }


@pytest.fixture(scope="module")
def published(shared: Path) -> dict[str, Published]:
    found = load_published(shared / "reference" / "expected.yaml")
    return {v.key: v for v in found if v.family in COUNTS}


@pytest.fixture(scope="module")
def recomputed(shared: Path) -> dict[str, Recomputed]:
    audit = audit_of(shared)
    return values(list(audit.models), sweep_of(shared), audit.frame, served_answers(shared))


def test_every_published_key_is_covered_and_no_other(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    assert recomputed.keys() == published.keys()


def test_no_recomputed_value_differs(
    published: dict[str, Published], recomputed: dict[str, Recomputed]
) -> None:
    wrong = {
        key: (published[key].value, ours.value)
        for key, ours in recomputed.items()
        if judge(published[key], ours)[0] == DIFFERS
    }
    assert wrong == {}


def test_how_many_are_recomputed_by_family(recomputed: dict[str, Recomputed]) -> None:
    total = Counter(key.partition(".")[0] for key in recomputed)
    ours = Counter(key.partition(".")[0] for key, v in recomputed.items() if v.value is not None)
    found = {family: (total[family], ours[family]) for family in COUNTS}
    print(found)
    assert found == COUNTS


def test_without_the_audit_the_cells_are_lacking_with_their_bounds(shared: Path) -> None:
    s = sweep_of(shared)
    found = decomposition_values(["gpt-4.1-mini"], s.decomposition, s.sweep, [], s.labels)
    assert found["decomp.gpt-4.1-mini.n11"].value is None
    assert "887 to 962" in str(found["decomp.gpt-4.1-mini.n11"].reason)
    assert found["decomp.n10_any_type"].value == 166, "any-type questions are settled by their rows"
    assert found["decomp.order_swap"].value is None


class Nothing:
    scores: tuple[()] = ()
    sweep: tuple[()] = ()
    decomposition: tuple[()] = ()
    questions: tuple[()] = ()
    labels: dict[str, str] = {}  # noqa: RUF012  # never written


def test_nothing_at_hand_gives_no_value_and_a_reason_for_each() -> None:
    found = values(["m"], Nothing(), [], [])
    assert len(found) > 30
    assert [key for key, v in found.items() if v.value is not None or not v.reason] == []


def decomposed(model: str, n11: int, **given: Any) -> dict[str, Any]:
    row = {"model": model, "matcher": "paper", "policy": "as_received", "group": "model"}
    cells = {"n11": n11, "n10": 10 - n11, "n01": 0, "n00": 2}
    bounds = {"n_gold": 12, "n_exposed": 10, "n_hits": n11, "n11_low": n11, "n11_high": n11}
    return {**row, **cells, **bounds, "n10_any": 1, "n10_compliant": 1, **given}


def test_exact_cells_need_no_audit() -> None:
    """Hand-made: b uses more of what it is shown than c, and recalls less."""
    rows = [decomposed(m, n) for m, n in (("a", 9), ("b", 8), ("c", 7), ("(pooled)", 5))]
    sweep = [
        {**row, "scaffold_recall": recall, "gain_naive_low": 0.0, "gain_naive_high": 0.1}
        for row, recall in zip(rows, (0.9, 0.7, 0.8), strict=False)
    ]
    found = decomposition_values(["a", "b", "c"], rows, sweep, [], {"c": "see"})
    assert found["decomp.see.n11"] == Recomputed(7)
    assert found["decomp.order_swap"].value == "b and see"
    assert found["decomp.n10_compliant_two_weakest"].value == 2
    assert found["decomp.omission_rate_adjusted"].value == pytest.approx(0.4)


def test_row_recalls_are_rounded_before_they_are_averaged() -> None:
    """The release stores each row's recall with four decimals: 0.3333, not 1/3."""
    score = {"matcher": "paper", "model": "m", "recall_num": 1, "recall_den": 3}
    scores = [{**score, "arm": arm} for arm in ("raw", "scaffold")]
    found = sweep_values(["m"], scores, [], {})
    assert found["sweep.m.raw_recall"].value == 0.3333
    assert found["sweep.m.uplift"].value == 0.0
    assert found["sweep.m.n_truncated"].value is None
