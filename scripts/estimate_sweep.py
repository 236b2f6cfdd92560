"""Prints what a live run of the study would still ask, and what that costs. Sends nothing.

Settings: specs (the models), sweep (arms, subset), judging (judges, forms, repeats, subset and
answer_cap; or nothing), parts (judged studies with models and judges), audit (its section with its
models, its judges and how relations are said; or nothing), frozen_names (part and label of each
file of frozen calls), seed, live.
Inputs: scaffolds, questions, prompts and references (of every judged study, in order of parts),
calibration_items, relation, grade and span (rubric files), exposure and classes (of an audit),
frozen (calls of models and of judges). Where the study lacks a part, its inputs are empty.
Outputs: none; the table goes to the terminal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from copyceiling.arms.asking import prompts_of
from copyceiling.arms.estimate import grade_asks
from copyceiling.arms.settings import Part, part_of
from copyceiling.artefacts.arm_schemas import ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.judging_schemas import CALIBRATION_ITEMS
from copyceiling.artefacts.schemas import EXPOSURE
from copyceiling.artefacts.store import rows as read
from copyceiling.audit.draw import draw_audit
from copyceiling.audit.estimate import audit_asks, drawn_asks, known_answers, places_of
from copyceiling.calibration.estimate import calibration_asks
from copyceiling.completions import Prompt, answers, plan
from copyceiling.jobs import run
from copyceiling.judging.rehearsal import Sitting
from copyceiling.judging.rows import read_judge_calls
from copyceiling.judging.rubrics import Rubric, load_rubric
from copyceiling.models import ModelSpec, spec_of
from copyceiling.questions import Question
from copyceiling.rehearsal import Asks, Known, answer_asks
from copyceiling.render import MISSING, Panel, Show, Table, integer, markdown, number, text
from copyceiling.rows.completions import read_outcomes
from copyceiling.rows.corpus import read_classes
from copyceiling.rows.messages import read_messages
from copyceiling.rows.questions import read_questions

Row = Mapping[str, Any]
Sit = Callable[[ModelSpec, Known], Sitting]


@dataclass(frozen=True)
class Planned:
    """What one model does in one part of the study.

    Attributes:
        name: As it is shown.
        part: Where its calls are frozen, as `frozen_names` has it. What is frozen of another part
            is not taken over.
        spec: The model.
        asks: What it asks, given what is known.
        about: Names of the answers that it judges, in `frozen_names`.
    """

    name: str
    part: str
    spec: ModelSpec
    asks: Callable[[Known], Asks]
    about: Sequence[str] = ()


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
    "Calls, tokens and USD are of what a live run would ask: what is neither frozen nor in the "
    "cache. What is both counts as frozen. What ended in an error is asked again.",
    "a..b: at least and at most. Least: what is asked whatever the answers say, unless they end in "
    "errors. Most: every answer is as long as its budget, every ladder is climbed, and no reply of "
    "a judge can be read: each is asked for once more, and a label's quote is asked for as well.",
    "Prompt tokens: characters / 4. At least USD takes a token for a word and empty answers, "
    "at most USD a token for a byte and answers of full length.",
    f"{MISSING}: no price is known, declare one under live.prices; or, of calls that are had, that "
    "what is audited follows from answers that are not all there yet.",
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
    classes: Any,
    frozen: Sequence[Path],
    specs: Sequence[Any],
    sweep: Any,
    judging: Any,
    parts: Mapping[str, Any],
    audit: Any,
    frozen_names: Sequence[str],
    seed: int,
    live: Any,
    made: Any,
) -> None:
    """Run the step; see the header."""
    swept = _prompts(scaffolds, [spec_of(spec) for spec in specs], sweep, seed)
    planned = [_answers("sweep", "sweep", spec, shown) for spec, shown in swept]
    if judging:
        told = load_rubric(relation, "relation"), load_rubric(grade, "grade")
        sit = _sitting(load_rubric(span, "span"), seed, judging["answer_cap"])
        planned += _calibration(judging, read(calibration_items, CALIBRATION_ITEMS), told, sit)
        for (name, params), shown, known in zip(parts.items(), prompts, references, strict=True):
            rows = read(shown, ARM_PROMPTS), read(known, REFERENCES)
            planned += _part(name, part_of(params), *rows, told[1], sit)
        if audit:
            titles = {c.slug: c.title for c in read_classes(classes)}
            shows = read(exposure, EXPOSURE)
            asked = read_questions(questions)
            planned += _audit(audit, swept, asked, shows, titles, seed, told[0], sit)
    had = {name: _read(name, path) for name, path in zip(frozen_names, frozen, strict=True)}
    print(markdown(_table([p for p in planned if not p.spec.is_reference], live, had)))


def _read(name: str, path: Path) -> Known:
    """Return what a file of frozen calls answers."""
    judged = name.startswith("judged/")
    return answers(read_judge_calls(path) if judged else read_outcomes(path))


def _table(planned: Sequence[Planned], live: Any, frozen: Mapping[str, Known]) -> Table:
    # Imported here alone: a replay must not need what live calls need.
    from copyceiling.live.client import settings_of
    from copyceiling.live.estimate import cached, estimate

    settings = settings_of(live)
    specs = {p.spec.model: p.spec for p in planned}
    caches = {label: cached([spec], settings) for label, spec in specs.items()}
    cache = {key: outcome for own in caches.values() for key, outcome in own.items()}
    rows = []
    for p in planned:
        own = frozen.get(f"{p.part}/{p.spec.model}", {})
        known = {**cache, **own}
        for name in p.about:
            known |= frozen.get(name, {})
        asks = p.asks(known)
        if not asks.are_exact and (own or caches[p.spec.model]):  # these may be the very calls
            asks = replace(asks, least=())
        found = estimate(asks, p.spec, settings, cache, own)
        rows += [{**vars(row), "part": p.name} for row in found]
    return Table("Estimate of a live run", (Panel("", _COLUMNS, rows),), _NOTES)


def _prompts(
    scaffolds: Path, specs: Sequence[ModelSpec], sweep: Any, seed: int
) -> list[tuple[ModelSpec, list[Prompt]]]:
    shown, subset = read_messages(scaffolds), sweep["subset"]
    return [(s, plan(shown, s.model, sweep["arms"], subset.get(s.model), seed)) for s in specs]


def _answers(name: str, part: str, spec: ModelSpec, prompts: Sequence[Prompt]) -> Planned:
    return Planned(name, part, spec, lambda known: answer_asks(spec, prompts, known))


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
            "judged/calibration",
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
            f"judged/{name}",
            spec,
            lambda known: grade_asks(sit(spec, known), part, prompts, references, rubric),
            [f"{name}/{label}" for label in part.models],
        )

    shown = prompts_of(prompts)
    asked = [_answers(f"{name}, answers", name, spec, shown) for spec in part.models.values()]
    return [*asked, *map(of, part.judges.values())]


def _audit(
    audit: Any,
    swept: Sequence[tuple[ModelSpec, Sequence[Prompt]]],
    questions: Sequence[Question],
    exposure: Sequence[Row],
    titles: Mapping[str, str],
    seed: int,
    rubric: Rubric,
    sit: Sit,
) -> list[Planned]:
    named = {spec["model"] for spec in audit["answering"]}
    audited = [pair for pair in swept if pair[0].model in named]
    section, said = audit["section"], audit["relations"]

    def asks(spec: ModelSpec, known: Known) -> Asks:
        answered = known_answers(audited, known, questions, exposure)
        if answered is None:
            places = places_of(audited, exposure)
            return audit_asks(sit(spec, known), places, section, questions, said, rubric)
        drawn = draw_audit(answered, questions, exposure, titles, section, said, seed)
        return drawn_asks(sit(spec, known), drawn, section["forms"], rubric)

    def of(spec: ModelSpec) -> Planned:
        about = [f"sweep/{model.model}" for model, _ in audited]
        return Planned("audit, labels", "judged/audit", spec, lambda k: asks(spec, k), about)

    return [of(spec) for spec in map(spec_of, audit["judging"])]


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
