"""Turns measured rows into a report: counts, means, intervals, pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from copyceiling.check.compare import holm, sign_flip_p
from copyceiling.check.fields import GOLD_TYPES
from copyceiling.check.gather import Gathered
from copyceiling.check.measure import COLUMNS
from copyceiling.check.report import Measures, Pair, Report, SystemReport
from copyceiling.check.resample import Plan, Scale, clusters
from copyceiling.check.schemas import row_table
from copyceiling.matching import MATCHERS
from copyceiling.requests import STATUSES
from copyceiling.stats import Ints, Partition
from copyceiling.sweep import POLICIES, Settings

_OK = STATUSES.index("ok")
_ANY = GOLD_TYPES.index("any")
_HEADLINE = MATCHERS[0]
Mask = npt.NDArray[np.bool_]
Label = tuple[str, str, str | None]


@dataclass(frozen=True)
class Rows:
    """The measured rows of one system, in order of id."""

    system: str
    numbers: Ints
    labels: Sequence[Label]

    def column(self, name: str, matcher: str = "") -> Ints:
        """Return one column, of one matcher if it is one of those."""
        found: Ints = self.numbers[:, COLUMNS.index(f"{matcher}_{name}" if matcher else name)]
        return found

    def kept(self, mask: Mask) -> "Rows":
        """Return the rows where the mask is true."""
        labels = [label for label, keep in zip(self.labels, mask.tolist(), strict=True) if keep]
        return Rows(self.system, self.numbers[mask], labels)

    def counting(self, policy: str) -> "Rows":
        """Return the rows that stand in a table under a policy, as `sweep.Pair.counts` has it."""
        return self.kept(self.ok) if policy == "complete_case" else self

    @property
    def ok(self) -> Mask:
        """Whether each row's answer is ok, and its raw answer if it has one."""
        raw = self.column("raw_status")
        ok: Mask = (self.column("status") == _OK) & ((raw == _OK) | (raw < 0))
        return ok

    def as_counted(self, numerators: Ints, arm_status: str, policy: str) -> Ints:
        """Return numerators with those of answers that are not ok set to 0 under ``as_wrong``."""
        if policy != "as_wrong":
            return numerators
        return np.where(self.column(arm_status) == _OK, numerators, 0)


def analyse(gathered: Gathered, policy: str, settings: Settings, workers: int) -> Report:
    """Return the report of measured rows; at least one of them.

    Args:
        gathered: Rows in order of (system, id).
        policy: The headline's, one of `POLICIES`.
        settings: Resampling.
        workers: Processes that may resample.
    """
    dens = np.unique(np.concatenate([gathered.column("den"), gathered.column("n_gold")]))
    systems = _by_system(gathered)
    scale = Scale.of(dens.tolist(), max(len(s.labels) for s in systems))
    plan = Plan(scale, settings)
    waiting = [_system(rows, plan) for rows in systems]
    pairing = [_pair(a, b, policy, plan) for a, b in combinations(systems, 2)]
    plan.run(workers)
    pairs = [pair for finish in pairing for pair in finish()]
    adjusted = holm([p.p for p in pairs])
    return Report(
        systems=tuple(finish() for finish in waiting),
        pairs=tuple(replace(p, p_holm=h) for p, h in zip(pairs, adjusted, strict=True)),
        policy=policy,
        seed=settings.seed,
        resamples=settings.resamples,
        level=settings.level,
        exact=scale.exact,
        n_read=gathered.n_read,
        n_bad=gathered.n_bad,
        bad=tuple(gathered.bad),
        rows=row_table(gathered),
    )


def _by_system(gathered: Gathered) -> list[Rows]:
    starts = [
        i
        for i, label in enumerate(gathered.labels)
        if not i or label[0] != gathered.labels[i - 1][0]
    ]
    ends = [*starts[1:], len(gathered.labels)]
    return [
        Rows(gathered.labels[a][0], gathered.numbers[a:b], gathered.labels[a:b])
        for a, b in zip(starts, ends, strict=True)
    ]


def _system(rows: Rows, plan: Plan) -> Callable[[], SystemReport]:
    """Ask for a system's intervals; the function returned makes its report once they are there."""
    # Without an answer that is not ok the policies do not differ; one is resampled.
    policies = POLICIES[:1] if bool(rows.ok.all()) else POLICIES
    waiting = [_measures(rows, m, p, plan) for p in policies for m in MATCHERS]

    def finish() -> SystemReport:
        found = [measures() for measures in waiting]
        same = [replace(m, policy=p) for p in POLICIES[len(policies) :] for m in found]
        stated = [cluster is not None for _, _, cluster in rows.labels]
        return SystemReport(
            system=rows.system,
            n_rows=len(rows.labels),
            status=_statuses(rows.column("status")),
            raw_status=_statuses(rows.column("raw_status")),
            n_without_context=int((rows.column("has_context") == 0).sum()),
            n_without_cluster=len(stated) - sum(stated),
            n_unmatchable=int(rows.column("n_unmatchable").sum()),
            n_long=int(rows.column("n_long").sum()),
            n_joined=int(rows.column("n_joined").sum()),
            measures=(*found, *same),
        )

    return finish


def _statuses(codes: Ints) -> dict[str, int]:
    return {status: int((codes == i).sum()) for i, status in enumerate(STATUSES)}


