"""Ceilings under rewriting."""

from fractions import Fraction
from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import PARAPHRASE
from copyceiling.artefacts.store import to_table
from copyceiling.errors import ArtefactError
from copyceiling.published.paraphrase import paraphrase_values
from copyceiling.rewrites import paraphrase_rows
from copyceiling.sweep import Settings
from copyceiling.tables.paraphrase import paraphrase
from copyceiling.tables.paraphrase import paraphrase_rows as laid_out
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

SETTINGS = Settings(42, 500, 0.95)


def rewrite(number: int, lexical: float | None, semantic: float | None, **given: Any) -> Any:
    return {
        "question_id": f"q{number}",
        "accepted": True,
        "n_attempts": 1,
        "reasons": [],
        "original": 1.0,
        "original_served": 1.0,
        "lexical": lexical,
        "semantic": semantic,
        "engaged": True,
        "fallback": False,
        **given,
    }


def domains(n: int) -> dict[str, str]:
    return {f"q{i}": "ab"[i % 2] for i in range(n)}


def study(rewrites: list[Any]) -> dict[tuple[str, str], dict[str, Any]]:
    rows = paraphrase_rows(rewrites, domains(len(rewrites)), SETTINGS)
    to_table(rows, PARAPHRASE)
    return {(r["measure"], r["subset"]): r for r in rows}


REWRITES = [
    rewrite(0, 0.0, 1.0),
    rewrite(1, 1 / 3, 1 / 3, fallback=True, engaged=False),
    rewrite(2, 0.5, 1.0, n_attempts=3),
    rewrite(3, 1.0, 0.5),
    rewrite(4, None, None, accepted=False, n_attempts=4, engaged=None, fallback=None),
]


def test_a_hand_made_set() -> None:
    found = study(REWRITES)
    assert (found["accepted", "all"]["k"], found["accepted", "all"]["n"]) == (4, 5)
    assert found["attempts", "all"]["value"] == 2.0, "over all questions, rejected ones too"
    assert found["lexical", "all"]["value"] == pytest.approx(11 / 24)
    assert found["recovery", "all"]["value"] == pytest.approx((1 + 0 + 0.5 - 0.5) / 4)
    assert (found["failing", "all"]["k"], found["failing", "all"]["n"]) == (2, 4), (
        "0.5 is no failure"
    )
    assert found["recovery", "failing"]["value"] == pytest.approx(0.5)
    assert found["recovery", "others"]["value"] == pytest.approx(0.0)
    assert (found["fallback", "all"]["k"], found["presence", "all"]["k"]) == (1, 3)
    assert found["presence", "failing"]["k"] == 1


def test_the_chosen_subset_carries_its_caution_and_what_the_choice_alone_gives() -> None:
    found = study(REWRITES)
    assert "regression to the mean" in found["recovery", "failing"]["caution"]
    assert found["recovery", "all"]["caution"] is None
    # Mean semantic over all accepted, minus mean lexical over the failing.
    expected = Fraction(17, 24) - Fraction(1, 6)
    assert found["recovery_if_unrelated", "failing"]["value"] == pytest.approx(float(expected))


def test_attempts_that_rows_do_not_state_are_missing() -> None:
    rows = [{**r, "n_attempts": None, "reasons": None} for r in REWRITES]
    assert study(rows)["attempts", "all"]["value"] is None
    found = paraphrase_values(rows, list(study(rows).values()))
    assert found["paraphrase.mean_attempts"].value is None
    assert "rejection_log" in str(found["paraphrase.rejected_attempts"].reason)
    stated = paraphrase_values(REWRITES, list(study(REWRITES).values()))
    assert stated["paraphrase.rejected_attempts"].value == 10 - 4


def test_faults_are_listed_together() -> None:
    rows = [rewrite(0, None, 1.0), rewrite(9, 0.0, 0.0)]
    with pytest.raises(ArtefactError) as caught:
        paraphrase_rows(rows, {"q0": "a"}, SETTINGS)
    assert "q0: accepted, but no lexical" in str(caught.value)
    assert "q9: no such question" in str(caught.value)


def test_no_accepted_rewrite_gives_missing_values() -> None:
    found = study([rewrite(0, None, None, accepted=False)])
    assert found["accepted", "all"]["value"] == 0.0
    assert found["lexical", "all"]["value"] is None
    assert found["recovery_if_unrelated", "failing"]["value"] is None
    assert found["failing", "all"]["value"] is None


shares = st.integers(1, 5).flatmap(lambda n: st.integers(0, n).map(lambda k: k / n))


@limits(max_examples=40, deadline=None)
@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=25))
def test_the_two_subsets_make_up_the_whole(pairs: list[tuple[float, float]]) -> None:
    found = study([rewrite(i, low, high) for i, (low, high) in enumerate(pairs)])
    parts = [found["recovery", s] for s in ("failing", "others")]
    assert sum(p["n"] for p in parts) == len(pairs)
    total = sum(p["n"] * (p["value"] or 0.0) for p in parts)
    assert total / len(pairs) == pytest.approx(found["recovery", "all"]["value"], abs=1e-12)
    mean = sum(high - low for low, high in pairs) / len(pairs)
    assert found["recovery", "all"]["value"] == pytest.approx(mean, abs=1e-12)
    assert parts[0]["n"] == sum(low < 0.5 for low, _ in pairs)


def test_the_table_shows_each_subset_and_every_caution() -> None:
    rows = laid_out(paraphrase_rows(REWRITES, domains(5), SETTINGS), "")
    table = paraphrase(rows, "A study", "", 0.95)
    assert [len(p.rows) for p in table.panels] == [10, 7, 5]
    shown = [column.cell(row) for p in table.panels for row in p.rows for column in p.columns]
    assert any("regression to the mean" in cell for cell in shown)
