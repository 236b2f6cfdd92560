"""A made-up release in both layouts: a bakery's questions, three of each kind.

`full` and `reduced` give the files of a layout as rows, `write_release` puts them into a folder.
The two layouts tell of the same answers, so that what both determine must be read alike.
"""

import json
from pathlib import Path
from typing import Any

from copyceiling.questions import GoldItem, Question
from copyceiling.released.layout import PARTS, find_part
from copyceiling.requests import ARMS

from tests import released_judged
from tests.released_judged import MODEL, Files, Row

LABEL = "baker-t0"
LABELS = {LABEL: MODEL}


def _gold(*titles: str) -> tuple[GoldItem, ...]:
    return tuple(GoldItem(t.lower().replace(" ", "-"), t) for t in titles)


QUESTIONS = {
    q.id: q
    for q in (
        Question(
            id="q0001",
            key="rel:bread:requires",
            domain="bread",
            template="T-REL",
            class_slugs=("bread",),
            prompt="What does Bread require?",
            retrieval_text="What does Bread require?",
            gold=_gold("Flour", "Water", "Yeast Starter", "Oven"),
            gold_type="all",
        ),
        Question(
            id="q0002",
            key="tax:roll",
            domain="bread",
            template="T-TAX",
            class_slugs=("roll",),
            prompt="What are the parents of Roll?",
            retrieval_text="What are the parents of Roll?",
            gold=_gold("Small Bread"),
            gold_type="all",
            gold_extra=_gold("Food", "Thing"),
        ),
        Question(
            id="q0003",
            key="common:roll+cake",
            domain="cake",
            template="T-COMMON",
            class_slugs=("roll", "cake"),
            prompt="What do Roll and Cake have in common?",
            retrieval_text="What do Roll and Cake have in common?",
            gold=_gold("Baked Good", "Food"),
            gold_type="any",
        ),
        Question(
            id="q0004",
            key="rel:cake:uses",
            domain="cake",
            template="T-REL",
            class_slugs=("cake",),
            prompt="What does Cake use?",
            retrieval_text="What does Cake use?",
            gold=_gold("Sugar", "Egg Wash", "Butter Cream"),
            gold_type="all",
        ),
    )
}
# Exposure of each gold item in the scaffold arm; in the raw arm the question exposes nothing.
_SHOWN = {"q0001": (1, 1, 1, 0), "q0002": (1,), "q0003": (1, 1), "q0004": (0, 0, 0)}
EXPOSED = {
    (qid, arm): [
        {"paper": bool(e) and arm == "scaffold", "strict": bool(e) and arm == "scaffold"}
        for e in flags
    ]
    for qid, flags in _SHOWN.items()
    for arm in ("raw", "scaffold")
}


# --- audit ---------------------------------------------------------------------------------------

# unit, category, label, role, quote, what the gate decided, flags
_UNITS = (
    ("q0001|0", "n11", "correct_relation", "required", "flour", None, None),
    ("q0001|1", "n11", "correct_relation", "required", "wa ter", "repaired", (False, True)),
    ("q0001|2", "n10", "absent", "required", "", None, None),
    ("q0001|3", "n00", "name_only", "required", "Oven", "unresolved", (False, False)),
    ("q0002|0", "n11", "correct_relation", "required", "small  bread", "repaired", (True, True)),
    ("q0003|1", "n10", "name_only", "n/a", "food", None, None),
)


def _unit(key: str) -> tuple[Question, int]:
    qid, index = key.split("|")
    return QUESTIONS[qid], int(index)


def verdict_rows() -> list[Row]:
    """Verdicts as the audit wrote them."""
    return [
        {
            "unit_id": f"{LABEL}|{key}",
            "model": LABEL,
            "model_display": MODEL,
            "question_id": q.id,
            "template": q.template,
            "gold_type": q.gold_type,
            "category": category,
            "gold_title": q.gold[i].title,
            "judge_backend": "openrouter",
            "judge_model": "openai/gpt-4.1",
            "judge_is_model_not_human": True,
            "repair_pass": key == "q0001|2",
            "asserted": label,
            "required_or_alternative": role,
            "confidence": 1.0,
            "quote": quote,
            **({"parse_repair": "regex"} if key == "q0002|0" else {}),
        }
        for key, category, label, role, quote, _, _ in _UNITS
        for q, i in [_unit(key)]
    ]


