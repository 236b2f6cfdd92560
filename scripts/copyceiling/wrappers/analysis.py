"""The study of the wrappers: outcomes by arm, and contrasts of arms on the same questions.

A share is over gold items, and questions come with several, so whole questions are resampled, or
whole domains. Which answers count is a policy, as in the sweep. Source: paper section 10.4, DESIGN
sections 5 and 10.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from copyceiling.requests import STATUSES
from copyceiling.stats import (
    Interval,
    Ints,
    Partition,
    bootstrap_intervals,
    holm,
    signed_rank,
)
from copyceiling.sweep import POLICIES, POOLED, Settings
from copyceiling.wrappers.outcomes import OUTCOMES
from copyceiling.wrappers.texts import ARMS

Row = Mapping[str, Any]
CREDITED = "credited"
MEASURES = (CREDITED, *OUTCOMES)
# First arm and the one that is subtracted: against neutral, then against authoritative.
CONTRASTS = (
    ("authoritative", "neutral"),
    ("incomplete", "neutral"),
    ("supplement", "neutral"),
    ("raw", "neutral"),
    ("incomplete", "authoritative"),
    ("supplement", "authoritative"),
    ("raw", "authoritative"),
)
MIN_QUESTIONS = 2
_UNDEFINED = Interval(None, None)
Key = tuple[str, str]


@dataclass(frozen=True)
class Answer:
    """One question's gold items of one scope in one arm.

    Attributes:
        domain: Domain of the question.
        status: Status of the completion.
        items: Rows of `WRAPPER_OUTCOMES`.
    """

    domain: str
    status: str
    items: tuple[Row, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "Answer":
        """Return the answer that rows of one question, scope and arm are of."""
        return cls(rows[0]["domain"], rows[0]["status"], tuple(rows))

    def count(self, measure: str, policy: str) -> int:
        """Return how many items a measure of `MEASURES` counts; as_wrong credits no cut answer."""
        if policy == "as_wrong" and self.status != "ok":
            ended = "truncated" if self.status == "truncated" else "failed"
            return len(self.items) if measure == ended else 0
        if measure == CREDITED:
            return sum(bool(row["credited"]) for row in self.items)
        return sum(row["outcome"] == measure for row in self.items)


Cells = Mapping[str, Mapping[Key, Answer]]  # arm to (set, question) to answer


def group_cells(rows: Iterable[Row]) -> dict[tuple[str, str, str, str], Cells]:
    """Group rows of `WRAPPER_OUTCOMES` by (model, set, scope, matcher), arm, and question.

    Each row stands under its own set and, where there are several sets, under all of them pooled.
    """
    listed = list(rows)
    pooled = len({row["set"] for row in listed}) > 1
    grouped: dict[tuple[str, str, str, str], dict[str, dict[Key, list[Row]]]] = {}
    for row in listed:
        for name in (row["set"], POOLED) if pooled else (row["set"],):
            key = (row["model"], name, row["scope"], row["matcher"])
            by_arm = grouped.setdefault(key, {}).setdefault(row["arm"], {})
            by_arm.setdefault((row["set"], row["question_id"]), []).append(row)
    return {
        key: {
            arm: {q: Answer.of(found) for q, found in sorted(by_question.items())}
            for arm, by_question in by_arm.items()
        }
        for key, by_arm in grouped.items()
    }


def rate_rows(rows: Iterable[Row], settings: Settings) -> list[dict[str, Any]]:
    """Return rows of `WRAPPER_RATES`.

    Args:
        rows: Rows of `WRAPPER_OUTCOMES`.
        settings: Resampling settings.
    """
    return [
        {
            **dict(zip(("model", "set", "scope", "matcher"), key, strict=True)),
            "arm": arm,
            "policy": policy,
            **_rates(cells[arm], policy, settings),
        }
        for key, cells in group_cells(rows).items()
        for arm in ARMS
        if arm in cells
        for policy in POLICIES
    ]


def _rates(answers: Mapping[Key, Answer], policy: str, settings: Settings) -> dict[str, Any]:
    kept = [a for a in answers.values() if policy != "complete_case" or a.status == "ok"]
    n_items = sum(len(a.items) for a in kept)
    counts = {m: sum(a.count(m, policy) for a in kept) for m in MEASURES}
    near = [replace(a, items=tuple(row for row in a.items if row["near"])) for a in kept]
    credited = [a.count(CREDITED, policy) for a in kept]
    ((by_question, by_domain),) = _intervals([credited], kept, settings)
    return {
        "n_questions": len(kept),
        "n_domains": len({a.domain for a in kept}),
        "n_items": n_items,
        **counts,
        "credited_near": sum(a.count(CREDITED, policy) for a in near),
        "rate": counts[CREDITED] / n_items if n_items else None,
        **_bounds("rate_question", by_question),
        **_bounds("rate_domain", by_domain),
    }


def _intervals(
    columns: Sequence[Sequence[int]], answers: Sequence[Answer], settings: Settings
) -> list[tuple[Interval, Interval]]:
    """Return, for each column of counts, the intervals of its sum over the sum of items.

    The first resamples questions, the second domains.
    """
    if len(answers) < MIN_QUESTIONS:
        return [(_UNDEFINED, _UNDEFINED)] * len(columns)
    numerators: Ints = np.array(columns, dtype=np.int64).T
    denominators: Ints = np.array([len(a.items) for a in answers], dtype=np.int64)
    partitions = (Partition.rows(len(answers)), Partition.by("domain", [a.domain for a in answers]))
    by_question, by_domain = (
        bootstrap_intervals(
            numerators,
            denominators,
            partition,
            seed=settings.seed,
            resamples=settings.resamples,
            level=settings.level,
            flat=False,
        )
        for partition in partitions
    )
    return list(zip(by_question, by_domain, strict=True))


def contrast_rows(rows: Iterable[Row], settings: Settings) -> list[dict[str, Any]]:
    """Return rows of `WRAPPER_CONTRASTS`, Holm's adjustment over the contrasts of one measure.

    A family holds every contrast of one model, set, scope, matcher, policy and measure.

    Args:
        rows: Rows of `WRAPPER_OUTCOMES`.
        settings: Resampling settings.
    """
    out = []
    for key, cells in group_cells(rows).items():
        which = dict(zip(("model", "set", "scope", "matcher"), key, strict=True))
        for policy in POLICIES:
            found = [_contrast(cells, pair, policy, settings) for pair in CONTRASTS]
            for of_measure in zip(*found, strict=True):
                _adjust(of_measure)
                out += [{**which, "policy": policy, **row} for row in of_measure]
    return out


def _adjust(family: Sequence[dict[str, Any]]) -> None:
    tested = [row for row in family if row["p"] is not None]
    values = [row["p"] for row in tested]
    # Most families hold no difference at all, and a call of the library costs a tenth of a second.
    adjusted = holm(values) if any(p < 1 for p in values) else values
    for row, p in zip(tested, adjusted, strict=True):
        row.update(p_holm=p, n_family=len(tested))


def _contrast(
    cells: Cells, pair: tuple[str, str], policy: str, settings: Settings
) -> list[dict[str, Any]]:
    """Return one contrast of arms, a row a measure, not yet adjusted."""
    both = [cells.get(arm, {}) for arm in pair]
    pairs = [
        (both[0][q], both[1][q])
        for q in both[0]
        if q in both[1]
        and (policy != "complete_case" or both[0][q].status == both[1][q].status == "ok")
    ]
    firsts = [a for a, _ in pairs]
    counted = {m: [(a.count(m, policy), b.count(m, policy)) for a, b in pairs] for m in MEASURES}
    differences = {m: [a - b for a, b in counts] for m, counts in counted.items()}
    bounds = _intervals(list(differences.values()), firsts, settings)
    return [
        {
            "measure": measure,
            "first": pair[0],
            "second": pair[1],
            "n_questions": len(pairs),
            **_difference([len(a.items) for a in firsts], counts),
            **_bounds("diff_question", by_question),
            **_bounds("diff_domain", by_domain),
        }
        for (measure, counts), (by_question, by_domain) in zip(counted.items(), bounds, strict=True)
    ]


def _difference(sizes: Sequence[int], counts: Sequence[tuple[int, int]]) -> dict[str, Any]:
    n_items = sum(sizes)
    first, second = sum(a for a, _ in counts), sum(b for _, b in counts)
    # The test is of questions, each one's share exact; the estimate pools items.
    ranks = signed_rank([Fraction(a - b, n) for n, (a, b) in zip(sizes, counts, strict=True)])
    return {
        "n_items": n_items,
        "rate_first": first / n_items if n_items else None,
        "rate_second": second / n_items if n_items else None,
        "diff": (first - second) / n_items if n_items else None,
        "p": ranks.p if len(sizes) >= MIN_QUESTIONS else None,
        "p_holm": None,
        "n_family": None,
        "rank_biserial": ranks.rank_biserial,
        "wins": ranks.wins,
        "losses": ranks.losses,
        "ties": ranks.ties,
    }


def _bounds(name: str, interval: Interval) -> dict[str, float | None]:
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def flow_rows(outcomes: Iterable[Row], completions: Iterable[Row]) -> list[dict[str, Any]]:
    """Return rows of `WRAPPER_FLOW`: how the answers ended, and what they say of themselves.

    Args:
        outcomes: Rows of `WRAPPER_OUTCOMES`; they say whether an answer declines or closes.
        completions: Rows of `ARM_COMPLETIONS`.
    """
    names = ("set", "question_id", "arm", "model")
    says = {tuple(row[n] for n in names): row for row in outcomes}
    cells = [(row, says[tuple(row[n] for n in names)]) for row in completions]
    sets = sorted({row["set"] for row, _ in cells})
    out = []
    for name in (*sets, *((POOLED,) if len(sets) > 1 else ())):
        for model in dict.fromkeys(row["model"] for row, _ in cells):
            for arm in ARMS:
                kept = [
                    (row, said)
                    for row, said in cells
                    if (row["model"], row["arm"]) == (model, arm) and name in (row["set"], POOLED)
                ]
                which = {"model": model, "set": name, "arm": arm}
                out.append({**which, **_flow(kept)})
    return out


def _flow(cells: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    statuses = Counter(row["status"] for row, _ in cells)
    words = [len(row["answer"].split()) for row, _ in cells if row["answer"].strip()]
    return {
        "planned": len(cells),
        **{status: statuses[status] for status in STATUSES},
        "declined": sum(bool(said["declined"]) for _, said in cells),
        "closed": sum(bool(said["closed"]) for _, said in cells),
        "words": float(Fraction(sum(words), len(words))) if words else None,
    }
