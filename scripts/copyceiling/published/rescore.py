"""Published values of the semantic re-score (paper section 6)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.rescore.cosines import SCALE

Row = Mapping[str, Any]
Values = dict[str, Recomputed]

EMBEDDER = "bge-small-en-v1.5"
"""The encoder of the published re-score (paper section 6)."""

THRESHOLDS = ("0.80", "0.85", "0.90")
CELLS = ("n11", "n10", "n01", "n00")
_NO_ANSWERS = "needs the sweep's answers and an embedding model to score them with"
_NO_CONTEXTS = (
    "needs an embedding model to score the contexts with: --config "
    "'rescore={embedder: all-minilm-l6-v2-int8, vectors: live}'"
)
_SANITY_MODEL, _SANITY_QUESTIONS = "gemini-3.7-flash", 60


def rescored_values(ceilings: Sequence[Row], embedder: str | None) -> Values:
    """Return what a re-score of our own gives for published values, by key: its ceilings.

    Args:
        ceilings: Rows of `RESCORE_CEILING`, none where the study has no re-score.
        embedder: Label of its encoder, None where there is none.

    A value of another encoder than the published one is marked so: levels are the encoder's, and no
    tolerance of a published value is meant for them.
    """
    other = None if embedder == EMBEDDER else embedder
    found = {row["threshold"]: row["ceiling"] for row in ceilings}
    at = {name: round(float(name) * SCALE) for name in THRESHOLDS}
    return {
        f"rescore.ceiling@{name}": Recomputed(found[threshold], other_encoder=other)
        for name, threshold in at.items()
        if threshold in found
    }


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
        rescored: Values of a re-score of our own, by key; see `rescored_values`.
    """
    keys = [f"pooled@{t}.{cell}" for t in THRESHOLDS for cell in CELLS]
    keys += [
        f"{labels.get(model, model)}@{t}.{what}"
        for model in models
        for t in THRESHOLDS
        for what in ("recall", "gain", "gain_ci95", *CELLS)
    ]
    keys += ["negative_gain_ci_excludes_zero", "max_n01_any_cell", "sanity_agreement"]
    return {
        **{f"rescore.{key}": lacking(_NO_ANSWERS) for key in keys},
        **{f"rescore.ceiling@{t}": lacking(_NO_CONTEXTS) for t in THRESHOLDS},
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
