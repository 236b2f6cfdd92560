"""Published values of the production study, the controls and the out-of-domain arm.

Prefixes ``live``, ``live2``, ``controls5``, ``controls4``, ``ood`` and ``diag``. Everything comes
from the studies' own rows; where these do not determine a value, the reason says which released
fields would. Intervals are of our own bootstrap convention, and Holm's adjustment is of unrounded
p-values. Source: paper sections 10.5 to 10.8 and 13; STUDIES sections 3, 4 and 7.
"""

from collections.abc import Sequence
from typing import Any

from copyceiling.cohorts import POOLED, Row
from copyceiling.diagnostics import COMMONEST, SEEDS
from copyceiling.donors import DONORS, REPLAYED
from copyceiling.judged_diagnostics import (
    ALL,
    ASKED_AGAIN,
    BEYOND,
    BUDGET,
    CUT,
    LARGEST_BUDGET,
    NEITHER,
    PAIRS_AGAIN,
    RERUN,
    STILL_EMPTY,
    TRUNCATION,
    UNCUT,
    WINDOW,
)
from copyceiling.paired import ENGAGED
from copyceiling.published.controls import control_values
from copyceiling.published.lookup import (
    CONTRAST,
    JUDGE,
    SECOND_JUDGE,
    Items,
    Studies,
    columns,
    determined,
    read_off,
    total,
)
from copyceiling.published.recomputed import Recomputed, lacking

_SETS = ("arcane", "thin", "general")
_ARMS = ("served", "raw")
_STRATA = ("off_domain", "in_domain_general", "adjacent")

_LIVE = "needs the rows of the production answers and their scores"
_FIRST = (
    "the rerun replaced the first, empty answers in place; needs the rows of the first run "
    "(set, id, arm, content)"
)
_SECOND = "needs the second judge family's scores of the production answers (set, id, arm, score)"
_OOD = "needs the judged rows of the out-of-domain arm (model, id, mode, stratum, score)"
_OOD_ENGAGED = f"{_OOD} and the flag of its answers that says whether a block was shown"
_MARGIN = "the interval of the general set is not at hand, or does not lie inside the margin"
_CONTEXTS = "needs the contexts of the released questions"
_FIRST_CONTROLS = "needs the answers of the four-arm cohort (set, id, arm, content)"


def judged_values(
    contrasts: Sequence[Row], flow: Sequence[Row], diagnostics: Sequence[Row]
) -> dict[str, Recomputed]:
    """Return our value of every published one of these prefixes, or what it lacks, by key.

    Args:
        contrasts: Rows of `CONTRASTS`, of the production study and of the controls.
        flow: Rows of `FLOW`, of both.
        diagnostics: Rows of `DIAGNOSTICS`.
    """
    studies = Studies(contrasts, flow, diagnostics)
    parts = (_live, _second_judge, control_values, _out_of_domain, _diagnostics)
    return {key: value for part in parts for key, value in part(studies)}


def _live(studies: Studies) -> Items:
    for scope in (*_SETS, POOLED):
        row = studies.contrast("production", scope, _ARMS)
        for name, read in CONTRAST.items():
            if (scope, name) != (POOLED, "p_holm"):
                yield f"live.{scope}.{name}", read_off(row, read, _LIVE)
    for name in _SETS:
        arms = [studies.arm("production", arm, name) for arm in _ARMS]
        seconds = [row["latency_median_upper"] for row in arms if row is not None]
        yield f"live.{name}.engagement", read_off(arms[0], columns("engagement"), _LIVE)
        tokens = read_off(arms[0], columns("tokens_median_upper"), _LIVE)
        yield f"live.{name}.injected_median", tokens
        yield f"live.{name}.latency_median", determined(seconds, _LIVE)
    for name, what in (("reruns", ASKED_AGAIN), ("still_empty", STILL_EMPTY)):
        row = studies.diagnostic(RERUN, f"production, {JUDGE}: {what}")
        yield f"live.{name}", read_off(row, columns("n"), _LIVE)
    row = studies.diagnostic(RERUN, f"production, {JUDGE}: {PAIRS_AGAIN}")
    yield "live.mixed_budget_split", read_off(row, lambda r: [r["n"], r["of"] - r["n"]], _LIVE)
    yield "live.empty_first_attempt", lacking(_FIRST)


