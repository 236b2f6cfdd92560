"""The overview: every status, every number taken from the rows, and the tables' order."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from copyceiling.artefacts.audit_schemas import (
    AUDIT_CONFUSION,
    AUDIT_CORRECTED,
    AUDIT_RATES,
    PARAPHRASE,
)
from copyceiling.artefacts.overview_schemas import OVERVIEW, TABLE2, TERMS
from copyceiling.artefacts.paired_schemas import CONTRASTS
from copyceiling.artefacts.rescore_schemas import RESCORE, RESCORE_CEILING
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.store import rows, to_table
from copyceiling.artefacts.stress_schemas import STRESS
from copyceiling.artefacts.study_schemas import CONFUSION, DECOMPOSITION, SWEEP
from copyceiling.observed import Parts, Reading
from copyceiling.overview import MEASURED, OPEN, QUESTIONS, overview_rows
from copyceiling.render import markdown
from copyceiling.tables.overview import table2, table2_rows

READING = Reading("as_received", 0.95)


def blank(schema: Schema, **values: Any) -> dict[str, Any]:
    """A row of a schema with everything missing but what a test cares about."""
    unknown = values.keys() - {c.name for c in schema.columns}
    assert not unknown, f"{schema.name} has no {unknown}"
    return {**{c.name: None for c in schema.columns}, **values}


def sweep_row(model: str, uplift: float, low: float, high: float, **more: Any) -> dict[str, Any]:
    given = {
        "model": model,
        "group": "model",
        "matcher": "paper",
        "policy": "as_received",
        "n": 10,
        "raw_recall": 0.25,
        "scaffold_recall": 0.25 + uplift,
        "uplift": uplift,
        "uplift_domain_low": low,
        "uplift_domain_high": high,
        "ceiling": 0.9,
        "gain": uplift - 0.65,
        "gain_domain_low": -0.5,
        "gain_domain_high": -0.1,
    }
    return blank(SWEEP, **{**given, **more})


def asked(parts: Parts, key: str) -> list[dict[str, Any]]:
    """The overview's rows of one question; the whole keeps to its schema."""
    found = overview_rows(parts, READING)
    to_table(found, OVERVIEW)
    return [row for row in found if row["key"] == key]


def observed(parts: Parts, key: str) -> list[tuple[Any, ...]]:
    found = asked(parts, key)
    assert all(row["status"] == MEASURED for row in found)
    return [(r["what"], r["value"], r["low"], r["high"], r["of"]) for r in found]


def test_without_artefacts_every_question_is_open() -> None:
    found = overview_rows({}, READING)
    assert [r["key"] for r in found] == [q.key for q in QUESTIONS]
    assert {r["status"] for r in found} == {"not_in_study", "not_measured"} < set(OPEN)
    assert all(r["n"] is None and r["value"] is None and r["what"] is None for r in found)
    assert {r["key"] for r in found if r["status"] == "not_measured"} == {
        "pages",
        "flat_text",
        "fabrication",
    }
    text = markdown(table2(table2_rows(found, ""), "Nothing", "", 0.95))
    assert "15 of 15 questions are open" in text
    assert text.count("open: not part of this study") == 12
    assert text.count("open: nothing here measures it") == 3


EMPTY: dict[str, Sequence[Any]] = {q.source: () for q in QUESTIONS if q.source}


def test_an_artefact_without_rows_leaves_its_question_open() -> None:
    found = overview_rows(EMPTY, READING)
    assert {r["status"] for r in found} == {"no_rows", "not_measured"}


def test_one_model_is_named_and_readers_are_left_out() -> None:
    parts = {
        "sweep": [
            sweep_row("m", 0.5, 0.25, 0.75),
            sweep_row("m", 0.1, 0.0, 0.2, matcher="strict"),
            sweep_row("m", 0.2, 0.0, 0.3, policy="as_wrong"),
            sweep_row("reader-copy", 0.75, 0.7, 0.8, group="reader"),
        ]
    }
    assert observed(parts, "recall") == [
        ("uplift, m", 0.5, 0.25, 0.75, None),
        ("recall without the block", 0.25, None, None, None),
        ("recall with the block", 0.75, None, None, None),
    ]
    (row, *_) = asked(parts, "recall")
    assert (row["n"], row["population"]) == (10, "question pairs, 1 model")
    assert observed(parts, "copy")[0] == ("gain over copy, m", 0.5 - 0.65, -0.5, -0.1, None)
    only_readers = {"sweep": parts["sweep"][-1:]}
    (row,) = asked(only_readers, "recall")
    assert (row["status"], row["value"]) == ("only_readers", None) and row["status"] in OPEN
    text = markdown(table2(table2_rows(overview_rows(only_readers, READING), ""), "R", "", 0.95))
    assert text.count("open: no model was asked, only reference readers") == 2, "recall, copy"
    assert "15 of 15 questions are open" in text


