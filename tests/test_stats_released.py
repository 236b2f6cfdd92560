"""Statistics of the paper's released rows against its published values."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from copyceiling.stats import (
    LEVEL,
    RESAMPLES,
    Partition,
    Ratios,
    Stratum,
    corrected_rate,
    holm,
    mean_intervals,
    signed_rank,
    wilson,
    within_margin,
)

SETS = ("arcane", "thin", "general")
FRAME = {"n11": 9865, "n10": 735}  # STUDIES section 5
# Rates whose place in expected.yaml states k and n, by key.
COUNTED = {
    "audit.credit_precision": (233, 240),
    "audit.credit_name_only": (4, 240),
    "audit.credit_wrong": (1, 240),
    "audit.credit_precision.TCOMMON": (12, 12),
    "audit.n00_hidden_correct": (0, 60),
    "audit.n10_true_omission.stands": (85, 120),
    "audit.n10_true_omission.excluded": (85, 106),
    "audit.n10_alternative.withdrawn": (2, 120),
    "audit.compliant_deterministic": (52, 735),
    "suppression.raw": (92, 760),
    "suppression.scaffold": (3, 760),
    "suppression.relational_grounded": (0, 760),
}


@pytest.fixture(scope="module")
def expected(shared: Path) -> dict[str, dict[str, Any]]:
    text = (shared / "reference" / "expected.yaml").read_text(encoding="utf-8")
    return {e["key"]: e for e in yaml.safe_load(text)["expected"]}


def agrees(found: Any, entry: dict[str, Any]) -> bool:
    return bool(found == pytest.approx(entry["value"], abs=float(entry["tolerance"])))


def read_table(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture(scope="module")
def live(shared: Path) -> dict[str, list[int]]:
    """Loom minus raw by set and pooled, where both were scored."""
    rows = json.loads((shared / "release" / "paper-v2" / "judged.json").read_text("utf-8"))
    scores = {
        (r["set"], r["id"], r["arm"]): int(r["score"]) for r in rows if r["score"] is not None
    }
    found: dict[str, list[int]] = {name: [] for name in (*SETS, "pooled")}
    for (name, item, arm), score in sorted(scores.items()):
        if arm == "loom" and (name, item, "raw") in scores:
            for scope in (name, "pooled"):
                found[scope].append(score - scores[name, item, "raw"])
    return found


@pytest.mark.parametrize("scope", [*SETS, "pooled"])
def test_production_study(
    scope: str, live: dict[str, list[int]], expected: dict[str, dict[str, Any]]
) -> None:
    found = signed_rank(live[scope])
    ratios = Ratios.of([live[scope]])
    (interval,) = mean_intervals(
        ratios, Partition.rows(found.n), seed=42, resamples=RESAMPLES, level=LEVEL
    )
    for name, value in {
        "n": found.n,
        "mean_diff": ratios.means()[0],
        "ci95": [interval.low, interval.high],
        "p_exact": found.p,
        "rank_biserial": found.rank_biserial,
        "wlt": [found.wins, found.losses, found.ties],
    }.items():
        assert agrees(value, expected[f"live.{scope}.{name}"]), (name, value)
    if scope == "general":
        assert within_margin(interval, expected["ood.margin"]["value"]) is True


def test_holm_over_the_three_sets(
    live: dict[str, list[int]], expected: dict[str, dict[str, Any]]
) -> None:
    adjusted = holm([signed_rank(live[name]).p for name in SETS])
    for name, value in zip(SETS, adjusted, strict=True):
        assert agrees(value, expected[f"live.{name}.p_holm"])


def test_control_contrasts(shared: Path, expected: dict[str, dict[str, Any]]) -> None:
    """Eleven contrasts over the questions that have both arms, and Holm over the eleven."""
    rows = read_table(shared / "release" / "controls" / "five_arm_scores.tsv")
    keys = [k for k in expected if k.startswith("controls5.pooled.") and k.endswith(".p_exact")]
    contrasts = [k.split(".")[2] for k in keys]
    assert len(contrasts) == 11
    ps = []
    for contrast in contrasts:
        one, other = contrast.split("-")
        found = signed_rank([int(r[one]) - int(r[other]) for r in rows if r[one] and r[other]])
        ps.append(found.p)
        wlt = [found.wins, found.losses, found.ties]
        for name, value in {"n": found.n, "p_exact": found.p, "wlt": wlt}.items():
            assert agrees(value, expected[f"controls5.pooled.{contrast}.{name}"]), (contrast, name)
    for contrast, value in zip(contrasts, holm(ps), strict=True):
        assert agrees(value, expected[f"controls5.pooled.{contrast}.p_holm"]), contrast


@pytest.mark.parametrize("key", sorted(COUNTED))
def test_wilson_intervals(key: str, expected: dict[str, dict[str, Any]]) -> None:
    """The released bounds are rounded to four decimals, so half of that is allowed, and no more."""
    k, n = COUNTED[key]
    assert f"({k}/{n})" in expected[key]["definition"], "the published counts"
    found = wilson(k, n)
    assert [found.low, found.high] == pytest.approx(expected[f"{key}.ci95"]["value"], abs=5.1e-5)


@pytest.mark.parametrize("partition", ["question", "model"])
@pytest.mark.parametrize("reading", ["", ".excluded"])
def test_corrected_rate_of_the_audit(
    partition: str, reading: str, shared: Path, expected: dict[str, dict[str, Any]]
) -> None:
    folder = shared / "release" / "audit"
    unresolved = {
        r["unit_id"]
        for r in read_table(folder / "quote_gate.tsv")
        if r["decision"] == "unresolved" and reading
    }
    units = [r for r in read_table(folder / "verdicts.tsv") if r["unit_id"] not in unresolved]
    column = {"question": "qid", "model": "model"}[partition]
    strata = []
    for category, weight in FRAME.items():
        of = [r for r in units if r["category"] == category]
        hits = np.array([r["asserted"] == "correct_relation" for r in of], dtype=np.int64)
        strata.append(Stratum(weight, hits, [r[column] for r in of]))
    found = corrected_rate(strata, name=partition, seed=42)
    assert agrees(found.value, expected[f"audit.R{reading}"])
    assert agrees([found.low, found.high], expected[f"audit.R.ci95_{partition}{reading}"])
    if not reading:
        naive = [found.naive_low, found.naive_high]
        assert naive == pytest.approx(expected["audit.R.ci95_naive"]["value"], abs=1e-6)
        clusters = {"question": expected["audit.clusters"]["value"], "model": [10, 10]}
        assert list(found.n_clusters) == clusters[partition]
