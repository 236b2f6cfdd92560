"""Looks up rows of the judged studies, and turns what is read off them into published values."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.cohorts import POOLED, Row
from copyceiling.paired import COMPLETE_CASE
from copyceiling.published.recomputed import Recomputed, lacking

# Labels of the released judgings: the main judge's, the second family's, and the main judge's
# earlier one of the first control cohort.
JUDGE, SECOND_JUDGE, FIRST_JUDGING = "gpt-4.1", "claude-opus-4-6", "gpt-4.1-first"

Item = tuple[str, Recomputed]
Items = Iterator[Item]
Read = Callable[[Row], Any]


@dataclass(frozen=True)
class Studies:
    """Rows of the judged studies; a lookup returns None where there is no such row.

    Attributes:
        contrasts: Rows of `CONTRASTS`.
        flow: Rows of `FLOW`.
        diagnostics: Rows of `DIAGNOSTICS`.
    """

    contrasts: Sequence[Row]
    flow: Sequence[Row]
    diagnostics: Sequence[Row]

    def contrast(
        self, cohort: str, scope: str, arms: tuple[str, str], judge: str = JUDGE
    ) -> Row | None:
        """Return a contrast, complete case."""
        return _find(
            self.contrasts,
            cohort=cohort,
            judge=judge,
            policy=COMPLETE_CASE,
            scope=scope,
            first=arms[0],
            second=arms[1],
        )

    def arm(self, cohort: str, arm: str, of_set: str = POOLED) -> Row | None:
        """Return an arm's flow."""
        return _find(self.flow, cohort=cohort, judge=JUDGE, set=of_set, arm=arm)

    def diagnostic(self, name: str, what: str) -> Row | None:
        """Return a diagnostic."""
        return _find(self.diagnostics, name=name, what=what)

    def named(self, name: str, start: str) -> dict[str, Row]:
        """Return diagnostics of one name by what stands behind the start of their description."""
        return {
            row["what"].removeprefix(start): row
            for row in self.diagnostics
            if row["name"] == name and row["what"].startswith(start)
        }


def _find(rows: Sequence[Row], **key: Any) -> Row | None:
    return next((row for row in rows if all(row[k] == v for k, v in key.items())), None)


def columns(*names: str) -> Read:
    """Return a reader of one column as a value, or of several as a list."""
    return lambda row: row[names[0]] if len(names) == 1 else [row[name] for name in names]


def read_off(row: Row | None, read: Read, reason: str, note: str | None = None) -> Recomputed:
    """Return what is read off a row; lacking where there is no row, or some of it is missing."""
    return determined(None if row is None else read(row), reason, note)


def determined(value: Any, reason: str, note: str | None = None) -> Recomputed:
    """Return a value, or that it is lacking where it, or a part of it, is None."""
    if isinstance(value, Mapping):
        parts = list(value.values())
    else:
        parts = value if isinstance(value, list) else [value]
    return lacking(reason) if None in parts or not parts else Recomputed(value, note=note)


def total(counts: Sequence[int | None]) -> int | None:
    """Return a sum, None where one of its terms is missing."""
    known = [n for n in counts if n is not None]
    return sum(known) if len(known) == len(counts) else None


CONTRAST: Mapping[str, Read] = {
    "n": columns("n"),
    "mean_diff": columns("mean_diff"),
    "ci95": columns("diff_low", "diff_high"),
    "p_exact": columns("p"),
    "p_holm": columns("p_holm"),
    "wlt": columns("wins", "losses", "ties"),
    "rank_biserial": columns("rank_biserial"),
    "means": columns("mean_first", "mean_second"),
}
