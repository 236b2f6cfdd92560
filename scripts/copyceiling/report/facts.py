"""What was measured, on what, with which models and judges, by whom: the facts of the overview."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from copyceiling.calibration.banner import DEFAULT_FORM, passes
from copyceiling.matching import SIGNATURE
from copyceiling.models import ModelSpec
from copyceiling.report import cautions
from copyceiling.report.evidence.records import SWEEP
from copyceiling.report.markup import Html, el, join
from copyceiling.report.material import Material
from copyceiling.report.provenance import SHORT
from copyceiling.report.words import POLICIES, READERS, RULES, TEMPLATES
from copyceiling.requests import STATUSES

_MATCHERS = (
    "A gold name counts as named under the paper's matcher where the whole of it stands in the "
    "text, inside other words too, or where at least 80 % of its words of four letters or more do, "
    "in any order; `strict` asks for the whole name at word boundaries. Case and punctuation "
    "do not count. Signature: "
)


def facts(material: Material) -> list[Html]:
    """Return the entries of the list of facts."""
    study, statistics = material.study, material.study["statistics"]
    policy = material.policy
    found: list[tuple[str, Any]] = [
        ("Study", f"{study['title']} ({study['study']})"),
        ("Corpus", _corpus(material.generation)),
        ("Its bytes", join("sha256 ", el("code", material.generation["sha256"], class_="hash"))),
        ("Questions", _questions(material)),
        ("Models", _models(material)),
        ("Reference readers", _readers(material)),
        ("Answers", _answers(material)),
        ("Judges", _judges(material)),
        ("Matchers", _matchers()),
        (
            "Statistics",
            f"{100 * statistics['level']:g} % percentile bootstrap intervals, "
            f"{statistics['resamples']:,} resamples, seed {study['seed']}",
        ),
        ("Answers that are not ok", f"{policy}: {POLICIES.get(policy, policy)}"),
        ("Code and report by", ", ".join(material.people)),
        ("Software", ", ".join(f"{name} {v}" for name, v in material.software.items())),
        ("Check it", join(el("code", _verify(study)), " recomputes it from the frozen rows.")),
    ]
    return [join(el("dt", name), el("dd", value)) for name, value in found]


def block_words(study: Mapping[str, Any]) -> str:
    """Return what the study's blocks are."""
    made = study["scaffold"]
    near = " with their neighbours," if made["hops"] else ""
    return (
        "what of the corpus stands before a question, also called the scaffold: the entries of up "
        f"to {made['max_seeds']} classes that share words with the question,{near} in at most "
        f"{made['budget_tokens']:,} tokens. Asked alone, or raw, a model is shown the question and "
        "nothing else. A gold name is one that the corpus gives as an answer to the question."
    )


def _corpus(corpus: Mapping[str, Any]) -> str:
    return (
        f"{corpus['name']}, {corpus['version']}, {corpus['n_classes']:,} classes; "
        f"{corpus['source']}; licence {corpus['licence']}"
    )


def _questions(material: Material) -> Html:
    total = f"{sum(material.n_questions.values()):,} over {_n(material.n_domains, 'domain')}:"
    return join(total, _list(_asks(name, n) for name, n in material.n_questions.items()))


def _asks(name: str, n: int) -> str:
    words = TEMPLATES.get(name)
    return f"{n:,} {name}" + (f": {words}" if words else "")


def _models(material: Material) -> Html:
    released = material.study["sweep"]["source"] == "release"
    entries = [_model(m, material.specs.get(m), released) for m in _of(material, "model")]
    if not entries:
        return join("none")
    if released:
        origin = "Their score rows are those of a release, which says how they were asked."
    elif material.study["mode"] == "replay":
        frozen = el("code", material.study["frozen"])
        notes = join(", whose ", el("code", "README.md"), " says how they were made")
        said = notes if material.frozen_notes else ""
        origin = join("Their answers are replayed from the frozen calls in ", frozen, said, ".")
    else:
        origin = "Their answers were asked for live."
    return join(_list(entries), origin)


