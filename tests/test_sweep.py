"""The sweep study and its tables on rows small enough to work by hand."""

from typing import Any

import pytest
from copyceiling.artefacts.schemas import SCORES
from copyceiling.artefacts.store import to_table
from copyceiling.artefacts.study_schemas import DECOMPOSITION, SWEEP, TABLE4, TABLE5
from copyceiling.figures import draw_figure3, figure3_rows
from copyceiling.render import latex, markdown
from copyceiling.sweep import POLICIES, Settings, decomposition_rows, sweep_rows
from copyceiling.tables import sweep as tables

SETTINGS = Settings(seed=42, resamples=200, level=0.95)


def row(q: int, model: str, arm: str, hits: int, **changes: Any) -> dict[str, Any]:
    """Two gold items, both exposed in the scaffold arm, none in the raw one."""
    exposed = 2 if arm == "scaffold" else 0
    base = {
        "question_id": f"q{q}",
        "model": model,
        "arm": arm,
        "matcher": "paper",
        "status": "ok",
        "domain": f"d{q % 2}",
        "template": "T-REL",
        "gold_type": "all",
        "n_gold": 2,
        "n_exposed": exposed,
        "n_hits": hits,
        "n11": min(hits, exposed),
        "n10": exposed - min(hits, exposed),
        "n01": hits - min(hits, exposed),
        "n00": 2 - max(hits, exposed) if exposed else 2 - hits,
        "recall_num": hits,
        "recall_den": 2,
        "ceiling_num": exposed,
        "ceiling_den": 2,
        "n_extra": 0,
        "n_extra_hits": 0,
        "n_unmatchable": 0,
        "tries": 1,
        "signature": "test",
    }
    return {**base, **changes}


ROWS = [
    *[row(q, "m", "raw", 0) for q in range(3)],
    row(3, "m", "raw", 1, status="truncated"),
    *[row(q, "m", "scaffold", 2) for q in range(2)],
    row(2, "m", "scaffold", 1, tries=2),
    row(3, "m", "scaffold", 1, status="error"),
    *[row(q, "r", arm, 0, status="empty") for q in range(4) for arm in ("raw", "scaffold")],
]
READERS = frozenset({"r"})


def by_policy(model: str) -> dict[str, dict[str, Any]]:
    found = sweep_rows(ROWS, READERS, SETTINGS)
    return {r["policy"]: r for r in found if r["model"] == model}


def test_policies_by_hand() -> None:
    m = by_policy("m")
    assert list(m) == list(POLICIES)
    assert [m[p]["n"] for p in POLICIES] == [4, 4, 3]
    # as received: scaffold (1 + 1 + .5 + .5)/4, raw .5/4; as wrong: q3 scores 0 in both arms.
    assert [m[p]["scaffold_recall"] for p in POLICIES] == [0.75, 0.625, pytest.approx(2.5 / 3)]
    assert [m[p]["raw_recall"] for p in POLICIES] == [0.125, 0.0, 0.0]
    assert [m[p]["gain"] for p in POLICIES] == [-0.25, -0.375, pytest.approx(2.5 / 3 - 1)]
    assert all(m[p]["ceiling"] == m[p]["exposed_fraction"] == 1.0 for p in POLICIES)


def test_every_status_is_counted_whatever_the_policy() -> None:
    for r in by_policy("m").values():
        assert (r["raw_ok"], r["raw_truncated"], r["scaffold_ok"], r["scaffold_error"]) == (
            3,
            1,
            3,
            1,
        )
        assert (r["n_truncated_either"], r["raw_retried"], r["scaffold_retried"]) == (1, 0, 1)


def test_no_complete_case_is_missing_not_zero() -> None:
    r = by_policy("r")["complete_case"]
    assert r["n"] == 0
    for name in ("raw_recall", "uplift", "gain", "ceiling", "gain_naive_low", "gain_domain_high"):
        assert r[name] is None, name


def test_one_arm_alone_has_no_uplift() -> None:
    only = [r for r in ROWS if r["arm"] == "scaffold" and r["model"] == "m"]
    (found,) = [r for r in sweep_rows(only, READERS, SETTINGS) if r["policy"] == "as_received"]
    assert found["uplift"] is None and found["raw_recall"] is None and found["gain"] == -0.25


