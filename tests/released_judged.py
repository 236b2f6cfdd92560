"""The judged parts of the made-up release: production study, controls, out-of-domain study."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]
Files = dict[str, Any]  # path to rows, or to one mapping
MODEL = "baker"
Cell = tuple[str, str, str]

_GENERATION = {
    "id": "2026-01-01",
    "class_count": 12,
    "source": "ScaffoldIndex",
    "generated_at": "2026-01-01",
    "verified_single_generation": False,
    "artifacts": [],
    "cluster_span_seconds": None,
    "commit_sha": None,
    "promoted_at": None,
}


def _live(
    name: str, qid: str, arm: str, text: str, tokens: int, seeds: Sequence[float], retry: bool
) -> Row:
    grounding = {
        "engaged": True,
        "top_score": seeds[0] if seeds else 0.0,
        "effective_budget": 1500,
        "seeds": [
            {"iri": f"urn:x:class:s{i}", "provenance": "Lexical", "score": s}
            for i, s in enumerate(seeds)
        ],
    }
    telemetry = {
        "mode": "scaffold",
        "fusion_path": "LexicalHit" if seeds else "NoMatch",
        "injected_tokens": 700 if seeds else 0,
        "grounding": grounding if seeds else None,
        "generation": _GENERATION,
    }
    row: Row = {
        "set": name,
        "id": qid,
        "arm": arm,
        "question": f"What is {qid}?",
        "category": f"{name}_x",
        "difficulty": "easy",
        "attempt": 0,
        "content": text,
        "latency_s": 3.5,
        "completion_tokens": tokens,
        "model": MODEL,
        "loom": telemetry if arm == "loom" else None,
    }
    return {**row, "retry_budget": 4096} if retry else row


def live_rows() -> list[Row]:
    """The production answers: one cut, one empty at the larger budget, one without a block."""
    return [
        _live("arcane", "a1", "loom", "Seed one. " * 20, 1536, (9.0, 4.5), False),
        _live("arcane", "a1", "raw", "Short.", 40, (), False),
        _live("arcane", "a2", "loom", "No block here.", 60, (), False),
        _live("arcane", "a2", "raw", "Nor here.", 50, (), False),
        _live("thin", "t1", "loom", "After the second run.", 2000, (5.0,), True),
        _live("thin", "t1", "raw", "", 4096, (), True),
        _live("general", "g1", "loom", "Plain.", 30, (3.0,), False),
        _live("general", "g1", "raw", "Plain too.", 31, (), False),
    ]


_FIRST_SCORES = {
    ("arcane", "a1", "loom"): 4,
    ("arcane", "a1", "raw"): 2,
    ("arcane", "a2", "loom"): 3,
    ("arcane", "a2", "raw"): 3,
    ("thin", "t1", "loom"): 5,
    ("general", "g1", "loom"): 5,
    ("general", "g1", "raw"): 5,
    ("arcane", "a1", "true"): 4,
    ("arcane", "a1", "shuffled"): 3,
    ("thin", "t1", "true"): 2,
    ("thin", "t1", "masked"): 1,
    ("thin", "t1", "irrelevant"): 0,
}
# One grade differs from the first judging, by a point; general questions are no controls.
_AGAIN_SCORES = {
    **{k: v for k, v in _FIRST_SCORES.items() if k[0] != "general"},
    ("thin", "t1", "masked"): 2,
}
_CONTROL_TEXTS = {
    ("arcane", "a1", "true"): ("True block answer.", 90),
    ("arcane", "a1", "shuffled"): ("Shuffled block answer.", 1536),
    ("arcane", "a1", "masked"): ("", 1536),
    ("arcane", "a1", "irrelevant"): ("", 1536),
    ("thin", "t1", "true"): ("Thin true.", 12),
    ("thin", "t1", "shuffled"): ("", 1536),
    ("thin", "t1", "masked"): ("Thin masked.", 13),
    ("thin", "t1", "irrelevant"): ("Thin irrelevant.", 14),
}
_SEEDS = {"a1": 2, "t1": 1}
_ARMS4 = ("true", "shuffled", "masked", "irrelevant")
_ARMS5 = (*_ARMS4, "fluent_noise")


def control_rows() -> list[Row]:
    """The first control cohort; question a2 has no block."""
    rows: list[Row] = []
    for name, qid in (("arcane", "a1"), ("arcane", "a2"), ("thin", "t1")):
        for arm in _ARMS4:
            cell = {"set": name, "id": qid, "arm": arm}
            if qid == "a2":
                rows.append({**cell, "skipped": "no-scaffold"})
                continue
            text, tokens = _CONTROL_TEXTS[name, qid, arm]
            rows.append(
                {
                    **cell,
                    "n_seeds": _SEEDS[qid],
                    "attempt": 0,
                    "content": text,
                    "latency_s": 2.0,
                    "completion_tokens": tokens,
                    "model": MODEL,
                }
            )
    return rows


def _texts() -> dict[tuple[str, str, str], str]:
    found = {(r["set"], r["id"], r["arm"]): r["content"] for r in live_rows()}
    return found | {k: text for k, (text, _) in _CONTROL_TEXTS.items()}


def judged_rows(scores: Mapping[tuple[str, str, str], int]) -> list[Row]:
    """Grades as the judge wrote them."""
    return [
        {"set": s, "id": q, "arm": a, "score": score, "why": "so"}
        for (s, q, a), score in scores.items()
    ]


def wrapped_rows(
    scores: Mapping[tuple[str, str, str], int], texts: Mapping[tuple[str, str, str], str]
) -> list[Row]:
    """Grades with what the router's wrapper adds."""
    return [
        {
            **row,
            "judge_model": "openai/gpt-4.1",
            "judge_base": "https://example.org",
            "judge_temperature": 0,
            "rubric_sha256_16": "7231654abc776c3e",
            "candidate_sha256_16": hashlib.sha256(text.encode()).hexdigest()[:16],
            "candidate_chars": len(text),
            "judged_at": "2026-01-02",
        }
        for row in judged_rows(scores)
        for text in [texts[row["set"], row["id"], row["arm"]]]
    ]


