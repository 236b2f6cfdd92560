"""Published values of suppression: gold that the scaffold does not show, with it and without.

A slot is an unexposed gold item of one model: the raw arm recovers some of them, the scaffold arm
hardly any. Source: paper section 10.4, STUDIES section 5.
"""

from collections import Counter
from collections.abc import Sequence

from copyceiling.audit.rates import ALL
from copyceiling.published.audit_rows import (
    NO_FRAME,
    AuditRows,
    Row,
    Values,
    frame_note,
    rate_values,
    ratio_values,
    units_value,
)
from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.sweep import POOLED

_VERDICTS = "needs the verdicts on what the raw arm recovers of these items"
_RAW = "needs which gold items the raw arm's answers name"


def suppression_values(rows: AuditRows, scores: Sequence[Row]) -> Values:
    """Return every value of the family ``suppression``.

    Args:
        rows: The audit's rows.
        scores: Rows of `SCORES`, both arms.
    """
    return {**_grounded(rows), **_raw(rows, scores), **_judged(rows)}


def _pair(key: str, reason: str) -> Values:
    return dict.fromkeys((key, f"{key}.ci95"), lacking(reason))


def _slots(rows: AuditRows) -> int | None:
    """Return the unexposed slots of all models; they follow from exposure alone."""
    recovered, neither = rows.units("n01"), rows.units("n00")
    if recovered is None or neither is None:
        return None
    # The two bounds move against each other: their sum is exact where neither is.
    return int(recovered["n_low"] + neither["n_high"])


def _grounded(rows: AuditRows) -> Values:
    recovered, slots = rows.units("n01"), _slots(rows)
    by_model = [
        r
        for r in rows.frame
        if (r["template"], r["category"]) == (ALL, "n01") and r["model"] != POOLED
    ]
    if recovered is None or recovered["n"] is None or not slots:
        reason = units_value(recovered).reason or NO_FRAME
        return {
            **_pair("suppression.scaffold", reason),
            "suppression.models_scaffold_zero": lacking(reason),
            **_pair("suppression.relational_grounded", reason),
        }
    note = frame_note(recovered["source"])
    none = [r for r in by_model if r["n"] == 0]
    known = all(r["n"] is not None for r in by_model)
    out = ratio_values("suppression.scaffold", recovered["n"], slots, note)
    out["suppression.models_scaffold_zero"] = (
        Recomputed(len(none), note=note) if known else lacking(NO_FRAME)
    )
    if recovered["n_sampled"] < recovered["n"]:
        reason = "needs verdicts on all that the scaffold arm recovers unexposed"
        return {**out, **_pair("suppression.relational_grounded", reason)}
    correct = rows.count("n01", "label", "correct_relation")
    return {**out, **ratio_values("suppression.relational_grounded", correct, slots, note)}


def _raw(rows: AuditRows, scores: Sequence[Row]) -> Values:
    """Return what the raw arm recovers of items that the scaffold would not show."""
    slots, found = _slots(rows), _raw_hits(rows)
    if found is None or not slots:
        low, high = _bounds(scores)
        reason = f"{_RAW}; its counts of hits allow {low} to {high} of these slots"
        per_model = {"suppression.raw_per_model": lacking(reason)}
        return {**_pair("suppression.raw", reason), **per_model}
    by_model, note = found
    return {
        **ratio_values("suppression.raw", by_model.total(), slots, note),
        "suppression.raw_per_model": Recomputed(dict(sorted(by_model.items())), note=note),
    }


def _raw_hits(rows: AuditRows) -> tuple[Counter[str], str | None] | None:
    """Return the raw arm's hits by model, from its items, else from the judged hits."""
    items = [r for r in rows.items if r["arm"] == "raw"]
    if items:
        unexposed = [r for r in items if not rows.exposed[r["question_id"], r["item"]]]
        return Counter(rows.label(r["model"]) for r in unexposed if r["recovered"]), None
    judged = [r for r in rows.verdicts if r["part"] == "raw_hits"]
    if judged:
        return Counter(rows.label(r["model"]) for r in judged), "every raw hit was judged"
    return None


def _bounds(scores: Sequence[Row]) -> tuple[int, int]:
    """Return the least and most raw hits on unexposed items that the rows' counts allow."""
    paper = [r for r in scores if r["matcher"] == "paper"]
    exposed = {(r["model"], r["question_id"]): r["n_exposed"] for r in paper if r["arm"] != "raw"}
    low = high = 0
    for r in paper:
        shown = exposed.get((r["model"], r["question_id"]))
        if r["arm"] == "raw" and shown is not None:
            low += max(0, r["n_hits"] - shown)
            high += min(r["n_hits"], r["n_gold"] - shown)
    return low, high


def _judged(rows: AuditRows) -> Values:
    names = ("name_only", "absent", "wrong_reversed_negated")
    gates = ("gate_adjudicated", "gate_repaired", "gate_unresolved")
    slots = _slots(rows)
    if not rows.has("raw_hits") or not slots:
        return {
            **_pair("suppression.raw_correct", _VERDICTS),
            **_pair("suppression.raw_correct.excluded", _VERDICTS),
            **_pair("suppression.relational_raw", _VERDICTS),
            "suppression.validated_per_model": lacking(_VERDICTS),
            **{f"suppression.raw.{name}": lacking(_VERDICTS) for name in (*names, *gates)},
        }
    stands, excluded = (
        rows.rate("n01", "correct", reading, part="raw_hits") for reading in ("stands", "excluded")
    )
    correct = stands["k"] if stands is not None else 0
    kept = [
        r
        for r in rows.verdicts
        if r["part"] == "raw_hits" and r["gate"] != "unresolved" and r["label"] is not None
    ]
    valid = Counter(rows.label(r["model"]) for r in kept if r["label"] == "correct_relation")
    counts = {
        name: row["k"] if (row := rows.rate("n01", rate, part="raw_hits")) is not None else 0
        for name, rate in zip(names, ("name_only", "absent", "wrong"), strict=True)
    }
    repaired, unresolved = (
        rows.total("gate", gate, "raw_hits") for gate in ("repaired", "unresolved")
    )
    adjudicated = zip(gates, (repaired + unresolved, repaired, unresolved), strict=True)
    return {
        **rate_values("suppression.raw_correct", stands),
        **rate_values("suppression.raw_correct.excluded", excluded),
        **ratio_values("suppression.relational_raw", correct, slots, None),
        "suppression.validated_per_model": Recomputed(dict(sorted(valid.items()))),
        **{f"suppression.raw.{name}": Recomputed(n) for name, n in counts.items()},
        **{f"suppression.raw.{name}": Recomputed(n) for name, n in adjudicated},
    }
