"""Artefacts of the judged studies: answers graded on a scale, items labelled, ceilings rewritten.

They hold what was observed, one row a cell of the plan; rates, tests and intervals stand in the
studies. Released rows and our own runs come to the same schemas. Source: STUDIES sections 2 to 5.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

_CELL = (
    Column(
        "cohort", TEXT, "production, controls, controls_first (the earlier four-arm run), general"
    ),
    Column("set", TEXT, "Question set or stratum (arcane, thin, general; off_domain ...)"),
    Column("question_id", TEXT, "Question, unique within its set"),
    Column("arm", TEXT, "served or raw; true, shuffled, masked, irrelevant, fluent_noise; bare"),
    Column("model", TEXT, "Label of the model that answered"),
)

ANSWERS = Schema(
    "answers",
    "How each planned answer of a judged study ended, and what was known of it.",
    ("cohort", "set", "question_id", "arm", "model"),
    (
        *_CELL,
        Column(
            "attempted",
            BOOL,
            "Whether it was asked at all; missing where rows do not say",
            "",
            True,
        ),
        Column(
            "status",
            TEXT,
            "ok, empty, truncated, refused, error; missing where not known",
            "",
            True,
        ),
        Column("budget", INT, "Completion tokens allowed", "tokens", True),
        Column("completion_tokens", INT, "Completion tokens used", "tokens", True),
        Column("n_chars", INT, "Characters of the answer", "characters", True),
        Column("latency_s", FLOAT, "Seconds until the answer, as released", "s", True),
        Column("rerun", BOOL, "Whether this row replaced a first one at a larger budget", "", True),
        Column("response_model", TEXT, "Model as the server named it", "", True),
        Column("engaged", BOOL, "Whether a block was injected", "", True),
        Column("path", TEXT, "How retrieval found it (served arm)", "", True),
        Column("injected_tokens", INT, "Tokens added to the prompt", "tokens", True),
        Column("top_score", FLOAT, "Score of the best match", "", True),
        Column("effective_budget", INT, "Token budget of the block", "tokens", True),
        Column("seeds", TEXTS, "Slugs of the classes shown, best first", "", True),
        Column("generation", TEXT, "Corpus generation that served it", "", True),
        Column("class_count", INT, "Classes of that generation", "classes", True),
        Column("exposure", FLOAT, "Share of the gold proxy that the block exposes", "[0, 1]", True),
        Column("donor", TEXT, "Question whose block was shown instead (irrelevant arm)", "", True),
        Column(
            "prompt_sha256",
            TEXT,
            "sha256 of all that the model was shown; missing where rows do not say",
            "",
            True,
        ),
    ),
)

GRADES = Schema(
    "grades",
    "What a judge gave each answer, 0 to 5 against a reference.",
    ("cohort", "set", "question_id", "arm", "model", "judge"),
    (
        *_CELL,
        Column("judge", TEXT, "Label of the judge; a judging that was repeated has its own"),
        Column(
            "status",
            TEXT,
            "How judging ended: graded, unparsed, empty, truncated, refused or error (released "
            "rows tell graded from unparsed alone); absent: no answer to grade, or none released",
        ),
        Column("score", INT, "Score", "0..5", True),
        Column(
            "cut",
            BOOL,
            "Whether the judge's cap cut the answer; missing where it was not judged, or rows do "
            "not say",
            "",
            True,
        ),
    ),
)

BLOCK_EXPOSURE = Schema(
    "block_exposure",
    "How much of the gold proxy the injected blocks of an arm expose, as released in aggregate.",
    ("cohort", "arm"),
    (
        Column("cohort", TEXT, "controls"),
        Column("arm", TEXT, "Arm"),
        Column("n", INT, "Blocks", "blocks"),
        Column("mean", FLOAT, "Mean share of the gold proxy exposed", "[0, 1]"),
        Column("median", FLOAT, "Median share", "[0, 1]"),
        Column("min", FLOAT, "Least share", "[0, 1]"),
        Column("max", FLOAT, "Greatest share", "[0, 1]"),
        Column("n_zero", INT, "Blocks that expose none", "blocks"),
        Column("n_full", INT, "Blocks that expose all", "blocks"),
        Column("tokens", FLOAT, "Mean estimated tokens of the block", "tokens"),
    ),
)

VERDICTS = Schema(
    "verdicts",
    "A judge's label for each audited item, and what the quote gate made of it.",
    ("part", "unit_id", "judge", "form"),
    (
        Column(
            "part", TEXT, "sample (of the scaffold arm) or raw_hits (credited without scaffold)"
        ),
        Column("unit_id", TEXT, "model|question|item, the model as the release labels it"),
        Column("model", TEXT, "Our label of the model that answered"),
        Column("question_id", TEXT, "Question"),
        Column("item_index", INT, "Place of the item in the gold list, from 0"),
        Column("gold_slug", TEXT, "Class of the gold item"),
        Column("gold_title", TEXT, "Its title"),
        Column("category", TEXT, "n11, n10, n01 or n00 by the matcher, in the arm of the part"),
        Column("template", TEXT, "Question template"),
        Column("gold_type", TEXT, "all or any"),
        Column("judge", TEXT, "Label of the judge"),
        Column("form", TEXT, "How it is asked and read: ours, released, or an ablation"),
        Column(
            "rubric_sha256", TEXT, "sha256 of the rubric; missing of released verdicts", "", True
        ),
        Column("status", TEXT, "graded, unparsed, empty, truncated, refused or error"),
        Column("label", TEXT, "One of the six labels; missing unless graded", "", True),
        Column("role", TEXT, "required, alternative or n/a", "", True),
        Column("confidence", FLOAT, "Stated confidence", "[0, 1]", True),
        Column("quoted", BOOL, "Whether a quote was given", "", True),
        Column("repaired_reply", BOOL, "Whether the reply needed a formatting re-ask or salvage"),
        Column(
            "gate",
            TEXT,
            "not_needed, verified, repaired or unresolved; missing where the gate's rows are not "
            "at hand",
            "",
            True,
        ),
        Column(
            "verbatim", BOOL, "Repaired quote stands in the answer but for white space", "", True
        ),
        Column("normalised", BOOL, "Repaired quote stands in the normalised answer", "", True),
    ),
)

REWRITES = Schema(
    "rewrites",
    "Exposure of each question's gold under the original and the rewritten question.",
    ("question_id",),
    (
        Column("question_id", TEXT, "Question"),
        Column("accepted", BOOL, "Whether a rewrite passed the gate"),
        Column("n_attempts", INT, "Rewrites tried", "rewrites", True),
        Column("reasons", TEXTS, "Reasons of rejection, in order", "", True),
        Column("original", FLOAT, "Ceiling of the original, our engine", "[0, 1]", True),
        Column("original_served", FLOAT, "Ceiling of the original, served node", "[0, 1]", True),
        Column("lexical", FLOAT, "Ceiling of the rewrite, lexical retrieval", "[0, 1]", True),
        Column("semantic", FLOAT, "Ceiling of the rewrite, semantic retrieval", "[0, 1]", True),
        Column("engaged", BOOL, "Whether lexical retrieval found anything", "", True),
        Column("fallback", BOOL, "Whether the semantic fallback would have been asked", "", True),
    ),
)

RELEASED_FILES = Schema(
    "released_files",
    "Files of a release that a study was computed from, and those that were not at hand.",
    ("part", "file"),
    (
        Column("part", TEXT, "Part of the release (sweep, production, controls, audit ...)"),
        Column("file", TEXT, "Path within the release; as looked for where it is absent"),
        Column("form", TEXT, "full (the release's own format), reduced, aggregate or absent"),
        Column("sha256", TEXT, "sha256 of its bytes", "", True),
        Column("n_rows", INT, "Rows read", "rows", True),
    ),
)
