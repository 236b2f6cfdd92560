"""The semantic audit: readings, rates, frame, corrected rate, mechanisms."""

import json
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import (
    AUDIT_CONFUSION,
    AUDIT_CORRECTED,
    AUDIT_RATES,
)
from copyceiling.artefacts.store import to_table
from copyceiling.audit.confusion import confusion_rows
from copyceiling.audit.corrected import Weights, corrected_rows
from copyceiling.audit.exposure import exposure_check_rows
from copyceiling.audit.labels import CATEGORIES, LABELS, judge, readings_for, rules_for
from copyceiling.audit.rates import rate_rows
from copyceiling.errors import CopyCeilingError
from copyceiling.sweep import Settings
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

SETTINGS = Settings(42, 400, 0.95)
ABOUT = {"judge": "j", "place": 0, "kind": "model", "form": "ours", "caution": None}


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of an analysis as one judge's."""
    return [{**ABOUT, **row} for row in rows]


def verdict(number: int = 0, **given: Any) -> dict[str, Any]:
    label = given.get("label", "correct_relation")
    return {
        "part": "sample",
        "unit_id": f"m|q{number}|0",
        "model": "m",
        "question_id": f"q{number}",
        "item_index": 0,
        "category": "n11",
        "template": "T-REL",
        "gold_type": "all",
        "status": "graded" if label else "unparsed",
        "label": label,
        "role": "required",
        "gate": "not_needed" if label == "absent" else "verified",
        "verbatim": None,
        **given,
    }


def repaired(number: int, verbatim: bool | None) -> dict[str, Any]:
    return verdict(number, gate="repaired", verbatim=verbatim)


def test_unresolved_verdicts_are_read_three_ways() -> None:
    rows = [verdict(1), verdict(2, label="name_only", gate="unresolved"), verdict(3, label=None)]
    read = {r: [u.label for u in judge(rows, "as_run", r)] for r in ("stands", "withdrawn")}
    assert read["stands"] == ["correct_relation", "name_only"]
    assert read["withdrawn"] == ["correct_relation", "absent"]
    assert [u.role for u in judge(rows, "as_run", "withdrawn")] == ["required", "n/a"]
    assert [u.label for u in judge(rows, "as_run", "excluded")] == ["correct_relation"]


def test_the_verbatim_rule_turns_normalised_repairs_away() -> None:
    rows = [repaired(1, True), repaired(2, False)]
    assert [u.label for u in judge(rows, "as_run", "withdrawn")] == ["correct_relation"] * 2
    withdrawn = [u.label for u in judge(rows, "verbatim", "withdrawn")]
    assert withdrawn == ["correct_relation", "absent"]
    assert rules_for(rows) == ("as_run", "verbatim")
    assert rules_for([*rows, repaired(3, None)]) == ("as_run",), "not stated is not verbatim"


def test_without_the_quote_gate_verdicts_only_stand() -> None:
    rows = [verdict(1, gate=None), verdict(2, label="absent")]
    assert (readings_for(rows), rules_for(rows)) == (("stands",), ("as_run",))
    assert {r["reading"] for r in rate_rows(rows, SETTINGS)} == {"stands"}
    weights = Weights({"n11": 1, "n10": 1}, "rows")
    assert {r["reading"] for r in corrected_rows(rows, weights, SETTINGS)} == {"stands"}


def rate_of(rows: list[dict[str, Any]], **key: Any) -> dict[str, Any]:
    wanted = {"part": "sample", "by": "all", "rule": "as_run", "reading": "stands", **key}
    (found,) = [r for r in rows if all(r[k] == v for k, v in wanted.items())]
    return found


def test_rates_of_a_hand_made_audit() -> None:
    """Four omissions: one named, one denied, one unresolved naming, one absent."""
    units = [
        verdict(1, category="n10", label="name_only"),
        verdict(2, category="n10", label="negated"),
        verdict(3, category="n10", label="name_only", gate="unresolved"),
        verdict(3, category="n10", label="absent", role="n/a", model="other"),
    ]
    rows = rate_rows(units, SETTINGS)
    to_table(judged(rows), AUDIT_RATES)
    named = {r: rate_of(rows, rate="named", reading=r) for r in ("stands", "withdrawn", "excluded")}
    assert {r: (x["k"], x["n"]) for r, x in named.items()} == {
        "stands": (2, 4),
        "withdrawn": (1, 4),
        "excluded": (1, 3),
    }
    assert {r: x["leaning"] for r, x in named.items()} == {
        "stands": "less",
        "withdrawn": "more",
        "excluded": None,
    }, "a name that the matcher missed speaks against it"
    omitted = rate_of(rows, rate="true_omission")
    assert (omitted["k"], omitted["leaning"]) == (1, "less")
    assert rate_of(rows, rate="negated")["leaning"] == "same"
    assert (named["stands"]["n_questions"], named["excluded"]["n_left_out"]) == (3, 1)
    none = rate_of(rows, rate="correct")
    assert (none["share"], none["question_low"]) == (0.0, None), "no interval without width"
    assert rate_of(rows, by="model", group="other", rate="true_omission")["share"] == 1.0


labels = st.sampled_from([*LABELS, None])
unit_rows = st.lists(
    st.builds(
        verdict,
        st.integers(0, 5),
        label=labels,
        category=st.sampled_from(CATEGORIES),
        role=st.sampled_from(["required", "alternative", "n/a"]),
        gate=st.sampled_from(["verified", "unresolved", "not_needed"]),
    ),
    max_size=30,
)


