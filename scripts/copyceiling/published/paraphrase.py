"""Published values of the rewritten questions (paper section 8) and of the re-score (section 6)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.rewrites import ALL, FAILING

Row = Mapping[str, Any]
Values = dict[str, Recomputed]

_CEILING_ROWS = "needs the ceilings of the rewritten questions (ceilings.jsonl)"
_LOG = "needs the log of rejected attempts (paraphrases.jsonl: n_attempts, rejection_log)"
_TEXTS = "needs the accepted rewrites' texts (paraphrases.jsonl: paraphrase, banned_tokens)"
_EMBEDDER = "needs the sweep's answers and an embedding model to score them with"
REASONS = ("gold_verbatim", "relation", "title_token")
_CEILINGS = {
    "original_v1": "original",
    "original_facade": "original_served",
    "lexical": "lexical",
    "semantic": "semantic",
}


def paraphrase_values(rewrites: Sequence[Row], study: Sequence[Row]) -> Values:
    """Return every value of the family ``paraphrase``.

    Args:
        rewrites: Rows of `REWRITES`.
        study: Rows of `PARAPHRASE`.
    """
    rows = {(r["measure"], r["subset"]): r for r in study}

    def read(key: tuple[str, str], *columns: str, reason: str = _CEILING_ROWS) -> Recomputed:
        row = rows.get(key)
        found = [None if row is None else row[name] for name in columns]
        if row is None or None in found:
            return lacking(reason)
        return Recomputed(found[0] if len(found) == 1 else found, note=row["caution"])

    accepted = rows.get(("accepted", ALL))
    counted = accepted is not None and accepted["n"]
    out = {
        "accepted": read(("accepted", ALL), "k") if counted else lacking(_CEILING_ROWS),
        "rejected": (
            Recomputed(accepted["n"] - accepted["k"])
            if accepted is not None and counted
            else lacking(_CEILING_ROWS)
        ),
        "mean_attempts": read(("attempts", ALL), "value", reason=_LOG),
        "final_token_leaks": lacking(_TEXTS),
        **_rejections(rewrites),
        **{f"ceiling.{name}": read((what, ALL), "value") for name, what in _CEILINGS.items()},
        "below_half.n": read(("failing", ALL), "k"),
        "below_half.frac": read(("failing", ALL), "value"),
        "fallback.n": read(("fallback", ALL), "k"),
        "fallback.frac": read(("fallback", ALL), "value"),
        "presence": read(("presence", ALL), "value"),
    }
    for name, subset in (("all", ALL), ("failing", FAILING)):
        out[f"recovery.{name}"] = read(("recovery", subset), "value")
        out[f"recovery.{name}_ci95"] = read(("recovery", subset), "naive_low", "naive_high")
    return {f"paraphrase.{name}": value for name, value in out.items()}


def _rejections(rewrites: Sequence[Row]) -> Values:
    """Return the rejected attempts: all that were made but the last of each accepted question."""
    tried = [r["n_attempts"] for r in rewrites]
    known = [n for n in tried if n is not None]
    if not tried or len(known) < len(tried):
        names = ("rejected_attempts", *(f"reason.{name}" for name in REASONS))
        return dict.fromkeys(names, lacking(_LOG))
    kinds = lacking("needs the kind of each reason of rejection; the rows hold its wording")
    accepted = sum(r["accepted"] for r in rewrites)
    return {
        "rejected_attempts": Recomputed(sum(known) - accepted),
        **{f"reason.{name}": kinds for name in REASONS},
    }


THRESHOLDS = ("0.80", "0.85", "0.90")
_CELLS = ("n11", "n10", "n01", "n00")
_SANITY_MODEL, _SANITY_QUESTIONS = "gemini-3.7-flash", 60


def rescore_values(
    models: Sequence[str],
    scores: Sequence[Row],
    check: Sequence[Row],
    labels: Mapping[str, str],
    rescored: Mapping[str, Recomputed],
) -> Values:
    """Return every value of the family ``rescore``.

    What needs an embedding model is lacking unless ``rescored`` has it.

    Args:
        models: Labels of the swept models.
        scores: Rows of `SCORES`.
        check: Rows of `EXPOSURE_CHECK`.
        labels: Model label to the published one, where they differ.
        rescored: Values of a re-score of our own, by key.
    """
    keys = [f"ceiling@{t}" for t in THRESHOLDS]
    keys += [f"pooled@{t}.{cell}" for t in THRESHOLDS for cell in _CELLS]
    keys += [
        f"{labels.get(model, model)}@{t}.{what}"
        for model in models
        for t in THRESHOLDS
        for what in ("recall", "gain", "gain_ci95", *_CELLS)
    ]
    keys += ["negative_gain_ci_excludes_zero", "max_n01_any_cell", "sanity_agreement"]
    return {
        **{f"rescore.{key}": lacking(_EMBEDDER) for key in keys},
        "rescore.sanity_n": _sanity(scores),
        "rescore.gate_exposure_mismatches": _mismatches(check),
        **rescored,
    }


def _sanity(scores: Iterable[Row]) -> Recomputed:
    """Return the lexical hits of one model on the first questions, in the scaffold arm."""
    wanted = (_SANITY_MODEL, "scaffold", "paper")
    kept = sorted(
        (r["question_id"], r["n_hits"])
        for r in scores
        if (r["model"], r["arm"], r["matcher"]) == wanted
    )
    if not kept:
        return lacking(f"needs the score rows of {_SANITY_MODEL}")
    return Recomputed(sum(n for _, n in kept[:_SANITY_QUESTIONS]))


def _mismatches(check: Sequence[Row]) -> Recomputed:
    unstated = sum(r["n_unstated"] for r in check)
    if not check or unstated:
        return lacking("needs the count of exposed items (n_gold_exposed) in every released row")
    rows = sum(r["n"] for r in check)
    return Recomputed(
        sum(r["n_mismatches"] for r in check),
        note=f"over {rows:,} rows of {len(check)} models; the released gate checks three models",
    )
