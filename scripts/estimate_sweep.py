"""Prints what a live run of the study would ask and cost. Sends nothing.

Settings: specs (the models), sweep (arms, subset), judging (judges, forms, repeats, subset and
answer_cap; or nothing), parts (judged studies with models and judges), audit (its section with its
models, its judges and how relations are said; or nothing), seed, live.
Inputs: scaffolds, questions, prompts and references (of every judged study, in order of parts),
calibration_items, relation, grade and span (rubric files), exposure; frozen_calls and
frozen_verdicts (of models and of judges). Where the study lacks a part, its inputs are empty.
Outputs: none; the table goes to the terminal.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.arms.asking import prompts_of
from copyceiling.arms.estimate import grade_asks
from copyceiling.arms.settings import Part, part_of
from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.judging_schemas import CALIBRATION_ITEMS
from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import rows as read
from copyceiling.audit.estimate import audit_asks, places_of
from copyceiling.calibration.estimate import calibration_asks
from copyceiling.completions import Prompt, plan
from copyceiling.jobs import run
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.rubrics import Rubric, load_rubric
from copyceiling.models import ModelSpec, spec_of
from copyceiling.rehearsal import Asks, Known, answer_asks
from copyceiling.render import MISSING, Panel, Show, Table, integer, markdown, number, text
from copyceiling.rows.completions import read_outcomes
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions

Row = Mapping[str, Any]
Sit = Callable[[ModelSpec, Known], Sitting]


@dataclass(frozen=True)
class Planned:
    """What one model does in one part of the study, and what that asks, given what is known."""

    name: str
    spec: ModelSpec
    asks: Callable[[Known], Asks]


def _span(name: str) -> Callable[[Row], str]:
    def cell(row: Row) -> str:
        least, most = row[f"least_{name}"], row[f"most_{name}"]
        return f"{most:,}" if least == most else f"{least:,}..{most:,}"

    return cell


_COLUMNS = (
    Show("Part", text("part"), "left"),
    Show("Model", text("model"), "left"),
    Show("Budget", integer("budget")),
    Show("Calls", _span("calls")),
    Show("in cache", integer("n_cached")),
    Show("frozen", integer("n_frozen")),
    Show("Prompt tokens", _span("prompt_tokens")),
    Show("most answer tokens", integer("max_completion_tokens")),
    Show("at least USD", number("least_usd")),
    Show("at most USD", number("most_usd")),
)
_NOTES = (
    "a..b: at least and at most. Least: what is asked whatever the answers say, unless they end in "
    "errors. Most: every answer is as long as its budget, every ladder is climbed, and no reply of "
    "a judge can be read: each is asked for once more, and a label's quote is asked for as well.",
    "Tokens and USD are of the calls that are not in the cache; a live run asks these, frozen or "
    "not. Prompt tokens: characters / 4. At least USD takes a token for a word and empty answers, "
    "at most USD a token for a byte and answers of full length.",
    f"{MISSING}: no price is known, declare one under live.prices; or, of calls, that what is "
    "audited follows from answers that are not looked at here.",
)


def main(
    *,
    scaffolds: Path,
    questions: Path,
    prompts: Sequence[Path],
    references: Sequence[Path],
    calibration_items: Any,
    relation: Any,
    grade: Any,
    span: Any,
    exposure: Any,
    frozen_calls: Sequence[Path],
    frozen_verdicts: Sequence[Path],
    specs: Sequence[Any],
    sweep: Any,
    judging: Any,
    parts: Mapping[str, Any],
    audit: Any,
    seed: int,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    swept = _prompts(scaffolds, [spec_of(spec) for spec in specs], sweep, seed)
    planned = [_answers("sweep", spec, shown) for spec, shown in swept]
    if judging:
        told = load_rubric(relation, "relation"), load_rubric(grade, "grade")
        sit = _sitting(load_rubric(span, "span"), seed, judging["answer_cap"])
        planned += _calibration(judging, read(calibration_items, CALIBRATION_ITEMS), told, sit)
        for (name, params), shown, known in zip(parts.items(), prompts, references, strict=True):
            rows = read(shown, ARM_PROMPTS), read(known, REFERENCES)
            planned += _part(name, part_of(params), *rows, told[1], sit)
        if audit:
            planned += _audit(audit, swept, questions, read(exposure, EXPOSURE), told[0], sit)
    frozen = {k: o for path in frozen_calls for k, o in read_outcomes(path).items()}
    frozen |= {k: o for path in frozen_verdicts for k, o in read_judge_calls(path).items()}
    print(markdown(_table([p for p in planned if not p.spec.is_reference], live, frozen)))


def _table(planned: Sequence[Planned], live: Any, frozen: Known) -> Table:
    # Imported here alone: a replay must not need what live calls need.
    from copyceiling.live.client import settings_of
    from copyceiling.live.estimate import cached, estimate

    settings = settings_of(live)
    had = cached([p.spec for p in planned], settings)
    rows = [
        {**vars(row), "part": p.name, "n_frozen": there[row.budget] if asks.are_exact else None}
        for p in planned
        for asks, there in [(p.asks(had), _on_record(p, frozen))]
        for row in estimate(asks, p.spec, settings, had)
    ]
    return Table("Estimate of a live run", (Panel("", _COLUMNS, rows),), _NOTES)


def _on_record(planned: Planned, frozen: Known) -> Counter[int]:
    """Count the frozen calls by budget; what was asked after them is known by their outcomes."""
    return Counter(c.max_tokens for c in planned.asks(frozen).most if c.key in frozen)


def _prompts(
    scaffolds: Path, specs: Sequence[ModelSpec], sweep: Any, seed: int
) -> list[tuple[ModelSpec, list[Prompt]]]:
    shown, subset = read_messages(scaffolds), sweep["subset"]
    return [(s, plan(shown, s.model, sweep["arms"], subset.get(s.model), seed)) for s in specs]


def _answers(name: str, spec: ModelSpec, prompts: Sequence[Prompt]) -> Planned:
    return Planned(name, spec, lambda known: answer_asks(spec, prompts, known))


def _sitting(span: Rubric, seed: int, answer_cap: int | None) -> Sit:
    return lambda spec, known: Sitting(spec, span, seed, answer_cap, known)


def _calibration(
    judging: Any, items: Sequence[Row], rubrics: Sequence[Rubric], sit: Sit
) -> list[Planned]:
    def of(spec: ModelSpec, rubric: Rubric) -> Planned:
        how = {"repeats": judging["repeats"], "subset": judging["subset"].get(spec.model)}
        forms = judging["forms"]
        return Planned(
            f"calibration, {rubric.kind}",
            spec,
            lambda known: calibration_asks(sit(spec, known), items, rubric, forms, **how),
        )

    return [of(spec, rubric) for spec in map(spec_of, judging["judges"]) for rubric in rubrics]


def _part(
    name: str,
    part: Part,
    prompts: Sequence[Row],
    references: Sequence[Row],
    rubric: Rubric,
    sit: Sit,
) -> list[Planned]:
    def of(spec: ModelSpec) -> Planned:
        return Planned(
            f"{name}, grades",
            spec,
            lambda known: grade_asks(sit(spec, known), part, prompts, references, rubric),
        )

    shown = prompts_of(prompts)
    answers = [_answers(f"{name}, answers", spec, shown) for spec in part.models.values()]
    return [*answers, *map(of, part.judges.values())]


def _audit(
    audit: Any,
    swept: Sequence[tuple[ModelSpec, Sequence[Prompt]]],
    questions: Path,
    exposure: Sequence[Row],
    rubric: Rubric,
    sit: Sit,
) -> list[Planned]:
    asked = read_questions(questions)
    named = {spec["model"] for spec in audit["answering"]}
    places = places_of([pair for pair in swept if pair[0].model in named], exposure)
    how = places, audit["section"], asked, audit["relations"], rubric

    def of(spec: ModelSpec) -> Planned:
        return Planned("audit, labels", spec, lambda known: audit_asks(sit(spec, known), *how))

    return [of(spec) for spec in map(spec_of, audit["judging"])]


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
