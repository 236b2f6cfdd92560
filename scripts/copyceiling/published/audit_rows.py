"""What the published values of the audit are computed from, and how they are worded.

A value comes from verdict rows, sweep rows and questions; where those do not determine it, it is
lacking, with the bounds that they give.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from copyceiling.audit.labels import CATEGORIES
from copyceiling.audit.rates import ALL
from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.stats import wilson
from copyceiling.sweep import POOLED

Row = Mapping[str, Any]
Values = dict[str, Recomputed]

NO_FRAME = (
    "the score rows at hand count hits without naming them, which only bounds the cells; needs the "
    "titles of hits"
)
NO_UNITS = "needs verdicts of such units and, but for those as they stand, the quote gate's rows"
NO_ANSWERS = "the score rows at hand hold counts; needs the answers"
_HOW = {
    "census": "the audit holds every unit of one category (audit.census), which settles the cells "
    "of every answer",
    "declared": "rests on the frame sizes that the study declares (audit.frame)",
}


@dataclass(frozen=True)
class AuditRows:
    """Rows that the values rest on.

    Attributes:
        verdicts: Rows of `VERDICTS` by the published judge.
        counts: Rows of `AUDIT_CONFUSION`.
        rates: Rows of `AUDIT_RATES`.
        corrected: Rows of `AUDIT_CORRECTED`.
        frame: Rows of `AUDIT_FRAME`.
        mechanisms: Rows of `AUDIT_MECHANISMS`.
        decomposition: Rows of `DECOMPOSITION`.
        exposure: Rows of `EXPOSURE`.
        items: Rows of `ITEMS` of all models; none where rows count hits without naming them.
        models: Labels of the swept models.
        labels: Model label to the published one, where they differ.
    """

    verdicts: Sequence[Row]
    counts: Sequence[Row]
    rates: Sequence[Row]
    corrected: Sequence[Row]
    frame: Sequence[Row]
    mechanisms: Sequence[Row]
    decomposition: Sequence[Row]
    exposure: Sequence[Row]
    items: Sequence[Row]
    models: Sequence[str]
    labels: Mapping[str, str]

    @cached_property
    def _rates(self) -> dict[tuple[str, ...], Row]:
        names = ("part", "category", "rate", "by", "group", "rule", "reading")
        return {tuple(r[name] for name in names): r for r in self.rates}

    def rate(
        self,
        category: str,
        rate: str,
        reading: str = "stands",
        *,
        part: str = "sample",
        rule: str = "as_run",
        by: tuple[str, str] = ("all", ALL),
    ) -> Row | None:
        """Return one row of the rates, None where there are no such units."""
        return self._rates.get((part, category, rate, *by, rule, reading))

    @cached_property
    def _counts(self) -> dict[tuple[str, str, str, str], int]:
        return {(r["part"], r["category"], r["field"], r["value"]): r["n"] for r in self.counts}

    def count(self, category: str, field: str, value: str, part: str = "sample") -> int:
        """Return how many units of a category have a value."""
        return self._counts.get((part, category, field, value), 0)

    def total(self, field: str, value: str, part: str = "sample") -> int:
        """Return how many units of all categories have a value."""
        return sum(self.count(c, field, value, part) for c in CATEGORIES)

    def has(self, part: str) -> bool:
        """Whether any unit of a part was audited."""
        return any(r["part"] == part for r in self.verdicts)

    def units(self, category: str, model: str = POOLED) -> Row | None:
        """Return the frame row of a category over all templates, None where there is none."""
        return frame_units(self.frame, category, model)

    @cached_property
    def exposed(self) -> dict[tuple[str, int], bool]:
        """Question id and item to whether the scaffold exposes it."""
        return {(r["question_id"], r["item"]): r["exposed"] for r in self.exposure}

    @property
    def by_words(self) -> dict[str, int] | None:
        """Scaffold items credited by words alone, by category; None where no rows name the hits."""
        kept = [r for r in self.items if r["arm"] == "scaffold"]
        if not kept:
            return None
        counts = Counter(
            "n11" if self.exposed[r["question_id"], r["item"]] else "n01"
            for r in kept
            if r["path"] == "word_bag"
        )
        return {category: counts[category] for category in CATEGORIES}

    def label(self, model: str) -> str:
        """Return the published label of a model."""
        return self.labels.get(model, model)


def blank(values: Values, reason: str) -> Values:
    """Return the same keys, all lacking for one reason."""
    return dict.fromkeys(values, lacking(reason))


def frame_units(frame: Iterable[Row], category: str, model: str = POOLED) -> Row | None:
    """Return the frame row of a model's category over all templates, None where there is none."""
    wanted = (model, ALL, category)
    return next((r for r in frame if (r["model"], r["template"], r["category"]) == wanted), None)


def frame_note(source: str) -> str | None:
    """Say how frame units are known, where it is not by the sweep's rows alone."""
    return _HOW.get(source)


def units_value(row: Row | None) -> Recomputed:
    """Return a frame row's units as a published value, or the bounds that the rows give."""
    if row is None:
        return lacking(NO_FRAME)
    if row["n"] is None:
        return lacking(f"{NO_FRAME}. They allow {row['n_low']} to {row['n_high']}")
    return Recomputed(row["n"], note=frame_note(row["source"]))


def rate_values(key: str, row: Row | None) -> Values:
    """Return a rate and its Wilson interval, under ``key`` and ``key.ci95``."""
    if row is None or row["share"] is None:
        return dict.fromkeys((key, f"{key}.ci95"), lacking(NO_UNITS))
    bounds = [row["wilson_low"], row["wilson_high"]]
    return {key: Recomputed(row["share"]), f"{key}.ci95": Recomputed(bounds)}


def ratio_values(key: str, k: int, n: int, note: str | None) -> Values:
    """Return k / n and its Wilson interval, under ``key`` and ``key.ci95``."""
    bounds = wilson(k, n)
    return {
        key: Recomputed(k / n, note=note),
        f"{key}.ci95": Recomputed([bounds.low, bounds.high], note=note),
    }


def pooled_row(decomposition: Iterable[Row]) -> Row | None:
    """Return the decomposition pooled over models, as received, under the paper's matcher."""
    wanted = (POOLED, "paper", "as_received")
    return next(
        (r for r in decomposition if (r["model"], r["matcher"], r["policy"]) == wanted), None
    )
