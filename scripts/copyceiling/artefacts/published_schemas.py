"""Artefacts of the comparison with published values."""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import FLOAT, INT, TEXT, TEXTS

COMPARISON = Schema(
    "comparison",
    "Each published value with what the rows at hand give for it.",
    ("key",),
    (
        Column("key", TEXT, "Name of the value"),
        Column("family", TEXT, "First part of its name"),
        Column("sections", TEXTS, "Sections of the paper's text that have it"),
        Column("paper", TEXT, "Where the paper has it, and as printed"),
        Column("definition", TEXT, "What it is"),
        Column("published", TEXT, "As released, JSON"),
        Column("printed", TEXT, "As the paper prints it, where that is known to differ", "", True),
        Column("recomputed", TEXT, "As recomputed from rows, JSON", "", True),
        Column("tolerance", FLOAT, "Largest deviation allowed", "", True),
        Column("deviation", FLOAT, "Largest deviation of a number", "", True),
        Column(
            "verdict",
            TEXT,
            "equal, within tolerance, differs as known, differs, different encoder or cannot be "
            "recomputed",
        ),
        Column("reason", TEXT, "What is lacking, or why it differs or is not judged", "", True),
        Column("note", TEXT, "How it was computed, where not as defined", "", True),
        Column("source", TEXT, "File of the release that the value follows from"),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")
TABLE_PUBLISHED = Schema(
    "published_table",
    "The comparison with published values as printed: by family, in order of name.",
    ("position",),
    (_POSITION, *COMPARISON.columns),
)
TABLE_PROSE = Schema(
    "prose_table",
    "The values that stand in the paper's running text, by section.",
    ("position",),
    (_POSITION, *COMPARISON.columns),
)
