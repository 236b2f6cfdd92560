"""What judges and people are shown of an audited unit: nothing of model, arm, category or matcher.

A unit goes by a code, the hash of its name, and units stand in order of their codes. Source: paper
section 10.2, STUDIES section 5.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from copyceiling.audit.labels import Row
from copyceiling.audit.sampling import Unit
from copyceiling.calibration.edges import edge_of, kind_of
from copyceiling.calibration.relations import relations_of
from copyceiling.errors import ArtefactError, listing
from copyceiling.judging import units as judged
from copyceiling.judging.rows import verdict_row
from copyceiling.questions import Question

_CODE_LENGTH = 16  # hex digits
# Columns of a verdict that say which unit it is of.
_UNIT = (
    *("part", "unit_id", "model", "question_id", "item_index"),
    *("gold_slug", "gold_title", "category", "template", "gold_type"),
)


def code_of(unit: Unit, seed: int) -> str:
    """Return the name of a unit that gives nothing away."""
    text = f"audit|{seed}|{unit.part}|{unit.id}"
    return hashlib.sha256(text.encode()).hexdigest()[:_CODE_LENGTH]


def sample_rows(
    drawn: Iterable[Unit], questions: Mapping[str, Question], items: Iterable[Row], seed: int
) -> list[dict[str, Any]]:
    """Return the drawn units as rows of `AUDIT_SAMPLE`.

    Args:
        drawn: Units of both parts.
        questions: Question id to question.
        items: Rows of `ITEMS` of the audited models.
        seed: Study seed.
    """
    credited = {
        (r["model"], r["arm"], r["question_id"], r["item"]) for r in items if r["recovered"]
    }
    out = []
    for unit in drawn:
        question = questions[unit.question_id]
        key = (unit.model, arm_of(unit.part), unit.question_id)
        others = [
            gold.title
            for i, gold in enumerate(question.gold)
            if i != unit.item and (*key, i) in credited
        ]
        out.append(
            {
                "part": unit.part,
                "unit_id": unit.id,
                "code": code_of(unit, seed),
                "model": unit.model,
                "question_id": unit.question_id,
                "item_index": unit.item,
                "gold_slug": question.gold[unit.item].slug,
                "gold_title": question.gold[unit.item].title,
                "category": unit.category,
                "template": unit.template,
                "gold_type": unit.gold_type,
                "status": unit.status,
                "credited": others,
            }
        )
    return out


def arm_of(part: str) -> str:
    """Return the arm whose answers a part of the audit is about."""
    return "scaffold" if part == "sample" else "raw"


def unit_rows(
    sample: Iterable[Row],
    sheet: Collection[str],
    questions: Mapping[str, Question],
    titles: Mapping[str, str],
    said: Mapping[str, Mapping[str, Any]],
    answers: Mapping[tuple[str, str, str], str],
) -> list[dict[str, Any]]:
    """Return what is shown of the units as rows of `AUDIT_UNITS`, in order of their codes.

    Args:
        sample: Rows of `AUDIT_SAMPLE`.
        sheet: Codes of the units that people are asked to label.
        questions: Question id to question.
        titles: Class slug to title.
        said: How relations are said, by type, see `relations_of`.
        answers: (model, question id, arm) to the whole answer.
    """
    asked = {kind_of(q) for q in questions.values() if q.template == "T-REL"}
    relations = relations_of(asked, said)
    out = []
    for place, row in enumerate(sorted(sample, key=lambda r: str(r["code"]))):
        question = questions[row["question_id"]]
        edge = edge_of(question, row["item_index"], titles, relations)
        out.append(
            {
                "code": row["code"],
                "position": place,
                "on_sheet": row["code"] in sheet,
                "question": question.prompt,
                "relation": edge.relation.gloss,
                "edge": edge.line,
                "item": edge.item,
                "gold": list(edge.gold),
                "gold_type": question.gold_type,
                "answer": answers[row["model"], row["question_id"], arm_of(row["part"])],
            }
        )
    return out


def judge_units(
    units: Iterable[Row], credited: Mapping[str, Sequence[str]] | None
) -> list[judged.Unit]:
    """Return rows of `AUDIT_UNITS` as a judge takes them.

    Args:
        units: The rows.
        credited: Code to the other items that the matcher credits, for a form that shows them;
            None keeps them out of reach.
    """
    return [
        judged.relation_unit(
            judged_id(row["code"]),
            question=row["question"],
            relation=row["relation"],
            edge=row["edge"],
            item=row["item"],
            gold=row["gold"],
            gold_type=row["gold_type"],
            answer=row["answer"],
            credited=() if credited is None else credited[row["code"]],
        )
        for row in units
    ]


def judged_id(code: str) -> str:
    """Return the id of a unit among all that judges are asked."""
    return f"audit|{code}"


def verdict_rows(sample: Iterable[Row], judgements: Iterable[Row]) -> list[dict[str, Any]]:
    """Return what judges said of the sample as rows of `VERDICTS`.

    Args:
        sample: Rows of `AUDIT_SAMPLE`.
        judgements: Rows of `JUDGEMENTS` of every judge and form.

    Raises:
        ArtefactError: A verdict on no unit of the sample, or units that a judge was not asked
            of; lists them.
    """
    units = {judged_id(r["code"]): {name: r[name] for name in _UNIT} for r in sample}
    found: dict[tuple[str, str], list[Row]] = {}
    for row in judgements:
        found.setdefault((row["judge"], row["form"]), []).append(row)
    faults = [
        f"{judge}, {form}: {unit}"
        for (judge, form), kept in found.items()
        for unit in sorted({r["unit_id"] for r in kept} ^ units.keys())
    ]
    if faults:
        raise ArtefactError(
            f"verdicts and sample differ in {len(faults)} unit(s):\n{listing(faults)}\n"
            "The verdicts are of another sample. Judge again: snakemake table3"
        )
    return [verdict_row(row, units[row["unit_id"]]) for kept in found.values() for row in kept]
