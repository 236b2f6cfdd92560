"""Every artefact of the pipeline up to the scores, in order of the stages.

The tables' schemas stand in `copyceiling.artefacts.study_schemas`.
"""

import pyarrow as pa

from copyceiling.artefacts.schema import Column, Schema

TEXT, INT, FLOAT, BOOL = pa.string(), pa.int64(), pa.float64(), pa.bool_()
TEXTS = pa.list_(TEXT)
RELATIONS = pa.list_(pa.struct([("type", TEXT), ("targets", TEXTS)]))
GOLD = pa.list_(pa.struct([("slug", TEXT), ("title", TEXT)]))
SEEDS = pa.list_(pa.struct([("slug", TEXT), ("score", FLOAT)]))

CLASSES = Schema(
    "classes",
    "The classes of the corpus after its checks.",
    ("slug",),
    (
        Column("slug", TEXT, "Name in this pipeline, [a-z0-9-]+, unique"),
        Column("position", INT, "Place in corpus order, from 0"),
        Column("id", TEXT, "Identifier as the source gives it"),
        Column("title", TEXT, "Preferred name"),
        Column("definition", TEXT, "Definition, possibly empty"),
        Column("domain", TEXT, "Part of the corpus it belongs to", nullable=True),
        Column("quality", FLOAT, "Editorial quality, missing where none is stated", "[0, 1]", True),
        Column("maturity", TEXT, "Maturity as stated", nullable=True),
        Column("synonyms", TEXTS, "Other names"),
        Column("parents", TEXTS, "Direct parents, in order of assertion"),
        Column("ancestors", TEXTS, "Inferred ancestors that are not direct, nearest first"),
        Column("relations", RELATIONS, "Relation types with their targets"),
    ),
)

GENERATION = Schema(
    "generation",
    "Which corpus this is.",
    ("name",),
    (
        Column("name", TEXT, "Name of the corpus"),
        Column("version", TEXT, "Version as the source states it"),
        Column("source", TEXT, "Where it comes from"),
        Column("licence", TEXT, "Licence of its content"),
        Column("sha256", TEXT, "sha256 of its bytes (of names and sha256 of pages for a folder)"),
        Column("n_read", INT, "Classes read from the source", "classes"),
        Column("n_classes", INT, "Classes kept", "classes"),
        Column("n_unmatchable", INT, "Classes whose title the matcher cannot see", "classes"),
        Column("n_issues", INT, "Faults that the policy reported", "faults"),
    ),
)

ISSUES = Schema(
    "corpus_issues",
    "Faults of the corpus that its policy reports without stopping.",
    ("number",),
    (
        Column("number", INT, "Order of finding, from 0"),
        Column("kind", TEXT, "Kind of fault"),
        Column("where", TEXT, "File, and line or record"),
        Column("field", TEXT, "Field of the class"),
        Column("detail", TEXT, "What was found"),
    ),
)

QUESTIONS = Schema(
    "questions",
    "Questions with gold answers.",
    ("id",),
    (
        Column("id", TEXT, "q0001 and on, in order of generation"),
        Column("key", TEXT, "What is asked, stable across wordings"),
        Column("domain", TEXT, "Domain of the subject; the cluster of clustered intervals"),
        Column("template", TEXT, "T-REL, T-TAX or T-COMMON"),
        Column("class_slugs", TEXTS, "The subject, or two subjects"),
        Column("prompt", TEXT, "What the model is asked"),
        Column("retrieval_text", TEXT, "What retrieval sees"),
        Column("gold", GOLD, "Items that answer the question"),
        Column("gold_type", TEXT, "all items are asked for, or any one"),
        Column("gold_extra", GOLD, "Further correct items, scored apart"),
    ),
)

SCAFFOLDS = Schema(
    "scaffolds",
    "The frozen context of each question and what the model is shown.",
    ("question_id",),
    (
        Column("question_id", TEXT, "Question"),
        Column("seeds", SEEDS, "Retrieved classes with their scores, best first"),
        Column("block", TEXT, "Context block, empty if nothing was retrieved"),
        Column("block_sha256", TEXT, "sha256 of the block's UTF-8 bytes"),
        Column("injected_tokens", INT, "Estimated tokens of preamble and block", "tokens"),
        Column("n_sections", INT, "Seeds whose section fitted", "sections"),
        Column("engaged", BOOL, "Whether there is a block"),
        Column("preamble", TEXT, "Text before the block in the system message"),
        Column("prompt", TEXT, "The user message"),
    ),
)

EXPOSURE = Schema(
    "exposure",
    "Whether each gold item is exposed by what the model is shown.",
    ("question_id", "item"),
    (
        Column("question_id", TEXT, "Question"),
        Column("item", INT, "Index in the question's gold, from 0"),
        Column("slug", TEXT, "Gold class"),
        Column("title", TEXT, "Gold title"),
        Column("path", TEXT, "substring, word_bag, none or unmatchable, in the scaffold arm"),
        Column("exposed", BOOL, "By the paper's matcher, in the scaffold arm"),
        Column("exposed_strict", BOOL, "By the strict matcher, in the scaffold arm"),
        Column("question_path", TEXT, "As path, for the question alone"),
        Column("question_exposed", BOOL, "By the paper's matcher, by the question alone"),
        Column("question_exposed_strict", BOOL, "By the strict matcher, by the question alone"),
    ),
)

