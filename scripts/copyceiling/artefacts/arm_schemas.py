"""Artefacts of the judged studies whose answers are calls of our own, the same for every part.

A part plans prompts and references; from there on every part goes one way: completions, verdicts,
then the rows of `judged_schemas`. Source: DESIGN sections 5 and 9; STUDIES sections 3 and 4.
"""

import pyarrow as pa

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

_QUESTION = (
    Column("cohort", TEXT, "Plan that the question belongs to (production, general, controls ...)"),
    Column("set", TEXT, "Question set or stratum; the cohort's name where it has but one"),
    Column("question_id", TEXT, "Question, unique within its set"),
)
_ARM = Column("arm", TEXT, "What the question was asked with (served, raw, shuffled ...)")
_CELL = (*_QUESTION, _ARM, Column("model", TEXT, "Label of the model that answered"))
_CELL_KEY = ("cohort", "set", "question_id", "arm", "model")

ARM_PROMPTS = Schema(
    "arm_prompts",
    "What each question shows a model in each arm, and how much of the gold that exposes.",
    ("cohort", "set", "question_id", "arm"),
    (
        *_QUESTION,
        _ARM,
        Column("system", TEXT, "System message; missing where there is none", "", True),
        Column("user", TEXT, "User message"),
        Column("block", TEXT, "Context block shown, empty if none"),
        Column("block_tokens", INT, "Estimated tokens of the block (characters / 4)", "tokens"),
        Column("injected_tokens", INT, "Estimated tokens added to the question", "tokens"),
        Column("engaged", BOOL, "Whether a block is shown"),
        Column(
            "path",
            TEXT,
            "How retrieval found it; missing where nothing was retrieved for this arm",
            "",
            True,
        ),
        Column("top_score", FLOAT, "Score of the best match", "", True),
        Column("effective_budget", INT, "Token budget of the block", "tokens", True),
        Column(
            "seeds", TEXTS, "Slugs of the classes that the block is made of, best first", "", True
        ),
        Column("donor", TEXT, "Question whose block is shown instead", "", True),
        Column("generation", TEXT, "Corpus generation that the block is of", "", True),
        Column("class_count", INT, "Classes of that generation", "classes", True),
        Column(
            "n_gold", INT, "Gold items; missing where the question has none to name", "items", True
        ),
        Column("n_gold_exposed", INT, "Of those, exposed by the visible input", "items", True),
        Column("n_gold_block", INT, "Of those, exposed by the block alone", "items", True),
        Column("n_proxy", INT, "Titles of the gold proxy (STUDIES section 4)", "titles", True),
        Column("n_proxy_block", INT, "Of those, exposed by the block alone", "titles", True),
    ),
)

REFERENCES = Schema(
    "references",
    "What a right answer to each question is: for the judge, and for the matcher.",
    ("cohort", "set", "question_id"),
    (
        *_QUESTION,
        Column("question", TEXT, "The question, as the judge is shown it"),
        Column("reference", TEXT, "Reference answer"),
        Column("key_points", TEXTS, "What a complete answer says, a point each; may be empty"),
        Column("gold", TEXTS, "Gold titles that the matcher looks for; may be empty"),
        Column("gold_type", TEXT, "all or any; missing where there is no gold", "", True),
        Column("template", TEXT, "Question template, where it has one", "", True),
        Column("domain", TEXT, "Domain of the question, where it has one", "", True),
        Column("source", TEXT, "graph, or the file that the reference stands in"),
    ),
)

ARM_COMPLETIONS = Schema(
    "arm_completions",
    "How each planned answer ended.",
    _CELL_KEY,
    (
        *_CELL,
        Column("key", TEXT, "Key of the call that counts"),
        Column("status", TEXT, "ok, empty, truncated, refused or error"),
        Column("answer", TEXT, "Text received"),
        Column("finish_reason", TEXT, "As the provider states it", nullable=True),
        Column("prompt_tokens", INT, "As counted by the provider", "tokens", True),
        Column("completion_tokens", INT, "As counted by the provider", "tokens", True),
        Column("budget", INT, "Completion budget of that call, the same in all arms", "tokens"),
        Column("n_calls", INT, "Budgets asked, the same in all arms", "calls"),
        Column("tries", INT, "Transport tries over all budgets", "tries"),
        Column("error", TEXT, "What went wrong", nullable=True),
        Column("response_model", TEXT, "Name the provider echoed", "", True, True),
        Column("latency_ms", FLOAT, "Wall time of the last try", "ms", True, True),
        Column("cost_usd", FLOAT, "Price of the call that counts", "USD", True, True),
    ),
)

