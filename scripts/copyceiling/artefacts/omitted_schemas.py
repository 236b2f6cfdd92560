"""Artefacts of the omitted targets: gold that the scaffold does not show.

Source: paper section 10.4, STUDIES section 5.
"""

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import FLOAT, INT, TEXT

_MODEL = (
    Column("model", TEXT, "Label of the model; (pooled) for all but reference readers"),
    Column("group", TEXT, "model or reader (reference readers are set apart)"),
)


def _bounds(name: str, what: str, unit: str = "[0, 1]") -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", unit, True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", unit, True),
    )


OMITTED = Schema(
    "omitted",
    "Recovery of gold that the scaffold does not show: with the scaffold against without.",
    ("model", "matcher", "policy"),
    (
        *_MODEL,
        Column("matcher", TEXT, "paper or strict, for exposure and for recovery"),
        Column("policy", TEXT, "What counts for a completion that is not ok"),
        Column("n_items", INT, "Distinct gold items that the scaffold does not show", "items"),
        Column("n_planned", INT, "Slots: such items of questions asked in both arms", "slots"),
        Column("n", INT, "Slots that count under the policy", "slots"),
        Column("n_questions", INT, "Questions with such a slot", "questions"),
        Column("n_domains", INT, "Domains with such a slot", "domains"),
        *(
            column
            for arm in ("raw", "scaffold")
            for column in (
                Column(f"{arm}_k", INT, f"Slots that the {arm} arm recovers", "slots"),
                Column(f"{arm}_share", FLOAT, f"{arm}_k / n", "[0, 1]", True),
                *_bounds(f"{arm}_wilson", "Wilson, slots independent"),
                Column(f"{arm}_not_ok", INT, f"Planned slots whose {arm} call is not ok", "slots"),
            )
        ),
        Column("both_k", INT, "Slots that both arms recover", "slots"),
        Column("difference", FLOAT, "scaffold_share - raw_share", "[-1, 1]", True),
        *_bounds("question", "difference, questions resampled", "[-1, 1]"),
        *_bounds("domain", "difference, domains resampled", "[-1, 1]"),
    ),
)

OMITTED_HITS = Schema(
    "omitted_hits",
    "What a judge says of the recovered slots, by arm; lexical misses were not all put to it.",
    ("model", "arm", "judge", "form"),
    (
        *_MODEL,
        Column("arm", TEXT, "raw or scaffold"),
        Column("judge", TEXT, "Label of the judge; (none) where nobody judged"),
        Column("place", INT, "Its place among the study's judges, from 0"),
        Column("kind", TEXT, "model, rule or none"),
        Column("form", TEXT, "How it is asked and read"),
        Column("caution", TEXT, "What its calibration says against its verdicts", "", True),
        Column("n_hits", INT, "Slots recovered by the paper's matcher, as received", "slots"),
        Column("n_missing", INT, "Of these without a verdict: not asked, or no label", "slots"),
        Column("n_correct", INT, "Judged correct_relation, before the quote gate", "slots"),
        Column("n_named", INT, "Judged name_only", "slots"),
        Column("n_wrong", INT, "Judged wrong_relation, reversed or negated", "slots"),
        Column("n_absent", INT, "Judged absent", "slots"),
        Column("n_unresolved", INT, "Of the verdicts, unresolved by the quote gate", "slots"),
        Column("n_correct_held", INT, "Judged correct_relation and not unresolved", "slots"),
    ),
)

_POSITION = Column("position", INT, "Place in the table as printed, from 0")
TABLE_OMITTED = Schema(
    "omitted_table",
    "Omitted targets as printed.",
    ("position",),
    (_POSITION, *OMITTED.columns),
)
TABLE_OMITTED_HITS = Schema(
    "omitted_hits_table",
    "Judged hits of omitted targets as printed.",
    ("position",),
    (_POSITION, *OMITTED_HITS.columns),
)
