"""The frame that the audit draws from: gold items of every answer, by exposure and recovery.

Its sizes are the weights of the corrected rate, so they come from the sweep's own rows wherever
these determine them. Released rows without titles only bound them; then a category of which the
audit holds *every* unit (a census) fixes the other three, answer by answer; failing that a study
may declare the sizes. Whatever the source, it must lie within the bounds. Source: paper section
10.2, STUDIES section 5.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from copyceiling.audit.allocate import largest_remainder
from copyceiling.audit.corrected import STRATA, Weights
from copyceiling.audit.labels import CATEGORIES, Row
from copyceiling.audit.rates import ALL
from copyceiling.errors import ArtefactError, listing
from copyceiling.sweep import POOLED


@dataclass(frozen=True)
class Answer:
    """The gold items of one answer: their margins, and the least and most n11 that these allow."""

    model: str
    question_id: str
    template: str
    gold_type: str
    n_gold: int
    n_exposed: int
    n_hits: int
    low: int
    high: int

    def bounds(self, category: str) -> tuple[int, int]:
        """Return the least and the most items of a category."""
        ends = [self._of(category, n11) for n11 in (self.low, self.high)]
        return min(ends), max(ends)

    def _of(self, category: str, n11: int) -> int:
        return {
            "n11": n11,
            "n10": self.n_exposed - n11,
            "n01": self.n_hits - n11,
            "n00": self.n_gold - self.n_exposed - self.n_hits + n11,
        }[category]

    def fixed(self, category: str, n: int) -> "Answer":
        """Return the answer with so many items of a category, which settles the others."""
        n11 = {
            "n11": n,
            "n10": self.n_exposed - n,
            "n01": self.n_hits - n,
            "n00": n - self.n_gold + self.n_exposed + self.n_hits,
        }[category]
        return replace(self, low=n11, high=n11)


def answers(scores: Iterable[Row]) -> list[Answer]:
    """Return the scaffold arm's answers under the paper's matcher, from rows of `SCORES`.

    A call that ended in an error gave no answer to audit.
    """
    out = []
    for r in scores:
        if (r["arm"], r["matcher"]) != ("scaffold", "paper") or r["status"] == "error":
            continue
        gold, exposed, hits = r["n_gold"], r["n_exposed"], r["n_hits"]
        low, high = max(0, hits + exposed - gold), min(hits, exposed)
        if r["n11"] is not None:
            low = high = r["n11"]
        which = (r["model"], r["question_id"], r["template"], r["gold_type"])
        out.append(Answer(*which, gold, exposed, hits, low, high))
    return sorted(out, key=lambda a: (a.model, a.question_id))


def settle(found: Sequence[Answer], sample: Sequence[Row], census: str | None) -> list[Answer]:
    """Settle every answer's cells from a category that the audit holds whole, and check the sample.

    Args:
        found: The answers.
        sample: Audited units of the scaffold arm.
        census: A category of which every unit was audited, or None.

    Raises:
        ArtefactError: Units of answers that the sweep does not have, or more or fewer units of a
            category than an answer's margins allow; lists them all.
    """
    counted = Counter((r["model"], r["question_id"], r["category"]) for r in sample)
    known = {(a.model, a.question_id) for a in found}
    faults = [
        f"{model}, {question}: the sweep has no such answer"
        for model, question, _ in counted
        if (model, question) not in known
    ]
    out = []
    for a in found:
        n = counted[a.model, a.question_id, census] if census else 0
        low, high = a.bounds(census) if census else (0, 0)
        if census and not low <= n <= high:
            faults.append(
                f"{a.model}, {a.question_id}: {n} {census} unit(s) audited, {low}..{high} by rows"
            )
        settled = a.fixed(census, n) if census else a
        for category in CATEGORIES:
            audited, most = counted[a.model, a.question_id, category], settled.bounds(category)[1]
            if audited > most and category != census:
                faults.append(
                    f"{a.model}, {a.question_id}: {audited} {category} unit(s) audited, "
                    f"at most {most} by rows"
                )
        out.append(settled)
    _refuse(faults, "Compare the audit with the sweep, and audit.census with what its source says.")
    return out


def _refuse(faults: Sequence[str], way_out: str) -> None:
    if faults:
        raise ArtefactError(
            f"the audit does not fit the sweep in {len(faults)} place(s):\n{listing(faults)}\n"
            f"{way_out}"
        )


def frame_rows(
    found: Sequence[Answer],
    sample: Sequence[Row],
    census: str | None,
    declared: Mapping[str, int] | None,
) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_FRAME`: by model and pooled, by sampling cell and whole.

    Args:
        found: Answers as the sweep's rows have them.
        sample: Audited units of the scaffold arm.
        census: A category of which the audit holds every unit, or None.
        declared: Category to units of the whole frame, as the study states them, or None.

    Raises:
        ArtefactError: Census or declared sizes contradict the rows; see `settle`.
    """
    settled = settle(found, sample, census)
    groups: dict[tuple[str, str, str], list[int]] = {}
    for i, answer in enumerate(settled):
        for key in _keys(answer.model, answer.template, answer.gold_type):
            groups.setdefault(key, []).append(i)
    sampled = Counter(
        (*key, r["category"])
        for r in sample
        for key in _keys(r["model"], r["template"], r["gold_type"])
    )
    out = []
    for key, members in sorted(groups.items()):
        for category in CATEGORIES:
            low, high = _sums(category, [settled[i] for i in members])
            n_low, n_high = _sums(category, [found[i] for i in members])
            out.append(
                {
                    **dict(zip(("model", "template", "gold_type"), key, strict=True)),
                    "category": category,
                    "n": low if low == high else None,
                    "n_low": n_low,
                    "n_high": n_high,
                    "source": "rows" if n_low == n_high else "census" if census else "bounds",
                    "n_sampled": sampled[*key, category],
                    "n_allocated": None,
                }
            )
    return _allocated(_declared(out, declared))


