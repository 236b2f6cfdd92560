"""Figures: the values of their rows, said in words, and SVG that a page can hold."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from copyceiling.cohorts import POOLED
from copyceiling.render import Table
from copyceiling.report.figures import figure_sections
from copyceiling.report.plots.calibration import draw_calibration
from copyceiling.report.plots.contrasts import draw_contrasts, drawn
from copyceiling.report.plots.counts import cell_counts, draw_counts
from copyceiling.report.plots.frame import PALETTE
from copyceiling.report.plots.paraphrase import draw_rewrites, draw_stress
from copyceiling.report.plots.picture import draw_picture, headline
from copyceiling.report.plots.rescore import draw_rescore
from copyceiling.report.plots.seeds import draw_seeds
from copyceiling.report.plots.sweep import draw_forest, draw_recalls
from copyceiling.rewrites import ALL
from copyceiling.seeds import AS_IS
from hypothesis import given
from hypothesis import strategies as st

from tests.report.material import make_answer, make_material
from tests.report.test_markup import read

LABEL = '<b>model</b> & $x_1$ "é"'


def interval(name: str, low: float | None = 0.1, high: float | None = 0.3) -> dict[str, Any]:
    return {f"{name}_low": low, f"{name}_high": high}


def sweep_row(**fields: Any) -> dict[str, Any]:
    given = {
        **{"model": LABEL, "group": "model", "matcher": "paper", "policy": "as_received"},
        **{"raw_recall": 0.125, "scaffold_recall": 0.625, "uplift": 0.5},
        **{"ceiling": 0.875, "gain": -0.25, "rank": 0},
        **interval("gain_naive", -0.3, -0.2),
        **interval("gain_domain", -0.35, -0.15),
    }
    return {**given, **fields}


def counts_row(**fields: Any) -> dict[str, Any]:
    given = {
        **{"model": LABEL, "n_gold": 100, "n_exposed": 80, "n_hits": 50},
        **{"n11": 45, "n11_low": 45, "n11_high": 45},
    }
    return {**given, **fields}


def rescore_row(threshold: int | None, **fields: Any) -> dict[str, Any]:
    name = "paper" if threshold is None else f"cosine@0.{threshold // 100}"
    return {**sweep_row(), "matcher": name, "threshold": threshold, **fields}


def stress_row(arm: str, version: str, **fields: Any) -> dict[str, Any]:
    given = {
        **{"arm": arm, "version": version, "matcher": "paper", "scope": "held_out", "n": 20},
        **{"ceiling": 0.75, "difference": 0.25},
        **interval("difference_domain"),
    }
    return {**given, **fields}


def contrast_row(**fields: Any) -> dict[str, Any]:
    given = {
        **{"cohort": "controls", "judge": LABEL, "policy": "complete_case", "scope": POOLED},
        **{"first": "true", "second": "shuffled", "n": 12, "mean_diff": 0.75},
        **{"p": 0.03125, "p_holm": 0.0625},
        **interval("diff", 0.25, 1.25),
    }
    return {**given, **fields}


def card_row(measure: str, **fields: Any) -> dict[str, Any]:
    given = {
        **{"judge": LABEL, "rubric": "relation", "kind": "model", "form": "ours", "by": "all"},
        **{"measure": measure, "value": 0.5, "floor": 0.75, "meets": False, "k": 6, "n": 12},
    }
    return {**given, **fields}


def seed_row(seed: int, **fields: Any) -> dict[str, Any]:
    given = {
        **{"rank": 0, "axis": AS_IS, "setting": "", "seed": seed, "own": seed == 1},
        **{"ceiling": 0.875, "alone": 0.0, "ceiling_low": 0.8, "ceiling_high": 0.9},
    }
    return {**given, **fields}


def rewrite_row(measure: str, **fields: Any) -> dict[str, Any]:
    given = {"measure": measure, "subset": ALL, "value": 0.375, "n": 20}
    return {**given, **interval("naive"), **interval("domain"), **fields}


# Name to the drawing of ordinary rows, and of rows of which nothing is known.
DRAWN: dict[str, tuple[Callable[[], str], Callable[[], str], str]] = {
    "picture": (
        lambda: draw_picture(sweep_row(), counts_row()),
        lambda: draw_picture(sweep_row(), counts_row(n11=None, n11_low=30, n11_high=50)),
        "gain over copy -0.250",
    ),
    "recalls": (
        lambda: draw_recalls([sweep_row(), sweep_row(model="reader-copy", group="reader")]),
        lambda: draw_recalls([sweep_row(raw_recall=None, scaffold_recall=None, ceiling=None)]),
        "ceiling 0.875",
    ),
    "forest": (
        lambda: draw_forest([sweep_row(), sweep_row(rank=1, group="reader")]),
        lambda: draw_forest([sweep_row(gain=None, **interval("gain_domain", None, None))]),
        "gain -0.250, by domain [-0.350, -0.150]",
    ),
    "counts": (
        lambda: draw_counts([counts_row()]),
        lambda: draw_counts([counts_row(n_gold=0, n_exposed=0, n_hits=0, n11_low=0, n11_high=0)]),
        "n11: 45 of 100 gold items (45.0 %)",
    ),
    "rescore": (
        lambda: draw_rescore([rescore_row(t) for t in (None, 8000, 9000)]),
        lambda: draw_rescore([rescore_row(None), rescore_row(8000, gain=None)]),
        "cosine@0.80: gain -0.250",
    ),
    "stress": (
        lambda: draw_stress([stress_row(a, v) for a in ("lexical", "fused")
                             for v in ("original", "rewritten")]),
        lambda: draw_stress([stress_row("lexical", "original", ceiling=None, scope="all")]),
        "ceiling 0.750, +0.250 [+0.100, +0.300] against lexical",
    ),
    "rewrites": (
        lambda: draw_rewrites([rewrite_row("original"), rewrite_row("lexical")]),
        lambda: draw_rewrites([rewrite_row("original", value=None)]),
        "rewritten, lexical retrieval: 0.375 [0.100, 0.300] by domain",
    ),
    "contrasts": (
        lambda: draw_contrasts([contrast_row()], name="controls", title="Controls"),
        lambda: draw_contrasts(
            [contrast_row(p=None, p_holm=None, scope="T-TAX", **interval("diff", None, None))],
            name="controls", title="Controls",
        ),
        "+0.75 [+0.25, +1.25], n = 12, p 0.0312, Holm 0.0625",
    ),
    "calibration": (
        lambda: draw_calibration([card_row("accuracy"), card_row("kappa", meets=True)], "ours"),
        lambda: draw_calibration([card_row("kappa", value=None, floor=None, meets=None)], "ours"),
        "accuracy: 0.500, floor 0.75, not reached",
    ),
    "seeds": (
        lambda: draw_seeds([seed_row(s) for s in (1, 2, 3)]),
        lambda: draw_seeds([seed_row(1, ceiling=None, ceiling_low=None)]),
        "seed 1, the study's own: ceiling 0.875",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("known", [True, False])
def test_a_figure_is_svg_that_a_page_can_hold(name: str, known: bool) -> None:
    ordinary, unknown, _ = DRAWN[name]
    drawing = ordinary() if known else unknown()
    root = ET.fromstring(drawing)
    described = str(root.get("aria-labelledby")).split()
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert root.get("role") == "img" and set(described) <= set(ids)
    assert len(ids) == len(set(ids)) and all(str(i).startswith(described[0][:4]) for i in ids)
    for node in root.iter():
        assert node.tag not in ("style", "metadata", "script", "image")
        assert "style" not in node.attrib, "the content policy forbids style attributes"
        for value in node.attrib.values():
            target = re.fullmatch(r"url\(#(.+)\)|#(.+)", value)
            if target and not value.startswith("#0") and not re.fullmatch(r"#[0-9a-f]{6}", value):
                assert (target[1] or target[2]) in ids, value


@pytest.mark.parametrize("name", DRAWN)
def test_values_are_over_the_marks_and_in_words(name: str) -> None:
    drawing = DRAWN[name][0]()
    titles = [node.text or "" for node in ET.fromstring(drawing).iter("title")]
    described = [node.text or "" for node in ET.fromstring(drawing).iter("desc")]
    said = DRAWN[name][2]
    assert any(said in text for text in [*titles, *described]), (said, titles)
    assert len(titles) > 1, "there is a mark to point at"


@pytest.mark.parametrize("name", DRAWN)
def test_colours_are_those_of_the_page(name: str) -> None:
    """Every colour is of the palette, which the style sheet turns to light or dark."""
    for node in ET.fromstring(DRAWN[name][0]()).iter():
        for key in ("fill", "stroke"):
            value = (node.get(key) or "none").lower()
            known = value in ("none", "#000000") or value.startswith("url(") or value in PALETTE
            assert known, (node.tag, key, value)


def test_the_same_rows_give_the_same_bytes() -> None:
    for ordinary, _, _ in DRAWN.values():
        assert ordinary() == ordinary()


@given(
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 50),
    st.integers(0, 9),
)
def test_counts_sum_to_the_gold_and_bounds_are_kept(
    n11: int, n10: int, n01: int, n00: int, slack: int
) -> None:
    """Whatever the rows leave open, no count is drawn larger than the true one."""
    true = {"n11": n11, "n10": n10, "n01": n01, "n00": n00}
    exposed, hits, gold = n11 + n10, n11 + n01, n11 + n10 + n01 + n00
    low, high = max(n11 - slack, hits + exposed - gold, 0), min(n11 + slack, hits, exposed)
    found = cell_counts(
        {"n_gold": gold, "n_exposed": exposed, "n_hits": hits, "n11_low": low, "n11_high": high}
    )
    assert sum(found.values()) == gold
    assert all(found[name] <= n for name, n in true.items())
    if slack == 0:
        assert found == {**true, "unknown": 0}


def test_the_picture_shows_the_model_with_the_greatest_uplift() -> None:
    rows = [
        sweep_row(model="small", uplift=0.1),
        sweep_row(model="large", uplift=0.7),
        sweep_row(model="reader", uplift=0.9, group="reader"),
        sweep_row(model="strict", uplift=0.8, matcher="strict"),
        sweep_row(model="open", uplift=0.8, gain=None),
    ]
    found = headline(rows, "as_received")
    assert found and found["model"] == "large"
    assert headline(rows, "as_wrong") is None


def test_rules_are_drawn_only_where_no_model_judged() -> None:
    model, rule = contrast_row(judge="m"), contrast_row(judge="judge-reference")
    assert drawn([rule, model], {"judge-reference"}) == [model]
    assert drawn([rule], {"judge-reference"}) == [rule]
    alone = draw_contrasts([rule], name="n", title="t", rules={"judge-reference"})
    assert "judged by judge-reference (a rule, no model)" in alone
    both = draw_contrasts([rule, model], name="n", title="t", rules={"judge-reference"})
    assert "judge-reference" not in both


def test_what_was_not_measured_gets_no_cross() -> None:
    missing = draw_calibration([card_row("accuracy", value=None, k=0, n=0)], "ours")
    assert "n/a" in missing and "no cases" in missing and "\u2717" not in missing
    assert "not measured, floor 0.75, not reached" in missing
    assert "\u2717" in draw_calibration([card_row("accuracy")], "ours")


@pytest.mark.parametrize(
    ("judges", "left"),
    [
        (("judge-reference", "m"), ["judge-reference"]),
        (("judge-reference", "judge-lenient"), []),
        (("m",), []),
    ],
)
def test_a_figure_names_the_rules_that_it_leaves_out(judges: Any, left: list[str]) -> None:
    """A rule without a pair to draw, beside another rule, was not left out for being one."""
    known = {"judge-reference": None} if "judge-lenient" in judges else {}
    cautions = {j: f"A RULE: judge '{j}' reads nothing." for j in judges}
    found = [
        contrast_row(judge=j, mean_diff=known.get(j, 0.75), caution=cautions[j]) for j in judges
    ]
    shown = Table("Table 7. X", ())
    material = make_material(
        [make_answer(1)],
        tables={"table7": found},
        displayed={"table7": shown},
        cautions={"table7": list(cautions.values())},
    )
    sections = {name: section for name, _, section in figure_sections(material)}
    text = read(sections["figure-controls"]).text
    assert ("Left out" in text) is bool(left)
    for judge in judges:
        assert (f"judge '{judge}' reads nothing" in text) is (judge not in left)
    assert "shuffled: that block" in text and "masked" not in text, "the arms that are drawn"
