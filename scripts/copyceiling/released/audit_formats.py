"""What rows of the released audit hold: verdicts, the quote gate, and audited raw hits.

Source: STUDIES section 5.
"""

from copyceiling.released.fields import ANY, FLAG, SHARE, TEXT, Field, Format, choice

LABELS = (
    "negated",
    "reversed",
    "wrong_relation",
    "correct_relation",
    "name_only",
    "absent",
)
CATEGORIES = ("n11", "n10", "n01", "n00")
_LABEL, _ROLE = choice(*LABELS), choice("required", "alternative", "n/a")
_ITEM = {
    "unit_id": TEXT,
    "model": TEXT,
    "template": TEXT,
    "gold_type": choice("all", "any"),
    "gold_title": TEXT,
    "asserted": _LABEL,
    "required_or_alternative": _ROLE,
    "confidence": SHARE,
    "repair_pass": FLAG,
}
_JUDGED = {
    "question_id": TEXT,
    "model_display": TEXT,
    "judge_backend": TEXT,
    "judge_model": choice("openai/gpt-4.1"),
    "judge_is_model_not_human": Field("flag", choices=(True,)),
    "parse_repair": TEXT.maybe(),
}
VERDICTS = Format(
    {**_ITEM, **_JUDGED, "category": choice(*CATEGORIES), "quote": TEXT}, key=("unit_id",)
)
VERDICTS_TABLE = Format(
    {
        **_ITEM,
        "qid": TEXT,
        "gold_slug": TEXT,
        "category": choice(*CATEGORIES),
        "quote": choice("empty", "nonempty"),
        "parse_repair": TEXT.null(),
        "original_quote_verified_in_quote_gate_v2": Field("flag", nullable=True, choices=(False,)),
    },
    key=("unit_id",),
)
GATE_FLAGS = ("repaired_verifies_verbatim_whitespace_only", "repaired_verifies_matcher_normalised")
_GATED = {
    "unit_id": TEXT,
    "model": TEXT,
    "gold_title": TEXT,
    "category": choice(*CATEGORIES),
    "original_asserted": _LABEL,
    # Only quotes that failed were taken up.
    "original_quote_verified": Field("flag", choices=(False,)),
    "decision": choice("repaired", "unresolved"),
    **dict.fromkeys(GATE_FLAGS, FLAG),
}
GATE_TABLE = Format({**_GATED, "qid": TEXT, "gold_slug": TEXT}, key=("unit_id",))
GATE = Format(
    {
        **_GATED,
        "arm": choice("scaffold"),
        "question_id": TEXT,
        "original_required_or_alternative": _ROLE,
        "original_quote": TEXT,
        "credited_by_matcher": FLAG,
        "repaired_quote": TEXT,
        "reask_conceded_no_span": FLAG,
        "verdict_after_gate": TEXT,
        "judge_model": choice("openai/gpt-4.1"),
        **dict.fromkeys(
            (
                *("reask_rubric_sha256_16", "reask_prompt", "reask_prompt_sha256"),
                *("reask_response", "reask_parse_error", "judge_backend"),
            ),
            ANY.maybe(),
        ),
    },
    key=("unit_id",),
)
RAW_HITS = Format(
    {
        **_ITEM,
        **_JUDGED,
        "arm": choice("raw"),
        "category": choice("raw_unexposed_credited"),
        "scaffold_arm_credited_same_item": FLAG,
        "quote": TEXT,
        "quote_verified_v1": FLAG,
        "gate_decision": choice("ok", "repaired", "unresolved"),
        "repaired_quote": TEXT.null(),
        "asserted_after_gate": choice(*LABELS, "unresolved"),
    },
    key=("unit_id",),
)
