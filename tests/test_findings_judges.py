"""The page on judges says what the frozen replies of `go` give, number by number."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import CALIBRATION, CALIBRATION_ITEMS, JUDGE_CALLS
from copyceiling.artefacts.store import rows

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "findings" / "judges.md").read_text(encoding="utf-8")
FROZEN = ROOT / "data" / "go" / "judged"
JUDGE, OTHER = "qwen2.5-coder-0.5b", "smollm2-135m"


@pytest.fixture(scope="module")
def results(go_clone: Path) -> Path:
    return go_clone / "results" / "go"


def cells(first: str) -> list[str]:
    line = next(x for x in PAGE.splitlines() if x.startswith(f"| {first}"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_the_audited_units(results: Path) -> None:
    read = rows(results / "audit/verdicts.parquet", VERDICTS)
    for category in ("n11", "n10", "n00"):
        units = [r for r in read if r["category"] == category and r["judge"] == JUDGE]
        labels = [r["label"] for r in units if r["status"] == "graded"]
        right = sum(label == "correct_relation" for label in labels)
        counts = (len(units), len(labels), right, len(units) - len(labels))
        assert cells(f"{category},") == [str(n) for n in counts]
        assert right == len(labels), "'each label that it gave' is the first sentence of the page"


def test_the_card(results: Path) -> None:
    card: dict[tuple[str, str], Any] = {
        (r["rubric"], r["measure"]): r
        for r in rows(results / "studies/calibration.parquet", CALIBRATION)
        if (r["judge"], r["form"], r["by"]) == (JUDGE, "ours", "all")
    }
    stated = {
        ("relation", "accuracy"): "labels: accuracy",
        ("relation", "worst_construct"): "labels: worst kind of answer",
        ("grade", "accuracy"): "grades: accuracy",
        ("grade", "known_order"): "grades: a better answer graded higher",
        ("grade", "injection_resistance"): "grades: not moved by an order in the answer",
    }
    for key, first in stated.items():
        row = card[key]
        assert cells(first) == [f"{row['k']} of {row['n']}", f"{row['floor']:.2f}"], key
        assert row["meets"] is False
    for measure in ("order_stability", "repeatability"):
        row = card["relation", measure]
        assert f"{row['k']} of {row['n']}" == "27 of 27"
    replies = rows(FROZEN / "calibration" / "calls" / f"{JUDGE}.parquet", JUDGE_CALLS)
    labels = [m for r in replies for m in re.findall(r'"label"\s*:\s*"(\w+)"', r["answer"] or "")]
    same = sum(label == "correct_relation" for label in labels)
    assert f"in {same} of the {len(labels)} replies" in " ".join(PAGE.split())
    assert f"kappa, is {card['relation', 'kappa']['value']:.2f}" in PAGE


def test_the_other_judge() -> None:
    calls = {
        part: rows(FROZEN / part / "calls" / f"{OTHER}.parquet", JUDGE_CALLS)
        for part in ("calibration", "production")
    }
    text = " ".join(PAGE.split())
    assert f"in the {len(calls['calibration'])} calls of its card" in text
    assert f"and the {len(calls['production'])} of the production study" in text


def test_each_label_stands_several_times_in_each_domain(results: Path) -> None:
    """What the calibration of `go` is made of: six labels, fifteen domains, two or more of each."""
    items = rows(results / "calibration/items.parquet", CALIBRATION_ITEMS)
    counts = Counter((i["label"], i["domain"]) for i in items if i["rubric"] == "relation")
    assert len({label for label, _ in counts}) == 6
    assert len({domain for _, domain in counts}) == 15
    assert len(counts) == 6 * 15
    assert min(counts.values()) >= 2
