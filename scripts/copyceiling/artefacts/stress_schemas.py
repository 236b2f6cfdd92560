"""Artefacts of the paraphrase stress, of template contamination, and of seeds and snapshots."""

import pyarrow as pa

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

COUNTED = pa.list_(pa.struct([("slug", TEXT), ("questions", INT)]))


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


STRESS_REWRITES = Schema(
    "stress_rewrites",
    "How the rewriting of each question ended. One rewriter a set; sets are never pooled.",
    ("question_id",),
    (
        Column("question_id", TEXT, "Question"),
        Column("rewriter", TEXT, "synonyms, or the label of the model"),
        Column("ending", TEXT, "accepted, rejected, or error where no answer arrived"),
        Column("text", TEXT, "The rewritten question, where one was accepted", "", True),
        Column("how", TEXT, "How it was made", "", True),
        Column("n_attempts", INT, "Texts tried", "texts"),
        Column("banned", TEXTS, "Content words of the subjects' titles"),
        Column("error", TEXT, "What went wrong", "", True),
    ),
)

STRESS_ATTEMPTS = Schema(
    "stress_attempts",
    "Every text that was tried, and why it was turned down.",
    ("question_id", "attempt"),
    (
        Column("question_id", TEXT, "Question"),
        Column("attempt", INT, "Number of the attempt, from 1"),
        Column("text", TEXT, "The text; empty if the rewriter had none"),
        Column("how", TEXT, "How it was made"),
        Column("words_ok", BOOL, "Holds no content word of the subjects' titles"),
        Column("gold_ok", BOOL, "Holds no gold title"),
        Column("verdict", TEXT, "Whether the answers are the same, where that was asked", "", True),
        Column("reasons", TEXTS, "Why it was turned down; empty if it was accepted"),
    ),
)

HITS = Schema(
    "semantic_hits",
    "Classes nearest to each query by vector, best first: frozen, for vectors do not recompute.",
    ("key", "rank"),
    (
        Column("key", TEXT, "sha256 of query, encoder, corpus and form of the class text"),
        Column("rank", INT, "Rank, from 1; ties by slug"),
        Column("slug", TEXT, "Class"),
        Column("cosine", FLOAT, "Cosine, four decimals", "[-1, 1]"),
        Column("form", TEXT, "definition (Title. definition) or title"),
        Column("embedder", TEXT, "Label of the encoder"),
    ),
)

