"""Artefacts of the overview tables: stages of a request, questions asked, terms resolved.

Source: paper Tables 1, 2 and 8.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT

_POSITION = Column("position", INT, "Place in the table as printed, from 0")

PIPELINE = Schema(
    "pipeline",
    "What each stage of a grounded request takes, gives and costs (paper section 4).",
    ("position",),
    (
        _POSITION,
        Column("stage", TEXT, "Stage of a request"),
        Column("model", TEXT, "Label of the model that is called, empty where none is"),
        Column("needs_model", BOOL, "Whether the stage calls a model"),
        Column("takes", TEXT, "What goes in"),
        Column("size_in", FLOAT, "How much goes in, median over requests", "unit_in", True),
        Column("unit_in", TEXT, "Unit of size_in"),
        Column("gives", TEXT, "What comes out"),
        Column("size_out", FLOAT, "How much comes out, median over requests", "unit_out", True),
        Column("unit_out", TEXT, "Unit of size_out"),
        Column("n", INT, "Requests (questions, or calls of a model)", "requests"),
        Column("status", TEXT, "measured here, on record, or why there is no latency"),
        Column("median_ms", FLOAT, "Latency, median over requests", "ms", True, True),
        Column("p95_ms", FLOAT, "Latency, 95th percentile over requests", "ms", True, True),
        Column("first_ms", FLOAT, "Latency at first sight, median over requests", "ms", True, True),
        Column("passes", INT, "Repeats whose median counts, a request", "passes", True, True),
        Column("machine", TEXT, "Where it was measured", "", True, True),
    ),
)

OVERVIEW = Schema(
    "overview",
    "Each question that may be asked of a grounded system, and what this study observed.",
    ("position", "finding"),
    (
        _POSITION,
        Column("finding", INT, "Place among the findings of its question, from 0"),
        Column("key", TEXT, "Short name of the question"),
        Column("question", TEXT, "The question"),
        Column("instrument", TEXT, "What answers it"),
        Column("source", TEXT, "Artefact that holds the answer, missing where none can", "", True),
        Column("status", TEXT, "measured, no_rows, only_readers, not_in_study or not_measured"),
        Column("n", INT, "Size of the population, missing where nothing was measured", "", True),
        Column("population", TEXT, "What n counts", "", True),
        Column("what", TEXT, "What was observed; missing where nothing was", "", True),
        Column("form", TEXT, "share, signed, score, count or bounds", "", True),
        Column("value", FLOAT, "The value observed", "", True),
        Column("low", FLOAT, "Lower bound of its interval, or of the value", "", True),
        Column("high", FLOAT, "Upper bound of its interval, or of the value", "", True),
        Column("of", INT, "What a count is out of", "", True),
        Column("remains", TEXT, "What stays open"),
    ),
)

TERM_ITEMS = Schema(
    "term_items",
    "Whether each term of each assertion names a class of the corpus.",
    ("arm", "assertion", "place"),
    (
        Column("arm", TEXT, "Label of the arm or model that wrote the assertion"),
        Column("assertion", TEXT, "Id of the assertion, unique within its arm"),
        Column("episode", TEXT, "Episode it was extracted from", "", True),
        Column("place", INT, "Index of the term in its assertion, from 0"),
        Column("term", TEXT, "The term as written"),
        Column("norm", TEXT, "The term as compared"),
        Column("path", TEXT, "title, slug, synonym, none or unmatchable"),
        Column("slug", TEXT, "Class it resolves to", "", True),
    ),
)

TERMS = Schema(
    "terms",
    "How many terms of the assertions of an arm name a class of the corpus (paper section 11).",
    ("arm",),
    (
        Column("arm", TEXT, "Label of the arm or model"),
        Column("n_assertions", INT, "Assertions", "assertions"),
        Column("n_without_terms", INT, "Assertions without any term", "assertions"),
        Column("n_episodes", INT, "Episodes; missing where a row states none", "episodes", True),
        Column("n_terms", INT, "Terms, repeats counted", "terms"),
        Column("n_resolved", INT, "Terms that name a class", "terms"),
        Column("by_title", INT, "Of these, by a class's title", "terms"),
        Column("by_slug", INT, "Of these, by the words of a class's slug", "terms"),
        Column("by_synonym", INT, "Of these, by a synonym of a class", "terms"),
        Column("n_unmatchable", INT, "Terms that normalise to nothing", "terms"),
        Column("resolved", FLOAT, "Terms that name a class / terms", "[0, 1]", True),
        Column("wilson_low", FLOAT, "Lower bound, terms taken for independent", "", True),
        Column("wilson_high", FLOAT, "Upper bound, terms taken for independent", "", True),
        Column("episode_low", FLOAT, "Lower bound, episodes resampled", "", True),
        Column("episode_high", FLOAT, "Upper bound, episodes resampled", "", True),
        Column("n_confidence", INT, "Assertions that state a confidence", "assertions"),
        Column("confidence", FLOAT, "Mean stated confidence", "[0, 1]", True),
        Column("n_timed", INT, "Episodes whose seconds are known", "episodes"),
        Column("seconds", FLOAT, "Mean seconds an episode", "s", True),
        Column(
            "n_garbled", INT, "Assertions with a garbled name; missing without a list", "", True
        ),
    ),
)

TABLE1 = Schema("table1", "Table 1 as printed: stages in order.", ("position",), PIPELINE.columns)
TABLE2 = Schema(
    "table2",
    "Table 2 as printed: questions in order, a row a finding.",
    ("position", "finding"),
    OVERVIEW.columns,
)
TABLE8 = Schema(
    "table8",
    "Table 8 as printed: arms by the share of terms that resolve.",
    ("position",),
    (_POSITION, *TERMS.columns),
)