def _second_judge(studies: Studies) -> Items:
    for scope in (*_SETS, POOLED):
        row = studies.contrast("production", scope, _ARMS, SECOND_JUDGE)
        yield f"live2.{scope}", read_off(row, CONTRAST["mean_diff"], _SECOND)
    row = studies.contrast("production", POOLED, _ARMS, SECOND_JUDGE)
    yield "live2.nontied", read_off(row, columns("n_nonzero"), _SECOND)


def _out_of_domain(studies: Studies) -> Items:
    arms = ("harness", "bare")
    scopes = {"all": POOLED, **{name: name for name in _STRATA}}
    scopes["off_domain_engaged"] = f"off_domain{ENGAGED}"
    for name, scope in scopes.items():
        row = studies.contrast("general", scope, arms)
        reason = _OOD_ENGAGED if scope.endswith(ENGAGED) else _OOD
        for key, column in (("delta", "mean_diff"), ("ci95", "ci95"), ("n", "n")):
            yield f"ood.{name}.{key}", read_off(row, CONTRAST[column], reason)
    engaged = studies.contrast("general", scopes["off_domain_engaged"], arms)
    means = read_off(engaged, columns("mean_second", "mean_first"), _OOD_ENGAGED)
    yield "ood.engaged_means", means
    harness = studies.arm("general", "harness", "off_domain")
    yield "ood.skipped_off_domain", read_off(harness, _skipped, _OOD_ENGAGED)
    rows = [studies.arm("general", arm) for arm in arms]
    graded = total([None if row is None else row["graded"] for row in rows])
    yield "ood.gradings", determined(graded, _OOD)
    live = studies.contrast("production", "general", _ARMS)
    note = "declared, not measured: what is recomputed is that the interval lies inside it"
    yield "ood.margin", read_off(live, _margin, _MARGIN, note)


def _skipped(row: Row) -> int | None:
    return None if row["engaged"] is None else row["n_routed"] - row["engaged"]


def _margin(row: Row) -> float | None:
    return row["margin"] if row["inside_margin"] else None


def _diagnostics(studies: Studies) -> Items:
    donors = studies.named(DONORS, f"{REPLAYED}: ")
    counts = {name: row["n"] for name, row in donors.items()}
    yield "diag.irrelevant_donor_counts", determined(counts, _LIVE)
    cut = studies.diagnostic(TRUNCATION, f"production, {ALL}: answers {CUT}")
    yield "diag.live_budget_truncated", read_off(cut, columns("n", "of"), _LIVE)
    beyond = studies.diagnostic(WINDOW, f"production, {ALL}: answers {BEYOND}")
    yield "diag.live_over_4000_chars", read_off(beyond, columns("n"), _LIVE)
    label = f"production, {JUDGE}: served - raw"
    whole = studies.diagnostic(TRUNCATION, f"{label}, {NEITHER} {CUT}")
    yield "diag.live_diff_neither_truncated", read_off(whole, columns("n", "value"), _LIVE)
    yield "diag.controls4_ok", determined(_uncut(studies), _FIRST_CONTROLS)
    score = studies.diagnostic(SEEDS, COMMONEST)
    note = "commonest score of the class that is retrieved for the most questions"
    yield "diag.boilerplate_top_score", read_off(score, columns("value"), _CONTEXTS, note)
    budget = studies.diagnostic(BUDGET, LARGEST_BUDGET)
    yield "diag.live_effective_budget_always_1500", read_off(budget, _only_budget, _LIVE)


def _uncut(studies: Studies) -> dict[str, Any]:
    found = studies.named(UNCUT, "controls_first, ")
    arms = {what.removesuffix(": answers"): row["n"] for what, row in found.items()}
    return {arm: n for arm, n in arms.items() if arm != ALL}


def _only_budget(row: Row) -> float | None:
    return row["value"] if row["n"] == row["of"] else None
