"""People's labels against judges': agreement, kappa, and what people say of the matcher.

A judge's label is taken as it was before the quote gate, for that is what it said. The sheet draws
categories at other rates than the frame holds them, so agreement is also given weighted by frame:
only where every category that has units has one labelled by both, for a category without would
count as if it were like the others. The share of the frame that is covered is there in any case.
Without labels there is a count of the units that wait for some, and no number. Source: paper
section 10.2, STUDIES section 5.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from copyceiling.audit.labels import LABELS, ROLES, Row
from copyceiling.audit.panels import Panel
from copyceiling.audit.rates import ALL
from copyceiling.stats import kappa, wilson

NOBODY = "(none)"
Said = Mapping[str, tuple[str, str | None]]  # code to label and role


@dataclass(frozen=True)
class Sheet:
    """What people were asked to label.

    Attributes:
        category: Code of each unit on the sheet to its category.
        code: (part, unit id) of the sample to the unit's code.
        frame: Category to its units in the frame; None where not known.
    """

    category: Mapping[str, str]
    code: Mapping[tuple[str, str], str]
    frame: Mapping[str, int | None]


def human_rows(
    labels: Sequence[Row], panels: Sequence[Panel], sheet: Sheet, level: float
) -> list[dict[str, Any]]:
    """Return the rows of `AUDIT_HUMAN`.

    Args:
        labels: Rows of `AUDIT_LABELS`; people's own labels are compared with each other too.
        panels: Verdicts by judge.
        sheet: What people were asked to label.
        level: Level of the Wilson intervals.
    """
    people: dict[str, dict[str, tuple[str, str | None]]] = {}
    for row in labels:
        people.setdefault(row["annotator"], {})[row["code"]] = (row["label"], row["role"])
    judges = [(panel.about, _said(panel, sheet)) for panel in panels]
    if not people:
        return [_row(NOBODY, about, "labelled", sheet, {}, {}) for about, _ in judges]
    others: list[tuple[Mapping[str, Any], Said]] = [*judges]
    others += [
        (_about(name, "person", len(judges) + i), said)
        for i, (name, said) in enumerate(sorted(people.items()))
    ]
    out = []
    for name, own in sorted(people.items()):
        for about, theirs in others:
            # A pair of people is compared once.
            if about["kind"] != "person" or name < about["judge"]:
                out += _compared(name, own, about, theirs, sheet, level)
        out += _of_matcher(name, own, sheet, level)
    return out


def _about(name: str, kind: str, place: int) -> dict[str, Any]:
    return {"judge": name, "place": place, "kind": kind, "form": "sheet", "caution": None}


def _said(panel: Panel, sheet: Sheet) -> Said:
    found: dict[str, tuple[str, str | None]] = {}
    for row in panel.verdicts:
        code = sheet.code.get((row["part"], row["unit_id"]))
        if code is not None and code in sheet.category and row["label"] is not None:
            found[code] = (row["label"], row["role"])
    return found


def _compared(
    name: str, own: Said, about: Mapping[str, Any], theirs: Said, sheet: Sheet, level: float
) -> list[dict[str, Any]]:
    """Return how a person and another rater agree, and their labels crossed."""
    both = [code for code in sorted(own) if code in theirs]
    covered = _covered(both, sheet)
    weights = _weights(both, sheet) if covered == 1 else None
    rows = []
    for measure, place, options in (("label", 0, LABELS), ("role", 1, ROLES)):
        # A judge's label may come without a role: such a unit is not compared on it.
        stated = {code: said for code, said in theirs.items() if said[place] is not None}
        rated = [code for code in both if code in stated]
        first, second = ([str(said[code][place]) for code in rated] for said in (own, stated))
        found = kappa(first, second, options)
        same = sum(a == b for a, b in zip(first, second, strict=True))
        rows += [
            _row(name, about, f"agreement on {measure}", sheet, own, stated,
                 value=found.agreement, k=same, level=level),
            _row(name, about, f"kappa on {measure}", sheet, own, stated, value=found.kappa),
        ]  # fmt: skip
    if covered is not None:
        first, second = ([said[code][0] for code in both] for said in (own, theirs))
        weighed = kappa(first, second, LABELS, weights) if weights else None
        for measure in ("agreement", "kappa"):
            value = getattr(weighed, measure) if weighed else None
            row = _row(
                name, about, f"{measure} on label, by frame", sheet, own, theirs, value=value
            )
            rows.append({**row, "covered": covered})
    crossed = Counter(f"{own[code][0]}|{theirs[code][0]}" for code in both)
    rows += [
        _row(name, about, "confusion", sheet, own, theirs, group=group, k=k)
        for group, k in sorted(crossed.items())
    ]
    return rows


def _covered(codes: Sequence[str], sheet: Sheet) -> float | None:
    """Return the share of the frame in categories of these units, None if it is not known."""
    there = {sheet.category[code] for code in codes}
    sizes = {category: sheet.frame.get(category) for category in {*sheet.frame, *there}}
    known = {category: size for category, size in sizes.items() if size is not None}
    if len(known) < len(sizes) or not sum(known.values()):
        return None
    return sum(known[category] for category in there) / sum(known.values())


def _weights(codes: Sequence[str], sheet: Sheet) -> list[float]:
    """Return how many frame units each unit stands for."""
    there = Counter(sheet.category[code] for code in codes)
    return [(sheet.frame[sheet.category[c]] or 0) / there[sheet.category[c]] for c in codes]


def _of_matcher(name: str, own: Said, sheet: Sheet, level: float) -> list[dict[str, Any]]:
    """Return what a person says of the matcher's categories, whatever a judge says."""
    about = _about("matcher", "rule", -1)
    rows = []
    for measure, category, holds in (
        ("n11 judged correct_relation", "n11", lambda said: said[0] == "correct_relation"),
        ("n10 judged alternative", "n10", lambda said: said[1] == "alternative"),
    ):
        kept = {code: own[code] for code in own if sheet.category[code] == category}
        k = sum(map(holds, kept.values()))
        value = k / len(kept) if kept else None
        row = _row(name, about, measure, sheet, own, kept, value=value, k=k, level=level)
        rows.append(row)
    return rows


def _row(
    name: str,
    about: Mapping[str, Any],
    measure: str,
    sheet: Sheet,
    own: Said,
    theirs: Said,
    *,
    value: float | None = None,
    k: int | None = None,
    group: str = ALL,
    level: float | None = None,
) -> dict[str, Any]:
    """Return one row; with a level, ``k`` is a count of successes and has an interval."""
    n = len(own.keys() & theirs.keys())
    bounds = wilson(k, n, level) if k is not None and level is not None else None
    return {
        "annotator": name,
        **about,
        "measure": measure,
        "group": group,
        "n_sheet": len(sheet.category),
        "n_labelled": len(own),
        "n": n,
        "k": k,
        "value": value,
        "covered": None,
        "wilson_low": bounds.low if bounds else None,
        "wilson_high": bounds.high if bounds else None,
    }
