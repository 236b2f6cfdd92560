"""Omitted targets: slots, arms and intervals by hand, and counts of what was not judged."""

from collections.abc import Mapping
from typing import Any

import pytest
from copyceiling.artefacts.omitted_schemas import OMITTED, OMITTED_HITS
from copyceiling.artefacts.store import to_table
from copyceiling.audit.panels import Panel
from copyceiling.omitted import NOBODY, hit_rows, omitted_rows, slots_of
from copyceiling.render import markdown
from copyceiling.sweep import POLICIES, POOLED, Settings
from copyceiling.tables.omitted import hits, hits_table_rows, omitted, omitted_table_rows
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

SETTINGS = Settings(42, 300, 0.95)
DOMAINS = {f"q{i}": f"d{i % 2}" for i in range(6)}


def exposure(hidden: Mapping[tuple[str, int], bool]) -> list[dict[str, Any]]:
    """Items to whether they are hidden; strictly hidden always."""
    return [
        {"question_id": q, "item": i, "exposed": not gone, "exposed_strict": False}
        for (q, i), gone in hidden.items()
    ]


def item(model: str, q: str, arm: str, got: bool, status: str = "ok", i: int = 0) -> dict[str, Any]:
    return {
        "question_id": q,
        "model": model,
        "arm": arm,
        "item": i,
        "status": status,
        "recovered": got,
        "recovered_strict": False,
    }


def both(model: str, q: str, raw: bool, scaffold: bool, **ended: str) -> list[dict[str, Any]]:
    return [
        item(model, q, "raw", raw, ended.get("bare", "ok")),
        item(model, q, "scaffold", scaffold, ended.get("grounded", "ok")),
    ]


def found(items: list[dict[str, Any]], matcher: str = "paper") -> list[Any]:
    hidden = {(q, 0): q != "q5" for q in DOMAINS}
    return slots_of(items, exposure(hidden), DOMAINS, matcher)


def rows_of(items: list[dict[str, Any]], *models: str) -> dict[tuple[str, str, str], Any]:
    slots = {matcher: found(items, matcher) for matcher in ("paper", "strict")}
    rows = omitted_rows(slots, models, frozenset({"reader-copy"}), SETTINGS)
    to_table(rows, OMITTED)
    return {(r["model"], r["matcher"], r["policy"]): r for r in rows}


ITEMS = [
    *both("m", "q0", True, False),
    *both("m", "q1", True, True),
    *both("m", "q2", False, False),
    *both("m", "q3", True, False, bare="truncated"),
    *both("m", "q4", True, False, grounded="error"),
    *both("m", "q5", True, False),  # exposed, so no slot
    *both("n", "q0", False, False),
    *both("reader-copy", "q0", False, True),
]


def test_the_arms_on_exactly_the_unexposed_items() -> None:
    rows = rows_of(ITEMS, "m", "n", "reader-copy")
    m = rows["m", "paper", "as_received"]
    assert (m["n_planned"], m["n"], m["n_questions"]) == (5, 4, 4), "an error is no answer"
    assert (m["raw_k"], m["scaffold_k"], m["both_k"]) == (3, 1, 1)
    assert (m["difference"], m["raw_not_ok"], m["scaffold_not_ok"]) == (-0.5, 1, 1)
    assert m["question_low"] <= -0.5 <= m["question_high"]
    wrong = rows["m", "paper", "as_wrong"]
    assert (wrong["n"], wrong["raw_k"], wrong["scaffold_k"]) == (5, 3, 1)
    complete = rows["m", "paper", "complete_case"]
    assert (complete["n"], complete["raw_k"]) == (3, 2)
    pooled = rows[POOLED, "paper", "as_received"]
    assert (pooled["n"], pooled["n_items"], pooled["raw_k"]) == (5, 5, 3), "readers left out"
    strict = rows["m", "strict", "as_received"]
    assert (strict["n_planned"], strict["raw_k"]) == (6, 0), "strictly, q5 is not exposed either"


