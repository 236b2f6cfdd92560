"""Seeds and snapshots: how far exposure moves over question seeds, thresholds and budgets.

The paper's intervals resample one frozen question set; they say nothing of another draw of
questions, other eligibility thresholds or another budget (its limitation "one seed, one
snapshot"). No model is needed to say: exposure follows from questions and engine alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, stdev
from typing import Any

from copyceiling.corpus.model import OntologyClass
from copyceiling.matching import Match, Text, Title, match_all
from copyceiling.questions import Question, QuestionGenerator
from copyceiling.requests import build_messages, visible_input
from copyceiling.scaffold import RELATION_ORDER, ScaffoldEngine, estimate_tokens
from copyceiling.scoring import question_score
from copyceiling.stress.analysis import mean, paired_intervals
from copyceiling.sweep import Settings

AS_IS = "as in the study"
BUDGET_AXIS = "scaffold.budget_tokens"
SNAPSHOT_AXIS = "corpus.version"
MATCHERS: Mapping[str, Callable[[Match], bool]] = {
    "paper": lambda m: m.paper,
    "strict": lambda m: m.strict,
}
MEASURES = ("n", "ceiling", "exposed_fraction", "alone", "tokens")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Variant:
    """One change of the study's settings: the key, its value, and the settings that result."""

    axis: str
    setting: str
    questions: Mapping[str, Any]
    budget: int


@dataclass(frozen=True)
class Measured:
    """One question's exposure under one matcher."""

    domain: str
    ceiling: Fraction
    exposed: Fraction
    alone: Fraction
    tokens: int


# What the study's own seed measured, by axis and setting, then by matcher.
Own = Mapping[tuple[str, str], Mapping[str, Sequence[Measured]]]


def question_seeds(study_seed: int, n: int) -> list[int]:
    """Return the study's own seed, then the least other whole numbers, n in all."""
    others = (seed for seed in range(n + 1) if seed != study_seed)
    return [study_seed, *others][:n]


def variants(
    questions: Mapping[str, Any],
    budget: int,
    thresholds: Mapping[str, Sequence[Any]],
    budgets: Sequence[int],
) -> list[Variant]:
    """Return the study as it is, then each change of one setting; equal ones are left out.

    Args:
        questions: The study's ``questions`` section.
        budget: Its budget in tokens.
        thresholds: Key of that section to the values to try.
        budgets: Budgets to try.
    """
    found = [Variant(AS_IS, "", questions, budget)]
    for key, values in thresholds.items():
        for value in values:
            if value != questions[key]:
                axis, changed = f"questions.{key}", {**questions, key: value}
                found.append(Variant(axis, str(value).lower(), changed, budget))
    found += [Variant(BUDGET_AXIS, str(b), questions, b) for b in budgets if b != budget]
    return found


class SeedRunner:
    """Measures exposure for any seed and variant over one corpus; the index is built once.

    Args:
        classes: The corpus.
        scaffold: The study's ``scaffold`` section.
        preamble: Text before the block.
    """

    def __init__(
        self, classes: Sequence[OntologyClass], scaffold: Mapping[str, Any], preamble: str
    ) -> None:
        self._classes = classes
        self._preamble = preamble
        self._engine = ScaffoldEngine(
            classes,
            relation_order=scaffold["relation_order"] or RELATION_ORDER,
            budget_tokens=scaffold["budget_tokens"],
            max_seeds=scaffold["max_seeds"],
            hops=scaffold["hops"],
        )
        self._generators: dict[tuple[str, str], QuestionGenerator] = {}

    def measure(self, variant: Variant, seed: int) -> dict[str, list[Measured]]:
        """Return the exposure of the questions that a seed draws, by matcher."""
        key = (variant.axis, variant.setting)
        if variant.axis == BUDGET_AXIS:
            key = (AS_IS, "")  # the same questions
        if key not in self._generators:
            self._generators[key] = QuestionGenerator(self._classes, variant.questions)
        engine = self._engine.with_budget(variant.budget)
        out: dict[str, list[Measured]] = {name: [] for name in MATCHERS}
        for question in self._generators[key].generate(seed):
            for name, measured in self._question(question, engine):
                out[name].append(measured)
        return out

    def _question(
        self, question: Question, engine: ScaffoldEngine
    ) -> Iterator[tuple[str, Measured]]:
        block = engine.scaffold(question.retrieval_text).block
        titles = [Title.of(item.title) for item in question.gold]
        shown = visible_input(build_messages(self._preamble, block, question.prompt))
        found, alone = (
            match_all(titles, Text.of(shown)),
            match_all(titles, Text.of(question.prompt)),
        )
        for name, by in MATCHERS.items():
            n_exposed, n_alone = sum(map(by, found)), sum(map(by, alone))
            n_gold = len(titles)
            yield (
                name,
                Measured(
                    question.domain,
                    Fraction(*question_score(n_exposed, n_gold, question.gold_type)),
                    Fraction(n_exposed, n_gold),
                    Fraction(*question_score(n_alone, n_gold, question.gold_type)),
                    estimate_tokens(block),
                ),
            )


