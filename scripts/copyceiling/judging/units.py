"""What a judge is shown of one item: fields by name, and the answer. Blind by construction.

A unit holds no arm, study or model; its id stays out of the prompt and only names the code of the
section marks. Source: STUDIES sections 3 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Field = tuple[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Unit:
    """One item to judge.

    Attributes:
        id: Unique within a study and rubric; never shown.
        fields: Name and content in order; a tuple of texts is a list without an order of its own,
            shown one a line.
        answer: The whole answer.
        credited: Other items that the matcher credits; shown in the ablation alone.
    """

    id: str
    fields: tuple[Field, ...]
    answer: str
    credited: tuple[str, ...] = ()


def relation_unit(
    unit_id: str,
    *,
    question: str,
    relation: str,
    edge: str,
    item: str,
    gold: Sequence[str],
    gold_type: str,
    answer: str,
    credited: Sequence[str] = (),
) -> Unit:
    """Return a unit for the rubric of six labels.

    Args:
        unit_id: See `Unit`.
        question: As the model was asked it.
        relation: The relation asked for, with a gloss that tells its direction.
        edge: Subject, relation and item in one line.
        item: Title of the gold item.
        gold: Titles of all gold items.
        gold_type: ``all`` items are asked for, or ``any`` one suffices.
        answer: The whole answer.
        credited: Other gold titles that the matcher credits.
    """
    wanted = "All of these items are asked for." if gold_type == "all" else "Any one suffices."
    fields: tuple[Field, ...] = (
        ("question", question),
        ("relation", relation),
        ("edge", edge),
        ("item", item),
        ("items", tuple(gold)),
        ("wanted", wanted),
    )
    return Unit(unit_id, fields, answer, tuple(credited))


def grade_unit(
    unit_id: str, *, question: str, reference: str, key_points: Sequence[str], answer: str
) -> Unit:
    """Return a unit for the rubric of 0 to 5.

    Args:
        unit_id: See `Unit`.
        question: As the model was asked it.
        reference: Reference answer.
        key_points: What a complete answer says, a point each; may be empty.
        answer: The whole answer.
    """
    fields: list[Field] = [("question", question), ("reference", reference)]
    if key_points:
        fields.append(("key points", tuple(key_points)))
    return Unit(unit_id, tuple(fields), answer)
