"""Artefacts of studies and tables: rates, intervals and what people read."""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


_ROW = (
    Column("model", TEXT, "Label of the model"),
    Column("group", TEXT, "model or reader (reference readers are set apart)"),
    Column("matcher", TEXT, "paper or strict"),
    Column("policy", TEXT, "What counts for completions that are not ok"),
)
_STATUSES = tuple(
    Column(f"{arm}_{status}", INT, f"Completions of the {arm} arm that ended {status}", "cells")
    for arm in ("raw", "scaffold")
    for status in ("ok", "empty", "truncated", "refused", "error")
)

SWEEP = Schema(
    "sweep",
    "Recall with and without the scaffold, against the copy ceiling (paper section 10.3).",
    ("model", "matcher", "policy"),
    (
        *_ROW,
        Column("n", INT, "Question pairs that count", "questions"),
        Column("n_domains", INT, "Clusters of the clustered intervals", "domains"),
        Column("raw_recall", FLOAT, "Mean recall without scaffold", "[0, 1]", True),
        Column("scaffold_recall", FLOAT, "Mean recall with scaffold", "[0, 1]", True),
        Column("uplift", FLOAT, "Mean paired difference", "[-1, 1]", True),
        *_interval("uplift_naive", "uplift, rows resampled"),
        *_interval("uplift_domain", "uplift, domains resampled"),
        Column("ceiling", FLOAT, "Mean copy ceiling", "[0, 1]", True),
        Column(
            "exposed_fraction", FLOAT, "Mean share of gold exposed, not collapsed", "[0, 1]", True
        ),
        Column("gain", FLOAT, "Mean scaffold recall minus copy ceiling", "[-1, 1]", True),
        *_interval("gain_naive", "gain, rows resampled"),
        *_interval("gain_domain", "gain, domains resampled"),
        *_STATUSES,
        Column("n_truncated_either", INT, "Questions truncated in either arm", "questions"),
        Column("raw_retried", INT, "Raw cells that took more than one try", "cells"),
        Column("scaffold_retried", INT, "Scaffold cells that took more than one try", "cells"),
        Column("raw_tries_unknown", INT, "Raw cells whose rows state no tries", "cells"),
        Column("scaffold_tries_unknown", INT, "Scaffold cells whose rows state no tries", "cells"),
    ),
)

DECOMPOSITION = Schema(
    "decomposition",
    "Gold items by exposure and recovery, scaffold arm (paper section 10.3, Table 5).",
    ("model", "matcher", "policy"),
    (
        *_ROW,
        Column("n", INT, "Questions that count", "questions"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_exposed", INT, "Items exposed", "items"),
        Column("n_hits", INT, "Items recovered", "items"),
        Column("n11", INT, "Exposed and recovered; missing where rows do not say", "items", True),
        Column("n10", INT, "Exposed and omitted", "items", True),
        Column("n01", INT, "Recovered without exposure", "items", True),
        Column("n00", INT, "Neither", "items", True),
        Column("n11_low", INT, "Least n11 that the rows allow", "items"),
        Column("n11_high", INT, "Most n11 that the rows allow", "items"),
        Column("utilisation", FLOAT, "n11 / (n11 + n10)", "[0, 1]", True),
        *_interval("utilisation_domain", "utilisation, domains resampled"),
        Column("unexposed_recovery", FLOAT, "n01 / (n01 + n00)", "[0, 1]", True),
        Column("n10_any", INT, "n10 in questions that any one item answers", "items", True),
        Column("n10_compliant", INT, "Of these, where another item answered", "items", True),
        Column("omission_rate", FLOAT, "n10 / (n11 + n10)", "[0, 1]", True),
        Column("omission_rate_adjusted", FLOAT, "Without compliant omissions", "[0, 1]", True),
        Column("n_retried", INT, "Rows that took more than one try", "questions"),
    ),
)

FIGURE3 = Schema(
    "figure3",
    "Gain over copy by model, what Figure 3 draws.",
    ("model",),
    (
        Column("model", TEXT, "Label of the model"),
        Column("group", TEXT, "model or reader"),
        Column("rank", INT, "Place from the top, from 0"),
        Column("gain", FLOAT, "Mean scaffold recall minus copy ceiling", "[-1, 1]", True),
        *_interval("gain_naive", "rows resampled"),
        *_interval("gain_domain", "domains resampled"),
    ),
)

CONFUSION = Schema(
    "confusion",
    "For how many titles of the corpus does another title alone earn credit (DESIGN section 9)?",
    ("title_slug",),
    (
        Column("title_slug", TEXT, "Class whose title is asked for"),
        Column("matchable", BOOL, "Whether the matcher can see the title"),
        Column("n_substring", INT, "Other classes whose title holds it as a substring", "classes"),
        Column("n_word_bag", INT, "Other classes whose title earns credit by words", "classes"),
        Column("n_strict", INT, "Other classes whose title earns strict credit", "classes"),
        Column("antonym", TEXT, "The title with one word turned into its opposite", "", True),
        Column("antonym_credited", BOOL, "Whether that alone earns credit", "", True),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")

TABLE4 = Schema(
    "table4",
    "Table 4 as printed: rows of the sweep study.",
    ("position",),
    (_POSITION, *SWEEP.columns),
)
TABLE5 = Schema(
    "table5",
    "Table 5 as printed: rows of the decomposition.",
    ("position",),
    (_POSITION, *DECOMPOSITION.columns),
)
TABLE_CONFUSION = Schema(
    "confusion_table",
    "The confusion census, summed up.",
    ("position",),
    (
        _POSITION,
        Column("measure", TEXT, "Titles for which"),
        Column("titles", INT, "How many", "titles"),
        Column("of", INT, "Titles in the census", "titles"),
        Column("share", FLOAT, "Their share", "[0, 1]", True),
    ),
)
