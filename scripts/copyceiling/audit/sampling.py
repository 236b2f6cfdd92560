"""Draws what is audited: strata by category, template, gold type and model.

A category's quota goes to its cells (template and gold type), a cell's share to its models, both by
largest remainder; each of these smallest strata is drawn without replacement by a random stream
that bears its name. So another quota, or another model, changes no draw of another stratum, and a
larger share of a stratum holds a smaller one. Source: paper section 10.2, STUDIES section 5.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from copyceiling.audit.allocate import largest_remainder, spread
from copyceiling.audit.labels import CATEGORIES, Row
from copyceiling.errors import ArtefactError, listing
from copyceiling.questions import Question
from copyceiling.stats import named_rng

CENSUS = "n01"  # so rare that all of it is audited
DRAWN = tuple(name for name in CATEGORIES if name != CENSUS)


@dataclass(frozen=True)
class Unit:
    """One gold item of one answer.

    Attributes:
        part: ``sample`` (of the scaffold arm) or ``raw_hits`` (credited without scaffold).
        model, question_id, item: Which.
        category: n11, n10, n01 or n00, in the arm of the part.
        template, gold_type: Of its question.
        status: Status of the completion.
    """

    part: str
    model: str
    question_id: str
    item: int
    category: str
    template: str
    gold_type: str
    status: str

    @property
    def id(self) -> str:
        """Name of the unit within its part."""
        return f"{self.model}|{self.question_id}|{self.item}"

    @property
    def cell(self) -> str:
        """Sampling cell within the category."""
        return f"{self.template}|{self.gold_type}"


def frame_units(
    questions: Iterable[Question], exposed: Mapping[tuple[str, int], bool], items: Iterable[Row]
) -> list[Unit]:
    """Return every unit of the scaffold arm whose answer came without an error.

    Args:
        questions: The questions.
        exposed: (question id, item) to whether what the model was shown exposes it.
        items: Rows of `ITEMS` of the audited models.
    """
    by_id = {q.id: q for q in questions}
    return [
        _unit(
            "sample", r, f"n{int(exposed[r['question_id'], r['item']])}{int(r['recovered'])}", by_id
        )
        for r in items
        if r["arm"] == "scaffold" and r["status"] != "error"
    ]


def raw_hit_units(
    questions: Iterable[Question], exposed: Mapping[tuple[str, int], bool], items: Iterable[Row]
) -> list[Unit]:
    """Return the items that the raw arm recovers and the scaffold would not show.

    Both arms must have ended without an error. Arguments as of `frame_units`.
    """
    by_id, listed = {q.id: q for q in questions}, list(items)
    failed = {(r["model"], r["question_id"]) for r in listed if r["status"] == "error"}
    return [
        _unit("raw_hits", r, "n01", by_id)
        for r in listed
        if r["arm"] == "raw"
        and r["recovered"]
        and not exposed[r["question_id"], r["item"]]
        and (r["model"], r["question_id"]) not in failed
    ]


def _unit(part: str, row: Row, category: str, questions: Mapping[str, Question]) -> Unit:
    question = questions[row["question_id"]]
    return Unit(
        part=part,
        model=row["model"],
        question_id=question.id,
        item=row["item"],
        category=category,
        template=question.template,
        gold_type=question.gold_type,
        status=row["status"],
    )


def check_frame(units: Iterable[Unit], scores: Iterable[Row]) -> None:
    """Refuse a frame whose cells are not those that the sweep counted, answer by answer.

    Args:
        units: The frame; see `frame_units`.
        scores: Rows of `SCORES` of the audited models.

    Raises:
        ArtefactError: Lists every answer that differs.
    """
    counted: dict[tuple[str, str], Counter[str]] = {}
    for unit in units:
        counted.setdefault((unit.model, unit.question_id), Counter())[unit.category] += 1
    swept = {
        (r["model"], r["question_id"]): {name: r[name] for name in CATEGORIES}
        for r in scores
        if (r["arm"], r["matcher"]) == ("scaffold", "paper") and r["status"] != "error"
    }
    faults = []
    for key in sorted({*counted, *swept}):
        ours = {name: counted.get(key, Counter())[name] for name in CATEGORIES}
        if ours != swept.get(key):
            faults.append(f"{key[0]}, {key[1]}: frame {ours}, sweep {swept.get(key)}")
    if faults:
        raise ArtefactError(
            f"the audit's frame differs from the sweep in {len(faults)} answer(s):\n"
            f"{listing(faults)}\nBuild items and scores again: snakemake table5"
        )


def quotas_of(
    quotas: Mapping[str, int], units: int | None, sizes: Mapping[str, int]
) -> dict[str, int]:
    """Return how many units of each drawn category are audited.

    Args:
        quotas: Category to its units; a category that holds fewer gives all.
        units: Units in all; the quotas are then only their proportions, and what one category
            lacks the others give. None: the quotas as they are.
        sizes: Category to its units in the frame.
    """
    there = {name: sizes.get(name, 0) for name in DRAWN}
    if units is None:
        return {name: min(quotas[name], n) for name, n in there.items()}
    return spread(units, quotas, there)


def draw(units: Sequence[Unit], quota: int, seed: int, name: str = "audit") -> list[Unit]:
    """Draw so many units of one category, in order of their ids.

    Args:
        units: Units of one part and category.
        quota: Units to draw; more than there are draws all.
        seed: Study seed.
        name: What the draw is for; part of the name of each stream.
    """
    cells = _grouped(units, lambda unit: unit.cell)
    shares = largest_remainder(quota, {cell: len(kept) for cell, kept in cells.items()})
    drawn = []
    for cell, kept in cells.items():
        models = _grouped(kept, lambda unit: unit.model)
        of_model = largest_remainder(shares[cell], {m: len(own) for m, own in models.items()})
        for model, own in models.items():
            stream = f"{name}:{own[0].part}:{own[0].category}:{cell}:{model}"
            order = named_rng(seed, stream).permutation(len(own)).tolist()
            drawn += [own[i] for i in order[: of_model[model]]]
    return sorted(drawn, key=lambda unit: unit.id)


def _grouped(units: Iterable[Unit], key: Callable[[Unit], str]) -> dict[str, list[Unit]]:
    groups: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: (key(unit), unit.id)):
        groups.setdefault(key(unit), []).append(unit)
    return groups


def draw_sample(
    frame: Sequence[Unit], quotas: Mapping[str, int], units: int | None, seed: int
) -> list[Unit]:
    """Draw the audit's sample from the frame, and all of the census category.

    Args:
        frame: See `frame_units`.
        quotas, units: See `quotas_of`.
        seed: Study seed.
    """
    of = {name: [unit for unit in frame if unit.category == name] for name in CATEGORIES}
    shares = quotas_of(quotas, units, {name: len(kept) for name, kept in of.items()})
    drawn = [unit for name in DRAWN for unit in draw(of[name], shares[name], seed)]
    return sorted([*drawn, *of[CENSUS]], key=lambda unit: unit.id)


def draw_sheet(sample: Sequence[Unit], size: int | None, seed: int) -> list[Unit]:
    """Draw what people are asked to label from the sample, category by category.

    Args:
        sample: See `draw_sample`.
        size: Units of the sheet, shared over the categories by largest remainder; None: all.
        seed: Study seed.
    """
    if size is None:
        return list(sample)
    of = {name: [unit for unit in sample if unit.category == name] for name in CATEGORIES}
    shares = largest_remainder(size, {name: len(kept) for name, kept in of.items()})
    return [u for name, kept in of.items() for u in draw(kept, shares[name], seed, "audit sheet")]
