"""The controls without a judge: recall, copy ceiling and signed gain by arm, and their contrasts.

A contrast pairs the questions that were asked in both arms. What counts for an answer that is not
``ok`` is the sweep's policy, and all are computed. Source: paper section 10.7; DESIGN sections 5,
9 and 10.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean
from typing import Any

from copyceiling.cohorts import ARMS, FAMILIES, INTERSECTION, POOLED
from copyceiling.controls.unasked import INFEASIBLE
from copyceiling.stats import Interval, Partition, Ratios, holm, mean_intervals, signed_rank
from copyceiling.sweep import POLICIES, Settings

Row = Mapping[str, Any]
Question = tuple[str, str]
QUANTITIES = ("recall", "ceiling", "gain")


@dataclass(frozen=True)
class Plan:
    """The planned questions of one cohort and one model's answers to them, under one matcher.

    Attributes:
        cohort: Name of the cohort, of `FAMILIES`.
        matcher: ``paper`` or ``strict``.
        cells: Set and question to arm to row of `CONTROL_CELLS`; questions in order.
        answers: The same to rows of `ARM_RECALL`; infeasible cells have none.
        arms: Arms of the plan, in the order of `ARMS`.
    """

    cohort: str
    matcher: str
    cells: Mapping[Question, Mapping[str, Row]]
    answers: Mapping[Question, Mapping[str, Row]]
    arms: tuple[str, ...]

    def values(self, q: Question, arm: str, policy: str) -> tuple[Fraction, Fraction] | None:
        """Return recall and ceiling of a cell as a policy counts them, None where it does not."""
        row = self.answers.get(q, {}).get(arm)
        if row is None or (policy == "complete_case" and row["status"] != "ok"):
            return None
        wrong = policy == "as_wrong" and row["status"] != "ok"
        recall = Fraction(0) if wrong else Fraction(row["recall_num"], row["recall_den"])
        return recall, Fraction(row["ceiling_num"], row["ceiling_den"])

    def scopes(self, policy: str) -> dict[str, list[Question]]:
        """Return the questions of every set, of all, and those that count in every arm."""
        found = {name: [q for q in self.cells if q[0] == name] for name, _ in self.cells}
        found[POOLED] = list(self.cells)
        found[INTERSECTION] = [
            q for q in self.cells if all(self.values(q, arm, policy) for arm in self.arms)
        ]
        return found


def recall_study(
    cells: Iterable[Row], answers: Iterable[Row], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `CONTROLS_RECALL`.

    Args:
        cells: Rows of `CONTROL_CELLS`.
        answers: Rows of `ARM_RECALL`, of all models.
        settings: Resampling.
    """
    planned = _by_question(cells, "cohort")
    found = _by_question(answers, "cohort", "model", "matcher")
    return [
        {"model": key[1], "matcher": key[2], **row}
        for key in sorted(found)
        for row in _plan_rows(_plan(key, planned[key[:1]], found[key]), settings)
    ]


def _by_question(
    rows: Iterable[Row], *names: str
) -> dict[tuple[str, ...], dict[Question, dict[str, Row]]]:
    """Group rows by columns, then by question and arm; questions in order."""
    out: dict[tuple[str, ...], dict[Question, dict[str, Row]]] = {}
    for row in sorted(rows, key=lambda row: (row["set"], row["question_id"])):
        of = out.setdefault(tuple(row[name] for name in names), {})
        of.setdefault((row["set"], row["question_id"]), {})[row["arm"]] = row
    return out


def _plan(
    key: tuple[str, ...],
    cells: Mapping[Question, Mapping[str, Row]],
    answers: Mapping[Question, Mapping[str, Row]],
) -> Plan:
    arms = tuple(arm for arm in ARMS if any(arm in of for of in cells.values()))
    return Plan(key[0], key[2], cells, answers, arms)


def _plan_rows(plan: Plan, settings: Settings) -> Iterator[dict[str, Any]]:
    contrasts = [
        pair for pair in FAMILIES[plan.cohort].contrasts if all(arm in plan.arms for arm in pair)
    ]
    for policy in POLICIES:
        for scope, questions in plan.scopes(policy).items():
            key = {"cohort": plan.cohort, "policy": policy, "scope": scope}
            for arm in plan.arms:
                row = _contrast(plan, questions, (arm, ""), policy, settings)
                yield {**key, **row, **_NOT_ADJUSTED, **_blocks(plan, questions, arm)}
            rows = [_contrast(plan, questions, pair, policy, settings) for pair in contrasts]
            yield from ({**key, **row, **_NO_BLOCKS} for row in _adjusted(rows))