def test_decomposition_by_hand_and_pooled_without_readers() -> None:
    found = {(r["model"], r["policy"]): r for r in decomposition_rows(ROWS, READERS, SETTINGS)}
    m = found["m", "as_received"]
    assert [m[k] for k in ("n11", "n10", "n01", "n00")] == [6, 2, 0, 0]
    assert (m["utilisation"], m["omission_rate"], m["unexposed_recovery"]) == (0.75, 0.25, None)
    assert found["m", "as_wrong"]["n11"] == 5 and found["m", "complete_case"]["n11"] == 5
    assert found["(pooled)", "as_received"]["n11"] == 6, "readers stay out of the pool"


def test_compliant_omissions() -> None:
    """An any-type question with one of two exposed items named: one omission, compliant."""
    rows = [
        row(0, "m", "scaffold", 1, gold_type="any", recall_num=1, recall_den=1),
        row(1, "m", "scaffold", 0, gold_type="any", recall_num=0, recall_den=1),
        row(2, "m", "scaffold", 1),
    ]
    found = decomposition_rows(rows, READERS, SETTINGS)[0]
    assert (found["n10"], found["n10_any"], found["n10_compliant"]) == (4, 3, 1)
    assert found["omission_rate_adjusted"] == (4 - 1) / 6


def test_counts_that_rows_do_not_hold_are_bounded() -> None:
    """2 hits of 4 items, 3 exposed: n11 is 1 or 2."""
    rows = [
        row(q, "m", "scaffold", 2, n_gold=4, n_exposed=3, n11=None, n10=None, n01=None, n00=None,
            recall_den=4, ceiling_num=3, ceiling_den=4)
        for q in range(2)
    ]  # fmt: skip
    found = decomposition_rows(rows, READERS, SETTINGS)[0]
    assert (found["n11"], found["n11_low"], found["n11_high"]) == (None, 2, 4)
    assert found["utilisation"] is None and found["n_hits"] == 4


def test_rows_fit_their_schemas_and_tables_print() -> None:
    to_table(ROWS, SCORES)
    sweep = sweep_rows(ROWS, READERS, SETTINGS)
    parts = decomposition_rows(ROWS, READERS, SETTINGS)
    to_table(sweep, SWEEP)
    to_table(parts, DECOMPOSITION)
    four, five = tables.table4_rows(sweep, "as_received"), tables.table5_rows(parts, "as_received")
    to_table(four, TABLE4)
    to_table(five, TABLE5)
    text = markdown(tables.table4(four, "Toy", "as_received", 0.95))
    assert "3 ok, 1 truncated" in text and "4 empty" in text and "n/a" in text
    assert "\\toprule" in latex(tables.table5(five, "Toy", "as_received", 0.95))
    assert "(pooled)" in markdown(tables.table5(five, "Toy", "as_received", 0.95))


def test_models_come_by_gain_and_readers_last() -> None:
    better = [{**r, "model": "a"} for r in ROWS if r["model"] == "m"]
    better = [{**r, "n_hits": 2, "recall_num": 2} if r["arm"] == "scaffold" else r for r in better]
    found = sweep_rows([*ROWS, *better], READERS, SETTINGS)
    shown = [
        r["model"] for r in tables.table4_rows(found, "as_received") if r["policy"] == "as_received"
    ]
    assert shown == ["a", "m", "r"]


def test_figure3_is_the_same_bytes_again() -> None:
    rows = figure3_rows(sweep_rows(ROWS, READERS, SETTINGS), "as_received")
    one, two = draw_figure3(rows, "Toy"), draw_figure3(rows, "Toy")
    assert one == two
    assert one["svg"].startswith(b"<?xml") and one["png"].startswith(b"\x89PNG")
    draw_figure3([], "none")


@pytest.mark.parametrize(
    ("n_domains", "said"),
    [
        (1, "Of fewer than two domains (1 here) there is no interval."),
        (2, "over 2 domains says little and is no primary one: there are only 3 different"),
        (5, "there are only 126 different resamples of them"),
        (9, "there are only 24,310 different resamples of them"),
        (10, "Intervals by domain, the primary ones, resample 10 whole domains"),
    ],
)
def test_few_domains_are_cautioned_about(n_domains: int, said: str) -> None:
    """Multisets of n out of n: three for two domains, both ends and the middle."""
    rows = [
        row(q, "m", arm, 1, domain=f"d{q}") for q in range(n_domains) for arm in ("raw", "scaffold")
    ]
    found = sweep_rows(rows, READERS, SETTINGS)
    four = tables.table4_rows(found, "as_received")
    assert four[0]["n_domains"] == n_domains
    text = markdown(tables.table4(four, "Toy", "as_received", 0.95))
    assert said in text
    assert ("primary ones" in text) == (n_domains >= 10)