@limits(max_examples=40, deadline=None)
@given(unit_rows)
def test_rates_agree_with_counting_by_hand(units: list[dict[str, Any]]) -> None:
    rows = rate_rows(units, Settings(1, 100, 0.95))
    for reading in ("stands", "withdrawn", "excluded"):
        kept = []
        for unit in units:
            if unit["category"] != "n11" or unit["label"] is None:
                continue
            if unit["gate"] == "unresolved" and reading == "excluded":
                continue
            gone = unit["gate"] == "unresolved" and reading == "withdrawn"
            kept.append("absent" if gone else unit["label"])
        found = [
            r for r in rows if (r["category"], r["by"], r["reading"]) == ("n11", "all", reading)
        ]
        if not any(u["category"] == "n11" for u in units):
            assert found == []
            continue
        k = {r["rate"]: r["k"] for r in found if r["rule"] == "as_run"}
        assert k["correct"] == kept.count("correct_relation")
        assert k["absent"] == kept.count("absent")
        assert sum(k.values()) == len(kept), "the four rates of credit share out its units"


def test_confusion_counts_zeros_and_replies_that_did_not_parse() -> None:
    rows = confusion_rows([verdict(1), verdict(2, label=None, gate="verified")], 0.95)
    to_table(judged(rows), AUDIT_CONFUSION)
    labels = {r["value"]: r["n"] for r in rows if r["field"] == "label"}
    assert labels == {**dict.fromkeys(LABELS, 0), "correct_relation": 1, "(unparsed)": 1}
    assert {r["value"]: r["n"] for r in rows if r["field"] == "cell"} == {"T-REL|all": 2}


def test_corrected_rate_of_the_paper() -> None:
    """Paper section 10.2: R = (9865 * 233/240 + 735 * 3/120) / 10600 = 0.9052."""
    units = [verdict(i, label="correct_relation" if i < 233 else "absent") for i in range(240)]
    units += [
        verdict(i, category="n10", label="correct_relation" if i < 3 else "absent")
        for i in range(120)
    ]
    rows = corrected_rows(units, Weights({"n11": 9865, "n10": 735}, "rows"), SETTINGS)
    to_table(judged(rows), AUDIT_CORRECTED)
    row = next(r for r in rows if (r["reading"], r["clusters"]) == ("stands", "question"))
    assert row["value"] == pytest.approx((9865 * 233 / 240 + 735 * 3 / 120) / 10600)
    assert row["matcher_rate"] - row["value"] == pytest.approx(row["gap"])
    assert row["naive_low"] == pytest.approx(0.876371, abs=1e-6)
    assert row["cluster_low"] < row["value"] < row["cluster_high"]
    assert (row["n_left_n11"], row["least"], row["most"]) == (0, row["value"], row["value"])
    by_model = next(r for r in rows if (r["reading"], r["clusters"]) == ("stands", "model"))
    assert by_model["cluster_low"] is None, "one model is one cluster"


def test_a_corrected_rate_that_no_resample_moves_has_no_interval() -> None:
    units = [verdict(i) for i in range(9)]
    units += [verdict(i, category="n10", label="absent") for i in range(9)]
    rows = corrected_rows(units, Weights({"n11": 5, "n10": 5}, "rows"), SETTINGS)
    assert {(r["value"], r["cluster_low"], r["cluster_high"]) for r in rows} == {(0.5, None, None)}
    assert all(r["naive_low"] < 0.5 < r["naive_high"] for r in rows)


def test_units_without_a_verdict_bound_the_corrected_rate() -> None:
    """n11: 1 of 2 correct and 2 without a verdict; n10: 0 of 1, and 1 unresolved, excluded."""
    units = [verdict(1), verdict(2, label="absent"), verdict(3, label=None), verdict(4, label=None)]
    units += [verdict(5, category="n10", label="absent")]
    units += [verdict(6, category="n10", label="correct_relation", gate="unresolved")]
    rows = corrected_rows(units, Weights({"n11": 30, "n10": 70}, "rows"), SETTINGS)
    row = next(r for r in rows if (r["reading"], r["clusters"]) == ("excluded", "question"))
    assert (row["n_left_n11"], row["n_left_n10"], row["value"]) == (2, 1, 0.15)
    assert row["least"] == pytest.approx(0.3 / 4)
    assert row["most"] == pytest.approx(0.3 * 3 / 4 + 0.7 / 2)
    none = corrected_rows(units[:4], Weights({"n11": 30, "n10": 70}, "rows"), SETTINGS)
    assert {(r["value"], r["least"], r["most"]) for r in none} == {(None, None, None)}


def test_no_corrected_rate_without_weights() -> None:
    rows = corrected_rows([verdict(1)], Weights({"n11": None, "n10": None}, "bounds"), SETTINGS)
    missing = ("value", "cluster_low", "naive_high", "matcher_rate", "gap", "least", "most")
    assert {row[name] for row in rows for name in missing} == {None}


def test_exposure_check_counts_and_lists_faults(tmp_path: Path) -> None:
    rows = [
        {"id": "q1", "n_gold_exposed": 2},
        {"id": "q2", "n_gold_exposed": 1},
        {"id": "q2"},
    ]
    file = tmp_path / "scores-m-scaffold.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (found,) = exposure_check_rows({"m": file}, {"q1": 2, "q2": 2})
    assert found == {"model": "m", "n": 3, "n_unstated": 1, "n_mismatches": 1}
    file.write_text('{"id": "q9"}\nnot json\n[]\n', encoding="utf-8")
    with pytest.raises(CopyCeilingError, match=r"3 fault\(s\)") as caught:
        exposure_check_rows({"m": file}, {"q1": 2})
    assert all(f"scores-m-scaffold.jsonl:{n}" in str(caught.value) for n in (1, 2, 3))