def _contrast(
    plan: Plan,
    questions: Sequence[Question],
    pair: tuple[str, str],
    policy: str,
    settings: Settings,
) -> dict[str, Any]:
    """Return the measures of an arm (second empty), or of the difference of two."""
    arms = [arm for arm in pair if arm]
    lacking = [q for q in questions if any(_infeasible(plan, q, arm) for arm in arms)]
    asked = [q for q in questions if all(arm in plan.answers.get(q, {}) for arm in arms)]
    not_ok = [q for q in asked if any(plan.answers[q][a]["status"] != "ok" for a in arms)]
    kept = [q for q in asked if all(plan.values(q, arm, policy) for arm in arms)]
    columns = _columns(plan, kept, arms, policy)
    domains = Partition.by("domain", [plan.answers[q][arms[0]]["domain"] or "" for q in kept])
    tested = len(kept) >= FAMILIES[plan.cohort].min_pairs
    return {
        "first": pair[0],
        "second": pair[1],
        "planned": len(questions),
        "infeasible": len(lacking),
        "not_ok": len(not_ok),
        "n": len(kept),
        "n_domains": domains.n_clusters,
        **_means(columns, domains, settings, tested),
        **_test(columns[0] if len(arms) > 1 else None, tested),
    }


def _infeasible(plan: Plan, q: Question, arm: str) -> bool:
    return bool(plan.cells[q][arm]["status"] == INFEASIBLE)


def _columns(
    plan: Plan, kept: Sequence[Question], arms: Sequence[str], policy: str
) -> list[list[Fraction]]:
    """Return the values of `QUANTITIES`, one a question: of one arm, or first minus second."""
    columns: list[list[Fraction]] = [[], [], []]
    for q in kept:
        found = [v for v in (plan.values(q, arm, policy) for arm in arms) if v is not None]
        (recall, ceiling), *others = found
        for less in others:
            recall, ceiling = recall - less[0], ceiling - less[1]
        for column, value in zip(columns, (recall, ceiling, recall - ceiling), strict=True):
            column.append(value)
    return columns


def _means(
    columns: Sequence[Sequence[Fraction]], domains: Partition, settings: Settings, tested: bool
) -> dict[str, float | None]:
    ratios = Ratios.of(columns)
    out: dict[str, float | None] = dict(zip(QUANTITIES, ratios.means(), strict=True))
    partitions = {"": Partition.rows(len(columns[0])), "domain_": domains}
    for prefix, partition in partitions.items():
        found = [Interval(None, None)] * len(QUANTITIES)
        if tested:
            found = mean_intervals(
                ratios,
                partition,
                seed=settings.seed,
                resamples=settings.resamples,
                level=settings.level,
                flat=False,
            )
        for name, interval in zip(QUANTITIES, found, strict=True):
            out[f"{name}_{prefix}low"] = interval.low
            out[f"{name}_{prefix}high"] = interval.high
    return out


def _test(differences: Sequence[Fraction] | None, tested: bool) -> dict[str, Any]:
    if differences is None:
        return dict.fromkeys(("p", "wins", "losses", "ties"))
    ranks = signed_rank(differences)
    p = ranks.p if tested else None
    return {"p": p, "wins": ranks.wins, "losses": ranks.losses, "ties": ranks.ties}


_NOT_ADJUSTED = {"p_holm": None, "n_family": None}


def _adjusted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the contrasts of a scope Holm's adjustment over those that could be tested."""
    out = [{**row, **_NOT_ADJUSTED} for row in rows]
    tested = [row for row in out if row["p"] is not None]
    for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row.update(p_holm=p, n_family=len(tested))
    return out


_NO_BLOCKS = dict.fromkeys(
    (
        *("blocks", "texts", "tokens", "length", "gold_exposed", "gold_none"),
        *("proxy_exposed", "proxy_none"),
    )
)


def _blocks(plan: Plan, questions: Sequence[Question], arm: str) -> dict[str, Any]:
    """Return what the blocks of an arm are like and what they give away."""
    shown = [plan.cells[q][arm] for q in questions if plan.cells[q][arm]["block_tokens"]]
    if not shown:
        return {**_NO_BLOCKS, "blocks": 0}
    strict = "_strict" if plan.matcher == "strict" else ""
    gold = [(r[f"n_gold_block{strict}"], r["n_gold"]) for r in shown]
    proxy = [(r[f"n_proxy_block{strict}"], r["n_proxy"]) for r in shown]
    return {
        "blocks": len(shown),
        "texts": len({r["block_sha256"] for r in shown}),
        "tokens": fmean(r["block_tokens"] for r in shown),
        "length": fmean(r["block_tokens"] / r["true_tokens"] for r in shown),
        "gold_exposed": _share(gold),
        "gold_none": sum(not k for k, _ in gold),
        "proxy_exposed": _share(proxy),
        "proxy_none": sum(not k for k, _ in proxy),
    }


def _share(counts: Sequence[tuple[int, int]]) -> float | None:
    """Return the mean share over blocks, those of nothing to find left out."""
    shares = [k / n for k, n in counts if n]
    return fmean(shares) if shares else None
