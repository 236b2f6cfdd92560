"""Artefacts of judges: their calls, what they said, and how far they can be trusted.

Source: DESIGN sections 4, 5 and 11; STUDIES sections 3 and 5.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

_JUDGE = Column("judge", TEXT, "Label of the judge")
_RUBRIC = Column("rubric", TEXT, "Kind of rubric: relation (six labels) or grade (0 to 5)")
_FORM = Column("form", TEXT, "How it is asked and read: ours, released, or an ablation")
_VERSION = (
    Column("rubric_version", INT, "Version of the rubric"),
    Column("rubric_sha256", TEXT, "sha256 of the rubric's content"),
)

JUDGE_CALLS = Schema(
    "judge_calls",
    "Outcomes of a judge's calls by key: the frozen part of what it said.",
    ("key",),
    (
        Column("key", TEXT, "sha256 of the canonical call"),
        _JUDGE,
        _RUBRIC,
        Column("unit_id", TEXT, "Unit that it was first asked for"),
        Column("purpose", TEXT, "verdict, format (re-ask of the form) or span (quote gate)"),
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

JUDGEMENTS = Schema(
    "judgements",
    "What a judge said of each unit, and what the quote gate made of it.",
    ("judge", "rubric", "form", "unit_id", "order", "repeat"),
    (
        _JUDGE,
        _RUBRIC,
        *_VERSION,
        _FORM,
        Column("unit_id", TEXT, "Unit that was judged"),
        Column("order", INT, "Order of options and lists: 0 as given, 1 backwards"),
        Column("repeat", INT, "Index of the repeat, from 0"),
        Column("key", TEXT, "Key of the call that counts"),
        Column("status", TEXT, "graded, unparsed, empty, truncated, refused or error"),
        Column("label", TEXT, "One of the six labels; missing unless graded", "", True),
        Column("score", INT, "Grade; missing unless graded", "0..5", True),
        Column("role", TEXT, "required, alternative or n/a; missing if out of range", "", True),
        Column("confidence", FLOAT, "Stated confidence", "[0, 1]", True),
        Column("quote", TEXT, "Stated evidence", "", True),
        Column("reason", TEXT, "Stated reason of a grade", "", True),
        Column("fault", TEXT, "Why the last reply could not be read", "", True),
        Column("repair", TEXT, "What the reader took off, salvaged or left out", "", True),
        Column("reasked", BOOL, "Whether the form was asked for once more"),
        Column("gate", TEXT, "not_needed, verified, repaired or unresolved", "", True),
        Column("conceded", BOOL, "Whether the judge conceded that no span stands", "", True),
        Column("span", TEXT, "Span given to the gate", "", True),
        Column("verbatim", BOOL, "It stands in the answer but for white space", "", True),
        Column("normalised", BOOL, "It stands in the normalised answer", "", True),
        Column("gate_fault", TEXT, "Why the reply to the gate could not be used", "", True),
        Column("n_chars", INT, "Characters of the answer", "characters"),
        Column("shown_chars", INT, "Characters of it that the judge was shown", "characters"),
        Column("cut", BOOL, "Whether the form's cap cut the answer"),
        Column("n_broken", INT, "Control tokens of chat templates broken in it", "tokens"),
        Column("n_calls", INT, "Calls made, re-asks and budgets included", "calls"),
        Column("prompt_tokens", INT, "Over these calls; missing if one is", "tokens", True),
        Column("completion_tokens", INT, "Over these calls; missing if one is", "tokens", True),
        Column("cost_usd", FLOAT, "Price of these calls; missing if one is", "USD", True, True),
    ),
)

CALIBRATION_ITEMS = Schema(
    "calibration_items",
    "Answers made from the graph, so that the right verdict is known by construction.",
    ("rubric", "item_id"),
    (
        _RUBRIC,
        Column("item_id", TEXT, "construct and number"),
        Column("construct", TEXT, "How the answer was made"),
        Column("number", INT, "Place among the items of its construct, from 0"),
        Column("source", TEXT, "Gold item or class it was made from; the cluster of intervals"),
        Column("domain", TEXT, "Domain of the subject"),
        Column("phrasing", TEXT, "Which wording"),
        Column("language", TEXT, "Language of the assertion (ISO 639-1)"),
        Column("base", TEXT, "Item that this one is a variant of", "", True),
        Column("label", TEXT, "Right label (relation)", "", True),
        Column("role", TEXT, "Right role (relation)", "", True),
        Column("low", INT, "Least right grade (grade)", "0..5", True),
        Column("high", INT, "Greatest right grade (grade)", "0..5", True),
        Column("rank", INT, "Place in the known order within its source (grade)", "", True),
        Column("demand", TEXT, "Verdict that the injected text asks for", "", True),
        Column("question", TEXT, "The question shown"),
        Column("relation", TEXT, "The relation asked for, with its gloss (relation)", "", True),
        Column("edge", TEXT, "Subject, relation and item in one line (relation)", "", True),
        Column("item", TEXT, "Gold item judged (relation)", "", True),
        Column("gold", TEXTS, "All gold items (relation)", "", True),
        Column("gold_type", TEXT, "all or any (relation)", "", True),
        Column("credited", TEXTS, "Other gold items that the matcher credits", "", True),
        Column("reference", TEXT, "Reference answer (grade)", "", True),
        Column("key_points", TEXTS, "Its key points (grade)", "", True),
        Column("answer", TEXT, "The answer to judge"),
    ),
)

CALIBRATION = Schema(
    "calibration",
    "The calibration card: how far a judge agrees with verdicts known by construction.",
    ("judge", "rubric", "form", "measure", "by", "group"),
    (
        _JUDGE,
        Column("kind", TEXT, "model or rule (reference judges are set apart)"),
        _RUBRIC,
        *_VERSION,
        _FORM,
        Column("measure", TEXT, "What is measured"),
        Column("by", TEXT, "all, construct or label"),
        Column("group", TEXT, "Which construct or label; (all) for all"),
        Column("k", INT, "Cases counted, where the value is a share", "cases", True),
        Column("n", INT, "Cases that count", "cases"),
        Column("n_unscored", INT, "Cases planned that ended without a verdict", "cases"),
        Column("value", FLOAT, "The measure", "", True),
        Column("wilson_low", FLOAT, "Lower bound, Wilson, cases independent", "", True),
        Column("wilson_high", FLOAT, "Upper bound, Wilson, cases independent", "", True),
        Column("item_low", FLOAT, "Lower bound, sources resampled", "", True),
        Column("item_high", FLOAT, "Upper bound, sources resampled", "", True),
        Column(
            "cost_usd", FLOAT, "Price of the calls counted, where one is known", "USD", True, True
        ),
        Column("floor", FLOAT, "Least value that passes, where one is declared", "", True),
        Column("meets", BOOL, "Whether it is reached; an undefined value is not", "", True),
    ),
)

CALIBRATION_CONFUSION = Schema(
    "calibration_confusion",
    "Right label against the judge's, base cases (first order, first repeat).",
    ("judge", "rubric", "form", "right", "given"),
    (
        _JUDGE,
        _RUBRIC,
        _FORM,
        Column("right", TEXT, "Right label, or construct where grades are right in a range"),
        Column("given", TEXT, "Label or grade given, or the status of a case without one"),
        Column("n", INT, "Cases", "cases"),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")
TABLE_CALIBRATION = Schema(
    "calibration_table",
    "The calibration card as printed.",
    ("position",),
    (_POSITION, *CALIBRATION.columns),
)
TABLE_CALIBRATION_CONFUSION = Schema(
    "calibration_confusion_table",
    "Right against given labels as printed.",
    ("position",),
    (_POSITION, *CALIBRATION_CONFUSION.columns),
)