def run_rows(
    runner: SeedRunner, changes: Sequence[Variant], seeds: Sequence[int]
) -> tuple[list[dict[str, Any]], Own]:
    """Return a row of `SEED_RUNS` a variant, seed and matcher; and what the first seed measured.

    A seed under which a variant draws no question has its row, with no mean.
    """
    rows: list[dict[str, Any]] = []
    own: dict[tuple[str, str], dict[str, list[Measured]]] = {}
    for variant in changes:
        for seed in seeds:
            found = runner.measure(variant, seed)
            if seed == seeds[0]:
                own[variant.axis, variant.setting] = found
            rows += [
                {
                    "axis": variant.axis,
                    "setting": variant.setting,
                    "seed": seed,
                    "matcher": matcher,
                    "n": len(measured),
                    "n_domains": len({m.domain for m in measured}),
                    **{name: mean(values) for name, values in _columns(measured).items()},
                }
                for matcher, measured in found.items()
            ]
    return rows, own


def _columns(measured: Sequence[Measured]) -> dict[str, list[Fraction]]:
    return {
        "ceiling": [m.ceiling for m in measured],
        "exposed_fraction": [m.exposed for m in measured],
        "alone": [m.alone for m in measured],
        "tokens": [Fraction(m.tokens) for m in measured],
    }


def summary_rows(
    runs: Sequence[Row],
    own: Own,
    settings: Settings,
) -> list[dict[str, Any]]:
    """Return the rows of `SEEDS_STUDY`: spread over seeds, beside the interval of one seed.

    Args:
        runs: Rows of `SEED_RUNS`.
        own: What the study's own seed measured, by variant and matcher.
        settings: Of the intervals.
    """
    grouped: dict[tuple[str, str, str], list[Row]] = {}
    for row in runs:
        grouped.setdefault((row["axis"], row["setting"], row["matcher"]), []).append(row)
    out = []
    for (axis, setting, matcher), rows in grouped.items():
        measured = own[axis, setting][matcher]
        domains = [m.domain for m in measured]
        columns = _columns(measured)
        for measure in MEASURES:
            values = [float(r[measure]) for r in rows if r[measure] is not None]
            mine = columns.get(measure)
            bounds = paired_intervals("study", mine or (), domains if mine else (), settings)
            low, high = bounds["study_domain_low"], bounds["study_domain_high"]
            others = [
                r[measure] for r in rows if r["seed"] != settings.seed and r[measure] is not None
            ]
            out.append(
                {
                    "axis": axis,
                    "setting": setting,
                    "matcher": matcher,
                    "measure": measure,
                    "n_seeds": len(values),
                    "mean": fmean(values) if values else None,
                    "sd": stdev(values) if len(values) > 1 else None,
                    "min": min(values, default=None),
                    "max": max(values, default=None),
                    "study": float(len(measured)) if mine is None else mean(mine),
                    **bounds,
                    "inside": None
                    if low is None or high is None
                    else sum(low <= value <= high for value in others),
                }
            )
    return out
