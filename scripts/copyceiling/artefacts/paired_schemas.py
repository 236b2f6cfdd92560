"""Artefacts of the judged studies' analyses: paired contrasts, flow, and diagnostics.

Source: paper sections 10.5 to 10.8 and 13, STUDIES sections 3 and 4.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


CONTRASTS = Schema(
    "contrasts",
    "Scores of two arms on the same questions: difference, interval, exact test.",
    ("cohort", "judge", "policy", "scope", "first", "second"),
    (
        Column("cohort", TEXT, "Cohort of the answers"),
        Column("judge", TEXT, "Label of the judge"),
        Column("caution", TEXT, "What its calibration says against its grades", "", True),
        Column("policy", TEXT, "complete_case, or as_failure (no answer scores 0)"),
        Column(
            "scope",
            TEXT,
            "A question set, pooled, intersection, or the engaged part of a set or of all "
            "(those whose first arm was shown a block)",
        ),
        Column("first", TEXT, "Arm"),
        Column("second", TEXT, "Arm that is subtracted"),
        Column(
            "n",
            INT,
            "Pairs that count; missing where rows do not say how an answer ended",
            "pairs",
            True,
        ),
        Column("n_questions", INT, "Questions that they stand for", "questions", True),
        Column("n_failed", INT, "Pairs with a score of 0 for want of an answer", "pairs", True),
        Column("n_unknown", INT, "Pairs that the policy cannot place", "pairs"),
        Column(
            "n_same_prompt",
            INT,
            "Of the pairs that count, those whose two arms were asked the same; missing where "
            "rows do not say",
            "pairs",
            True,
        ),
        Column("mean_first", FLOAT, "Mean score of the first arm", "[0, 5]", True),
        Column("mean_second", FLOAT, "Mean score of the second arm", "[0, 5]", True),
        Column("mean_diff", FLOAT, "Mean paired difference", "[-5, 5]", True),
        *_interval("diff", "difference, pairs resampled; missing where none differs"),
        *_interval("diff_question", "difference, questions of several pairs resampled"),
        Column("p", FLOAT, "Two-sided exact conditional signed-rank p", "(0, 1]", True),
        Column("p_holm", FLOAT, "Holm's adjustment of p over its family", "(0, 1]", True),
        Column("n_family", INT, "Contrasts in that family", "contrasts", True),
        Column("rank_biserial", FLOAT, "Matched-pairs rank-biserial", "[-1, 1]", True),
        Column("wins", INT, "Pairs with a positive difference", "pairs", True),
        Column("losses", INT, "Pairs with a negative difference", "pairs", True),
        Column("ties", INT, "Pairs without one", "pairs", True),
        Column("n_nonzero", INT, "Pairs that the test ranks", "pairs", True),
        Column("margin", FLOAT, "Declared margin of non-regression", "points", True),
        Column(
            "inside_margin",
            BOOL,
            "Whether the whole interval lies inside it; missing where there is none",
            "",
            True,
        ),
    ),
)

FLOW = Schema(
    "flow",
    "From planned to graded answers by arm, with latency, injected tokens and exposure.",
    ("cohort", "judge", "set", "arm"),
    (
        Column("cohort", TEXT, "Cohort of the answers"),
        Column("judge", TEXT, "Label of the judge"),
        Column("caution", TEXT, "What its calibration says against its grades", "", True),
        Column("set", TEXT, "A question set, or pooled"),
        Column("arm", TEXT, "Arm"),
        Column("planned", INT, "Cells of the plan", "answers"),
        Column("attempted", INT, "Cells asked; missing where rows do not say", "answers", True),
        Column("completed", INT, "Answers with text", "answers", True),
        Column("empty", INT, "Answers without text", "answers", True),
        Column("failed", INT, "Cells that ended refused or in error", "answers", True),
        Column("truncated", INT, "Answers cut at their budget", "answers", True),
        Column("rerun", INT, "Answers of a second run at a larger budget", "answers", True),
        Column("judged", INT, "Answers that were put to the judge", "answers"),
        Column("graded", INT, "Of these, with a score", "answers"),
        Column("unparsed", INT, "Of these, whose judging ended unparsed", "answers"),
        *(
            Column(
                f"judge_{status}",
                INT,
                f"Of these, whose judging ended {status}; missing where rows do not tell it from "
                "unparsed",
                "answers",
                True,
            )
            for status in ("empty", "truncated", "refused", "error")
        ),
        Column(
            "judge_cut",
            INT,
            "Of these, cut at the judge's cap before they were shown; missing where rows do not "
            "say",
            "answers",
            True,
        ),
        Column("n_unknown", INT, "Cells of which rows do not say how they ended", "answers"),
        Column("mean_score", FLOAT, "Mean score of the graded", "[0, 5]", True),
        Column("latency_median", FLOAT, "Median latency", "s", True),
        Column("latency_median_upper", FLOAT, "Its upper median, as published", "s", True),
        Column("n_routed", INT, "Answers of which rows say whether a block was shown", "answers"),
        Column("engaged", INT, "Of these, with a block", "answers", True),
        Column("engagement", FLOAT, "Their share", "[0, 1]", True),
        Column("tokens_median", FLOAT, "Median injected tokens of the engaged", "tokens", True),
        Column("tokens_median_upper", FLOAT, "Its upper median, as published", "tokens", True),
        Column(
            "exposure_from",
            TEXT,
            "rows, or released (an aggregate taken over); missing without either",
            "",
            True,
        ),
        Column("blocks", INT, "Blocks whose exposure is known", "blocks", True),
        Column("exposure_mean", FLOAT, "Mean share of the gold proxy exposed", "[0, 1]", True),
        Column("exposure_median", FLOAT, "Median share", "[0, 1]", True),
        Column("exposure_min", FLOAT, "Least share", "[0, 1]", True),
        Column("exposure_max", FLOAT, "Greatest share", "[0, 1]", True),
        Column("exposure_zero", INT, "Blocks that expose none", "blocks", True),
        Column("exposure_full", INT, "Blocks that expose all", "blocks", True),
        Column("block_tokens", FLOAT, "Mean estimated tokens of these blocks", "tokens", True),
    ),
)

DIAGNOSTICS = Schema(
    "diagnostics",
    "What else the rows show that bears on how the tables may be read.",
    ("name", "what"),
    (
        Column("name", TEXT, "Diagnostic"),
        Column("what", TEXT, "Quantity, or the item that it is of"),
        Column("value", FLOAT, "Value; missing where undefined", "", True),
        *_interval("value", "value"),
        Column("n", INT, "Units that the value counts or averages", "", True),
        Column("of", INT, "Units looked at", "", True),
        Column("unit", TEXT, "Unit of value"),
        Column("source", TEXT, "Artefacts that it was computed from"),
        Column("judges", TEXTS, "Judges of the grades that it rests on; none where of no grades"),
        Column("caution", TEXT, "What calibration says against the study's judges", "", True),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")

TABLE6 = Schema(
    "table6",
    "Table 6 as printed: contrasts of the production study.",
    ("position",),
    (_POSITION, *CONTRASTS.columns),
)
TABLE6_FLOW = Schema(
    "table6_flow",
    "Table 6, second part, as printed: how the answers ended.",
    ("position",),
    (_POSITION, *FLOW.columns),
)
TABLE7 = Schema(
    "table7",
    "Table 7, upper panel, as printed: contrasts of the negative controls.",
    ("position",),
    (_POSITION, *CONTRASTS.columns),
)
TABLE7_FLOW = Schema(
    "table7_flow",
    "Table 7, lower panel, as printed: flow and block exposure by arm.",
    ("position",),
    (_POSITION, *FLOW.columns),
)
TABLE_DIAGNOSTICS = Schema(
    "diagnostics_table",
    "The diagnostics as printed.",
    ("position",),
    (_POSITION, *DIAGNOSTICS.columns),
)
