"""Released grades: one judging is one file, in the judge's own rows or as a table of arms.

The same answer may have been judged more than once: each judging has a label of its own, and what
two of them say of an answer is never mixed. Source: STUDIES sections 3 and 4.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.released.fields import ANY, COUNT, TEXT, Field, Format, choice, whole
from copyceiling.released.reading import Paths, Reader, Record

Cell = tuple[str, str, str]  # set, question, arm

MAIN, SECOND = "gpt-4.1", "claude-opus-4-6"
# The first judging of the first control cohort, which the same judge repeated five weeks later.
ARCHIVED = "gpt-4.1-first"
SETS = ("arcane", "thin", "general")
SERVED = {"loom": "served"}
CONTROL_ARMS = ("true", "shuffled", "masked", "irrelevant", "fluent_noise")
SCORE = whole(0, 5)

_RUBRIC = "7231654abc776c3e"  # sha256[:16] of the rubric, STUDIES section 3
JUDGED = Format(
    {
        "set": choice(*SETS),
        "id": TEXT,
        "arm": choice("loom", "raw", *CONTROL_ARMS),
        "score": SCORE.null(),
        "why": TEXT.null(),
        # The router's wrapper says what was judged, and how.
        "judge_model": choice("openai/gpt-4.1").maybe(),
        "judge_base": TEXT.maybe(),
        "judge_temperature": Field("number", optional=True, choices=(0,)),
        "rubric_sha256_16": choice(_RUBRIC).maybe(),
        "candidate_sha256_16": TEXT.maybe(),
        "candidate_chars": COUNT.maybe(),
        "judged_at": ANY.maybe(),
    },
    key=("set", "id", "arm"),
)


def arms_table(*arms: str) -> Format:
    """Return the format of a table with a row a question and a column an arm."""
    return Format(
        {"set": choice(*SETS), "id": TEXT, **{arm: SCORE.null() for arm in arms}},
        key=("set", "id"),
    )


FOUR_ARMS = arms_table("loom", "raw", *CONTROL_ARMS[:4])
FIVE_ARMS = arms_table("loom", "raw", *CONTROL_ARMS)


@dataclass(frozen=True)
class Grade:
    """One grade as released.

    Attributes:
        where: File and line.
        score: 0 to 5; None where the judge's reply had none.
        candidate: sha256[:16] of the text that was judged, None where not stated.
        chars: Its length, None where not stated.
    """

    where: str
    score: int | None
    candidate: str | None = None
    chars: int | None = None


@dataclass(frozen=True)
class Judging:
    """One file of grades.

    Attributes:
        where: The file, for messages; "" where it is not at hand.
        cells: Cell to grade; arms by our names.
        questions: Questions that the file names, in order.
    """

    where: str
    cells: Mapping[Cell, Grade]
    questions: tuple[tuple[str, str], ...]

    @property
    def at_hand(self) -> bool:
        """Whether there is such a file."""
        return bool(self.where)


def read_judging(reader: Reader, paths: Paths, table: Format | None = None) -> Judging:
    """Read the grades of one judging, in either form.

    Args:
        reader: Takes the faults.
        paths: The file, or nothing.
        table: Format of the table form, None where there is none.
    """
    if not paths:
        return Judging("", {}, ())
    wide = table is not None and paths[0].suffix == ".tsv"
    records = reader.records(paths[0], table if wide and table else JUDGED)
    named = [(r["set"], r["id"]) for r in records]
    cells = dict(_wide(records) if wide else map(_grade, records))
    return Judging(_name(paths[0]), cells, tuple(dict.fromkeys(named)))


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _grade(row: Record) -> tuple[Cell, Grade]:
    arm = SERVED.get(row["arm"], row["arm"])
    grade = Grade(
        row.where, row["score"], row.get("candidate_sha256_16"), row.get("candidate_chars")
    )
    return (row["set"], row["id"], arm), grade


def _wide(records: Iterable[Record]) -> Iterable[tuple[Cell, Grade]]:
    for row in records:
        for name, score in row.values.items():
            if name not in ("set", "id") and score is not None:
                yield (row["set"], row["id"], SERVED.get(name, name)), Grade(row.where, score)


@dataclass(frozen=True)
class Text:
    """An answer's text and where it stands; "" where none came."""

    text: str
    where: str

    @property
    def empty(self) -> bool:
        """Whether there is nothing to grade."""
        return not self.text.strip()


def check_judging(reader: Reader, judging: Judging, texts: Mapping[Cell, Text]) -> None:
    """Check grades against the answers that they are of, as far as the texts are at hand.

    Every answer with text has a grade, no other has, and where a row says which text was judged
    it is this one.

    Args:
        reader: Takes the faults.
        judging: The grades.
        texts: Cell to the answer's text; cells not in it are not checked.
    """
    for cell, answer in texts.items():
        grade = judging.cells.get(cell)
        name = f"{'/'.join(cell)} ({answer.where})"
        if grade is None:
            if not answer.empty and judging.at_hand and cell[1] not in reader.spoilt:
                reader.note(judging.where, f"no grade of {name}, which has an answer")
            continue
        if answer.empty:
            reader.fault(grade.where, "score", f"{name} has a grade and no answer")
        if grade.chars is not None and grade.chars != len(answer.text):
            found = f"{grade.chars} characters judged, {name} has {len(answer.text)}"
            reader.fault(grade.where, "candidate_chars", found)
        if grade.candidate is not None and grade.candidate != digest16(answer.text):
            found = f"another text was judged than that of {name}"
            reader.fault(grade.where, "candidate_sha256_16", found)


def digest16(text: str) -> str:
    """Return the first 16 hex digits of a text's sha256, as released rows state it."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def check_planned(reader: Reader, judging: Judging, planned: Iterable[Cell]) -> None:
    """Note every grade of a cell that is in no plan."""
    known = set(planned)
    for cell, grade in judging.cells.items():
        if cell not in known and cell[1] not in reader.spoilt:
            reader.fault(grade.where, "id", f"{'/'.join(cell)} is no planned answer")


def grade_rows(
    cohort: str, judge: str, judging: Judging, planned: Sequence[Cell], model: str
) -> list[dict[str, Any]]:
    """Return a judging as rows of `GRADES`, one a planned cell; none where it is not at hand."""
    if not judging.at_hand:
        return []
    rows = []
    for cell in planned:
        grade = judging.cells.get(cell)
        status = "absent" if grade is None else "unparsed" if grade.score is None else "graded"
        rows.append(
            {
                "cohort": cohort,
                "set": cell[0],
                "question_id": cell[1],
                "arm": cell[2],
                "model": model,
                "judge": judge,
                "status": status,
                "score": grade.score if grade else None,
                "cut": None,
            }
        )
    return rows


def n_pairs(judging: Judging, arms: tuple[str, str]) -> int:
    """Return in how many questions both arms have a score."""
    scored = {cell for cell, grade in judging.cells.items() if grade.score is not None}
    first = {cell[:2] for cell in scored if cell[2] == arms[0]}
    return len(first & {cell[:2] for cell in scored if cell[2] == arms[1]})
