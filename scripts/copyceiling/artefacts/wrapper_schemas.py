"""Artefacts of the wrapper ablation: what was shown, what came of each gold item, the study.

Source: paper section 10.4 and its conclusion, experiment (iii).
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

_SET = Column("set", TEXT, "How contexts leave gold out: retrieval or withheld")
_QUESTION = Column("question_id", TEXT, "Question")
_TEMPLATE = Column("template", TEXT, "Template of the question")
_DOMAIN = Column("domain", TEXT, "Domain of the question")
_MODEL = Column("model", TEXT, "Label of the model")
_ARM = Column("arm", TEXT, "A wrapper, or raw (the question alone)")
_SETS = Column("set", TEXT, "retrieval, withheld, or (pooled)")
_SCOPE = Column(
    "scope",
    TEXT,
    "left_out: no arm's visible input exposes the item; shown: every context does; by the matcher "
    "of the row (left out by paper's under both)",
)
_MATCHER = Column("matcher", TEXT, "paper or strict")
_POLICY = Column("policy", TEXT, "as_received, as_wrong or complete_case")

WRAPPER_TEXTS = Schema(
    "wrapper_texts",
    "What each wrapper puts before the block.",
    ("arm",),
    (
        Column("arm", TEXT, "Wrapper"),
        Column("version", INT, "Version of the file of wrappers"),
        Column("sha256", TEXT, "sha256 of the text's UTF-8 bytes"),
        Column("tokens", INT, "Estimated tokens of the text (characters / 4)", "tokens"),
        Column("text", TEXT, "The text"),
    ),
)

WRAPPER_POOL = Schema(
    "wrapper_pool",
    "Questions by set: what their context leaves out, whether they were drawn, or why not.",
    ("set", "question_id"),
    (
        _SET,
        _QUESTION,
        _TEMPLATE,
        _DOMAIN,
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_shown", INT, "Of those, exposed by the visible input", "items", True),
        Column("n_left_out", INT, "Of those, not exposed", "items", True),
        Column("reason", TEXT, "Why there is no context for the set", "", True),
        Column("chosen", BOOL, "Whether the question was drawn"),
    ),
)

WRAPPER_ITEMS = Schema(
    "wrapper_items",
    "What the context of each question drawn exposes; the same under every wrapper.",
    ("set", "question_id", "item"),
    (
        _SET,
        _QUESTION,
        Column("item", INT, "Index in the question's gold, from 0"),
        Column("slug", TEXT, "Gold class"),
        Column("title", TEXT, "Gold title"),
        Column(
            "others", TEXTS, "Other names that the question is about: gold, extra gold, subjects"
        ),
        _TEMPLATE,
        _DOMAIN,
        Column("path", TEXT, "substring, word_bag, none or unmatchable, with a block"),
        Column("exposed", BOOL, "By the paper's matcher, with a block"),
        Column("exposed_strict", BOOL, "By the strict matcher, with a block"),
        Column("question_exposed", BOOL, "By the paper's matcher, by the question alone"),
        Column(
            "question_words",
            FLOAT,
            "Share of the title's words of four letters or more that stand in the question",
            "[0, 1]",
            True,
        ),
        Column("withheld", BOOL, "Whether the block was made without it"),
    ),
)

WRAPPER_OUTCOMES = Schema(
    "wrapper_outcomes",
    "What came of each gold item in each answer.",
    ("set", "question_id", "arm", "model", "item", "matcher"),
    (
        _SET,
        _QUESTION,
        _ARM,
        _MODEL,
        Column("item", INT, "Index in the question's gold, from 0"),
        _MATCHER,
        _DOMAIN,
        _SCOPE,
        Column("status", TEXT, "Status of the completion"),
        Column(
            "near", BOOL, "Whether half of the title's long words or more stand in the question"
        ),
        Column("credited", BOOL, "Whether the matcher credits the item in the answer"),
        Column("denied", BOOL, "Whether every sentence that names it denies it"),
        Column("closed", BOOL, "Whether the answer says that there is nothing (more)"),
        Column("declined", BOOL, "Whether the answer says that it does not know"),
        Column(
            "outcome",
            TEXT,
            "failed, contradicted, recovered, abstained, truncated or omitted; the first that fits",
        ),
        Column("signature", TEXT, "Matchers and phrase rules, with their versions"),
    ),
)

_COUNTS = tuple(
    Column(name, INT, doc, "items")
    for name, doc in (
        ("recovered", "Items credited and not denied"),
        ("contradicted", "Items denied by name, or by an answer that says there is nothing more"),
        ("abstained", "Items of answers that decline"),
        ("omitted", "Items of whole answers that pass them over"),
        ("truncated", "Items of answers cut at their budget before naming them"),
        ("failed", "Items of answers that came empty, refused or not at all"),
    )
)

WRAPPER_RATES = Schema(
    "wrapper_rates",
    "Outcomes of gold items by arm; the six counts sum to the number of items. An interval is "
    "missing where all questions, or domains, have the same share.",
    ("model", "set", "scope", "arm", "matcher", "policy"),
    (
        _MODEL,
        _SETS,
        _SCOPE,
        _ARM,
        _MATCHER,
        _POLICY,
        Column("n_questions", INT, "Questions", "questions"),
        Column("n_domains", INT, "Domains that they come from", "domains"),
        Column("n_items", INT, "Gold items", "items"),
        Column("credited", INT, "n01 where left out, n11 where shown: by the matcher", "items"),
        Column(
            "credited_near",
            INT,
            "Of those, items half of whose long words or more stand in the question",
            "items",
        ),
        *_COUNTS,
        Column("rate", FLOAT, "credited / n_items", "[0, 1]", True),
        Column("rate_question_low", FLOAT, "Lower bound, questions resampled", "", True),
        Column("rate_question_high", FLOAT, "Upper bound, questions resampled", "", True),
        Column("rate_domain_low", FLOAT, "Lower bound, domains resampled", "", True),
        Column("rate_domain_high", FLOAT, "Upper bound, domains resampled", "", True),
    ),
)

WRAPPER_CONTRASTS = Schema(
    "wrapper_contrasts",
    "Shares of gold items in two arms on the same questions: difference, intervals (missing where "
    "all questions, or domains, differ by the same, or not at all), exact test.",
    ("model", "set", "scope", "matcher", "policy", "measure", "first", "second"),
    (
        _MODEL,
        _SETS,
        _SCOPE,
        _MATCHER,
        _POLICY,
        Column("measure", TEXT, "credited, or an outcome"),
        Column("first", TEXT, "Arm"),
        Column("second", TEXT, "Arm that is subtracted"),
        Column("n_questions", INT, "Questions in both arms", "questions"),
        Column("n_items", INT, "Gold items of each arm", "items"),
        Column("rate_first", FLOAT, "Share in the first arm", "[0, 1]", True),
        Column("rate_second", FLOAT, "Share in the second arm", "[0, 1]", True),
        Column("diff", FLOAT, "Difference of the shares", "[-1, 1]", True),
        Column("diff_question_low", FLOAT, "Lower bound, questions resampled", "", True),
        Column("diff_question_high", FLOAT, "Upper bound, questions resampled", "", True),
        Column("diff_domain_low", FLOAT, "Lower bound, domains resampled", "", True),
        Column("diff_domain_high", FLOAT, "Upper bound, domains resampled", "", True),
        Column("p", FLOAT, "Two-sided exact signed-rank p over questions", "(0, 1]", True),
        Column("p_holm", FLOAT, "Holm's adjustment over the contrasts of the measure", "", True),
        Column("n_family", INT, "Contrasts in that family", "contrasts", True),
        Column("rank_biserial", FLOAT, "Matched-pairs rank-biserial", "[-1, 1]", True),
        Column("wins", INT, "Questions with a larger share in the first arm", "questions"),
        Column("losses", INT, "Questions with a smaller one", "questions"),
        Column("ties", INT, "Questions with the same", "questions"),
    ),
)

WRAPPER_FLOW = Schema(
    "wrapper_flow",
    "How the answers ended by arm, and how many decline or close.",
    ("model", "set", "arm"),
    (
        _MODEL,
        _SETS,
        _ARM,
        Column("planned", INT, "Planned answers", "answers"),
        *(
            Column(status, INT, f"Answers that ended {status}", "answers")
            for status in ("ok", "truncated", "empty", "refused", "error")
        ),
        Column("declined", INT, "Answers that say that they do not know", "answers"),
        Column("closed", INT, "Answers that say that there is nothing (more)", "answers"),
        Column("words", FLOAT, "Mean words of an answer with text", "words", True),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")

TABLE_WRAPPERS = Schema(
    "wrappers_table",
    "The wrapper ablation as printed: outcomes by arm.",
    ("position",),
    (_POSITION, *WRAPPER_RATES.columns),
)
TABLE_WRAPPER_CONTRASTS = Schema(
    "wrapper_contrasts_table",
    "The wrapper ablation as printed: contrasts.",
    ("position",),
    (_POSITION, *WRAPPER_CONTRASTS.columns),
)
TABLE_WRAPPER_FLOW = Schema(
    "wrapper_flow_table",
    "The wrapper ablation as printed: how the answers ended.",
    ("position",),
    (_POSITION, *WRAPPER_FLOW.columns),
)
TABLE_WRAPPER_TEXTS = Schema(
    "wrapper_texts_table",
    "The wrappers as printed.",
    ("position",),
    (_POSITION, *WRAPPER_TEXTS.columns),
)
