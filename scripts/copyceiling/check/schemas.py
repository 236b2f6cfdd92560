"""Artefacts that a check writes: integers a row, measures a system, pairs, bad rows."""

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from copyceiling.artefacts.schema import Column, Schema
from copyceiling.artefacts.schemas import BOOL, FLOAT, INT, TEXT
from copyceiling.check.fields import GOLD_TYPES
from copyceiling.check.measure import COLUMNS
from copyceiling.matching import MATCHERS
from copyceiling.requests import STATUSES

if TYPE_CHECKING:
    from copyceiling.check.gather import Gathered


def _interval(name: str, what: str) -> tuple[Column, Column]:
    return (
        Column(f"{name}_low", FLOAT, f"Lower bound, {what}", "", True),
        Column(f"{name}_high", FLOAT, f"Upper bound, {what}", "", True),
    )


CHECK_ROWS = Schema(
    "check_rows",
    "Accounting of each row of a checked log under each matcher; integers only.",
    ("system", "id", "matcher"),
    (
        Column("system", TEXT, "Label of what answered"),
        Column("id", TEXT, "Question"),
        Column("matcher", TEXT, "paper or strict"),
        Column("cluster", TEXT, "What the question belongs to, as stated", "", True),
        Column("status", TEXT, "How the answer ended"),
        Column("raw_status", TEXT, "How the answer without context ended", "", True),
        Column("gold_type", TEXT, "all or any"),
        Column("has_context", INT, "1 if a context was shown, else 0"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n11", INT, "Exposed and recovered", "items"),
        Column("n10", INT, "Exposed and left out", "items"),
        Column("n01", INT, "Recovered without exposure", "items"),
        Column("n00", INT, "Neither", "items"),
        Column("n_question", INT, "Items that the question alone exposes", "items"),
        Column("n_raw_hits", INT, "Items recovered without context", "items", True),
        Column("n_unmatchable", INT, "Items whose names the matcher cannot see", "items"),
        Column("den", INT, "Denominator of the scores below", "items"),
        Column("recall_num", INT, "Numerator of recall", "items"),
        Column("ceiling_num", INT, "Numerator of the copy ceiling", "items"),
        Column("question_num", INT, "Numerator of the ceiling of the question alone", "items"),
        Column("raw_num", INT, "Numerator of recall without context", "items", True),
    ),
)

CHECK_SYSTEMS = Schema(
    "check_systems",
    "Measures of each system of a checked log.",
    ("system", "matcher", "policy"),
    (
        Column("system", TEXT, "Label of what answered"),
        Column("matcher", TEXT, "paper or strict"),
        Column("policy", TEXT, "What counts for answers that are not ok"),
        Column("n", INT, "Rows that count", "questions"),
        Column("n_clusters", INT, "Clusters of the clustered intervals, 0: none", "clusters"),
        Column("n_gold", INT, "Gold items", "items"),
        Column("n11", INT, "Exposed and recovered", "items"),
        Column("n10", INT, "Exposed and left out", "items"),
        Column("n01", INT, "Recovered without exposure", "items"),
        Column("n00", INT, "Neither", "items"),
        Column("n10_any", INT, "n10 in questions that any one item answers", "items"),
        Column("n10_compliant", INT, "Of these, where another item answered", "items"),
        Column("n_question", INT, "Items that the question alone exposes", "items"),
        Column("ceiling", FLOAT, "Mean copy ceiling", "[0, 1]", True),
        Column("exposed_fraction", FLOAT, "Mean share of gold exposed", "[0, 1]", True),
        Column("question_ceiling", FLOAT, "Mean ceiling of the question alone", "[0, 1]", True),
        Column("question_share", FLOAT, "n_question / n_gold", "[0, 1]", True),
        Column("utilisation", FLOAT, "n11 / (n11 + n10)", "[0, 1]", True),
        Column("recall", FLOAT, "Mean recall", "[0, 1]", True),
        Column("gain", FLOAT, "Mean recall minus copy ceiling", "[-1, 1]", True),
        *_interval("gain_naive", "gain, rows resampled"),
        *_interval("gain_cluster", "gain, clusters resampled"),
        Column("n_raw", INT, "Rows with an answer without context", "questions"),
        Column("raw_recall", FLOAT, "Mean recall without context, of those", "[0, 1]", True),
        Column("uplift", FLOAT, "Mean paired difference, of those", "[-1, 1]", True),
        *_interval("uplift_naive", "uplift, rows resampled"),
        *_interval("uplift_cluster", "uplift, clusters resampled"),
        *(
            Column(f"{arm}{status}", INT, f"Answers {where} that ended {status}", "rows")
            for arm, where in (("n_", "with context"), ("n_raw_", "without context"))
            for status in STATUSES
        ),
        Column("n_without_context", INT, "Rows that showed no context", "rows"),
        Column("n_unmatchable", INT, "Items whose names the matcher cannot see", "items"),
    ),
)

CHECK_PAIRS = Schema(
    "check_pairs",
    "Systems compared in pairs on shared questions.",
    ("first", "second", "quantity"),
    (
        Column("first", TEXT, "One system"),
        Column("second", TEXT, "The other"),
        Column("quantity", TEXT, "recall or gain"),
        Column("n", INT, "Questions compared", "questions"),
        Column("n_clusters", INT, "Clusters, 0: none", "clusters"),
        Column("n_mismatched", INT, "Shared ids that were not asked alike", "questions"),
        Column("difference", FLOAT, "Mean of first minus second", "[-2, 2]", True),
        *_interval("naive", "rows resampled"),
        *_interval("cluster", "clusters resampled"),
        Column("p", FLOAT, "Two-sided p of the sign-flip test", "(0, 1]", True),
        Column("p_exact", BOOL, "Whether all assignments of signs were counted"),
        Column("p_holm", FLOAT, "p adjusted by Holm", "(0, 1]", True),
    ),
)

CHECK_BAD = Schema(
    "check_bad_rows",
    "Rows left out, one a fault.",
    ("number",),
    (
        Column("number", INT, "Order, from 0"),
        Column("source", TEXT, "File as it was named"),
        Column("unit", TEXT, "What place counts"),
        Column("place", INT, "Position in the source, from 1"),
        Column("field", TEXT, "Field, empty for the row as a whole"),
        Column("detail", TEXT, "What was found, and the way out"),
    ),
)


def row_table(gathered: "Gathered") -> pa.Table:
    """Return measured rows as a table of `CHECK_ROWS`."""
    return pa.concat_tables([_matcher_table(gathered, m) for m in MATCHERS])


def _matcher_table(gathered: "Gathered", matcher: str) -> pa.Table:
    no_raw = gathered.column("raw_status") < 0
    systems, ids, clusters = (list(x) for x in zip(*gathered.labels, strict=True))
    arrays = {
        "system": pa.array(systems, TEXT),
        "id": pa.array(ids, TEXT),
        "matcher": pa.array([matcher] * len(ids), TEXT),
        "cluster": pa.array(clusters, TEXT),
        "status": _named(STATUSES, gathered.column("status")),
        "raw_status": _named(STATUSES, np.where(no_raw, 0, gathered.column("raw_status")), no_raw),
        "gold_type": _named(GOLD_TYPES, gathered.column("gold_type")),
    }
    for column in CHECK_ROWS.columns:
        if column.name not in arrays:
            per_row = column.name if column.name in COLUMNS else f"{matcher}_{column.name}"
            mask = no_raw if column.nullable else None
            arrays[column.name] = pa.array(gathered.column(per_row), INT, mask=mask)
    columns = [arrays[c.name] for c in CHECK_ROWS.columns]
    return pa.Table.from_arrays(columns, schema=CHECK_ROWS.arrow)


def _named(
    names: "tuple[str, ...]", codes: "np.typing.NDArray[np.int64]", missing: object = None
) -> pa.Array:
    return pa.array(np.array(names, dtype=object)[codes], TEXT, mask=missing)