def _measures(all_rows: Rows, matcher: str, policy: str, plan: Plan) -> Callable[[], Measures]:
    rows = all_rows.counting(policy)
    values = scores(rows, matcher, policy, plan.scale)
    by_cluster = clusters(rows.labels)
    naive = plan.want(values["gain"], Partition.rows(len(rows.labels)))
    clustered = plan.want(values["gain"], by_cluster)
    raw = rows.kept(rows.column("raw_status") >= 0)
    raw_values = scores(raw, matcher, policy, plan.scale)
    uplift = raw_values["recall"] - raw_values["raw_recall"]
    uplift_naive = plan.want(uplift, Partition.rows(len(raw.labels)))
    uplift_clustered = plan.want(uplift, clusters(raw.labels))
    mean = plan.scale.mean

    def finish() -> Measures:
        return Measures(
            matcher=matcher,
            policy=policy,
            n=len(rows.labels),
            n_clusters=by_cluster.n_clusters,
            **_counts(rows, matcher, policy),
            ceiling=mean(values["ceiling"]),
            exposed_fraction=mean(values["exposed_fraction"]),
            question_ceiling=mean(values["question_ceiling"]),
            recall=mean(values["recall"]),
            gain=mean(values["gain"]),
            gain_naive=plan.interval(naive),
            gain_cluster=plan.interval(clustered),
            n_raw=len(raw.labels),
            raw_recall=mean(raw_values["raw_recall"]),
            uplift=mean(uplift),
            uplift_naive=plan.interval(uplift_naive),
            uplift_cluster=plan.interval(uplift_clustered),
        )

    return finish


def scores(rows: Rows, matcher: str, policy: str, scale: Scale) -> dict[str, Ints]:
    """Return each row's scores as multiples of the scale's step, arrays of shape (n,)."""
    den, n_gold = rows.column("den"), rows.column("n_gold")

    def at(name: str) -> Ints:
        return rows.column(name, matcher)

    recall = rows.as_counted(at("recall_num"), "status", policy)
    raw = rows.as_counted(at("raw_num"), "raw_status", policy)
    found = {
        "recall": scale.values(recall, den),
        "raw_recall": scale.values(raw, den),
        "ceiling": scale.values(at("ceiling_num"), den),
        "question_ceiling": scale.values(at("question_num"), den),
        "exposed_fraction": scale.values(at("n11") + at("n10"), n_gold),
    }
    return {**found, "gain": found["recall"] - found["ceiling"]}


def _counts(rows: Rows, matcher: str, policy: str) -> Mapping[str, Any]:
    """Return the counts of gold items, and the rates that follow from them."""
    exposed = rows.column("n11", matcher) + rows.column("n10", matcher)
    n11 = rows.as_counted(rows.column("n11", matcher), "status", policy)
    n01 = rows.as_counted(rows.column("n01", matcher), "status", policy)
    any_one = rows.column("gold_type") == _ANY
    answered = any_one & (n11 + n01 > 0)
    gold = int(rows.column("n_gold").sum())
    cells = {
        "n11": int(n11.sum()),
        "n10": int((exposed - n11).sum()),
        "n01": int(n01.sum()),
        "n00": gold - int((exposed + n01).sum()),
    }
    n_question = int(rows.column("n_question", matcher).sum())
    n_exposed = cells["n11"] + cells["n10"]
    return {
        "n_gold": gold,
        **cells,
        "n10_any": int((exposed - n11)[any_one].sum()),
        "n10_compliant": int((exposed - n11)[answered].sum()),
        "n_question": n_question,
        "question_share": n_question / gold if gold else None,
        "utilisation": cells["n11"] / n_exposed if n_exposed else None,
    }


def _pair(first: Rows, second: Rows, policy: str, plan: Plan) -> Callable[[], list[Pair]]:
    one, two, mismatched = _shared(first.counting(policy), second.counting(policy))
    by_row, by_cluster = Partition.rows(len(one.labels)), clusters(one.labels)
    tested = by_cluster if by_cluster.n_clusters else by_row
    a, b = (scores(rows, _HEADLINE, policy, plan.scale) for rows in (one, two))
    differences = {name: a[name] - b[name] for name in ("recall", "gain")}
    tickets = {
        name: (plan.want(d, by_row), plan.want(d, by_cluster)) for name, d in differences.items()
    }

    def finish() -> list[Pair]:
        pairs = []
        for name, d in differences.items():
            p, exact = sign_flip_p(
                tested.sums(d), seed=plan.settings.seed, resamples=plan.settings.resamples
            )
            pairs.append(
                Pair(
                    first=first.system,
                    second=second.system,
                    quantity=name,
                    n=len(d),
                    n_clusters=by_cluster.n_clusters,
                    n_mismatched=mismatched,
                    difference=plan.scale.mean(d),
                    naive=plan.interval(tickets[name][0]),
                    cluster=plan.interval(tickets[name][1]),
                    p=p,
                    p_exact=exact,
                    p_holm=None,
                )
            )
        return pairs

    return finish


def _shared(first: Rows, second: Rows) -> tuple[Rows, Rows, int]:
    """Return the rows of ids that both have and asked alike, and how many are not alike."""
    at = {label[1]: i for i, label in enumerate(second.labels)}
    both = [(i, at[label[1]]) for i, label in enumerate(first.labels) if label[1] in at]
    asked_a, asked_b = first.column("asked"), second.column("asked")
    alike = [(i, j) for i, j in both if asked_a[i] == asked_b[j]]

    def chosen(rows: Rows, places: list[int]) -> Rows:
        labels = [rows.labels[i] for i in places]
        return Rows(rows.system, rows.numbers[np.array(places, dtype=np.int64)], labels)

    one, two = chosen(first, [i for i, _ in alike]), chosen(second, [j for _, j in alike])
    return one, two, len(both) - len(alike)
