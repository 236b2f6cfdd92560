"""Judged cohorts: which arms are set against which, and what became of every planned answer.

A cohort is a plan of questions by arms whose answers a judge scored 0 to 5. `FAMILIES` declares,
for every kind of cohort, the contrasts that are tested together; which of their arms exist comes
from the rows. Source: STUDIES sections 3 and 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from copyceiling.errors import CopyCeilingError, listing

Row = Mapping[str, Any]
End = Literal["graded", "failed", "unasked", "ungraded", "unknown"]

POOLED = "pooled"
INTERSECTION = "intersection"
ARMS = (
    "served",
    "raw",
    "true",
    "shuffled",
    "masked",
    "irrelevant",
    "fluent_noise",
    "answer_disjoint",
    "harness",
    "bare",
)
# Statuses that leave nothing to grade, though the answer was asked for.
_FAILED = ("empty", "refused", "error")
_CONTROLS = (
    *((arm, "raw") for arm in ("served", "true", "shuffled", "masked", "irrelevant")),
    ("fluent_noise", "raw"),
    *(("true", arm) for arm in ("shuffled", "masked", "irrelevant", "fluent_noise")),
    ("served", "true"),
    ("answer_disjoint", "raw"),
    ("true", "answer_disjoint"),
)


@dataclass(frozen=True)
class Family:
    """The contrasts of a kind of cohort, and how they are read together.

    Attributes:
        contrasts: Arm and arm that is subtracted; one whose arms are not both in the rows is
            left out.
        holm: What Holm's adjustment runs over: the ``contrasts`` of one scope, the ``sets`` of
            one contrast (the pooled one then stands alone), or None.
        min_pairs: Fewest pairs that are tested.
        intersection: Whether to repeat on the questions that count in every arm.
        engaged: Whether to repeat on the answers of each set whose first arm was shown a block.
        margin: Margin of non-regression in points, None where none was declared.
        lent: Arms that another cohort's answers stand in for, and which cohort; their grades
            are the cohort's own.
    """

    contrasts: tuple[tuple[str, str], ...]
    holm: Literal["contrasts", "sets"] | None
    min_pairs: int = 2
    intersection: bool = False
    engaged: bool = False
    margin: float | None = None
    lent: tuple[tuple[str, ...], str] | None = None


_CONTROL_FAMILY = Family(
    _CONTROLS, "contrasts", min_pairs=5, intersection=True, lent=(("served", "raw"), "production")
)
FAMILIES: Mapping[str, Family] = {
    "production": Family((("served", "raw"),), "sets", margin=0.25),
    "controls": _CONTROL_FAMILY,
    "controls_first": _CONTROL_FAMILY,
    "general": Family((("harness", "bare"),), None, engaged=True, margin=0.25),
}


class Unit(NamedTuple):
    """One question as one model was asked it: what is paired across arms."""

    set: str
    question_id: str
    model: str


def unit_of(row: Row) -> Unit:
    """Return the unit of a row of `ANSWERS` or `GRADES`."""
    return Unit(row["set"], row["question_id"], row["model"])


@dataclass(frozen=True)
class Cell:
    """One planned answer.

    Attributes:
        end: ``graded``; ``failed``: asked, no text came; ``unasked``; ``ungraded``: there is
            text and no score; ``unknown``: rows do not say.
        score: 0 to 5, None unless graded.
        grade: Row of `GRADES`, None where there is none.
        answer: Row of `ANSWERS`, None where there is none.
    """

    end: End
    score: int | None
    grade: Row | None
    answer: Row | None

    def known(self, column: str) -> Any:
        """Return a column of the answer, None where there is no row."""
        return None if self.answer is None else self.answer[column]


@dataclass(frozen=True)
class Cohort:
    """The planned answers of one cohort, as one judge scored them.

    Attributes:
        name: Name of the cohort; its family is ``FAMILIES[name]``.
        judge: Label of the judge.
        arms: Arms that occur, in the order of `ARMS`.
        cells: Each unit's cells by arm, every arm present; units in order.
    """

    name: str
    judge: str
    arms: tuple[str, ...]
    cells: Mapping[Unit, Mapping[str, Cell]]

    @property
    def family(self) -> Family:
        """The declared family."""
        return FAMILIES[self.name]

    @property
    def sets(self) -> list[str]:
        """The question sets, sorted."""
        return sorted({unit.set for unit in self.cells})

    def units(self, of_set: str) -> list[Unit]:
        """Return the units of a set, or all of them for `POOLED`, in order."""
        return [u for u in self.cells if of_set in (POOLED, u.set)]


def build_cohorts(answers: Sequence[Row], grades: Sequence[Row]) -> list[Cohort]:
    """Put answers and grades together, a cohort a judge, in order of both names.

    The plan is every unit that either table names, times every arm that does.

    Args:
        answers: Rows of `ANSWERS`; those of other cohorts may lend, see `Family.lent`.
        grades: Rows of `GRADES`.

    Raises:
        CopyCeilingError: A cohort or an arm is not declared; lists all.
    """
    _check_declared(answers, grades)
    by_cell = {_cell_key(row): row for row in answers}
    judged: dict[tuple[str, str], list[Row]] = {}
    for row in grades:
        judged.setdefault((row["cohort"], row["judge"]), []).append(row)
    return [_build(name, judge, judged[name, judge], by_cell) for name, judge in sorted(judged)]


def _check_declared(answers: Iterable[Row], grades: Iterable[Row]) -> None:
    found = {(row["cohort"], row["arm"]) for rows in (answers, grades) for row in rows}
    faults = [f"cohort '{name}'" for name in sorted({c for c, _ in found} - FAMILIES.keys())]
    faults += [f"arm '{arm}'" for arm in sorted({arm for _, arm in found} - set(ARMS))]
    if faults:
        raise CopyCeilingError(
            f"answers and grades name {len(faults)} thing(s) that no family declares:\n"
            f"{listing(faults)}\nCohorts are {', '.join(FAMILIES)}; arms are {', '.join(ARMS)}."
        )


def _cell_key(row: Row) -> tuple[str, Unit, str]:
    return row["cohort"], unit_of(row), row["arm"]


def _build(
    name: str, judge: str, grades: Sequence[Row], answers: Mapping[tuple[str, Unit, str], Row]
) -> Cohort:
    scored = {_cell_key(row)[1:]: row for row in grades}
    planned = {key[1:] for key in answers if key[0] == name} | scored.keys()
    arms = tuple(arm for arm in ARMS if any(arm == a for _, a in planned))
    cells = {
        unit: {
            arm: _cell(scored.get((unit, arm)), _answer(answers, name, unit, arm)) for arm in arms
        }
        for unit in sorted({unit for unit, _ in planned})
    }
    return Cohort(name, judge, arms, cells)


def _answer(
    answers: Mapping[tuple[str, Unit, str], Row], name: str, unit: Unit, arm: str
) -> Row | None:
    """Return the answer's row, or the lender's where the cohort's own says nothing of its end."""
    own = answers.get((name, unit, arm))
    lent = FAMILIES[name].lent
    if lent is None or arm not in lent[0] or (own is not None and own["status"] is not None):
        return own
    return answers.get((lent[1], unit, arm), own)


def _cell(grade: Row | None, answer: Row | None) -> Cell:
    if grade is not None and grade["status"] == "graded":
        return Cell("graded", int(grade["score"]), grade, answer)
    return Cell(_end(answer), None, grade, answer)


def _end(answer: Row | None) -> End:
    if answer is None:
        return "unknown"
    if answer["status"] is not None:
        # An answer cut before any text came is a failure as well.
        lost = answer["status"] in _FAILED or answer["n_chars"] == 0
        return "failed" if lost else "ungraded"
    return "unasked" if answer["attempted"] is False else "unknown"