def verdict_table() -> list[Row]:
    """The same verdicts with the columns of the reduced layout."""
    gated = {f"{LABEL}|{key}" for key, *_, decision, _ in _UNITS if decision}
    return [
        {
            "unit_id": r["unit_id"],
            "qid": r["question_id"],
            "model": r["model"],
            "gold_slug": q.gold[i].slug,
            "gold_title": r["gold_title"],
            "category": r["category"],
            "template": r["template"],
            "gold_type": r["gold_type"],
            "asserted": r["asserted"],
            "required_or_alternative": r["required_or_alternative"],
            "confidence": r["confidence"],
            "quote": "nonempty" if r["quote"] else "empty",
            "repair_pass": r["repair_pass"],
            "parse_repair": r.get("parse_repair"),
            "original_quote_verified_in_quote_gate_v2": False if r["unit_id"] in gated else None,
        }
        for r in verdict_rows()
        for q, i in [_unit(r["unit_id"].partition("|")[2])]
    ]


def gate_rows() -> list[Row]:
    """The quote gate's rows."""
    return [
        {
            "unit_id": f"{LABEL}|{key}",
            "arm": "scaffold",
            "category": category,
            "model": MODEL,
            "question_id": q.id,
            "gold_title": q.gold[i].title,
            "credited_by_matcher": category[2] == "1",
            "original_asserted": label,
            "original_required_or_alternative": role,
            "original_quote": quote,
            "original_quote_verified": False,
            "reask_response": "{}",
            "reask_conceded_no_span": decision == "unresolved",
            "repaired_quote": "" if decision == "unresolved" else "Water",
            "repaired_verifies_verbatim_whitespace_only": flags[0],
            "repaired_verifies_matcher_normalised": flags[1],
            "decision": decision,
            "verdict_after_gate": label if decision == "repaired" else "unresolved",
            "judge_model": "openai/gpt-4.1",
        }
        for key, category, label, role, quote, decision, flags in _UNITS
        if flags is not None
        for q, i in [_unit(key)]
    ]


def gate_table() -> list[Row]:
    """The same rows with the columns of the reduced layout."""
    kept = (
        *("unit_id", "model", "gold_title", "category", "original_asserted"),
        *("original_quote_verified", "decision"),
        *("repaired_verifies_verbatim_whitespace_only", "repaired_verifies_matcher_normalised"),
    )
    rows = []
    for r in gate_rows():
        q, i = _unit(r["unit_id"].partition("|")[2])
        rows.append({"qid": q.id, "gold_slug": q.gold[i].slug, **{k: r[k] for k in kept}})
    return rows


def raw_hit_rows() -> list[Row]:
    """Audited credits of the raw arm."""
    item = {k: v for k, v in verdict_rows()[0].items() if k != "category"}
    out = []
    for i, decision in ((0, "ok"), (1, "repaired"), (2, "unresolved")):
        title = QUESTIONS["q0004"].gold[i].title
        out.append(
            {
                **item,
                "unit_id": f"raw|{LABEL}|q0004|{i}",
                "question_id": "q0004",
                "gold_title": title,
                "arm": "raw",
                "category": "raw_unexposed_credited",
                "scaffold_arm_credited_same_item": False,
                "quote_verified_v1": decision == "ok",
                "gate_decision": decision,
                "repaired_quote": "Water" if decision == "repaired" else None,
                "asserted_after_gate": "unresolved"
                if decision == "unresolved"
                else "correct_relation",
            }
        )
    return out


# --- paraphrase ----------------------------------------------------------------------------------


