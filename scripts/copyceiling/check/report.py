"""What a check reports, as data: systems, their measures, pairs of systems, bad rows."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa

from copyceiling.check.faults import BadRow
from copyceiling.stats import Interval


@dataclass(frozen=True)
class Measures:
    """One system under one matcher and one policy for answers that are not ``ok``.

    Rates are None where they are undefined (no row, or nothing exposed), never 0. Intervals are
    percentile bootstrap intervals at the report's level; both bounds are None where undefined.
    Source: DESIGN sections 5, 9 and 10.

    Attributes:
        matcher: ``paper`` (substring or word bag) or ``strict`` (whole title at word boundaries).
        policy: ``as_received``, ``as_wrong`` or ``complete_case``.
        n: Rows that count, questions.
        n_clusters: Clusters of those rows, 0 if no row states one.
        n_gold: Gold items of those rows; n11 + n10 + n01 + n00.
        n11: Items exposed by the visible input and recovered in the answer.
        n10: Exposed and left out.
        n01: Recovered without exposure.
        n00: Neither.
        n10_any: n10 in questions that any one item answers.
        n10_compliant: Of these, where another item answered the question.
        n_question: Items that the question alone exposes.
        ceiling: Mean copy ceiling, in [0, 1]: recall of a verbatim copy of the visible input.
        exposed_fraction: Mean share of gold exposed, in [0, 1]; unlike the ceiling it does not
            collapse where any one item suffices.
        question_ceiling: Mean recall of a copy of the question alone, in [0, 1].
        question_share: n_question / n_gold, in [0, 1].
        utilisation: n11 / (n11 + n10), in [0, 1].
        recall: Mean recall of the answers, in [0, 1].
        gain: Mean of recall minus ceiling, in [-1, 1].
        gain_naive: Its interval, rows resampled.
        gain_cluster: Its interval, clusters resampled.
        n_raw: Rows that have an answer without context.
        raw_recall: Mean recall of those, in [0, 1].
        uplift: Mean of recall minus raw recall over those rows, in [-1, 1].
        uplift_naive: Its interval, rows resampled.
        uplift_cluster: Its interval, clusters resampled.
    """

    matcher: str
    policy: str
    n: int
    n_clusters: int
    n_gold: int
    n11: int
    n10: int
    n01: int
    n00: int
    n10_any: int
    n10_compliant: int
    n_question: int
    ceiling: float | None
    exposed_fraction: float | None
    question_ceiling: float | None
    question_share: float | None
    utilisation: float | None
    recall: float | None
    gain: float | None
    gain_naive: Interval
    gain_cluster: Interval
    n_raw: int
    raw_recall: float | None
    uplift: float | None
    uplift_naive: Interval
    uplift_cluster: Interval


@dataclass(frozen=True)
class SystemReport:
    """One system.

    Attributes:
        system: Its label.
        n_rows: Rows scored.
        status: Rows by how the answer ended.
        raw_status: Rows by how the answer without context ended; those without one are left out.
        n_without_context: Rows that showed no context: their visible input is the question.
        n_without_cluster: Rows that state no cluster; each is a cluster of its own where others
            state one.
        n_unmatchable: Gold items none of whose names the matcher can see (another script).
        n_long: Gold items of more than twelve words, which are rather sentences than names.
        n_joined: Rows whose only gold name holds ``;``, ``|`` or a comma and a space, and so may be
            a list written as one text.
        measures: A `Measures` for each matcher and policy.
    """

    system: str
    n_rows: int
    status: Mapping[str, int]
    raw_status: Mapping[str, int]
    n_without_context: int
    n_without_cluster: int
    n_unmatchable: int
    n_long: int
    n_joined: int
    measures: tuple[Measures, ...]

    def of(self, matcher: str, policy: str) -> Measures:
        """Return the measures under a matcher and a policy; KeyError on other names."""
        found = {(m.matcher, m.policy): m for m in self.measures}
        return found[matcher, policy]


@dataclass(frozen=True)
class Pair:
    """Two systems on the questions that both were asked, paper's matcher, the report's policy.

    Attributes:
        first: Label of one system.
        second: Label of the other.
        quantity: ``recall`` or ``gain``.
        n: Questions compared.
        n_clusters: What the test and the clustered interval resample; 0: rows.
        n_mismatched: Ids that both have with another question, gold or cluster; left out.
        difference: Mean of first minus second, in [-2, 2]; None without shared questions.
        naive: Its interval, rows resampled.
        cluster: Its interval, clusters resampled.
        p: Two-sided p of the sign-flip test, in [0, 1]; None where it is undefined.
        p_exact: Whether p was computed over all assignments of signs, not drawn.
        p_holm: p adjusted by Holm over all pairs and quantities of the report.
    """

    first: str
    second: str
    quantity: str
    n: int
    n_clusters: int
    n_mismatched: int
    difference: float | None
    naive: Interval
    cluster: Interval
    p: float | None
    p_exact: bool
    p_holm: float | None


@dataclass(frozen=True)
class Report:
    """All that a check found out; a function of the set of rows and the settings.

    Attributes:
        systems: In order of label.
        pairs: Pairs of systems, in order of labels.
        policy: What counts in the headline for answers that are not ``ok``.
        seed: Seed of every resampling.
        resamples: Resamples behind every interval.
        level: Level of the intervals, in (0, 1).
        exact: Whether all sums are exact; else row values were rounded to a common step, by less
            than 1e-9, because the numbers of gold items have too large a common multiple.
        n_read: Rows read.
        n_bad: Rows left out because they could not be read, or double an id.
        bad: The first of them by source and place.
        rows: Integers of each row and matcher, schema `CHECK_ROWS`; an Arrow table.
    """

    systems: tuple[SystemReport, ...]
    pairs: tuple[Pair, ...]
    policy: str
    seed: int
    resamples: int
    level: float
    exact: bool
    n_read: int
    n_bad: int
    bad: tuple[BadRow, ...]
    rows: pa.Table

    def to_dict(self) -> dict[str, Any]:
        """Return the report without its rows, as plain JSON values."""
        kept = {k: v for k, v in vars(self).items() if k != "rows"}
        return {k: _plain(v) for k, v in kept.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return asdict(value) if hasattr(value, "__dataclass_fields__") else value


def flat(record: Any) -> dict[str, Any]:
    """Return a dataclass as a flat row: intervals become ``<name>_low`` and ``<name>_high``."""
    row: dict[str, Any] = {}
    for name, value in vars(record).items():
        if isinstance(value, Interval):
            row[f"{name}_low"], row[f"{name}_high"] = value.low, value.high
        else:
            row[name] = value
    return row