def table_rows(scores: Mapping[tuple[str, str, str], int], arms: Sequence[str]) -> list[Row]:
    """Grades as a table with a column an arm."""
    questions = dict.fromkeys(k[:2] for k in scores if k[0] != "general")
    return [
        {"set": s, "id": q, **{arm: scores.get((s, q, arm)) for arm in arms}} for s, q in questions
    ]


# --- rerun of the controls -----------------------------------------------------------------------

_BLOCKS = {
    "true": "[C]\nFlour mill and water wheel.\n[E]",
    "shuffled": "[C]\nand water wheel. Flour mill\n[E]",
    "masked": "[C]\nEntity-1 and Entity-2.\n[E]",
    "irrelevant": "[C]\nWater wheel alone.\n[E]",
    "fluent_noise": "[C]\nOther things.\n[E]",
}
_PROXY = ["Flour Mill", "Water Wheel"]
_EXPOSES = {"true": (1, 1), "shuffled": (1, 1), "masked": (0, 0), "irrelevant": (0, 1),
            "fluent_noise": (0, 0)}  # fmt: skip
RERUN_SCORES = {
    ("arcane", "a1", "loom"): 4,
    ("arcane", "a1", "raw"): 2,
    ("arcane", "a2", "loom"): 3,
    ("arcane", "a2", "raw"): 3,
    ("thin", "t1", "loom"): 5,
    **{("arcane", "a1", arm): 3 for arm in _ARMS5},
    **{("thin", "t1", arm): 4 for arm in _ARMS5 if arm != "masked"},
}


def _exposure(arm: str) -> Row:
    flags = [bool(x) for x in _EXPOSES[arm]]
    return {
        "gold_titles": _PROXY,
        "exposed_flags": flags,
        "n_gold": 2,
        "n_exposed": sum(flags),
        "exposure_fraction": sum(flags) / 2,
    }