def test_several_models_by_hand() -> None:
    parts = {
        "sweep": [
            sweep_row("b", 0.5, 0.25, 0.75),
            sweep_row("a", -0.25, -0.5, -0.125),
            sweep_row("c", 0.125, -0.25, 0.5),
            sweep_row("d", 0.25, None, None),  # type: ignore[arg-type]  # one domain only
            {**sweep_row("e", 0.0, 0.0, 0.0), "uplift": None},
        ]
    }
    assert observed(parts, "recall") == [
        ("least uplift, a", -0.25, -0.5, -0.125, None),
        ("greatest uplift, b", 0.5, 0.25, 0.75, None),
        ("models whose interval lies above 0", 1, None, None, 4),
        ("models whose interval lies below 0", 1, None, None, 4),
        ("recall without the block", 0.25, None, None, None),
        ("recall with the block, least and greatest", None, 0.0, 0.75, None),
    ]
    assert asked(parts, "recall")[0]["n"] == 40


def cells(**more: Any) -> dict[str, Any]:
    given = {
        "model": "(pooled)",
        "group": "model",
        "matcher": "paper",
        "policy": "as_received",
        "n_gold": 20,
        "n_exposed": 15,
        "n_hits": 12,
        "n11_low": 7,
        "n11_high": 12,
    }
    return blank(DECOMPOSITION, **{**given, **more})


def test_cells_are_exact_where_rows_say_and_bounded_where_not() -> None:
    exact = {"n11": 11, "n10": 4, "n01": 1, "n00": 4, "utilisation": 11 / 15}
    model = cells(model="m")
    found = observed({"decomposition": [model, cells(**exact)]}, "cells")
    assert [f[1] for f in found] == [11, 4, 1, 4, 11 / 15]
    bounded = observed({"decomposition": [model, cells()]}, "cells")
    # n11 in 7..12 of 15 exposed and 12 recovered items, of 20: the margins give the rest.
    assert [f[1:4] for f in bounded[:4]] == [
        (None, 7, 12),
        (None, 3, 8),
        (None, 0, 5),
        (None, 0, 5),
    ]
    assert bounded[4][1] is None


def test_the_census_and_the_terms() -> None:
    census = [
        blank(CONFUSION, n_substring=1, n_word_bag=0, antonym="x", antonym_credited=True),
        blank(CONFUSION, n_substring=0, n_word_bag=2, antonym="y", antonym_credited=False),
        blank(CONFUSION, n_substring=0, n_word_bag=0),
    ]
    assert [f[1:] for f in observed({"confusion": census}, "matcher")] == [
        (2, None, None, 3),
        (1, None, None, 2),
    ]
    terms = [
        blank(TERMS, arm="a", n_terms=4, resolved=0.25, episode_low=0.0, episode_high=0.5),
        blank(TERMS, arm="b", n_terms=0),
        blank(TERMS, arm="c", n_terms=2, resolved=0.5),
    ]
    found = observed({"terms": terms}, "landing")
    assert [(f[0].rpartition(" ")[2], *f[1:4]) for f in found] == [
        ("c", 0.5, None, None),
        ("a", 0.25, 0.0, 0.5),
        ("b", None, None, None),
    ]
    assert asked({"terms": terms}, "landing")[0]["n"] == 6


def contrast(
    cohort: str, scope: str, first: str, second: str, diff: float, **more: Any
) -> dict[str, Any]:
    given = {"policy": "complete_case", "judge": "j", "n": 8, "n_questions": 8}
    pair = {"cohort": cohort, "scope": scope, "first": first, "second": second}
    bounds = {"mean_diff": diff, "diff_low": diff - 1, "diff_high": diff + 1}
    return blank(CONTRASTS, **{**given, **pair, **bounds, **more})


def test_judged_quality_and_what_lies_outside() -> None:
    served = ("served", "raw")
    found = [
        contrast("production", "pooled", *served, 0.5, p=0.01),
        contrast("production", "pooled", *served, 0.9, policy="as_failure"),
        contrast("production", "pooled", *served, 0.25, judge="i", p=0.5, n=7),
        contrast("production", "general", *served, 0.125, inside_margin=True, n=5),
        contrast("general", "pooled", "harness", "bare", -0.125, inside_margin=False, n=300),
        contrast("general", "off_domain_engaged", "harness", "bare", -0.25, inside_margin=False),
        contrast("general", "off_domain", "harness", "bare", -0.5, inside_margin=False),
    ]
    parts = {"contrasts_production": found}
    assert [(f[0], f[1]) for f in observed(parts, "quality")] == [
        ("difference of 0 to 5 scores, judge i", 0.25),
        ("signed-rank p, judge i", 0.5),
        ("difference of 0 to 5 scores, judge j", 0.5),
        ("signed-rank p, judge j", 0.01),
    ]
    assert asked(parts, "quality")[0]["n"] == 8
    outside = observed(parts, "outside")
    assert [f[1] for f in outside] == [0.125, -0.125, -0.25, 1] and outside[-1][4] == 3
    assert asked(parts, "outside")[0]["n"] == 305
    assert asked({"contrasts_production": found[:1]}, "outside")[0]["status"] == "no_rows"


