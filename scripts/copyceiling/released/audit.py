"""The released semantic audit: a judge's label an item, and what the quote gate made of it.

Every verdict is checked against its question (title, template, gold type) and against our own
exposure of the item, which fixes half of its category. Source: paper section 10.2, STUDIES
section 5.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.questions import Question
from copyceiling.released.audit_formats import (
    CATEGORIES,
    GATE,
    GATE_FLAGS,
    GATE_TABLE,
    RAW_HITS,
    VERDICTS,
    VERDICTS_TABLE,
)
from copyceiling.released.gates import check_gates
from copyceiling.released.reading import Paths, Reader, Record

JUDGE = "gpt-4.1"
FORM = "released"  # how the release asks and reads, see `copyceiling.judging.forms`


@dataclass(frozen=True)
class Material:
    """What released items are checked against.

    Attributes:
        questions: Id to question.
        exposed: Question and arm to what each gold item's exposure is under each matcher.
        labels: Label in the release's file names to our label of the model.
    """

    questions: Mapping[str, Question]
    exposed: Mapping[tuple[str, str], Sequence[Mapping[str, bool]]]
    labels: Mapping[str, str]


def import_audit(
    reader: Reader,
    files: Mapping[str, Paths],
    material: Material,
    gates: Mapping[str, int],
) -> list[dict[str, Any]]:
    """Return the released verdicts as rows of `VERDICTS`.

    Args:
        reader: Takes the faults.
        files: Slots ``verdicts``, ``gate`` and ``raw_hits`` to their file, or nothing.
        material: What the items are checked against.
        gates: Declared counts.
    """
    wide = bool(files["verdicts"]) and files["verdicts"][0].suffix == ".tsv"
    verdicts = reader.first(files["verdicts"], VERDICTS_TABLE if wide else VERDICTS)
    table = bool(files["gate"]) and files["gate"][0].suffix == ".tsv"
    gated = {r["unit_id"]: r for r in reader.first(files["gate"], GATE_TABLE if table else GATE)}
    raw = reader.first(files["raw_hits"], RAW_HITS)
    rows = []
    for row in verdicts:
        gate = gated.get(row["unit_id"])
        if gate is not None:
            exposed = row["category"][1] == "1"
            _item(reader, gate, gate["unit_id"], "scaffold", exposed, material)
        item = _item(reader, row, row["unit_id"], "scaffold", row["category"][1] == "1", material)
        _check_gate(reader, row, gate, bool(files["gate"]))
        rows.append({"part": "sample", **item, **_verdict(row, gate, bool(files["gate"]))})
    for unit in sorted(gated.keys() - {r["unit_id"] for r in verdicts}):
        if files["verdicts"] and unit not in reader.spoilt:
            reader.fault(gated[unit].where, "unit_id", f"'{unit}' has no verdict")
    for row in raw:
        unit = row["unit_id"].removeprefix("raw|")
        item = _item(reader, row, unit, "raw", False, material)
        rows.append({"part": "raw_hits", **item, **_raw_verdict(reader, row)})
    check_gates(reader, gates, _counts(files, verdicts, gated, raw))
    return rows


def _counts(
    files: Mapping[str, Paths],
    verdicts: Sequence[Record],
    gated: Mapping[str, Record],
    raw: Sequence[Record],
) -> dict[str, int]:
    counts = {}
    if files["verdicts"]:
        categories = Counter(row["category"] for row in verdicts)
        counts = {f"audit.{name}": categories[name] for name in CATEGORIES}
        counts["audit.verdicts"] = len(verdicts)
    if files["gate"]:
        decisions = Counter(row["decision"] for row in gated.values())
        counts["audit.gate"] = len(gated)
        counts |= {f"audit.{name}": decisions[name] for name in ("repaired", "unresolved")}
    if files["raw_hits"]:
        counts["audit.raw_hits"] = len(raw)
    return counts


def _item(
    reader: Reader, row: Record, unit: str, arm: str, exposed: bool, material: Material
) -> dict[str, Any]:
    """Return the columns that say which item a verdict is of, checked against its question."""
    parts = unit.split("|")
    label, qid, index = parts if len(parts) == 3 else ("", "", "")
    question = material.questions.get(qid)
    known = question is not None and index.isdecimal() and int(index) < len(question.gold)
    if question is None or not known or label not in material.labels:
        reader.fault(row.where, "unit_id", f"'{row['unit_id']}' names no item of a swept model")
        return {}
    gold = question.gold[int(index)]
    expected = {
        "model": (label, material.labels[label]),
        "model_display": (label, material.labels[label]),
        "question_id": (qid,),
        "qid": (qid,),
        "template": (question.template,),
        "gold_type": (question.gold_type,),
        "gold_title": (gold.title,),
        "gold_slug": (gold.slug,),
    }
    for name, values in expected.items():
        if name in row.values and row[name] not in values:
            reader.fault(row.where, name, f"'{row[name]}', the question has '{values[0]}'")
    shown = material.exposed[qid, "scaffold"][int(index)]["paper"]
    if shown != exposed:
        found = f"'{row['category']}', the context {'exposes' if shown else 'does not expose'} it"
        reader.fault(row.where, "category", found)
    return {
        "unit_id": unit,
        "model": material.labels[label],
        "question_id": qid,
        "item_index": int(index),
        "gold_slug": gold.slug,
        "gold_title": gold.title,
        "category": row["category"] if arm == "scaffold" else "n01",
        "template": question.template,
        "gold_type": question.gold_type,
        "judge": JUDGE,
        "form": FORM,
        "rubric_sha256": None,
        "status": "graded",
    }


def _verdict(row: Record, gate: Record | None, gate_at_hand: bool) -> dict[str, Any]:
    absent = row["asserted"] == "absent"
    decision = gate["decision"] if gate else "verified" if gate_at_hand else None
    return {
        **_said(row),
        "quoted": row["quote"] not in ("", "empty"),
        "gate": "not_needed" if absent else decision,
        "verbatim": gate[GATE_FLAGS[0]] if gate else None,
        "normalised": gate[GATE_FLAGS[1]] if gate else None,
    }


def _said(row: Record) -> dict[str, Any]:
    return {
        "label": row["asserted"],
        "role": row["required_or_alternative"],
        "confidence": float(row["confidence"]),
        "repaired_reply": row["repair_pass"] or bool(row.get("parse_repair")),
    }


def _check_gate(reader: Reader, row: Record, gate: Record | None, gate_at_hand: bool) -> None:
    """A verdict and its gate row say the same; a quote is missing only where none is due."""
    quoted = row["quote"] not in ("", "empty")
    absent = row["asserted"] == "absent"
    if absent and quoted:
        reader.fault(row.where, "quote", "given for an item judged absent")
    if not absent and not quoted and gate is None and gate_at_hand:
        reader.fault(row.where, "quote", "is empty, and the quote gate did not take it up")
    if row["gold_type"] == "all" and row["required_or_alternative"] != "required":
        found = f"'{row['required_or_alternative']}' where all items are asked for"
        reader.fault(row.where, "required_or_alternative", found)
    flag = row.get("original_quote_verified_in_quote_gate_v2")
    if gate_at_hand and "gold_slug" in row.values and (flag is None) != (gate is None):
        found = "the quote gate " + ("has no row of it" if gate is None else "has a row of it")
        reader.fault(row.where, "original_quote_verified_in_quote_gate_v2", f"{flag}; {found}")
    if gate is not None:
        _check_gated(reader, row, gate)


def _check_gated(reader: Reader, row: Record, gate: Record) -> None:
    pairs = [("original_asserted", "asserted"), ("category", "category")]
    pairs += [("gold_title", "gold_title"), ("gold_slug", "gold_slug")]
    pairs += [("original_required_or_alternative", "required_or_alternative")]
    for theirs, ours in pairs:
        if theirs in gate.values and ours in row.values and gate[theirs] != row[ours]:
            reader.fault(gate.where, theirs, f"'{gate[theirs]}', {row.where} has '{row[ours]}'")
    verbatim, normalised = (gate[name] for name in GATE_FLAGS)
    if (gate["decision"] == "repaired") != (verbatim or normalised):
        found = f"'{gate['decision']}', quote found verbatim {verbatim}, normalised {normalised}"
        reader.fault(gate.where, "decision", found)
    if verbatim and not normalised:
        reader.fault(gate.where, GATE_FLAGS[1], "false of a quote that stands there verbatim")
    if "credited_by_matcher" in gate.values:
        _check_gate_log(reader, row, gate)


def _check_gate_log(reader: Reader, row: Record, gate: Record) -> None:
    """What the full log of the gate says besides follows from the verdict and the decision."""
    repaired = gate["decision"] == "repaired"
    expected = {
        "credited_by_matcher": gate["category"][2] == "1",
        "original_quote": row["quote"] if "gold_slug" not in row.values else gate["original_quote"],
        "verdict_after_gate": gate["original_asserted"] if repaired else "unresolved",
    }
    for name, value in expected.items():
        if gate[name] != value:
            reader.fault(gate.where, name, f"{gate[name]!r}, {row.where} makes it {value!r}")
    if repaired and not gate["repaired_quote"]:
        reader.fault(gate.where, "repaired_quote", "is empty of a quote that was repaired")


def _raw_verdict(reader: Reader, row: Record) -> dict[str, Any]:
    decision = row["gate_decision"]
    after = "unresolved" if decision == "unresolved" else row["asserted"]
    if row["asserted_after_gate"] != after:
        found = f"'{row['asserted_after_gate']}', the gate leaves '{after}'"
        reader.fault(row.where, "asserted_after_gate", found)
    if row["quote_verified_v1"] != (decision == "ok"):
        found = f"'{decision}', the quote was verified: {row['quote_verified_v1']}"
        reader.fault(row.where, "gate_decision", found)
    absent = row["asserted"] == "absent"
    if not absent and not row["quote"] and decision == "ok":
        reader.fault(row.where, "quote", f"missing for an item judged '{row['asserted']}'")
    if bool(row["repaired_quote"]) != (decision == "repaired"):
        reader.fault(row.where, "repaired_quote", f"does not agree with decision '{decision}'")
    return {
        **_said(row),
        "quoted": bool(row["quote"]),
        "gate": "not_needed" if absent else "verified" if decision == "ok" else decision,
        "verbatim": None,
        "normalised": None,
    }
