"""Whether a judge may be relied on, and what stands across a table where it may not."""

from collections.abc import Sequence
from dataclasses import replace

from copyceiling.calibration.card import card_of
from copyceiling.calibration.observed import Row
from copyceiling.render import MISSING, Table

DEFAULT_FORM = "ours"


def shortfalls(card: Sequence[Row], judge: str, rubric: str, form: str = DEFAULT_FORM) -> list[Row]:
    """Return the measures of a card that do not reach their floor."""
    return [r for r in card_of(card, judge, rubric, form) if r["meets"] is False]


def passes(card: Sequence[Row], judge: str, rubric: str, form: str = DEFAULT_FORM) -> bool:
    """Whether a judge has a card for this rubric and form, with floors, and reaches them all."""
    floors = [r["meets"] for r in card_of(card, judge, rubric, form) if r["floor"] is not None]
    return bool(floors) and all(floors)


def card_banner(
    card: Sequence[Row] | None,
    judge: str,
    rubric: str,
    *,
    form: str = DEFAULT_FORM,
    rubric_sha256: str | None = None,
) -> str | None:
    """Return what must stand across every table of a judge's verdicts, None if it passes.

    Args:
        card: Rows of `CALIBRATION`; None or none of this judge where there is no card.
        judge: Label of the judge.
        rubric: Kind of rubric that the verdicts were made under.
        form: Form that they were made in.
        rubric_sha256: Hash of the rubric that they were made under; a card of another rubric
            does not count.
    """
    found = card_of(card or (), judge, rubric, form)
    if not found:
        return (
            f"NOT CALIBRATED: judge '{judge}' has no calibration card for the rubric '{rubric}' "
            f"(form '{form}'). How far its verdicts can be trusted is not known."
        )
    if rubric_sha256 is not None and found[0]["rubric_sha256"] != rubric_sha256:
        return (
            f"NOT CALIBRATED: the card of judge '{judge}' is of another version of the rubric "
            f"'{rubric}' than these verdicts. Calibrate it again: snakemake calibration"
        )
    if passes(found, judge, rubric, form):
        return None
    missed = ", ".join(shortfall_text(r) for r in shortfalls(found, judge, rubric, form))
    return (
        f"FAILS ITS CALIBRATION: judge '{judge}', rubric '{rubric}' (form '{form}'): "
        f"{missed or 'no floor is declared'}. Its verdicts do not bear the conclusions of this "
        "table."
    )


def shortfall_text(row: Row) -> str:
    """Return a measure that falls short, with its value, what it rests on, and its floor."""
    value = MISSING if row["value"] is None else f"{row['value']:.2f}"
    # What is no share of cases (kappa) has a number of cases only.
    counts = f"n {row['n']}" if row["k"] is None else f"{row['k']} of {row['n']}"
    return f"{row['measure'].replace('_', ' ')} {value} ({counts}, floor {row['floor']:.2f})"


def stamp(table: Table, banner: str | None) -> Table:
    """Return a table with a banner across its top; as it was where there is none."""
    return table if banner is None else replace(table, caption=f"{banner} {table.caption}")