def test_controls_count_what_survives() -> None:
    found = [
        contrast("controls", "pooled", "true", "raw", 1.0, p_holm=0.001),
        contrast("controls", "pooled", "shuffled", "raw", 1.0, p_holm=0.05),
        contrast("controls", "pooled", "true", "shuffled", 0.25, p_holm=0.9),
        contrast("controls", "pooled", "true", "masked", 0.5, p_holm=None, n_questions=6),
        contrast("controls", "intersection", "true", "raw", 2.0, p_holm=0.001),
        contrast("controls_first", "pooled", "true", "raw", 2.0, p_holm=0.001),
    ]
    assert observed({"contrasts_controls": found}, "content") == [
        ("a block against none: contrasts that survive, judge j", 1, None, None, 2),
        ("the true block against another: contrasts that survive, judge j", 0, None, None, 2),
        ("greatest of the latter, true minus masked, judge j", 0.5, -0.5, 1.5, None),
    ]


def rate(
    category: str, name: str, reading: str, share: float | None, **more: Any
) -> dict[str, Any]:
    given = {"part": "sample", "by": "all", "group": "(all)", "rule": "as_run", "n": 10}
    about = {"category": category, "rate": name, "reading": reading, "share": share}
    return blank(AUDIT_RATES, **{**given, "n_left_out": 0, **about, **more})


def test_the_audit_over_its_readings() -> None:
    found = [
        rate("n11", "correct", "stands", 0.9),
        rate("n11", "correct", "withdrawn", 0.8),
        rate("n11", "correct", "excluded", 0.85, n=9, n_left_out=1),
        rate("n11", "correct", "stands", 0.1, rule="verbatim"),
        rate("n11", "correct", "stands", 0.2, by="model"),
        rate("n10", "correct", "stands", 0.5, n=4),
        rate("n10", "alternative", "stands", None, n=4),
        rate("n01", "correct", "stands", 0.75, part="raw_hits", n=90, n_left_out=2),
    ]
    given = {"rule": "as_run", "clusters": "question", "cluster_low": 0.6, "cluster_high": 0.7}
    corrected = [
        blank(AUDIT_CORRECTED, **given, reading="stands", value=0.6),
        blank(AUDIT_CORRECTED, **given, reading="excluded", value=0.65),
    ]
    parts = {"audit": found, "audit_corrected": corrected}
    values = [f[1:4] for f in observed(parts, "audit")]
    assert values == [
        (None, 0.8, 0.9),
        (0.5, None, None),
        (None, None, None),
        (0.65, 0.6, 0.7),
    ]
    assert asked(parts, "audit")[0]["n"] == 14
    counts = [blank(AUDIT_CONFUSION, part="sample", category="n01", of=3)]
    assert asked({**parts, "audit_confusion": counts}, "audit")[0]["n"] == 17
    (row,) = asked(parts, "suppression")
    assert (row["value"], row["n"]) == (0.75, 92)
    assert len(observed({"audit": found}, "audit")) == 3, "the corrected rate is not a must"


def stress_row(version: str, arm: str, ceiling: float | None, **more: Any) -> dict[str, Any]:
    given = {"scope": "all", "matcher": "paper", "n": 290, "ceiling": ceiling}
    return blank(STRESS, version=version, arm=arm, **{**given, **more})


def test_a_study_that_rewrites_its_questions_itself_answers_the_question_of_wording() -> None:
    """All rewrites, the paper's matcher; only the difference to lexical has an interval."""
    difference = {"difference": 0.5, "difference_domain_low": 0.375, "difference_domain_high": 0.75}
    found = [
        stress_row("original", "lexical", 0.9),
        stress_row("rewritten", "lexical", 0.125),
        stress_row("rewritten", "lexical", 0.25, scope="held_out", n=146),
        stress_row("rewritten", "lexical", 0.0, matcher="strict"),
        stress_row("rewritten", "semantic", 0.625, **difference),
        stress_row("rewritten", "fused", 0.75),
    ]
    assert observed({"stress": found}, "wording") == [
        ("copy ceiling as asked", 0.9, None, None, None),
        ("copy ceiling rewritten, lexical retrieval", 0.125, None, None, None),
        ("copy ceiling rewritten, semantic retrieval", 0.625, None, None, None),
        ("rewritten, semantic minus lexical", 0.5, 0.375, 0.75, None),
    ]
    (row, *_) = asked({"stress": found}, "wording")
    assert (row["n"], row["source"]) == (290, "studies/stress")
    assert len(observed({"stress": found[:2]}, "wording")) == 2, "semantic retrieval is no must"
    (none,) = asked({"stress": found[:1]}, "wording")
    assert (none["status"], none["source"]) == ("no_rows", "studies/stress")