# One call as frozen. Volatile columns say how it went, not what was answered.
CALLS = Schema(
    "calls",
    "Outcomes of model calls by key: the frozen part of a sweep.",
    ("key",),
    (
        Column("key", TEXT, "sha256 of the canonical call"),
        Column("model", TEXT, "Label of the model"),
        Column("question_id", TEXT, "Question it was asked for"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("repeat", INT, "Index of the repeat, from 0"),
        Column("budget", INT, "Completion budget", "tokens"),
        Column("status", TEXT, "ok, empty, truncated, refused or error"),
        Column("answer", TEXT, "Text received"),
        Column("finish_reason", TEXT, "As the provider states it", nullable=True),
        Column("prompt_tokens", INT, "As counted by the provider", "tokens", True),
        Column("completion_tokens", INT, "As counted by the provider", "tokens", True),
        Column("tries", INT, "Transport tries", "tries"),
        Column("error", TEXT, "What went wrong", nullable=True),
        Column("response_model", TEXT, "Name the provider echoed", "", True, True),
        Column("latency_ms", FLOAT, "Wall time of the last try", "ms", True, True),
        Column("cost_usd", FLOAT, "Price of the call", "USD", True, True),
    ),
)

ATTEMPTS = Schema(
    "attempts",
    "Every try of every frozen call, as the ledger has it.",
    ("key", "try"),
    (
        Column("key", TEXT, "sha256 of the canonical call"),
        Column("try", INT, "Number of the try, from 1"),
        Column("budget", INT, "Completion budget", "tokens"),
        Column("state", TEXT, "done, failed, or unknown where no end is on record"),
        Column("status", TEXT, "Status of the response, if one came", nullable=True),
        Column("finish_reason", TEXT, "As the provider states it", nullable=True),
        Column("prompt_tokens", INT, "As counted by the provider", "tokens", True),
        Column("completion_tokens", INT, "As counted by the provider", "tokens", True),
        Column("error_kind", TEXT, "Short name of what went wrong", nullable=True),
        Column("http_status", INT, "HTTP status of the failure", "", True),
        Column("latency_ms", FLOAT, "Wall time of the try", "ms", True, True),
        Column("cost_usd", FLOAT, "Price of the try", "USD", True, True),
    ),
)

COMPLETIONS = Schema(
    "completions",
    "How each planned cell ended.",
    ("question_id", "model", "arm"),
    (
        Column("question_id", TEXT, "Question"),
        Column("model", TEXT, "Label of the model"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("key", TEXT, "Key of the call that counts"),
        Column("status", TEXT, "ok, empty, truncated, refused or error"),
        Column("answer", TEXT, "Text received"),
        Column("finish_reason", TEXT, "As the provider states it", nullable=True),
        Column("prompt_tokens", INT, "As counted by the provider", "tokens", True),
        Column("completion_tokens", INT, "As counted by the provider", "tokens", True),
        Column("budget", INT, "Completion budget of that call", "tokens"),
        Column("n_calls", INT, "Budgets asked", "calls"),
        Column("tries", INT, "Transport tries over all budgets", "tries"),
        Column("error", TEXT, "What went wrong", nullable=True),
    ),
)

ITEMS = Schema(
    "items",
    "Whether each gold item is recovered in each answer.",
    ("question_id", "model", "arm", "item"),
    (
        Column("question_id", TEXT, "Question"),
        Column("model", TEXT, "Label of the model"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("item", INT, "Index in the question's gold, from 0"),
        Column("status", TEXT, "Status of the completion"),
        Column("path", TEXT, "substring, word_bag, none or unmatchable"),
        Column("recovered", BOOL, "By the paper's matcher"),
        Column("recovered_strict", BOOL, "By the strict matcher"),
    ),
)

SCORES = Schema(
    "scores",
    "Accounting of each answer under each matcher; integers only.",
    ("question_id", "model", "arm", "matcher"),
    (
        Column("question_id", TEXT, "Question"),
        Column("model", TEXT, "Label of the model"),
        Column("arm", TEXT, "raw or scaffold"),
        Column("matcher", TEXT, "paper or strict"),
        Column("status", TEXT, "Status of the completion"),
        Column("domain", TEXT, "Domain of the question"),
        Column("template", TEXT, "Template of the question"),
        Column("gold_type", TEXT, "all or any"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_exposed", INT, "Items exposed by this arm's visible input", "items", True),
        Column("n_hits", INT, "Items recovered in the answer", "items"),
        Column("n11", INT, "Exposed and recovered; missing where rows do not say", "items", True),
        Column("n10", INT, "Exposed and omitted", "items", True),
        Column("n01", INT, "Recovered without exposure", "items", True),
        Column("n00", INT, "Neither", "items", True),
        Column("recall_num", INT, "Numerator of the question's recall", "items"),
        Column("recall_den", INT, "Denominator of the question's recall", "items"),
        Column("ceiling_num", INT, "Numerator of the copy ceiling", "items", True),
        Column("ceiling_den", INT, "Denominator of the copy ceiling", "items", True),
        Column("n_extra", INT, "Extra gold items", "items"),
        Column("n_extra_hits", INT, "Extra gold items recovered", "items", True),
        Column("n_unmatchable", INT, "Gold items whose title the matcher cannot see", "items"),
        Column("tries", INT, "Transport tries; missing where rows do not say", "tries", True),
        Column("signature", TEXT, "Normaliser and matchers, with their versions"),
    ),
)
