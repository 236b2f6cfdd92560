"""The stress study: ceilings by retrieval on questions as asked and as rewritten.

Counts only questions with an accepted rewrite, so that both versions are of the same questions.
Source: paper section 8; STUDIES sections 2 and 8.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from copyceiling.scoring import question_score
from copyceiling.stats import Interval, Partition, Ratios, mean_intervals
from copyceiling.stress.arms import ARMS, VERSIONS
from copyceiling.stress.gates import ABSENCE, ABSENCE_THRESHOLD, CHOSEN, Gate, choose
from copyceiling.sweep import Settings

ORACLE = "oracle"
ORACLE_OF = ("lexical", "semantic", "fused")
FREE_ARMS = (*ARMS, ABSENCE.name, ORACLE)
GATED_ARMS = tuple(gate.name for gate in CHOSEN)
MATCHERS = {"paper": "n_exposed", "strict": "n_exposed_strict"}
ALONE = {"paper": "n_alone", "strict": "n_alone_strict"}
FAILING_BELOW = Fraction(1, 2)
NAMES = frozenset({"synonym", "title"})
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Cell:
    """One version of a question: what each arm exposes, and what a gate sees."""

    signal: Row
    arms: Mapping[str, Row]

    def score(self, arm: str, columns: Mapping[str, str], matcher: str) -> Fraction:
        """Return the ceiling under an arm."""
        row = self.arms[arm]
        counted = question_score(row[columns[matcher]], row["n_gold"], row["gold_type"])
        return Fraction(*counted)


@dataclass(frozen=True)
class Outcome:
    """What an arm makes of one version of a question: ceiling, tokens, and whether a gate fired."""

    score: Fraction
    tokens: int
    fired: bool | None


class Study:
    """The measured cells, both versions of each question, by question id.

    Args:
        exposure: Rows of `ARM_EXPOSURE`.
        signals: Rows of `SIGNALS`.
    """

    def __init__(self, exposure: Sequence[Row], signals: Sequence[Row]) -> None:
        arms: dict[tuple[str, str], dict[str, Row]] = {}
        for row in exposure:
            arms.setdefault((row["question_id"], row["version"]), {})[row["arm"]] = row
        cells = {
            (s["question_id"], s["version"]): Cell(s, arms[s["question_id"], s["version"]])
            for s in signals
        }
        rewritten = sorted(q for q, version in cells if version == "rewritten")
        self.cells = {(q, v): cells[q, v] for q in rewritten for v in VERSIONS}
        self.ids = rewritten
        self.thresholds = {gate.name: self._chosen(gate) for gate in CHOSEN}

    def _chosen(self, gate: Gate) -> float:
        half = [c for c in self.cells.values() if c.signal["half"] == "chosen"]
        return choose(
            gate,
            [c.signal for c in half],
            [c.score("lexical", MATCHERS, "paper") for c in half],
            [c.score(gate.turns_to, MATCHERS, "paper") for c in half],
        )

    def outcome(self, q: str, version: str, arm: str, matcher: str) -> Outcome:
        """Return what an arm makes of one version of a question."""
        cell = self.cells[q, version]
        fired = None
        source = arm
        if arm == ORACLE:
            source = max(ORACLE_OF, key=lambda a: cell.score(a, MATCHERS, matcher))
        for gate in (ABSENCE, *CHOSEN):
            if arm == gate.name:
                threshold = self.thresholds.get(arm, ABSENCE_THRESHOLD)
                fired = gate.fires(cell.signal, threshold)
                source = gate.turns_to if fired else "lexical"
        score = cell.score(source, MATCHERS, matcher)
        return Outcome(score, cell.arms[source]["tokens"], fired)

    def scopes(self) -> dict[str, list[str]]:
        """Return the questions of each scope; see the schema `STRESS`."""
        how = {q: self.cells[q, "rewritten"].signal["how"] or "" for q in self.ids}
        parts = {q: set(how[q].split(" + ")) for q in self.ids}
        lexical = {
            q: self.cells[q, "rewritten"].score("lexical", MATCHERS, "paper") for q in self.ids
        }
        halves = {q: self.cells[q, "rewritten"].signal["half"] for q in self.ids}
        scopes = {
            "all": self.ids,
            "held_out": [q for q in self.ids if halves[q] == "held_out"],
            "failing": [q for q in self.ids if lexical[q] < FAILING_BELOW],
        }
        if any(parts[q] & NAMES for q in self.ids):
            scopes["names"] = [q for q in self.ids if parts[q] <= NAMES]
            scopes["definitions"] = [q for q in self.ids if not parts[q] & NAMES]
        return scopes


def stress_rows(
    exposure: Sequence[Row], signals: Sequence[Row], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of `STRESS`."""
    study = Study(exposure, signals)
    return [
        _row(study, scope, ids, version, arm, matcher, settings)
        for scope, ids in study.scopes().items()
        for arm in (*FREE_ARMS, *(GATED_ARMS if scope == "held_out" else ()))
        for version in VERSIONS
        for matcher in MATCHERS
    ]


def _row(
    study: Study,
    scope: str,
    ids: Sequence[str],
    version: str,
    arm: str,
    matcher: str,
    settings: Settings,
) -> dict[str, Any]:
    found = [study.outcome(q, version, arm, matcher) for q in ids]
    base = [study.outcome(q, version, "lexical", matcher).score for q in ids]
    cells = [study.cells[q, version] for q in ids]
    alone = [c.score("lexical", ALONE, matcher) for c in cells]
    differences = [o.score - b for o, b in zip(found, base, strict=True)]
    domains = [c.arms["lexical"]["domain"] for c in cells]
    threshold = study.thresholds.get(arm)
    fired = [o.fired for o in found if o.fired is not None]
    return {
        "scope": scope,
        "version": version,
        "arm": arm,
        "matcher": matcher,
        "n": len(ids),
        "n_domains": len(set(domains)),
        "ceiling": mean([o.score for o in found]),
        "alone": mean(alone),
        "difference": mean(differences),
        **paired_intervals("difference", differences, domains, settings),
        "n_better": sum(d > 0 for d in differences),
        "n_worse": sum(d < 0 for d in differences),
        "fired": mean([Fraction(f) for f in fired]),
        "tokens": mean([Fraction(o.tokens) for o in found]),
        # A gate that never fires has no number for a threshold.
        "threshold": None if threshold in (None, float("inf")) else threshold,
    }


def mean(values: Sequence[Fraction]) -> float | None:
    """Return the mean, None of nothing."""
    return float(sum(values, Fraction(0)) / len(values)) if values else None


def paired_intervals(
    name: str, values: Sequence[Fraction], domains: Sequence[str], settings: Settings
) -> dict[str, float | None]:
    """Return the interval of a mean as columns: rows resampled, and whole domains."""
    partitions = {"naive": Partition.rows(len(values)), "domain": Partition.by("domain", domains)}
    out: dict[str, float | None] = {}
    for kind, partition in partitions.items():
        interval = Interval(None, None)
        if values:
            (interval,) = mean_intervals(
                Ratios.of([values]),
                partition,
                seed=settings.seed,
                resamples=settings.resamples,
                level=settings.level,
            )
        out |= {f"{name}_{kind}_low": interval.low, f"{name}_{kind}_high": interval.high}
    return out