ARM_EXPOSURE = Schema(
    "arm_exposure",
    "What each retrieval exposes of each question's gold, as asked and as rewritten.",
    ("question_id", "version", "arm"),
    (
        Column("question_id", TEXT, "Question"),
        Column("version", TEXT, "original or rewritten"),
        Column("arm", TEXT, "lexical, semantic, semantic_titles or fused"),
        Column("domain", TEXT, "Domain of the question"),
        Column("seeds", TEXTS, "Classes shown, best first"),
        Column("tokens", INT, "Estimated tokens of the block", "tokens"),
        Column("gold_type", TEXT, "all or any"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n_exposed", INT, "Exposed by the visible input, paper's matcher", "items"),
        Column("n_exposed_strict", INT, "By the strict matcher", "items"),
        Column("n_alone", INT, "Exposed by the question alone, paper's matcher", "items"),
        Column("n_alone_strict", INT, "By the strict matcher", "items"),
    ),
)

SIGNALS = Schema(
    "retrieval_signals",
    "What a gate can see of each question before it decides.",
    ("question_id", "version"),
    (
        Column("question_id", TEXT, "Question"),
        Column("version", TEXT, "original or rewritten"),
        Column("how", TEXT, "How the rewrite was made", "", True),
        Column("half", TEXT, "chosen (thresholds are chosen on it) or held_out"),
        Column("subjects", TEXTS, "Classes the question is about"),
        Column("n_lexical", INT, "Lexical seeds", "seeds"),
        Column("top_score", FLOAT, "Score of the first lexical seed", "", True),
        Column("stripped_score", FLOAT, "The same, without the wording's words", "", True),
        Column(
            "disagreement",
            INT,
            "Semantic rank of the first lexical seed, 21 if beyond",
            "rank",
            True,
        ),
    ),
)

_MEASURED = (
    Column("n", INT, "Questions", "questions"),
    Column("n_domains", INT, "Clusters of the clustered intervals", "domains"),
    Column("ceiling", FLOAT, "Mean copy ceiling", "[0, 1]", True),
)

STRESS = Schema(
    "stress",
    "Copy ceilings by retrieval, on questions as asked and as rewritten, against lexical.",
    ("scope", "version", "arm", "matcher"),
    (
        Column(
            "scope",
            TEXT,
            "all; held_out (thresholds were chosen on the other half); failing (lexical ceiling of "
            "the rewrite below 0.5); names, definitions (how the rewrite says its subject)",
        ),
        Column("version", TEXT, "original or rewritten"),
        Column("arm", TEXT, "Retrieval"),
        Column("matcher", TEXT, "paper or strict"),
        *_MEASURED,
        Column("alone", FLOAT, "Mean score of the question without a block", "[0, 1]", True),
        Column("difference", FLOAT, "Mean ceiling minus that of lexical", "[-1, 1]", True),
        *_interval("difference_naive", "difference, questions resampled"),
        *_interval("difference_domain", "difference, domains resampled"),
        Column("n_better", INT, "Questions with a higher ceiling than lexical", "questions"),
        Column("n_worse", INT, "Questions with a lower one", "questions"),
        Column("fired", FLOAT, "Share of questions for which the gate fired", "[0, 1]", True),
        Column("tokens", FLOAT, "Mean estimated tokens of the block", "tokens", True),
        Column("threshold", FLOAT, "Threshold of the gate, where one was chosen", "", True),
    ),
)

REWRITING = Schema(
    "rewriting",
    "How many questions were rewritten, in how many attempts, and why texts were turned down.",
    ("rewriter", "measure", "value"),
    (
        Column("rewriter", TEXT, "synonyms, or the label of the model"),
        Column("measure", TEXT, "ending, attempts, reason, template or how"),
        Column("value", TEXT, "Which of it"),
        Column("count", INT, "Questions or texts"),
        Column("of", INT, "Of how many"),
    ),
)

CONTAMINATION = Schema(
    "contamination",
    "The same questions with retrieval on the whole prompt and on the subjects' titles alone.",
    ("query", "matcher"),
    (
        Column("query", TEXT, "prompt or titles"),
        Column("matcher", TEXT, "paper or strict"),
        *_MEASURED,
        Column("exposed_fraction", FLOAT, "Mean share of gold exposed", "[0, 1]", True),
        Column("difference", FLOAT, "Mean ceiling minus that on the prompt", "[-1, 1]", True),
        *_interval("difference_naive", "difference, questions resampled"),
        *_interval("difference_domain", "difference, domains resampled"),
        Column("n_better", INT, "Questions with a higher ceiling than on the prompt", "questions"),
        Column("n_worse", INT, "Questions with a lower one", "questions"),
        Column("tokens", FLOAT, "Mean estimated tokens of the block", "tokens", True),
        Column("seeds", FLOAT, "Mean number of seeds", "seeds", True),
        Column("subjects_first", FLOAT, "Questions with a subject as first seed", "[0, 1]", True),
        Column("foreign", FLOAT, "Mean seeds that share no word with a subject", "seeds", True),
    ),
)

INTRUDERS = Schema(
    "intruders",
    "Classes that the wording brings in: seeds by the prompt and not by the titles alone.",
    ("slug",),
    (
        Column("slug", TEXT, "Class"),
        Column("title", TEXT, "Its title"),
        Column("prompt", INT, "Questions whose prompt retrieves it", "questions"),
        Column("titles", INT, "Questions whose titles retrieve it", "questions"),
        Column("both", INT, "Questions for which both do", "questions"),
        Column("first", INT, "Questions for which it is the prompt's first seed", "questions"),
        Column("questions", INT, "Questions in all", "questions"),
    ),
)

SEED_RUNS = Schema(
    "seed_runs",
    "Exposure of the questions that each seed draws, under each setting.",
    ("axis", "setting", "seed", "matcher"),
    (
        Column("axis", TEXT, "What is changed: nothing, a threshold of the questions, the budget"),
        Column("setting", TEXT, "Its value"),
        Column("seed", INT, "Question seed"),
        Column("matcher", TEXT, "paper or strict"),
        Column("n", INT, "Questions", "questions"),
        Column("n_domains", INT, "Domains", "domains"),
        Column("ceiling", FLOAT, "Mean copy ceiling", "[0, 1]", True),
        Column("exposed_fraction", FLOAT, "Mean share of gold exposed", "[0, 1]", True),
        Column("alone", FLOAT, "Mean score of the question alone", "[0, 1]", True),
        Column("tokens", FLOAT, "Mean estimated tokens of the block", "tokens", True),
    ),
)

SEEDS_STUDY = Schema(
    "seeds",
    "How far exposure moves over question seeds, eligibility thresholds and block budgets.",
    ("axis", "setting", "matcher", "measure"),
    (
        Column("axis", TEXT, "What is changed"),
        Column("setting", TEXT, "Its value"),
        Column("matcher", TEXT, "paper or strict"),
        Column("measure", TEXT, "ceiling, exposed_fraction, alone, tokens or n"),
        Column("n_seeds", INT, "Seeds that drew questions", "seeds"),
        Column("mean", FLOAT, "Mean over seeds", "", True),
        Column("sd", FLOAT, "Standard deviation over seeds", "", True),
        Column("min", FLOAT, "Least", "", True),
        Column("max", FLOAT, "Greatest", "", True),
        Column("study", FLOAT, "Of the study's own seed", "", True),
        *_interval("study_naive", "study's own seed, questions resampled"),
        *_interval("study_domain", "study's own seed, domains resampled"),
        Column("inside", INT, "Other seeds inside that interval by domain", "seeds", True),
    ),
)

FIGURE_SEEDS = Schema(
    "figure_seeds",
    "What the figure of seeds draws: each seed's exposure, paper's matcher.",
    ("rank", "seed"),
    (
        Column("rank", INT, "Place from the top, from 0"),
        Column("axis", TEXT, "What is changed"),
        Column("setting", TEXT, "Its value"),
        Column("seed", INT, "Question seed"),
        Column("own", BOOL, "Whether it is the study's own seed"),
        Column("ceiling", FLOAT, "Mean copy ceiling", "[0, 1]", True),
        Column("alone", FLOAT, "Mean score of the question alone", "[0, 1]", True),
        Column("ceiling_low", FLOAT, "Lower bound of the study's own seed by domain", "", True),
        Column("ceiling_high", FLOAT, "Upper bound of the study's own seed by domain", "", True),
    ),
)


def _table(name: str, what: str, study: Schema) -> Schema:
    position = Column("position", INT, "Place in the table as printed, from 0")
    return Schema(name, f"{what}, as printed.", ("position",), (position, *study.columns))


TABLE_STRESS = _table("stress_table", "Ceilings under rewriting by retrieval", STRESS)
TABLE_REWRITING = _table("rewriting_table", "Rewrites and why texts were turned down", REWRITING)
TABLE_CONTAMINATION = _table("contamination_table", "Template contamination", CONTAMINATION)
TABLE_INTRUDERS = _table("intruders_table", "Classes that the wording brings in", INTRUDERS)
TABLE_SEEDS = _table("seeds_table", "Spread over seeds, thresholds and budgets", SEEDS_STUDY)
