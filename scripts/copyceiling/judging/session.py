"""One judge at work: verdicts and calls as they accumulate, ready to be written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from copyceiling.completions import Lookup
from copyceiling.judging.forms import FORMS
from copyceiling.judging.gate import Gate, gate
from copyceiling.judging.harness import Case, Judgement, judge
from copyceiling.judging.rows import call_rows, judgement_row
from copyceiling.judging.rubrics import Rubric
from copyceiling.models import ModelSpec

Row = dict[str, Any]


class Session:
    """Judges cases under any rubric and form, with one judge.

    Args:
        spec: The judge.
        span: Rubric of the quote gate.
        seed: Study seed.
        lookup: Returns the outcome of each call by key.
        answer_cap: Characters of an answer shown where the form itself sets no cap, None for all.
    """

    def __init__(
        self,
        spec: ModelSpec,
        span: Rubric,
        seed: int,
        lookup: Lookup,
        *,
        answer_cap: int | None = None,
    ) -> None:
        self._spec, self._span, self._seed, self._lookup = spec, span, seed, lookup
        self._cap = answer_cap
        self.judgements: list[Row] = []
        self._calls: dict[str, Row] = {}

    @property
    def calls(self) -> list[Row]:
        """Every distinct call so far, as rows of `JUDGE_CALLS`."""
        return list(self._calls.values())

    def judge(
        self, cases: Sequence[Case], rubric: Rubric, form: str
    ) -> list[tuple[Judgement, Gate | None]]:
        """Judge cases and pass labels through the quote gate; adds rows to both lists.

        Args:
            cases: What to judge.
            rubric: Of kind ``relation`` or ``grade``.
            form: Name of a form of `FORMS`.
        """
        how = replace(FORMS[form], answer_cap=FORMS[form].answer_cap or self._cap)
        made = judge(
            cases, spec=self._spec, rubric=rubric, form=how, seed=self._seed, lookup=self._lookup
        )
        gated = gate(
            made,
            spec=self._spec,
            rubric=self._span,
            form=how,
            seed=self._seed,
            lookup=self._lookup,
        )
        found = list(zip(made, gated, strict=True))
        label = self._spec.model
        self.judgements += [
            judgement_row(j, g, judge=label, rubric=rubric, form=how) for j, g in found
        ]
        for row in call_rows(found, judge=label, rubric=rubric):
            self._calls.setdefault(row["key"], row)
        return found