def rerun_rows() -> list[Row]:
    """The rerun's rows: thin/t1/masked stays empty at both budgets."""
    rows = []
    for name, qid in (("arcane", "a1"), ("thin", "t1")):
        for arm in _ARMS5:
            empty = (qid, arm) == ("t1", "masked")
            text = "" if empty else f"Rerun of {qid} {arm}."
            budgets = (4096, 8192) if empty else (4096,)
            attempts = [
                {
                    "budget": budget,
                    "attempt": 0,
                    "content": text,
                    "finish_reason": "length" if empty else "stop",
                    "prompt_tokens": 30,
                    "completion_tokens": budget if empty else 20,
                    "total_tokens": 30 + (budget if empty else 20),
                    "model": f"{MODEL}-q8",
                    "latency_s": 9.0,
                }
                for budget in budgets
            ]
            block = _BLOCKS[arm]
            rows.append(
                {
                    "set": name,
                    "id": qid,
                    "arm": arm,
                    "question": f"What is {qid}?",
                    "system_message": block,
                    "user_message": f"What is {qid}?",
                    "injected_block": block,
                    "injected_block_chars": len(block),
                    "injected_block_est_tokens": math.ceil(len(block) / 4),
                    "system_preamble_included": False,
                    "donor": {
                        "set": "thin" if name == "arcane" else "arcane",
                        "id": "t1" if name == "arcane" else "a1",
                        "donor_seed_iris": ["urn:x:class:d"],
                        "recipient_seed_iris": ["urn:x:class:r"],
                        "iri_disjoint": True,
                    }
                    if arm == "irrelevant"
                    else None,
                    "fluent_noise_slugs": ["other"] if arm == "fluent_noise" else None,
                    "exposure": _exposure(arm),
                    "true_block_exposure": _exposure("true"),
                    "attempts": attempts,
                    "content": text,
                    "finish_reason": attempts[-1]["finish_reason"],
                    "prompt_tokens": 30,
                    "completion_tokens": attempts[-1]["completion_tokens"],
                    "final_budget": budgets[-1],
                    "latency_s": 9.0,
                    "model": f"{MODEL}-q8",
                    "error": None,
                    "empty": empty,
                    "run_at": "2026-01-03",
                }
            )
    return rows


def skipped_rows() -> list[Row]:
    """Cells of the rerun that were never asked."""
    return [{"set": "arcane", "id": "a2", "arm": arm, "skipped": "no-scaffold"} for arm in _ARMS5]


def _summary() -> dict[str, Row]:
    out = {}
    for arm in _ARMS5:
        share, tokens = sum(_EXPOSES[arm]) / 2, math.ceil(len(_BLOCKS[arm]) / 4)
        out[arm] = {
            "n": 2,
            "mean_exposure_fraction": share,
            "median": share,
            "min": share,
            "max": share,
            "n_zero_exposure": 2 * (share == 0.0),
            "n_full_exposure": 2 * (share == 1.0),
            "mean_injected_est_tokens": float(tokens),
        }
    return out


# --- out-of-domain study -------------------------------------------------------------------------


def _general() -> Files:
    judged = [
        {
            "model": MODEL,
            "mode": mode,
            "id": "off01",
            "domain": "off_domain",
            "template": "easy",
            "stratum": "off_domain",
            "findability": None,
            "reference_source": "frontier",
            "score": score,
            "why": "so",
            "judge_family_match": False,
        }
        for mode, score in (("bare", 5), ("harness", 4))
    ]
    live = {
        f"general/results-{MODEL}-{mode}.jsonl": [
            {
                "id": "off01",
                "model": MODEL,
                "category": "off_domain",
                "answer": "Off.",
                "latency_ms": 900,
                "attempts": 1,
                "harness_engaged": mode == "harness",
                "finish_reason": "stop",
            }
        ]
        for mode in ("bare", "harness")
    }
    return {"general/judged-cloud.json": judged, **live}


# --- layouts -------------------------------------------------------------------------------------

_RERUN, _REJUDGED = "control-rerun-2026-09-21", "controls-rejudge-2026-09-21"


def common() -> Files:
    """Files that lie alike in both layouts."""
    return {
        "paper-v2/live-results.jsonl": live_rows(),
        "paper-v2/judged.json": judged_rows(_FIRST_SCORES),
        "paper-v2/control-results.jsonl": control_rows(),
    }


def full() -> Files:
    """The release's own layout."""
    rerun = {(r["set"], r["id"], r["arm"]): r["content"] for r in rerun_rows()}
    return {
        **common(),
        "paper-v2/judged-claude-opus46.json": judged_rows(_FIRST_SCORES),
        **_general(),
        f"{_REJUDGED}/judged.json": wrapped_rows(_AGAIN_SCORES, _texts()),
        f"{_RERUN}/rows.jsonl": rerun_rows(),
        f"{_RERUN}/manifest-skipped.json": skipped_rows(),
        f"{_RERUN}/judged.json": wrapped_rows(RERUN_SCORES, _texts() | rerun),
        f"{_RERUN}/exposure.json": {"rows": 10, "per_arm": _summary()},
    }


def reduced() -> Files:
    """The reduced layout."""
    return {
        **common(),
        "controls/four_arm_rejudged_scores.tsv": table_rows(
            _AGAIN_SCORES, ("loom", "raw", *_ARMS4)
        ),
        "controls/five_arm_scores.tsv": table_rows(RERUN_SCORES, ("loom", "raw", *_ARMS5)),
        "controls/five_arm_exposure.tsv": [{"arm": a, **row} for a, row in _summary().items()],
    }