def ceiling_rows() -> list[Row]:
    """Ceilings; the rewrite of q0002 was rejected, that of q0003 retrieved nothing."""
    rows: list[Row] = []
    for qid, lexical, semantic, n_seeds in (
        ("q0001", 0.25, 0.5, 4),
        ("q0002", None, None, None),
        ("q0003", 0.0, 1.0, 0),
        ("q0004", 0.0, 1 / 3, 4),
    ):
        q = QUESTIONS[qid]
        ours = sum(_SHOWN[qid]) / len(q.gold) if q.gold_type == "all" else 1.0
        row: Row = {
            "id": qid,
            "template": q.template,
            "domain": q.domain,
            "gold_type": q.gold_type,
            "n_gold": len(q.gold),
            "accepted": lexical is not None,
            "ceiling_original_lexical_v1": ours,
            "ceiling_original_lexical_facade": ours,
        }
        if lexical is None:
            rows.append({**row, "skipped": "rejected"})
            continue
        rows.append(
            {
                **row,
                "ceiling_paraphrase_lexical": lexical,
                "facade_engaged": bool(n_seeds),
                "facade_fusion_path": "LexicalHit" if n_seeds else "NoMatch",
                "facade_top_score": 9.5 if n_seeds else 0.0,
                "facade_n_seeds": n_seeds,
                "fallback_triggered": not n_seeds,
                "ceiling_paraphrase_semantic": semantic,
                "semantic_seeds": [{"slug": "flour", "cos": 0.7}],
            }
        )
    return rows


def ceiling_table() -> list[Row]:
    """The same ceilings with the columns of the reduced layout."""
    kept = (
        *("accepted", "ceiling_original_lexical_v1", "ceiling_original_lexical_facade"),
        *("ceiling_paraphrase_lexical", "ceiling_paraphrase_semantic"),
        *("facade_engaged", "fallback_triggered"),
    )
    return [{"qid": r["id"], **{k: r.get(k) for k in kept}} for r in ceiling_rows()]


def rewrite_rows() -> list[Row]:
    """Rewrites with their rejected attempts."""
    rows = []
    for qid, n_attempts in (("q0001", 1), ("q0002", 4), ("q0003", 2), ("q0004", 1)):
        accepted = qid != "q0002"
        q = QUESTIONS[qid]
        rows.append(
            {
                "id": qid,
                "key": q.key,
                "domain": q.domain,
                "template": q.template,
                "gold_type": q.gold_type,
                "original": q.prompt,
                "paraphrase": "Said otherwise?" if accepted else None,
                "accepted": accepted,
                "n_attempts": n_attempts,
                "banned_tokens": ["bread"],
                "rejection_log": [
                    {
                        "attempt": i + 1,
                        "text": "Bread?",
                        "leak_ok": False,
                        "relation_ok": False,
                        "relation_verdict": "not-checked",
                        "reasons": [f"reason {i + 1}"],
                    }
                    for i in range(n_attempts - accepted)
                ],
                "generator": {"model": "openai/gpt-4.1"},
            }
        )
    return rows


# --- sweep ---------------------------------------------------------------------------------------

_ANSWERS = {
    ("raw", "q0001"): "Flour and an oven.",
    ("raw", "q0002"): "I do not know.",
    ("raw", "q0003"): "",
    ("raw", "q0004"): "Sugar, egg wash and butter cream.",
    ("scaffold", "q0001"): "Flour, water.",
    ("scaffold", "q0002"): "Small bread, which is food.",
    ("scaffold", "q0003"): "Food.",
    ("scaffold", "q0004"): "Sugar.",
}
_HITS: dict[tuple[str, str], list[str]] = {
    ("raw", "q0001"): ["Flour", "Oven"],
    ("raw", "q0002"): [],
    ("raw", "q0003"): [],
    ("raw", "q0004"): ["Sugar", "Egg Wash", "Butter Cream"],
    ("scaffold", "q0001"): ["Flour", "Water"],
    ("scaffold", "q0002"): ["Small Bread"],
    ("scaffold", "q0003"): ["Food"],
    ("scaffold", "q0004"): ["Sugar"],
}


