"""Artefacts of the semantic re-score (paper section 6, STUDIES section 1).

Cosines are whole ten-thousandths: what an encoder reproduces, compared exactly with a threshold.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT

COSINE_UNIT = "1/10000"
_WORDLESS = "Best cosine; missing where title or text has no word"

COSINES = Schema(
    "cosines",
    "The best cosine of any span of a text with a gold title: the frozen part of a re-score.",
    ("text", "gold"),
    (
        Column("text", TEXT, "sha256 of the text: a visible input or an answer"),
        Column("gold", TEXT, "sha256 of the normalised gold title"),
        Column("embedder", TEXT, "sha256 of all that decides a vector"),
        Column("cosine", INT, "Best cosine over the text's spans", COSINE_UNIT),
        Column("n_spans", INT, "Distinct spans of the text", "spans"),
        Column("n_long", INT, "Of these, beyond the encoder's window: scored by windows", "spans"),
    ),
)

TITLE_COSINES = Schema(
    "title_cosines",
    "The best cosine of a title with that of any other class of the corpus; frozen like `cosines`.",
    ("title",),
    (
        Column("title", TEXT, "sha256 of the normalised title"),
        Column("embedder", TEXT, "sha256 of all that decides a vector"),
        Column("against", TEXT, "sha256 of all normalised titles of the corpus, in its order"),
        Column("cosine", INT, "Best cosine with another class's title", COSINE_UNIT),
    ),
)

RESCORED_EXPOSURE = Schema(
    "rescored_exposure",
    "How near the visible input comes to each gold item.",
    ("question_id", "arm", "item"),
    (
        Column("question_id", TEXT, "Question"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("item", INT, "Index in the question's gold, from 0"),
        Column("slug", TEXT, "Gold class"),
        Column("cosine", INT, _WORDLESS, COSINE_UNIT, True),
        Column("exposed", BOOL, "By the paper's matcher"),
    ),
)

RESCORED_ITEMS = Schema(
    "rescored_items",
    "How near each answer comes to each gold item.",
    ("question_id", "model", "arm", "item"),
    (
        Column("question_id", TEXT, "Question"),
        Column("model", TEXT, "Label of the model"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("item", INT, "Index in the question's gold, from 0"),
        Column("cosine", INT, _WORDLESS, COSINE_UNIT, True),
        Column("recovered", BOOL, "By the paper's matcher"),
    ),
)


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


_MATCHER = (
    Column("matcher", TEXT, "paper, or cosine@ and the threshold"),
    Column("threshold", INT, "Least cosine of a hit; missing for the paper's", COSINE_UNIT, True),
)
_GAIN = (
    Column("gain", FLOAT, "Mean scaffold recall minus copy ceiling", "[-1, 1]", True),
    *_interval("gain_naive", "questions resampled"),
    *_interval("gain_domain", "domains resampled"),
)

RESCORE = Schema(
    "rescore",
    "Recall, copy ceiling and gain under each matcher; pooled models have counts alone.",
    ("model", "matcher", "policy"),
    (
        Column("model", TEXT, "Label of the model"),
        Column("group", TEXT, "model or reader (reference readers are set apart)"),
        *_MATCHER,
        Column("policy", TEXT, "What counts for completions that are not ok"),
        Column("n", INT, "Questions that count, times models where pooled", "questions"),
        Column("n_domains", INT, "Clusters of the clustered intervals", "domains", True),
        Column("raw_recall", FLOAT, "Mean recall without scaffold", "[0, 1]", True),
        Column("scaffold_recall", FLOAT, "Mean recall with scaffold", "[0, 1]", True),
        Column("uplift", FLOAT, "Mean paired difference", "[-1, 1]", True),
        *_interval("uplift_naive", "questions resampled"),
        *_interval("uplift_domain", "domains resampled"),
        Column("ceiling", FLOAT, "Mean score of the visible input", "[0, 1]", True),
        *_GAIN,
        Column("n_gold", INT, "Gold items, scaffold arm", "items"),
        Column("n11", INT, "Exposed and recovered", "items"),
        Column("n10", INT, "Exposed and omitted", "items"),
        Column("n01", INT, "Recovered without exposure", "items"),
        Column("n00", INT, "Neither", "items"),
        Column("n_lexical", INT, "Items the paper's matcher finds in the answers", "items", True),
        Column("n_lexical_kept", INT, "Of these, found by this matcher", "items", True),
    ),
)

RESCORE_CEILING = Schema(
    "rescore_ceiling",
    "The copy ceiling under each matcher: what the visible input of the scaffold arm scores.",
    ("matcher",),
    (
        *_MATCHER,
        Column("n", INT, "Questions", "questions"),
        Column("n_domains", INT, "Clusters of the clustered interval", "domains"),
        Column("ceiling", FLOAT, "Mean score of the visible input", "[0, 1]", True),
        *_interval("ceiling_naive", "questions resampled"),
        *_interval("ceiling_domain", "domains resampled"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_exposed", INT, "Items exposed", "items"),
        Column("n_lexical", INT, "Items the paper's matcher finds exposed", "items"),
        Column("n_lexical_kept", INT, "Of these, found by this matcher", "items"),
        Column("question_exposed", INT, "Items that the question alone exposes", "items"),
    ),
)

RESCORE_PUBLISHED = Schema(
    "rescore_published",
    "Ceilings of the re-score beside the published ones, which may be of another encoder.",
    ("matcher",),
    (
        *_MATCHER,
        Column("embedder", TEXT, "Encoder of our ceiling; missing for the paper's", "", True),
        Column("ceiling", FLOAT, "Our ceiling", "[0, 1]"),
        Column("n_exposed", INT, "Items exposed in ours", "items"),
        Column("published_embedder", TEXT, "Encoder of the published ceiling", "", True),
        Column("published_ceiling", FLOAT, "As published", "[0, 1]", True),
        Column("published_exposed", INT, "Published n11 + n10 of any one model", "items", True),
        Column("difference", FLOAT, "Ours minus the published one", "[-1, 1]", True),
    ),
)

TITLE_NEIGHBOURS = Schema(
    "title_neighbours",
    "How near each sampled title comes to another class's title, beside the paper's matcher.",
    ("title_slug",),
    (
        Column("title_slug", TEXT, "Class whose title is asked for"),
        Column("cosine", INT, "Best cosine; missing where it has no word", COSINE_UNIT, True),
        Column("lexical", BOOL, "Whether another title alone earns the paper's credit"),
    ),
)

NEIGHBOURS = Schema(
    "neighbours",
    "For how many sampled titles would another class's title be taken, by matcher?",
    ("matcher",),
    (
        *_MATCHER,
        Column("titles", INT, "Titles for which another title is a hit", "titles"),
        Column("of", INT, "Titles in the sample", "titles"),
        Column("share", FLOAT, "Their share", "[0, 1]", True),
        Column("unlexical", INT, "Of these, titles that the paper's matcher tells apart", "titles"),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")

TABLE_RESCORE = Schema(
    "rescore_table",
    "The re-score as printed.",
    ("position",),
    (_POSITION, *RESCORE.columns),
)
TABLE_RESCORE_CEILING = Schema(
    "rescore_ceiling_table",
    "Ceilings of the re-score as printed.",
    ("position",),
    (_POSITION, *RESCORE_CEILING.columns),
)
TABLE_RESCORE_PUBLISHED = Schema(
    "rescore_published_table",
    "Ceilings of the re-score beside the published ones, as printed.",
    ("position",),
    (_POSITION, *RESCORE_PUBLISHED.columns),
)
TABLE_NEIGHBOURS = Schema(
    "neighbours_table",
    "Titles near another title, as printed.",
    ("position",),
    (_POSITION, *NEIGHBOURS.columns),
)
FIGURE_RESCORE = Schema(
    "rescore_figure",
    "Gain over copy by threshold, what the figure draws.",
    ("model", "matcher"),
    (
        Column("model", TEXT, "Label of the model"),
        Column("group", TEXT, "model or reader"),
        Column("rank", INT, "Place in the legend, from 0"),
        *_MATCHER,
        *_GAIN,
    ),
)