def _model(label: str, spec: ModelSpec | None, released: bool) -> str:
    """Return what is known of a model: weights or provider, sampling, and budget of an answer."""
    if spec is None or released:
        return label
    settings = [f"{name.replace('_', ' ')} {value}" for name, value in spec.params.items()]
    settings.append(f"at most {' or '.join(f'{b:,}' for b in spec.budgets)} tokens an answer")
    name = spec.call_target.removeprefix("gguf/")
    if spec.runner == "gguf":
        about = f"weights {name}, sha256 {spec.revision[:SHORT]}…, run in process by xllamacpp"
    else:
        revision = f", revision {spec.revision}" if spec.revision else ", no revision stated"
        about = f"{name}{revision}, asked through LiteLLM"
    return f"{label}: {about}; {', '.join(settings)}"


def _readers(material: Material) -> Html:
    readers = _of(material, "reader")
    if not readers:
        return join("none")
    rules = {m: material.specs[m].target for m in readers if m in material.specs}
    entries = [_named(m, READERS.get(rules.get(m, ""))) for m in readers]
    return join("Rules, no models; they show what can be had without reading:", _list(entries))


def _answers(material: Material) -> Html:
    """Return how the sweep's answers ended, models and readers apart, and how many others are."""
    swept = [a for a in material.answers if a.asked.part == SWEEP]
    words = {"model": "of models", "reader": "of reference readers"}
    entries = []
    for group, what in words.items():
        ends = Counter(a.status for a in swept if material.groups.get(a.model) == group)
        if ends:
            listed = ", ".join(f"{ends[s]:,} {s}" for s in STATUSES if ends[s])
            entries.append(f"{sum(ends.values()):,} {what}: {listed}")
    others = len(material.answers) - len(swept)
    if others:
        entries.append(f"{others:,} more in the judged studies, by arm in their tables")
    return _list(entries) if entries else join("none")


def _judges(material: Material) -> Html:
    labels = list((material.study["judging"] or {}).get("judges", ()))
    said = cautions.distinct(material.cautions)
    if not labels and not said:
        return join("none")
    ends = {label: _calibrated(material, label) for label in labels if label not in material.rules}
    none = bool(ends) and not any(good for found in ends.values() for good in found.values())
    verdict = "No model among them passes, so no conclusion rests on a verdict. " if none else ""
    against = el("a", "What stands against them", href=f"#{cautions.ANCHOR}") if said else None
    entries = [_judge(material, label, ends.get(label)) for label in labels]
    return join(_list(entries) if entries else None, verdict, against)


def _calibrated(material: Material, judge: str) -> dict[str, bool]:
    """Return whether a judge passes its calibration, by rubric."""
    card = material.tables.get("calibration", ())
    rubrics = sorted({r["rubric"] for r in card if r["judge"] == judge})
    return {rubric: passes(card, judge, rubric, DEFAULT_FORM) for rubric in rubrics}


def _judge(material: Material, label: str, ends: Mapping[str, bool] | None) -> str:
    """Return what a judge is: a rule, or a model with the rubrics whose calibration it passes."""
    if ends is None:
        rule = material.specs[label].target if label in material.specs else label
        return _named(label, f"a rule, no model; {RULES.get(rule, '')}".rstrip("; "))
    results = [
        f"{what} its calibration for {' and '.join(kept)}"
        for what, good in (("passes", True), ("fails", False))
        if (kept := [f"{rubric}s" for rubric, end in ends.items() if end is good])
    ]
    return _named(label, ", ".join(["a model", *results]))


def _matchers() -> Html:
    first, code, last = _MATCHERS.split("`")
    return join(first, el("code", code), last, el("code", SIGNATURE), ".")


def _named(label: str, words: str | None) -> str:
    return f"{label}: {words}" if words else label


def _of(material: Material, group: str) -> list[str]:
    return [m for m, g in material.groups.items() if g == group]


def _n(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _list(entries: Iterable[object]) -> Html:
    return el("ul", *(el("li", entry) for entry in entries))


def _verify(study: Mapping[str, Any]) -> str:
    name = study["study"]
    option = "" if name == "go" else f" --configfile config/studies/{name}.yaml"
    return f"snakemake verify{option}"
