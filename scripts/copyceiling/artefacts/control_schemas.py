"""Artefacts of the negative controls of our own: every planned cell, and recall by arm.

Source: paper section 10.7, STUDIES section 4, DESIGN sections 5 and 9.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import FLOAT, INT, TEXT


def _made(name: str, what: str, unit: str) -> Column:
    return Column(name, INT, f"{what}; missing if infeasible", unit, True)


CONTROL_CELLS = Schema(
    "control_cells",
    "Every planned cell of the controls: made or not and why, its length, what its block exposes.",
    ("cohort", "set", "question_id", "arm"),
    (
        Column("cohort", TEXT, "controls"),
        Column("set", TEXT, "Question set: the template"),
        Column("question_id", TEXT, "Question"),
        Column("arm", TEXT, "What the question is asked with"),
        Column("status", TEXT, "made, or infeasible"),
        Column("reason", TEXT, "Why it is infeasible", "", True),
        Column("donor", TEXT, "Question whose block it is", "", True),
        Column("true_tokens", INT, "Estimated tokens of the question's own block", "tokens"),
        _made("block_tokens", "Estimated tokens of the block", "tokens"),
        Column("block_sha256", TEXT, "sha256 of the block; missing if infeasible", "", True),
        Column("n_gold", INT, "Gold items", "items"),
        _made("n_gold_block", "Of those, exposed by the block alone", "items"),
        _made("n_gold_block_strict", "The same by the strict matcher", "items"),
        Column("n_proxy", INT, "Titles of the gold proxy (STUDIES section 4)", "titles"),
        _made("n_proxy_block", "Of those, exposed by the block alone", "titles"),
        _made("n_proxy_block_strict", "The same by the strict matcher", "titles"),
    ),
)


def _mean(name: str, what: str, unit: str) -> tuple[Column, ...]:
    """A mean with its intervals: questions resampled, and whole domains."""
    return (
        Column(name, FLOAT, what, unit, True),
        *(
            Column(f"{name}_{by}{end}", FLOAT, f"{bound} bound, {how} resampled", "", True)
            for by, how in (("", "questions"), ("domain_", "domains"))
            for end, bound in (("low", "Lower"), ("high", "Upper"))
        ),
    )


CONTROLS_RECALL = Schema(
    "controls_recall",
    "Recall, copy ceiling and gain by arm, and the paired contrasts of arms: no judge in it.",
    ("cohort", "model", "matcher", "policy", "scope", "first", "second"),
    (
        Column("cohort", TEXT, "controls"),
        Column("model", TEXT, "Label of the model that answered"),
        Column("matcher", TEXT, "paper or strict"),
        Column("policy", TEXT, "as_received, as_wrong or complete_case"),
        Column("scope", TEXT, "A question set, pooled, or intersection (questions of every arm)"),
        Column("first", TEXT, "Arm"),
        Column("second", TEXT, "Arm that is subtracted, question by question; empty: none"),
        Column("planned", INT, "Questions planned", "questions"),
        Column("infeasible", INT, "Of those, without a block in either arm", "questions"),
        Column("not_ok", INT, "Asked, and not ended ok in either arm", "questions"),
        Column("n", INT, "Questions that count", "questions"),
        Column("n_domains", INT, "Their domains", "domains"),
        *_mean("recall", "Mean recall, or mean difference", "[-1, 1]"),
        *_mean("ceiling", "Mean copy ceiling, or mean difference", "[-1, 1]"),
        *_mean("gain", "Mean of recall minus ceiling, or mean difference", "[-2, 2]"),
        Column("p", FLOAT, "Exact signed-rank p of the difference in recall", "(0, 1]", True),
        Column("p_holm", FLOAT, "Holm's adjustment over the contrasts of a scope", "(0, 1]", True),
        Column("n_family", INT, "Contrasts in that family", "contrasts", True),
        Column("wins", INT, "Questions with more recall in the first arm", "questions", True),
        Column("losses", INT, "Questions with less", "questions", True),
        Column("ties", INT, "Questions with as much", "questions", True),
        Column("blocks", INT, "Blocks shown in the arm", "blocks", True),
        Column("texts", INT, "Different ones among them", "blocks", True),
        Column("tokens", FLOAT, "Mean estimated tokens of these blocks", "tokens", True),
        Column("length", FLOAT, "Mean of their tokens over those of the true block", "", True),
        Column("gold_exposed", FLOAT, "Mean share of gold that the block exposes", "[0, 1]", True),
        Column("gold_none", INT, "Blocks that expose no gold", "blocks", True),
        Column("proxy_exposed", FLOAT, "Mean share of the proxy it exposes", "[0, 1]", True),
        Column("proxy_none", INT, "Blocks that expose nothing of the proxy", "blocks", True),
    ),
)

TABLE7_RECALL = Schema(
    "table7_recall",
    "Table 7, judge-free part, as printed.",
    ("position",),
    (
        Column("position", INT, "Place in the table as printed, from 0"),
        *CONTROLS_RECALL.columns,
    ),
)
