"""Published values of the negative controls: prefixes ``controls5`` and ``controls4``.

Source: paper section 10.7, Table 7; STUDIES sections 4 and 7.
"""

from typing import Any

from copyceiling.cohorts import FAMILIES, INTERSECTION, POOLED, Row
from copyceiling.judged_diagnostics import REGRADE, SAME_SCORE, WITHIN_ONE
from copyceiling.published.lookup import (
    CONTRAST,
    FIRST_JUDGING,
    JUDGE,
    Items,
    Studies,
    columns,
    determined,
    read_off,
    total,
)

_BLOCKS = ("true", "shuffled", "masked", "irrelevant", "fluent_noise")
_LIVE = {"served": "loom", "raw": "raw"}  # our label to the released one
_MEASURES = ("n", "mean_diff", "ci95", "p_exact", "p_holm", "wlt")

_SCORES = "needs the scores of this cohort (set, id, and a score an arm)"
_ENDS = (
    "the rows at hand hold scores only, and an answer that came back empty cannot be told from one "
    "that was never asked for; needs set, id, arm and empty of the five-arm result rows"
)
_AGGREGATE = (
    "only the released aggregate is at hand; needs exposure and injected_block_est_tokens of the "
    "five-arm result rows"
)
_ANSWERS = "needs the answers of the four-arm cohort (set, id, arm, content)"
_TWICE = "needs the archived scores of the four-arm cohort beside the repeated ones"


def control_values(studies: Studies) -> Items:
    """Yield every value of both cohorts by key."""
    yield from _five_arms(studies)
    yield from _four_arms(studies)


def _family(studies: Studies, prefix: str, cohort: str, scope: str, arms: set[str]) -> Items:
    for first, second in FAMILIES[cohort].contrasts:
        if {first, second} <= arms:
            row = studies.contrast(cohort, scope, (first, second))
            name = f"{_LIVE.get(first, first)}-{second}"
            for measure in _MEASURES:
                found = read_off(row, CONTRAST[measure], _SCORES)
                yield f"{prefix}.{scope}.{name}.{measure}", found


def _five_arms(studies: Studies) -> Items:
    arms = (*_LIVE, *_BLOCKS)
    for scope in (POOLED, "arcane", "thin", INTERSECTION):
        yield from _family(studies, "controls5", "controls", scope, {*arms})
    rows = {arm: studies.arm("controls", arm) for arm in arms}
    for arm, row in rows.items():
        name = _LIVE.get(arm, arm)
        note = "how its answers ended is read off the production rows" if arm in _LIVE else None
        yield f"controls5.flow.{name}", read_off(row, _flow, _ENDS, note)
        yield f"controls5.empty_rate.{name}", read_off(row, _empty_rate, _ENDS, note)
        yield f"controls5.mean_score.{name}", read_off(row, columns("mean_score"), _SCORES)
    for arm in _BLOCKS:
        yield f"controls5.exposure.{arm}", read_off(rows[arm], _exposure, _AGGREGATE)
        yield f"controls5.tokens.{arm}", read_off(rows[arm], _tokens, _AGGREGATE)
    yield "controls5.intersection.n", _intersection(studies, "controls")
    asked, graded = (
        total([_column(rows[arm], name) for arm in some])
        for name, some in (("attempted", _BLOCKS), ("graded", arms))
    )
    yield "controls5.rows", determined(asked, _ENDS)
    yield "controls5.judged_rows", determined(graded, _SCORES)


def _intersection(studies: Studies, cohort: str) -> Any:
    row = studies.contrast(cohort, INTERSECTION, ("served", "raw"))
    return read_off(row, columns("n"), _SCORES)


def _column(row: Row | None, name: str) -> Any:
    return None if row is None else row[name]


def _flow(row: Row) -> dict[str, int | None]:
    return {name: row[name] for name in ("planned", "attempted", "completed", "empty", "graded")}


def _empty_rate(row: Row) -> float | None:
    known = row["empty"] is not None and row["attempted"]
    return row["empty"] / row["attempted"] if known else None


def _exposure(row: Row) -> dict[str, Any] | None:
    """Return an arm's exposure where it was computed from rows; an aggregate is no result."""
    if row["exposure_from"] != "rows":
        return None
    found = {name: row[f"exposure_{name}"] for name in ("mean", "median", "min", "max")}
    return {**found, "n_zero": row["exposure_zero"], "n_full": row["exposure_full"]}


def _tokens(row: Row) -> float | None:
    return row["block_tokens"] if row["exposure_from"] == "rows" else None


def _four_arms(studies: Studies) -> Items:
    arms = {*_LIVE, *_BLOCKS} - {"fluent_noise"}
    yield from _family(studies, "controls4", "controls_first", POOLED, arms)
    for arm in sorted(arms - _LIVE.keys()):
        row = studies.arm("controls_first", arm)
        yield f"controls4.empty.{arm}", read_off(row, columns("empty", "attempted"), _ANSWERS)
    yield "controls4.intersection.n", _intersection(studies, "controls_first")
    label = f"controls_first, {JUDGE} and controls_first, {FIRST_JUDGING}"
    for name, what in (("exact", SAME_SCORE), ("within1", WITHIN_ONE)):
        row = studies.diagnostic(REGRADE, f"{label}: {what}")
        yield f"controls4.rejudge_{name}", read_off(row, columns("n", "of"), _TWICE)
