"""Reads a study's artefacts as what its report is made of."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from copyceiling.artefacts.arm_schemas import ARM_COMPLETIONS, ARM_PROMPTS, REFERENCES
from copyceiling.artefacts.audit_unit_schemas import AUDIT_SAMPLE
from copyceiling.artefacts.judged_schemas import VERDICTS
from copyceiling.artefacts.judging_schemas import JUDGEMENTS
from copyceiling.artefacts.rescore_schemas import FIGURE_RESCORE
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import (
    COMPLETIONS,
    EXPOSURE,
    GENERATION,
    ITEMS,
    SCAFFOLDS,
    SCORES,
)
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.stress_schemas import FIGURE_SEEDS
from copyceiling.artefacts.study_schemas import FIGURE3
from copyceiling.calibration.banner import DEFAULT_FORM
from copyceiling.config import load_yaml
from copyceiling.models import load_models
from copyceiling.render import Table
from copyceiling.report.evidence.arms import arm_answers, parts_of
from copyceiling.report.evidence.records import Answer
from copyceiling.report.evidence.sweep import sweep_answers
from copyceiling.report.evidence.verdicts import add_verdicts
from copyceiling.report.material import Material
from copyceiling.report.provenance import trace
from copyceiling.report.tables import split_caption
from copyceiling.rows.questions import read_questions
from copyceiling.tables import LAYOUTS, notes_of
from copyceiling.tables.cards import with_cards

_FIGURES = {"figure3": FIGURE3, "rescore": FIGURE_RESCORE, "seeds": FIGURE_SEEDS}
Row = Mapping[str, Any]
Paths = Sequence[Path]


@dataclass(frozen=True)
class Sources:
    """Where the artefacts of a study lie; lists are empty where a study lacks the part.

    Attributes:
        results: The results folder.
        tables, figures: Artefacts of tables and figures.
        generation, questions, scaffolds, exposure: Of the study.
        scores, items, completions: Of the sweep, a file a model.
        verdicts, sample, labels: Of the audit: `VERDICTS`, `AUDIT_SAMPLE`, and `JUDGEMENTS` a
            judge.
        prompts, references, answers, grades: Of the judged studies with calls of their own.
        citation: ``CITATION.cff``.
        model_table: ``config/models.tsv``, or the study's own.
        frozen_notes: What says how the frozen calls were made; a file or none.
    """

    results: Path
    tables: Paths
    figures: Paths
    generation: Path
    questions: Path
    scaffolds: Path
    exposure: Path
    scores: Paths
    items: Paths
    completions: Paths
    verdicts: Paths
    sample: Paths
    labels: Paths
    prompts: Paths
    references: Paths
    answers: Paths
    grades: Paths
    citation: Path
    model_table: Path
    frozen_notes: Paths


def gather(
    sources: Sources, study: Mapping[str, Any], readers: Sequence[str], tools: Row
) -> Material:
    """Return a study as what its report is made of.

    Args:
        sources: Its artefacts.
        study: Its complete configuration.
        readers: Labels of the reference readers.
        tools: Name and version of the software that computes.
    """
    names = {path.stem: path for path in sources.tables}
    tables = {
        name: sorted(rows(names[name], layout.schema), key=lambda r: r["position"])
        for name, layout in LAYOUTS.items()
        if name in names
    }
    card = tables.get("calibration", ())
    shown = {name: _displayed(name, found, study, card) for name, found in tables.items()}
    own = {name: split_caption(shown[name].caption, found) for name, found in tables.items()}
    questions = read_questions(sources.questions)
    (generation,) = rows(sources.generation, GENERATION)
    return Material(
        study=study,
        generation=generation,
        n_questions=dict(sorted(Counter(q.template for q in questions).items())),
        n_domains=len({q.domain for q in questions}),
        people=people(sources.citation),
        software=tools,
        groups={m: "reader" if m in readers else "model" for m in study["sweep"]["models"]},
        tables=tables,
        displayed={name: replace(table, caption=own[name][1]) for name, table in shown.items()},
        cautions={name: said for name, (said, _) in own.items()},
        figures={path.stem: rows(path, _FIGURES[path.stem]) for path in sources.figures},
        chain=trace(sources.results, [*names.values(), *sources.figures]),
        answers=_answers(sources),
        specs=load_models(sources.model_table),
        frozen_notes=bool(sources.frozen_notes),
    )


def _displayed(
    name: str, found: Sequence[Row], study: Mapping[str, Any], card: Sequence[Row]
) -> Table:
    """Return a table as every other rendering of it shows it."""
    statistics = study["statistics"]
    layout = LAYOUTS[name]
    level = statistics["level"]
    table = layout.table(found, study["title"], statistics["missing"], level)
    table = with_cards(table, found, card, layout.rubric, level)
    return replace(table, notes=(*table.notes, *notes_of(study, name)))


def people(citation: Path) -> list[str]:
    """Return the names of the authors of a ``CITATION.cff``."""
    authors = load_yaml(citation)["authors"]
    return [
        a["name"] if "name" in a else f"{a.get('given-names', '')} {a['family-names']}".strip()
        for a in authors
    ]


def _answers(sources: Sources) -> list[Answer]:
    """Return the evidence: the sweep with the audit's verdicts, then the other studies."""
    found = sweep_answers(
        read_questions(sources.questions),
        rows(sources.scaffolds, SCAFFOLDS),
        rows(sources.exposure, EXPOSURE),
        _all(sources.scores, SCORES),
        _all(sources.items, ITEMS),
        _all(sources.completions, COMPLETIONS),
    )
    add_verdicts(
        found,
        _all(sources.verdicts, VERDICTS),
        _all(sources.sample, AUDIT_SAMPLE),
        _all(sources.labels, JUDGEMENTS),
    )
    parts = parts_of(
        [
            *((p.parent.name, "prompts", rows(p, ARM_PROMPTS)) for p in sources.prompts),
            *((p.parent.name, "references", rows(p, REFERENCES)) for p in sources.references),
            *(
                (p.parent.parent.name, "completions", rows(p, ARM_COMPLETIONS))
                for p in sources.answers
            ),
            *((p.parent.name, "judgements", rows(p, JUDGEMENTS)) for p in sources.grades),
        ]
    )
    return [*found, *(answer for part in parts for answer in arm_answers(part, DEFAULT_FORM))]


def _all(paths: Iterable[Path], schema: Schema) -> list[dict[str, Any]]:
    return [row for path in paths for row in rows(path, schema)]
