"""Verdicts judge by judge: the audit pools nothing over judges, nor over forms of asking.

Every row of an analysis names its judge, and carries what that judge's calibration card says
against it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit.labels import Row
from copyceiling.calibration.banner import card_banner

# Forms that tables read from; all others are for comparison. `released`: verdicts of a release.
HEADLINES = ("ours", "released")


@dataclass(frozen=True)
class Panel:
    """The verdicts of one judge, asked in one form.

    Attributes:
        judge: Label of the judge.
        place: Its place among the study's judges, from 0.
        kind: ``model`` or ``rule``.
        form: How it was asked and read.
        caution: What must stand across every table of these verdicts, None if nothing must.
        verdicts: Rows of `VERDICTS`.
    """

    judge: str
    place: int
    kind: str
    form: str
    caution: str | None
    verdicts: Sequence[Row]

    @property
    def about(self) -> dict[str, Any]:
        """The columns that say whose verdicts a row of an analysis rests on."""
        names = ("judge", "place", "kind", "form", "caution")
        return {name: getattr(self, name) for name in names}


def panels_of(
    verdicts: Sequence[Row], judges: Sequence[str], rules: Collection[str], card: Sequence[Row]
) -> list[Panel]:
    """Return the verdicts by judge and form, in the order of `panel_order`.

    Args:
        verdicts: Rows of `VERDICTS` by any number of judges.
        judges: Labels of the study's judges in order; others come after them, by label.
        rules: Labels of judges that are rules.
        card: Rows of `CALIBRATION`, none where the study calibrates no judges.
    """
    groups: dict[tuple[str, str], list[Row]] = {}
    order = [*judges, *sorted({row["judge"] for row in verdicts} - set(judges))]
    for row in verdicts:
        groups.setdefault((row["judge"], row["form"]), []).append(row)
    found = []
    for (judge, form), kept in groups.items():
        kind = "rule" if judge in rules else "model"
        said = caution(judge, kind, card, form=form, rubric_sha256=kept[0]["rubric_sha256"])
        found.append(Panel(judge, order.index(judge), kind, form, said, kept))
    return sorted(found, key=lambda panel: panel_order(panel.about))


def panel_order(row: Row) -> tuple[Any, ...]:
    """Sort key of rows by judge: in the order of the study, the headline form first."""
    return row["place"], row["judge"], row["form"] not in HEADLINES, row["form"]


def caution(
    judge: str,
    kind: str,
    card: Sequence[Row],
    *,
    rubric: str = "relation",
    form: str,
    rubric_sha256: str | None,
) -> str | None:
    """Return what must stand across a judge's verdicts, None for a model that passes its card.

    A rule passes its card by construction, which says nothing of real answers.
    """
    if kind == "rule":
        return (
            f"A RULE, NO MODEL: judge '{judge}' goes by exact names and fixed wordings, and reads "
            "nothing. Its verdicts show that the way to them works, and no more."
        )
    return card_banner(card, judge, rubric, form=form, rubric_sha256=rubric_sha256)


def main_panel(rows: Sequence[Row]) -> tuple[Any, Any] | None:
    """Return judge and form that stand for an audit where one must: the first by `panel_order`."""
    if not rows:
        return None
    first = min(rows, key=panel_order)
    return first["judge"], first["form"]


def of_panel(rows: Sequence[Mapping[str, Any]], key: tuple[Any, Any] | None) -> list[Row]:
    """Return the rows of one judge and form."""
    return [row for row in rows if (row["judge"], row["form"]) == key]


def headline_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that tables show; those of other forms are for comparison."""
    return [row for row in rows if row["form"] in HEADLINES]
