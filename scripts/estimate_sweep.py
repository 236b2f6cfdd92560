"""Prints what a live run of the study would ask and cost. Sends nothing.

Settings: specs (the models), sweep (arms, subset), parts (judged studies with models and judges),
audit (its section with its models, its judges and how relations are said; or nothing), seed, live.
Inputs: scaffolds, prompts and references (of every judged study, in order of parts), grade and
relation (rubric files, or nothing), questions.
Outputs: none; the table goes to the terminal.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.arms.estimate import answering_calls, judging_calls
from copyceiling.arms.settings import Part, part_of
from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.store import rows as read
from copyceiling.audit.estimate import audit_calls
from copyceiling.completions import call_of, plan
from copyceiling.jobs import run
from copyceiling.judging.rubrics import Rubric, load_rubric
from copyceiling.models import ModelSpec, spec_of
from copyceiling.render import Panel, Show, Table, integer, markdown, number, text
from copyceiling.requests import Call
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions

_COLUMNS = (
    Show("Part", text("part"), "left"),
    Show("Model", text("model"), "left"),
    Show("Budget", integer("budget")),
    Show("Calls", integer("n_calls")),
    Show("had already", integer("n_cached")),
    Show("Prompt tokens", integer("prompt_tokens")),
    Show("most answer tokens", integer("max_completion_tokens")),
    Show("at least USD", number("low_usd")),
    Show("at most USD", number("high_usd")),
)
_NOTES = (
    "Calls in the cache cost nothing. A ladder's later budgets are asked only where an earlier "
    "one came back empty or cut. n/a: no price is known; declare one under live.prices.",
    "A judge's calls follow from answers that may not be there yet: counted are as many as there "
    "are answers, each of full length, and none as had already. Equal answers to one question are "
    "judged once; a reply that cannot be read costs one call more.",
)
Planned = tuple[str, ModelSpec, list[Call]]


def main(
    *,
    scaffolds: Path,
    prompts: Sequence[Path],
    references: Sequence[Path],
    grade: Any,
    relation: Any,
    questions: Path,
    specs: Sequence[Any],
    sweep: Any,
    parts: Mapping[str, Any],
    audit: Any,
    seed: int,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    # Imported here alone: a replay must not need what live calls need.
    from copyceiling.live.client import settings_of
    from copyceiling.live.estimate import estimate

    planned = _sweep(scaffolds, [spec_of(spec) for spec in specs], sweep, seed)
    for (name, params), shown, told in zip(parts.items(), prompts, references, strict=True):
        planned += _part(name, part_of(params), shown, told, load_rubric(grade, "grade"), seed)
    if audit:
        planned += _audit(audit, questions, load_rubric(relation, "relation"), seed)
    settings = settings_of(live)
    rows = [
        {**vars(row), "part": name}
        for name, spec, calls in planned
        if not spec.is_reference
        for row in estimate(calls, spec, settings)
    ]
    print(markdown(Table("Estimate of a live run", (Panel("", _COLUMNS, rows),), _NOTES)))


def _sweep(scaffolds: Path, specs: Sequence[ModelSpec], sweep: Any, seed: int) -> list[Planned]:
    shown = read_messages(scaffolds)
    planned = []
    for spec in specs:
        prompts = plan(shown, spec.model, sweep["arms"], sweep["subset"].get(spec.model), seed)
        messages = [m for p in prompts for m in p.arms.values()]
        calls = [call_of(spec, m, budget) for budget in spec.budgets for m in messages]
        planned.append(("sweep", spec, calls))
    return planned


def _part(
    name: str, part: Part, shown: Path, told: Path, rubric: Rubric, seed: int
) -> list[Planned]:
    prompts, references = read(shown, ARM_PROMPTS), read(told, REFERENCES)
    answering = [
        (f"{name}, answers", spec, answering_calls(spec, prompts)) for spec in part.models.values()
    ]
    judging = [
        (f"{name}, grades", spec, judging_calls(spec, part, prompts, references, rubric, seed))
        for spec in part.judges.values()
    ]
    return [*answering, *judging]


def _audit(audit: Any, questions: Path, rubric: Rubric, seed: int) -> list[Planned]:
    asked = read_questions(questions)
    answering = [spec_of(spec) for spec in audit["answering"]]
    how = audit["section"], asked, audit["relations"], rubric, seed
    return [
        ("audit, labels", spec, audit_calls(spec, answering, *how))
        for spec in map(spec_of, audit["judging"])
    ]


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
