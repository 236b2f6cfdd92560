"""Draws what is audited of answers that are there, and sets apart what is shown of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit import sampling
from copyceiling.audit.labels import Row
from copyceiling.audit.units import code_of, sample_rows, unit_rows
from copyceiling.questions import Question


@dataclass(frozen=True)
class Answered:
    """The answers of the audited models, and how they were scored.

    Attributes:
        items: Rows of `ITEMS`.
        scores: Rows of `SCORES`.
        answers: (model, question id, arm) to the answer.
    """

    items: Sequence[Row]
    scores: Sequence[Row]
    answers: Mapping[tuple[str, str, str], str]


@dataclass(frozen=True)
class Drawn:
    """Rows of `AUDIT_SAMPLE`, and of `AUDIT_UNITS`: what is shown of them."""

    sample: list[dict[str, Any]]
    shown: list[dict[str, Any]]


def draw_audit(
    answered: Answered,
    questions: Iterable[Question],
    exposure: Iterable[Row],
    titles: Mapping[str, str],
    audit: Mapping[str, Any],
    said: Mapping[str, Any],
    seed: int,
) -> Drawn:
    """Return the units of the audit.

    Args:
        answered: What the audited models answered.
        questions: The study's questions.
        exposure: Rows of `EXPOSURE`.
        titles: Class slug to title.
        audit: Of the study's section ``audit``: quotas, units, raw_hits (most of them; None for
            all) and sheet (units that people are asked to label; None for all).
        said: How relations are said, by type.
        seed: Study seed.

    Raises:
        ArtefactError: The frame is not what the sweep counted.
    """
    asked = {q.id: q for q in questions}
    exposed = {(r["question_id"], r["item"]): r["exposed"] for r in exposure}
    frame = sampling.frame_units(asked.values(), exposed, answered.items)
    sampling.check_frame(frame, answered.scores)
    drawn = sampling.draw_sample(frame, audit["quotas"], audit["units"], seed)
    hits = sampling.raw_hit_units(asked.values(), exposed, answered.items)
    most = len(hits) if audit["raw_hits"] is None else audit["raw_hits"]
    hits = sampling.draw(hits, most, seed)
    sample = sample_rows([*drawn, *hits], asked, answered.items, seed)
    on_sheet = {code_of(unit, seed) for unit in sampling.draw_sheet(drawn, audit["sheet"], seed)}
    return Drawn(sample, unit_rows(sample, on_sheet, asked, titles, said, answered.answers))