ARM_RECALL = Schema(
    "arm_recall",
    "Which gold each answer names, by the matcher: the outcome that needs no judge.",
    (*_CELL_KEY, "matcher"),
    (
        *_CELL,
        Column("matcher", TEXT, "paper or strict"),
        Column("status", TEXT, "Status of the completion"),
        Column("template", TEXT, "Question template, where it has one", "", True),
        Column("domain", TEXT, "Domain of the question, where it has one", "", True),
        Column("gold_type", TEXT, "all or any"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_exposed", INT, "Items exposed by the visible input of this arm", "items"),
        Column("n_hits", INT, "Items recovered in the answer", "items"),
        Column("n11", INT, "Exposed and recovered", "items"),
        Column("n10", INT, "Exposed and omitted", "items"),
        Column("n01", INT, "Recovered without exposure", "items"),
        Column("n00", INT, "Neither", "items"),
        Column("recall_num", INT, "Numerator of the question's recall", "items"),
        Column("recall_den", INT, "Denominator of the question's recall", "items"),
        Column("ceiling_num", INT, "Numerator of the copy ceiling", "items"),
        Column("ceiling_den", INT, "Denominator of the copy ceiling", "items"),
        Column("signature", TEXT, "Normaliser and matchers, with their versions"),
    ),
)

NODE_BLOCKS = Schema(
    "node_blocks",
    "What a served node gave for each query, with its telemetry.",
    ("query", "budget_tokens"),
    (
        Column("query", TEXT, "What it was asked"),
        Column("budget_tokens", INT, "Token budget that was requested", "tokens"),
        Column("block", TEXT, "Context block, empty if none"),
        Column("engaged", BOOL, "Whether it says that there is one"),
        Column("approx_tokens", INT, "Tokens of the block as it counts them", "tokens", True),
        Column("seeds", TEXTS, "Slugs of the classes found, best first"),
        Column("scores", pa.list_(FLOAT), "Their scores"),
        Column("top_score", FLOAT, "Score of the best match", "", True),
        Column("effective_budget", INT, "Token budget that it used", "tokens", True),
        Column("path", TEXT, "How retrieval found it, as it says", "", True),
        Column("generation", TEXT, "Id of the corpus generation", "", True),
        Column("class_count", INT, "Classes of that generation", "classes", True),
        Column("base_url", TEXT, "Address that was asked", "", False, True),
        Column("tries", INT, "Tries that it took", "tries", False, True),
        Column("latency_ms", FLOAT, "Wall time of the last try", "ms", True, True),
    ),
)


def _mean_of(name: str, what: str) -> tuple[Column, ...]:
    """A mean with its intervals, which are missing where all that is resampled is alike."""
    return (
        Column(name, FLOAT, what, "", True),
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}, questions resampled", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}, questions resampled", "", True),
        Column(f"{name}_domain_low", FLOAT, f"Lower bound, {what}, domains resampled", "", True),
        Column(f"{name}_domain_high", FLOAT, f"Upper bound, {what}, domains resampled", "", True),
    )


RECALL_STUDY = Schema(
    "recall_study",
    "Recall of gold titles by arm, against the copy ceiling and against the raw arm; no judge. An "
    "interval is missing where all questions, or domains, are alike.",
    ("cohort", "model", "matcher", "policy", "scope", "arm"),
    (
        Column("cohort", TEXT, "Cohort of the answers"),
        Column("model", TEXT, "Label of the model"),
        Column("matcher", TEXT, "paper or strict"),
        Column(
            "policy",
            TEXT,
            "What counts where an answer is not ok: as_received, as_wrong, "
            "complete_case (every arm of the question ok)",
        ),
        Column("scope", TEXT, "Question set, or pooled"),
        Column("arm", TEXT, "Arm"),
        Column("n", INT, "Questions that count", "questions"),
        Column("n_not_ok", INT, "Of these, answers that are not ok", "answers"),
        Column("recall", FLOAT, "Mean recall", "[0, 1]", True),
        Column("ceiling", FLOAT, "Mean copy ceiling of this arm's visible input", "[0, 1]", True),
        *_mean_of("gain", "mean of recall minus ceiling"),
        Column("n_paired", INT, "Questions that the raw arm has too", "questions", True),
        *_mean_of("diff", "mean of recall minus that of the raw arm"),
        Column("n_gold", INT, "Gold items; missing under as_wrong, as are the next", "items", True),
        Column("n11", INT, "Exposed and recovered", "items", True),
        Column("n10", INT, "Exposed and omitted", "items", True),
        Column("n01", INT, "Recovered without exposure", "items", True),
        Column("n00", INT, "Neither", "items", True),
    ),
)

TABLE_RECALL = Schema(
    "recall_table",
    "Recall of gold titles by arm as printed.",
    ("position",),
    (Column("position", INT, "Place in the table as printed, from 0"), *RECALL_STUDY.columns),
)
