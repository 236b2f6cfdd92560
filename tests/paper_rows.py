"""The paper's release as rows, built in-process once for all tests that compare with it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from copyceiling.audit.confusion import confusion_rows
from copyceiling.audit.corrected import corrected_rows
from copyceiling.audit.frame import answers, frame_rows, settle, weights_of
from copyceiling.audit.rates import rate_rows
from copyceiling.audit.traits import Material as Traits
from copyceiling.audit.traits import audit_mechanism_rows
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.published.audit_rows import AuditRows
from copyceiling.questions import Question, load_questions
from copyceiling.released.audit import Material, import_audit
from copyceiling.released.layout import find_part, find_sweep
from copyceiling.released.paraphrase import import_paraphrase
from copyceiling.released.production import import_production
from copyceiling.released.reading import Reader
from copyceiling.released.sweep import ArmFiles, import_sweep
from copyceiling.requests import build_messages
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.scoring import Gold, exposed_by_arm, exposure_rows
from copyceiling.sweep import Settings, decomposition_rows, sweep_rows

Rows = list[dict[str, Any]]
SETTINGS = Settings(42, 10_000, 0.95)
ARCHIVE = "narrativegoldmine-pages-2026-08-07.tar.xz"


@dataclass(frozen=True)
class Sweep:
    """The sweep: what was asked, what is exposed, how it was scored."""

    questions: list[Question]
    titles: dict[str, str]
    exposure: Rows
    scores: Rows
    sweep: Rows
    decomposition: Rows
    labels: dict[str, str]
    census: str


@cache
def sweep_of(shared: Path) -> Sweep:
    """Import the ten models' score rows against exposure recomputed from the corpus."""
    study = load_study(ROOT / "config" / "studies" / "paper.yaml")
    corpus = read_corpus({**study["corpus"], "path": str(shared / "corpus" / ARCHIVE)})[0]
    engine = ScaffoldEngine(corpus.classes)
    questions = load_questions(shared / "release" / "questions.jsonl")
    exposure = [
        row
        for q in questions
        for row in exposure_rows(
            Gold.of(q), build_messages("", engine.scaffold(q.retrieval_text).block, q.prompt)
        )
    ]
    models, labels = study["sweep"]["models"], study["release"]["labels"]
    files = find_sweep(str(shared / "release"), models, ["raw", "scaffold"], labels)
    scores: Rows = []
    for model in models:
        arms = {
            arm: ArmFiles(
                *([Path(p) for p in files[model, arm, kind]] for kind in ("results", "scores"))
            )
            for arm in ("raw", "scaffold")
        }
        scores += import_sweep(arms, model, questions, exposed_by_arm(exposure)).scores
    return Sweep(
        questions,
        {c.slug: c.title for c in corpus.classes},
        exposure,
        scores,
        sweep_rows(scores, frozenset(), SETTINGS),
        decomposition_rows(scores, frozenset(), SETTINGS),
        labels,
        study["audit"]["census"],
    )


def _files(shared: Path, part: str) -> dict[str, list[Path]]:
    found = find_part(str(shared / "release"), part)
    return {slot: [Path(p) for p in paths] for slot, paths in found.items()}


@cache
def audit_of(shared: Path) -> AuditRows:
    """Import the audit's verdicts and analyse them."""
    s = sweep_of(shared)
    models = {r["model"] for r in s.scores}
    reader = Reader("audit")
    questions = {q.id: q for q in s.questions}
    labels = {s.labels.get(m, m): m for m in models}
    material = Material(questions, exposed_by_arm(s.exposure), labels)
    verdicts = import_audit(reader, _files(shared, "audit"), material, {})
    reader.stop()
    sample = [r for r in verdicts if r["part"] == "sample"]
    found = answers(s.scores)
    frame = frame_rows(found, sample, s.census, None)
    exposed = {(r["question_id"], r["item"]): r["exposed"] for r in s.exposure}
    traits = Traits(questions, s.titles, exposed, {})
    return AuditRows(
        verdicts,
        confusion_rows(verdicts, SETTINGS.level),
        rate_rows(verdicts, SETTINGS),
        corrected_rows(verdicts, weights_of(frame), SETTINGS),
        frame,
        audit_mechanism_rows(settle(found, sample, s.census), sample, traits),
        s.decomposition,
        s.exposure,
        [],
        sorted(models),
        s.labels,
    )


def rewrites_of(shared: Path) -> Rows:
    """Import the rewrites' ceilings."""
    s = sweep_of(shared)
    reader = Reader("paraphrase")
    found = import_paraphrase(
        reader,
        _files(shared, "paraphrase"),
        {q.id: q for q in s.questions},
        exposed_by_arm(s.exposure),
        {},
    )
    reader.stop()
    return found


def served_answers(shared: Path) -> Rows:
    """Import the production study's answers, for their telemetry."""
    reader = Reader("production")
    found = import_production(reader, _files(shared, "production"), {})
    reader.stop()
    return found.answers