def test_what_cannot_be_said_is_missing() -> None:
    rows = rows_of(ITEMS, "m", "n", "nobody")
    none = rows["nobody", "paper", "as_received"]
    missing = ("raw_share", "difference", "question_low", "domain_high", "scaffold_wilson_low")
    assert none["n"] == 0 and {none[name] for name in missing} == {None}
    one = rows["n", "paper", "as_received"]
    assert (one["difference"], one["question_low"]) == (0.0, None), "no interval without width"


slots = st.lists(
    st.tuples(st.sampled_from(["m", "n"]), st.sampled_from(sorted(DOMAINS)), st.booleans(),
              st.booleans(), st.sampled_from(["ok", "empty", "truncated", "error"]),
              st.sampled_from(["ok", "refused", "error"])),
    max_size=10, unique_by=lambda s: s[:2],
)  # fmt: skip


@limits(deadline=None, max_examples=60)
@given(slots)
def test_counts_are_those_of_a_plain_loop(drawn: list[Any]) -> None:
    items = [x for model, q, raw, scaffold, r, s in drawn
             for x in both(model, q, raw, scaffold, bare=r, grounded=s)]  # fmt: skip
    rows = rows_of(items, "m", "n")
    for policy in POLICIES:
        n = k = 0
        for _, q, raw, _, r, s in drawn:
            if q == "q5":
                continue
            gone = "error" in (r, s) if policy == "as_received" else (r, s) != ("ok", "ok")
            if policy != "as_wrong" and gone:
                continue
            n += 1
            k += raw and (policy != "as_wrong" or r == "ok")
        pooled = rows[POOLED, "paper", policy]
        assert (pooled["n"], pooled["raw_k"]) == (n, k)
        assert sum(rows[m, "paper", policy]["n"] for m in "mn") == n


def verdict(part: str, model: str, q: str, label: str | None, gate: str) -> dict[str, Any]:
    return {"part": part, "model": model, "question_id": q, "item_index": 0, "label": label,
            "gate": gate}  # fmt: skip


def test_hits_are_counted_by_verdict_and_the_missing_are_named() -> None:
    verdicts = [
        verdict("raw_hits", "m", "q0", "correct_relation", "verified"),
        verdict("raw_hits", "m", "q1", "correct_relation", "unresolved"),
        verdict("raw_hits", "m", "q3", None, "not_needed"),
        verdict("sample", "m", "q1", "name_only", "verified"),
    ]
    panel = Panel("j", 0, "model", "ours", "NOT CALIBRATED: x", verdicts)
    rows = hit_rows(found(ITEMS), [panel], ["m", "n"], frozenset())
    to_table(rows, OMITTED_HITS)
    by = {(r["model"], r["arm"]): r for r in rows}
    raw = by["m", "raw"]
    assert (raw["n_hits"], raw["n_missing"], raw["n_correct"]) == (3, 1, 2)
    assert (raw["n_unresolved"], raw["n_correct_held"]) == (1, 1)
    assert (by["m", "scaffold"]["n_named"], by["m", "scaffold"]["n_missing"]) == (1, 0)
    assert by["n", "raw"]["n_hits"] == 0
    text = markdown(hits(hits_table_rows(rows, ""), "A study", "", 0.95))
    assert text.startswith("**NOT CALIBRATED: x"), "the judge's card stands across the table"


def test_without_a_judge_every_hit_is_without_a_verdict() -> None:
    rows = hit_rows(found(ITEMS), [], ["m"], frozenset())
    to_table(rows, OMITTED_HITS)
    assert {r["judge"] for r in rows} == {NOBODY}
    assert all(r["n_missing"] == r["n_hits"] for r in rows)
    assert "no judge of the audit" in markdown(hits(hits_table_rows(rows, ""), "S", "", 0.95))


@pytest.mark.parametrize(("models", "few"), [(["m"], True), ([f"m{i}" for i in range(5)], False)])
def test_a_table_of_few_slots_says_so(models: list[str], few: bool) -> None:
    items = [x for m in models for q in ("q0", "q1", "q2") for x in both(m, q, True, q == "q1")]
    rows = list(rows_of(items, *models).values())
    shown = markdown(omitted(omitted_table_rows(rows, "as_received"), "S", "as_received", 0.95))
    assert ("too few to say anything" in shown) == few
