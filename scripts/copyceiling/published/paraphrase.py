"""Published values of the rewritten questions (paper section 8)."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.rewrites import ALL, FAILING

Row = Mapping[str, Any]
Values = dict[str, Recomputed]

_CEILING_ROWS = "needs the ceilings of the rewritten questions (ceilings.jsonl)"
_LOG = "needs the log of rejected attempts (paraphrases.jsonl: n_attempts, rejection_log)"
_TEXTS = "needs the accepted rewrites' texts (paraphrases.jsonl: paraphrase, banned_tokens)"
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