def _sums(category: str, members: Iterable[Answer]) -> tuple[int, int]:
    """Return the least and the most items of a category over several answers."""
    bounds = [answer.bounds(category) for answer in members]
    return sum(low for low, _ in bounds), sum(high for _, high in bounds)


_WHOLE = (POOLED, ALL, ALL)


def _keys(model: str, template: str, gold_type: str) -> Iterator[tuple[str, str, str]]:
    for name in (model, POOLED):
        yield name, template, gold_type
        yield name, ALL, ALL


def _key(row: Row) -> tuple[str, str, str]:
    return row["model"], row["template"], row["gold_type"]


def _declared(rows: list[dict[str, Any]], sizes: Mapping[str, int] | None) -> list[dict[str, Any]]:
    """Take declared sizes where the rows leave the whole frame open, and check them anyway."""
    if sizes is None:
        return rows
    whole = {row["category"]: row for row in rows if _key(row) == _WHOLE}
    faults = []
    for category, n in sizes.items():
        row = whole[category]
        low, high = (row["n_low"], row["n_high"]) if row["n"] is None else (row["n"], row["n"])
        if not low <= n <= high:
            faults.append(f"{category}: audit.frame declares {n}, the sweep's rows {low}..{high}")
    _refuse(faults, "Correct audit.frame, or leave it out where rows or a census settle it.")
    for category, row in whole.items():
        if row["n"] is None:
            row.update(n=sizes[category], source="declared")
    return rows


def _allocated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add how a sample of the same size would be spread over the cells in proportion."""
    for category in CATEGORIES:
        cells = [
            r
            for r in rows
            if r["category"] == category and r["model"] == POOLED and _key(r) != _WHOLE
        ]
        sizes = {f"{r['template']}|{r['gold_type']}": r["n"] for r in cells}
        if cells and all(n is not None for n in sizes.values()):
            quota = sum(r["n_sampled"] for r in cells)
            shares = largest_remainder(quota, sizes)
            for row in cells:
                row["n_allocated"] = shares[f"{row['template']}|{row['gold_type']}"]
    return rows


def sizes_of(frame: Iterable[Row]) -> dict[str, int | None]:
    """Return the units of each category of the whole frame, None where not known."""
    return {r["category"]: r["n"] for r in frame if _key(r) == _WHOLE}


def weights_of(frame: Iterable[Row]) -> Weights:
    """Return the weights of the corrected rate from rows of `AUDIT_FRAME`."""
    whole = {r["category"]: r for r in frame if _key(r) == _WHOLE}
    return Weights(
        {name: whole[name]["n"] if name in whole else None for name in STRATA},
        whole["n11"]["source"] if "n11" in whole else "bounds",
    )
