"""Artefacts of the audit's analyses and of the rewritten questions.

Source: paper sections 8, 10.2 and 10.4, STUDIES sections 2 and 5.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import FLOAT, INT, TEXT


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


_POSITION = Column("position", INT, "Place in the table as printed, from 0")
_PART = Column("part", TEXT, "sample (of the scaffold arm) or raw_hits (credited without scaffold)")
_CATEGORY = Column("category", TEXT, "n11, n10, n01 or n00 by the matcher")
_READING = (
    Column("rule", TEXT, "What repairs a quote: as_run, or verbatim (but for white space)"),
    Column("reading", TEXT, "Unresolved verdicts: stands, withdrawn (absent) or excluded"),
)
_WILSON = _interval("wilson", "Wilson, units taken for independent")
# Whose verdicts a row rests on; `_PANEL_KEY` is part of the key of every analysis.
_PANEL = (
    Column("judge", TEXT, "Label of the judge"),
    Column("place", INT, "Its place among the study's judges, from 0; the first is the main one"),
    Column("kind", TEXT, "model or rule"),
    Column("form", TEXT, "How it is asked and read: ours, released, or an ablation"),
    Column("caution", TEXT, "What its calibration says against its verdicts", "", True),
)
_PANEL_KEY = ("judge", "form")

AUDIT_RATES = Schema(
    "audit_rates",
    "Rates of the audited units by matcher category, in each reading of unresolved verdicts.",
    (*_PANEL_KEY, "part", "category", "rate", "by", "group", "rule", "reading"),
    (
        *_PANEL,
        _PART,
        _CATEGORY,
        Column("rate", TEXT, "What is counted: correct, name_only, wrong, absent, named ..."),
        Column("by", TEXT, "all, template, gold_type or model"),
        Column("group", TEXT, "Which template, gold type or model; (all) for all"),
        *_READING,
        Column("k", INT, "Units counted", "units"),
        Column("n", INT, "Units with a verdict under this reading", "units"),
        Column("n_left_out", INT, "Units excluded, or whose reply did not parse", "units"),
        Column("share", FLOAT, "k / n", "[0, 1]", True),
        *_WILSON,
        *_interval("question", "questions resampled; missing by group and where k is 0 or n"),
        Column("n_questions", INT, "Distinct questions among the n units", "questions"),
        Column(
            "leaning",
            TEXT,
            "less or more: which of stands and withdrawn favours the matcher; same where equal",
            "",
            True,
        ),
    ),
)

AUDIT_CONFUSION = Schema(
    "audit_confusion",
    "Audited units by matcher category and what was found, before any reading.",
    (*_PANEL_KEY, "part", "category", "field", "value"),
    (
        *_PANEL,
        _PART,
        _CATEGORY,
        Column("field", TEXT, "label, role, gate, repair, cell (template|gold type) or model"),
        Column("value", TEXT, "Value of that field"),
        Column("n", INT, "Units", "units"),
        Column("of", INT, "Units of the category", "units"),
        Column("share", FLOAT, "n / of", "[0, 1]", True),
        *_WILSON,
    ),
)

AUDIT_CORRECTED = Schema(
    "audit_corrected",
    "Share of exposed items that answers assert in the relation asked for, over the whole frame.",
    (*_PANEL_KEY, "rule", "reading", "clusters"),
    (
        *_PANEL,
        *_READING,
        Column("clusters", TEXT, "What is resampled: question or model"),
        Column("weight_n11", INT, "Frame units exposed and credited", "units", True),
        Column("weight_n10", INT, "Frame units exposed and omitted", "units", True),
        Column("weights_from", TEXT, "rows, census or declared; bounds where not determined"),
        Column("rate_n11", FLOAT, "Share judged correct among n11", "[0, 1]", True),
        Column("rate_n10", FLOAT, "Share judged correct among n10", "[0, 1]", True),
        Column("n_clusters_n11", INT, "Clusters of the n11 sample", "clusters"),
        Column("n_clusters_n10", INT, "Clusters of the n10 sample", "clusters"),
        Column("n_left_n11", INT, "Units of n11 without a verdict, or excluded", "units"),
        Column("n_left_n10", INT, "Units of n10 without a verdict, or excluded", "units"),
        Column("least", FLOAT, "The rate if none of those units were correct", "[0, 1]", True),
        Column("most", FLOAT, "The rate if all of them were", "[0, 1]", True),
        Column("value", FLOAT, "Frame-weighted rate", "[0, 1]", True),
        *_interval("cluster", "clusters resampled within strata"),
        *_interval("naive", "weighted Wilson bounds; not valid for this design"),
        Column("matcher_rate", FLOAT, "Share of exposed items that the matcher credits", "", True),
        Column("gap", FLOAT, "Matcher's rate minus the corrected one", "[-1, 1]", True),
    ),
)

AUDIT_FRAME = Schema(
    "audit_frame",
    "Units of the frame that the audit draws from, by category, and how they are known.",
    ("model", "template", "gold_type", "category"),
    (
        Column("model", TEXT, "Label of the model; (pooled) for all"),
        Column("template", TEXT, "Question template; (all) for all"),
        Column("gold_type", TEXT, "all or any; (all) for both"),
        _CATEGORY,
        Column("n", INT, "Units; missing where only bounded", "units", True),
        Column("n_low", INT, "Least that the sweep's rows allow", "units"),
        Column("n_high", INT, "Most that the sweep's rows allow", "units"),
        Column(
            "source",
            TEXT,
            "rows (the sweep's own), census (of a category audited whole), declared, or bounds",
        ),
        Column("n_sampled", INT, "Units audited", "units"),
        Column("n_allocated", INT, "Units a proportional allocation would audit", "units", True),
    ),
)

AUDIT_MECHANISMS = Schema(
    "audit_mechanisms",
    "Traits of gold titles that mislead the matcher: frame units, and verdicts of sampled ones.",
    (*_PANEL_KEY, "mechanism", "category"),
    (
        *_PANEL,
        Column("mechanism", TEXT, "Trait of a gold title, given its question's subjects"),
        _CATEGORY,
        Column("n_titles", INT, "Distinct gold titles with the trait, whatever category", "titles"),
        Column("n_frame", INT, "Frame units with the trait, whatever category", "units"),
        Column("n", INT, "Frame units with the trait; missing where only bounded", "units", True),
        Column("n_low", INT, "Least that the rows allow", "units"),
        Column("n_high", INT, "Most that the rows allow", "units"),
        Column("n_word_bag", INT, "Of these credited by words alone", "units", True),
        Column("n_sampled", INT, "Of these audited", "units"),
        Column("n_correct", INT, "Of these judged correct_relation, before the gate", "units"),
    ),
)

MECHANISMS = Schema(
    "mechanisms",
    "How credit comes about, or fails to, counted over every gold item of the scaffold arm.",
    ("model", "mechanism", "category"),
    (
        Column("model", TEXT, "Label of the model; (pooled) for all but reference readers"),
        Column("group", TEXT, "model or reader (reference readers are set apart)"),
        Column("mechanism", TEXT, "Property of a unit"),
        _CATEGORY,
        Column("n", INT, "Units with the property", "units"),
        Column("of", INT, "Units of the category", "units"),
    ),
)

RUN_TOGETHER = Schema(
    "run_together",
    "Gold titles written without spaces: credited as written, or missed where written apart?",
    ("title",),
    (
        Column("title", TEXT, "Gold title"),
        Column("spaced", TEXT, "The same with its words apart"),
        Column("n", INT, "Units of models (readers left out)", "units"),
        Column("n_substring", INT, "Credited as a substring", "units"),
        Column("n_word_bag", INT, "Credited by words", "units"),
        Column("n_spaced", INT, "Omitted, though the answer has the spaced form", "units"),
        Column("n_absent", INT, "Omitted, and not there in the spaced form either", "units"),
    ),
)

EXPOSURE_CHECK = Schema(
    "exposure_check",
    "Released counts of exposed items against those recomputed from the corpus.",
    ("model",),
    (
        Column("model", TEXT, "Label of the model"),
        Column("n", INT, "Released rows of the scaffold arm", "rows"),
        Column("n_unstated", INT, "Rows that state no count", "rows"),
        Column("n_mismatches", INT, "Rows whose count differs from ours", "rows"),
    ),
)

PARAPHRASE = Schema(
    "paraphrase",
    "Exposure under rewritten questions: means, shares, and what semantic retrieval recovers.",
    ("measure", "subset"),
    (
        Column("measure", TEXT, "What is measured"),
        Column("subset", TEXT, "all accepted, failing (lexical ceiling < 0.5) or others"),
        Column("k", INT, "Questions counted, where the value is a share", "questions", True),
        Column("n", INT, "Questions", "questions"),
        Column("value", FLOAT, "Mean, or share k / n", "", True),
        *_interval("naive", "questions resampled"),
        *_interval("domain", "domains resampled"),
        Column("caution", TEXT, "What the value must not be read as", "", True),
    ),
)

TABLE3 = Schema(
    "table3",
    "Table 3 as printed: audited units by category and verdict.",
    ("position",),
    (_POSITION, *AUDIT_CONFUSION.columns),
)
TABLE_AUDIT_RATES = Schema(
    "audit_rates_table",
    "Rates of the audit as printed.",
    ("position",),
    (_POSITION, *AUDIT_RATES.columns),
)
TABLE_AUDIT_CORRECTED = Schema(
    "audit_corrected_table",
    "The corrected rate as printed.",
    ("position",),
    (_POSITION, *AUDIT_CORRECTED.columns),
)
TABLE_AUDIT_FRAME = Schema(
    "audit_frame_table",
    "Frame and sample as printed: pooled over models.",
    ("position",),
    (_POSITION, *AUDIT_FRAME.columns),
)
TABLE_AUDIT_MECHANISMS = Schema(
    "audit_mechanisms_table",
    "Traits of gold titles as printed.",
    ("position",),
    (_POSITION, *AUDIT_MECHANISMS.columns),
)
TABLE_MECHANISMS = Schema(
    "mechanisms_table",
    "Mechanisms of credit as printed.",
    ("position",),
    (_POSITION, *MECHANISMS.columns),
)
TABLE_RUN_TOGETHER = Schema(
    "run_together_table",
    "Run-together titles as printed.",
    ("position",),
    (_POSITION, *RUN_TOGETHER.columns),
)
TABLE_PARAPHRASE = Schema(
    "paraphrase_table",
    "Exposure under rewritten questions as printed.",
    ("position",),
    (_POSITION, *PARAPHRASE.columns),
)