def test_rewritten_questions_and_the_rescore() -> None:
    measures = {"accepted": (9, 10), "failing": (4, 9)}
    rewritten = [
        blank(PARAPHRASE, measure=m, subset="all", k=k, n=n, value=k / n)
        for m, (k, n) in measures.items()
    ]
    rewritten += [
        blank(PARAPHRASE, measure=m, subset="all", n=9, value=v, domain_low=v, domain_high=1.0)
        for m, v in (("original", 0.9), ("lexical", 0.3), ("semantic", 0.6))
    ]
    rewritten.append(blank(PARAPHRASE, measure="lexical", subset="failing", n=4, value=0.0))
    found = observed({"paraphrase": rewritten}, "wording")
    assert [f[1] for f in found] == [9, 4, 0.9, 0.3, 0.6]
    assert [f[4] for f in found[:2]] == [10, 9]
    assert asked({"paraphrase": rewritten}, "wording")[0]["source"] == "studies/paraphrase"
    given = {"matcher": "cosine@0.85", "threshold": 8500, "n": 10}
    model = {"group": "model", "policy": "as_received", **given}
    rescored = [
        blank(RESCORE, model="a", gain=-0.25, gain_domain_high=-0.125, **model),
        blank(RESCORE, model="b", gain=-0.5, gain_domain_high=0.0, **model),
        blank(RESCORE, model="c", gain=-0.75, **{**model, "group": "reader"}),
    ]
    ceiling = [blank(RESCORE_CEILING, ceiling=0.9, **given)]
    parts = {"rescore": rescored, "rescore_ceiling": ceiling}
    assert [f[1:] for f in observed(parts, "rescore")] == [
        (0.9, None, None, None),
        (None, -0.5, -0.25, None),
        (1, None, None, 2),
    ]


@pytest.mark.parametrize(
    ("form", "value", "low", "high", "of", "shown"),
    [
        ("share", 0.25, 0.125, 0.5, None, "0.250 [0.125, 0.500]"),
        ("signed", 0.25, None, None, None, "+0.250"),
        ("signed", None, -0.5, 0.25, None, "-0.500..+0.250"),
        ("score", -0.5, -1.0, 0.0, None, "-0.50 [-1.00, +0.00]"),
        ("p", 0.000123, None, None, None, "0.00012"),
        ("count", 1234, None, None, 5678, "1,234 of 5,678"),
        ("bounds", None, 3, 1200, 2000, "3..1,200 of 2,000"),
        ("share", None, None, None, None, "n/a"),
    ],
)
def test_values_are_shown_by_their_form(
    form: str, value: Any, low: Any, high: Any, of: Any, shown: str
) -> None:
    given = {"position": 0, "finding": 0, "key": "k", "question": "Q?", "instrument": "i"}
    cell = {"form": form, "value": value, "low": low, "high": high, "of": of, "what": "w"}
    row = blank(OVERVIEW, **given, **cell, status=MEASURED, n=3, population="p", remains="r")
    line = next(x for x in markdown(table2([row], "T", "", 0.9)).splitlines() if "Q?" in x)
    assert line.strip("| ").endswith(shown)
    assert "| 3 p " in line


def test_table2_of_the_smoke_study(smoke: Path) -> None:
    found = rows(smoke / "tables" / "table2.parquet", TABLE2)
    status = {r["key"]: r["status"] for r in found}
    measured = [key for key, s in status.items() if s == MEASURED]
    assert {"recall", "copy", "cells", "matcher", "landing"} <= set(measured)
    assert {"quality", "outside", "content", "audit"} <= set(measured)
    assert {"wording", "pages", "flat_text", "fabrication"} & set(measured) == set()
    (uplift,) = (r for r in found if r["what"] == "uplift, smollm2-135m")
    source = rows(smoke / "studies" / "sweep.parquet", SWEEP)
    (row,) = (
        r
        for r in source
        if (r["model"], r["matcher"], r["policy"]) == ("smollm2-135m", "paper", "as_received")
    )
    assert (uplift["value"], uplift["low"]) == (row["uplift"], row["uplift_domain_low"])
    text = (smoke / "tables" / "table2.md").read_text(encoding="utf-8")
    assert f"{len(status) - len(measured)} of 15 questions are open" in text
    assert all(q.question in text and q.remains in text for q in QUESTIONS)
