"""Artefacts of an audit of our own answers: what is drawn, what is shown, what people label.

Source: paper section 10.2, STUDIES section 5.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT, TEXTS

_CODE = Column("code", TEXT, "Name of the unit that gives nothing away; hex digits")

AUDIT_SAMPLE = Schema(
    "audit_sample",
    "The audited units: where each comes from. Judges and people are not shown this.",
    ("part", "unit_id"),
    (
        Column(
            "part", TEXT, "sample (of the scaffold arm) or raw_hits (credited without scaffold)"
        ),
        Column("unit_id", TEXT, "model|question|item"),
        _CODE,
        Column("model", TEXT, "Label of the model that answered"),
        Column("question_id", TEXT, "Question"),
        Column("item_index", INT, "Place of the item in the gold list, from 0"),
        Column("gold_slug", TEXT, "Class of the gold item"),
        Column("gold_title", TEXT, "Its title"),
        Column("category", TEXT, "n11, n10, n01 or n00 by the matcher, in the arm of the part"),
        Column("template", TEXT, "Question template"),
        Column("gold_type", TEXT, "all or any"),
        Column("status", TEXT, "Status of the completion that holds the answer"),
        Column("credited", TEXTS, "Other gold items of the question that the matcher credits"),
    ),
)

AUDIT_UNITS = Schema(
    "audit_units",
    "What a judge and a person are shown of each audited unit, and nothing else.",
    ("code",),
    (
        _CODE,
        Column("position", INT, "Place on the sheet, from 0: the order of the codes", "units"),
        Column("on_sheet", BOOL, "Whether people are asked to label it"),
        Column("question", TEXT, "The question, as the model was asked it"),
        Column("relation", TEXT, "The relation asked for, with a gloss that tells its direction"),
        Column("edge", TEXT, "Subject, relation and item in one line"),
        Column("item", TEXT, "The gold item"),
        Column("gold", TEXTS, "All gold items of the question"),
        Column("gold_type", TEXT, "all items are asked for, or any one"),
        Column("answer", TEXT, "The whole answer"),
    ),
)

AUDIT_LABELS = Schema(
    "audit_labels",
    "What people say of the units on the sheet.",
    ("annotator", "code"),
    (
        Column("annotator", TEXT, "Name of the label file"),
        _CODE,
        Column("label", TEXT, "One of the six labels"),
        Column("role", TEXT, "required, alternative or n/a"),
        Column("note", TEXT, "Remark of the annotator, possibly empty"),
    ),
)

_JUDGE = (
    Column("judge", TEXT, "Label of the judge, or name of the other annotator"),
    Column("place", INT, "Place among the study's judges, from 0; people come after them"),
    Column("kind", TEXT, "model, rule or person"),
    Column("form", TEXT, "How it is asked and read; sheet for a person"),
    Column("caution", TEXT, "What its calibration says against its verdicts", "", True),
)

AUDIT_JUDGING = Schema(
    "audit_judging",
    "How the judging of the units went: endings, quote gate, calls, and likeness to the main form.",
    ("judge", "form"),
    (
        *_JUDGE,
        Column("n", INT, "Units", "units"),
        *(
            Column(f"n_{status}", INT, f"Units that ended {status}", "units")
            for status in ("graded", "unparsed", "empty", "truncated", "refused", "error")
        ),
        Column("n_reasked", INT, "Units whose reply had to be asked for in due form", "units"),
        Column(
            "n_mended", INT, "Units of whose reply something was taken off or salvaged", "units"
        ),
        Column("n_cut", INT, "Units whose answer was cut for the judge", "units"),
        *(
            Column(f"n_{gate}", INT, f"Labels whose quote is {gate}", "units")
            for gate in ("not_needed", "verified", "repaired", "unresolved")
        ),
        Column("n_compared", INT, "Units with a label in this form and in the main one", "units"),
        Column("n_same", INT, "Of those, with the same label", "units"),
        Column("n_calls", INT, "Calls, re-asks included", "calls"),
        Column("prompt_tokens", INT, "Over all calls; missing if one is", "tokens", True),
        Column("completion_tokens", INT, "Over all calls; missing if one is", "tokens", True),
    ),
)

AUDIT_HUMAN = Schema(
    "audit_human",
    "People's labels of the sheet, against each judge's labels before the quote gate.",
    ("annotator", "judge", "form", "measure", "group"),
    (
        Column("annotator", TEXT, "Who labelled; (none) where nobody has"),
        *_JUDGE,
        Column("measure", TEXT, "What is measured"),
        Column("group", TEXT, "For confusion: label of the person|of the judge; (all) otherwise"),
        Column("n_sheet", INT, "Units on the sheet", "units"),
        Column("n_labelled", INT, "Of those, labelled by the person", "units"),
        Column("n", INT, "Units that the value rests on: labelled by both", "units"),
        Column("k", INT, "Units counted, where the value is a share", "units", True),
        Column("value", FLOAT, "The measure; missing where undefined", "", True),
        Column(
            "covered",
            FLOAT,
            "By frame: share of its units whose category has a unit labelled by both; the value is "
            "missing below 1",
            "",
            True,
        ),
        Column("wilson_low", FLOAT, "Lower bound, Wilson, units independent", "", True),
        Column("wilson_high", FLOAT, "Upper bound, Wilson, units independent", "", True),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")
TABLE_AUDIT_JUDGING = Schema(
    "audit_judging_table",
    "How the judging went as printed.",
    ("position",),
    (_POSITION, *AUDIT_JUDGING.columns),
)
TABLE_AUDIT_HUMAN = Schema(
    "audit_human_table",
    "People's labels against judges' as printed.",
    ("position",),
    (_POSITION, *AUDIT_HUMAN.columns),
)
