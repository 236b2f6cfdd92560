"""The page on the Gene Ontology says what the frozen rows give, number by number."""

import re
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.schemas import ITEMS
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import CONFUSION, DECOMPOSITION, SWEEP
from copyceiling.render import interval, number

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "findings" / "go.md").read_text(encoding="utf-8")
MODELS = ("smollm2-135m", "qwen2.5-coder-0.5b")


@pytest.fixture(scope="module")
def results(go_clone: Path) -> Path:
    return go_clone / "results" / "go"


def found(results: Path, name: str, schema: Any, model: str, matcher: str = "paper") -> Any:
    wanted = (model, matcher, "as_received")
    read = rows(results / "studies" / f"{name}.parquet", schema)
    return next(r for r in read if (r["model"], r["matcher"], r["policy"]) == wanted)


def stated(measure: str) -> list[str]:
    line = next(x for x in PAGE.splitlines() if x.startswith(f"| {measure} |"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_the_table(results: Path) -> None:
    for place, model in enumerate(MODELS):
        sweep = found(results, "sweep", SWEEP, model)
        strict = found(results, "sweep", SWEEP, model, "strict")
        cells = found(results, "decomposition", DECOMPOSITION, model)
        gain, gains = number("gain", signed=True), interval("gain_domain")
        expected = {
            "raw recall": number("raw_recall")(sweep),
            "scaffold recall": number("scaffold_recall")(sweep),
            "uplift": f"{number('uplift', signed=True)(sweep)} {interval('uplift_domain')(sweep)}",
            "copy ceiling": number("ceiling")(sweep),
            "gain over copy": f"{gain(sweep)} {gains(sweep)}",
            "gain over copy, strict": f"{gain(strict)} {gains(strict)}",
            **{name: str(cells[name]) for name in ("n11", "n10", "n01", "n00")},
            "context utilisation": f"{number('utilisation')(cells)} "
            f"{interval('utilisation_domain', signed=False)(cells)}",
            "raw, cut at the budget": str(sweep["raw_truncated"]),
            "scaffold, cut at the budget": str(sweep["scaffold_truncated"]),
        }
        assert {m: stated(m)[place] for m in expected} == expected


def test_the_text(results: Path) -> None:
    text = " ".join(PAGE.split())
    reader = found(results, "sweep", SWEEP, "reader-extract")
    assert f"scaffold recall of {number('scaffold_recall')(reader)}" in text
    assert f"{number('gain', signed=True)(reader)} {interval('gain_domain')(reader)}" in text
    cells = found(results, "decomposition", DECOMPOSITION, MODELS[0])
    assert f"{cells['n_exposed']} of {cells['n_gold']} gold names" in text
    strict = [found(results, "sweep", SWEEP, m, "strict") for m in MODELS[::-1]]
    assert "raw recall falls to {} and {}".format(*map(number("raw_recall"), strict)) in text
    paper = [found(results, "sweep", SWEEP, m) for m in MODELS[::-1]]
    uplifts = [
        number("uplift", signed=True)(r) for pair in zip(paper, strict, strict=True) for r in pair
    ]
    large = "{} against {} under the strict one for the larger model, {} against {}"
    assert large.format(*uplifts) in text


def test_credits_without_exposure(results: Path) -> None:
    text = " ".join(PAGE.split())
    counts = {}
    for model in MODELS:
        items = rows(results / "items" / f"{model}.parquet", ITEMS)
        raw = [r for r in items if r["arm"] == "raw" and r["recovered"]]
        counts[model] = (sum(r["path"] == "word_bag" for r in raw), len(raw))
    small, large = counts[MODELS[0]], counts[MODELS[1]]
    assert f"{large[0]} of {large[1]} credits of `{MODELS[1]}`" in text
    assert f"{small[0]} of {small[1]} of `{MODELS[0]}`" in text


def test_the_census(results: Path) -> None:
    census = rows(results / "studies" / "confusion.parquet", CONFUSION)
    text = " ".join(PAGE.split())
    any_path = sum(bool(r["n_substring"] or r["n_word_bag"]) for r in census)
    shares = [any_path, sum(bool(r["n_substring"]) for r in census)]
    shares.append(sum(bool(r["antonym_credited"]) for r in census))
    stated_shares = re.search(r"titles (0\.\d+) earn .*? \((0\.\d+) as .*? (0\.\d+) from a", text)
    assert stated_shares is not None
    assert list(stated_shares.groups()) == [f"{k / len(census):.3f}" for k in shares]


def test_gain_is_below_zero_under_every_policy_and_matcher(results: Path) -> None:
    read = rows(results / "studies" / "sweep.parquet", SWEEP)
    mine = [r for r in read if r["model"] in MODELS]
    assert len(mine) == len(MODELS) * 2 * 3
    assert all(r["gain_domain_high"] < 0 for r in mine)
