"""The quote gate: evidence for a label must stand in the answer, or it is unresolved.

Every label but ``absent`` is checked. Where its quote does not stand, the judge is asked once, its
label fixed, for one contiguous span or to concede. How the span stands is kept in two flags, so
that a later reading may accept less. Source: STUDIES section 5, quote gate v2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from copyceiling.completions import Lookup
from copyceiling.judging.asking import Asked
from copyceiling.judging.forms import Form
from copyceiling.judging.harness import Heard, Judgement, converse
from copyceiling.judging.prompts import clean, compose
from copyceiling.judging.quotes import Standing, standing, verify_quote
from copyceiling.judging.replies import Relation, Span
from copyceiling.judging.rubrics import Rubric
from copyceiling.models import ModelSpec

_FIELDS = ("question", "relation", "edge", "item")


@dataclass(frozen=True)
class Gate:
    """What the gate made of one label.

    Attributes:
        result: ``not_needed`` (absent), ``verified``, ``repaired`` or ``unresolved``.
        conceded: Whether the judge conceded that there is no span; None unless it was asked.
        span: The span given, None if none.
        standing: How it stands in the answer, None if there is none.
        fault: Why the answer to the re-ask could not be used, None if it could.
        asked: Calls of the re-ask.
    """

    result: str
    conceded: bool | None = None
    span: str | None = None
    standing: Standing | None = None
    fault: str | None = None
    asked: tuple[Asked, ...] = ()


def gate(
    judgements: Sequence[Judgement],
    *,
    spec: ModelSpec,
    rubric: Rubric,
    form: Form,
    seed: int,
    lookup: Lookup,
) -> list[Gate | None]:
    """Return what the gate makes of each judgement, None for one without a label.

    Args:
        judgements: Of the rubric of six labels.
        spec: The judge, asked again where need be.
        rubric: Of kind ``span``.
        form: How first quotes are verified and replies are read.
        seed: Study seed.
        lookup: Returns the outcome of each call by key.
    """
    found = [first_pass(j, form.quotes) for j in judgements]
    failed = [i for i, passed in enumerate(found) if passed and passed.result == "unresolved"]
    heard = converse(
        [
            compose(_sections(judgements[i]), rubric, seed=seed, name=judgements[i].case.unit.id)
            for i in failed
        ],
        [judgements[i].case.repeat for i in failed],
        spec=spec,
        rubric=rubric,
        form=form,
        lookup=lookup,
        purpose="span",
    )
    for i, one in zip(failed, heard, strict=True):
        found[i] = _second_pass(judgements[i], one)
    return found


def first_pass(judgement: Judgement, rule: str) -> Gate | None:
    """Return the gate before any re-ask; ``unresolved`` is then still open."""
    value = judgement.heard.value
    if not isinstance(value, Relation):
        return None
    if value.label == "absent":
        return Gate("not_needed")
    stands = verify_quote(value.quote, judgement.prompt.answer, rule)
    return Gate("verified" if stands else "unresolved")


def _sections(judgement: Judgement) -> list[tuple[str, str]]:
    value = judgement.heard.value
    assert isinstance(value, Relation)  # only labels come here
    unit = judgement.case.unit
    fields = [
        (name, clean(content))
        for name, content in unit.fields
        if name in _FIELDS and isinstance(content, str)
    ]
    return [*fields, ("verdict", value.label), ("answer", judgement.prompt.answer)]


def _second_pass(judgement: Judgement, heard: Heard) -> Gate:
    value = heard.value
    if not isinstance(value, Span):
        return Gate("unresolved", fault=heard.fault or heard.status, asked=heard.asked)
    if not value.found:
        return Gate("unresolved", conceded=True, asked=heard.asked)
    stands = standing(value.span, judgement.prompt.answer)
    result = "repaired" if stands.accepted else "unresolved"
    return Gate(result, False, value.span, stands, None, heard.asked)