def result_rows(arm: str) -> list[Row]:
    """One model's answers in one arm."""
    return [
        {
            "id": qid,
            "model": "vendor/baker",
            "mode": arm,
            "n_gold": len(q.gold),
            "n_gold_exposed": sum(flag["paper"] for flag in EXPOSED[qid, arm]),
            "answer": _ANSWERS[arm, qid],
            "latency_ms": 12.5,
            "scaffold_engaged": arm == "scaffold",
            "injected_tokens": 90 * (arm == "scaffold"),
            "finish_reason": "length" if (arm, qid) == ("raw", "q0003") else "stop",
            "answer_chars": len(_ANSWERS[arm, qid]),
            "attempts": 1,
            "response_model": "vendor/baker",
            "usage": {},
            "tokens": {},
        }
        for qid, q in QUESTIONS.items()
    ]


def score_rows(arm: str) -> list[Row]:
    """The same answers as released score rows."""
    rows: list[Row] = []
    for r in result_rows(arm):
        q, hits = QUESTIONS[r["id"]], _HITS[arm, r["id"]]
        recall = len(hits) / len(q.gold) if q.gold_type == "all" else float(bool(hits))
        kept = ("id", "model", "mode", "scaffold_engaged", "injected_tokens", "latency_ms")
        row = {
            **{k: r[k] for k in kept},
            "domain": q.domain,
            "template": q.template,
            **{k: r[k] for k in ("n_gold", "n_gold_exposed", "finish_reason", "attempts")},
            "recall": round(recall, 4),
            "hits": hits,
            "n_hits": len(hits),
        }
        if q.gold_extra:
            extra = ["Food"] if arm == "scaffold" else []
            row |= {"extra_recall": len(extra) / 2, "extra_hits": extra}
        rows.append(row)
    return rows


def reduced_score_rows(arm: str) -> list[Row]:
    """The same score rows with the fields of the reduced layout."""
    left_out = {"hits", "extra_hits", "extra_recall", "injected_tokens", "latency_ms"}
    left_out |= {"n_gold_exposed"} if arm == "raw" else set()
    return [{k: v for k, v in r.items() if k not in left_out} for r in score_rows(arm)]


# --- layouts -------------------------------------------------------------------------------------


def full() -> Files:
    """The release's own layout."""
    return {
        **released_judged.full(),
        "semantic-audit/verdicts.jsonl": verdict_rows(),
        "semantic-audit/quote-gate-v2.jsonl": gate_rows(),
        "semantic-audit/raw-hits-audit.jsonl": raw_hit_rows(),
        "paraphrase-stress/ceilings.jsonl": ceiling_rows(),
        "paraphrase-stress/paraphrases.jsonl": rewrite_rows(),
        **{f"sweep/results-{LABEL}-{arm}.jsonl": result_rows(arm) for arm in ARMS},
        **{f"sweep/scores-{LABEL}-{arm}.jsonl": score_rows(arm) for arm in ARMS},
    }


def reduced() -> Files:
    """The reduced layout."""
    return {
        **released_judged.reduced(),
        "audit/verdicts.tsv": verdict_table(),
        "audit/quote_gate.tsv": gate_table(),
        "paraphrase/ceilings.tsv": ceiling_table(),
        **{f"sweep/scores-{LABEL}-{arm}.jsonl": reduced_score_rows(arm) for arm in ARMS},
    }


def write_release(root: Path, files: Files) -> Path:
    """Write files into a folder, each in the form that its ending says."""
    for name, rows in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(name, rows), encoding="utf-8")
    return root


def text_of(name: str, rows: Any) -> str:
    """Return a file's text."""
    if name.endswith(".json"):
        return json.dumps(rows, indent=1)
    if name.endswith(".jsonl"):
        return "".join(json.dumps(row) + "\n" for row in rows)
    head = list(rows[0])
    lines = ["\t".join(head), *("\t".join(_cell(row[k]) for k in head) for row in rows)]
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def slots(root: Path, part: str) -> dict[str, list[Path]]:
    """Return a part's files by slot, as a rule hands them on."""
    assert part in PARTS
    return {name: [Path(p) for p in paths] for name, paths in find_part(str(root), part).items()}
