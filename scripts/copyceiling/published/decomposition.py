"""Published values of the exposure decomposition (paper section 10.3, Table 5).

Cells come from the sweep's own rows where these determine them, else from the audit's frame (see
`copyceiling.audit.frame`), and otherwise are lacking, with the bounds that the rows give.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from copyceiling.published.audit_rows import NO_FRAME, Values, frame_note, frame_units
from copyceiling.published.recomputed import Recomputed, lacking
from copyceiling.published.sweep import as_published
from copyceiling.sweep import POOLED

Row = Mapping[str, Any]
CELLS = ("n11", "n10", "n01", "n00")
_N_WEAKEST = 2
_NO_ROWS = "needs the sweep's score rows"


def decomposition_values(
    models: Sequence[str],
    decomposition: Sequence[Row],
    sweep: Iterable[Row],
    frame: Sequence[Row],
    labels: Mapping[str, str],
) -> Values:
    """Return every value of the family ``decomp``.

    Args:
        models: Labels of the swept models.
        decomposition: Rows of `DECOMPOSITION`.
        sweep: Rows of `SWEEP`.
        frame: Rows of `AUDIT_FRAME`, none where the study has no audit.
        labels: Model label to the published one, where they differ.
    """
    gains, rows = as_published(sweep), as_published(decomposition)
    name = {model: f"decomp.{labels.get(model, model)}" for model in models}
    out: Values = {}
    for model in models:
        out |= _cell_values(name[model], rows.get(model), frame)
        gain = gains.get(model)
        bounds = None if gain is None else [gain["gain_naive_low"], gain["gain_naive_high"]]
        out[f"{name[model]}.gain_ci95"] = Recomputed(bounds) if bounds else lacking(_NO_ROWS)
    out |= _cell_values("decomp.pooled", rows.get(POOLED), frame)
    out |= _pooled(rows.get(POOLED), out)
    used = {model: out[f"{name[model]}.utilisation"] for model in models}
    recalls = {model: row["scaffold_recall"] for model, row in gains.items()}
    return {
        **out,
        "decomp.n10_compliant_two_weakest": _weakest(rows, used),
        "decomp.order_swap": _swap(used, recalls, labels),
    }


def _cell_values(name: str, row: Row | None, frame: Sequence[Row]) -> Values:
    """Return the four cells of a model, and its utilisation."""
    if row is None:
        return {f"{name}.{measure}": lacking(_NO_ROWS) for measure in (*CELLS, "utilisation")}
    if row["n11"] is not None:
        out = {cell: Recomputed(row[cell]) for cell in CELLS}
    else:
        out = {cell: _of_frame(cell, row, frame) for cell in CELLS}
    n11, note = out["n11"].value, out["n11"].note
    used = lacking(NO_FRAME) if n11 is None else Recomputed(n11 / row["n_exposed"], note=note)
    return {f"{name}.{measure}": value for measure, value in {**out, "utilisation": used}.items()}


def _of_frame(cell: str, row: Row, frame: Sequence[Row]) -> Recomputed:
    units = frame_units(frame, cell, row["model"])
    if units is not None and units["n"] is not None:
        return Recomputed(units["n"], note=frame_note(units["source"]))
    low, high = row["n11_low"], row["n11_high"]
    exposed, hits, gold = row["n_exposed"], row["n_hits"], row["n_gold"]
    bounds = {
        "n11": (low, high),
        "n10": (exposed - high, exposed - low),
        "n01": (hits - high, hits - low),
        "n00": (gold - exposed - hits + low, gold - exposed - hits + high),
    }
    least, most = bounds[cell]
    return lacking(f"{NO_FRAME}. They allow {least} to {most}")


def _pooled(row: Row | None, values: Values) -> Values:
    """Return what is said of all models together."""
    n10, n01 = (values[f"decomp.pooled.{cell}"] for cell in ("n10", "n01"))
    names = ("n_gold", "n_exposed", "n10_any", "n10_compliant")
    gold, exposed, any_one, compliant = (None if row is None else row[name] for name in names)
    unexposed = None if gold is None or exposed is None else gold - exposed

    def share(of: Recomputed, below: int | None, less: int | None = 0) -> Recomputed:
        if of.value is None or less is None or not below:
            return lacking(of.reason or NO_FRAME)
        return Recomputed((of.value - less) / below, note=of.note)

    def exact(count: int | None) -> Recomputed:
        return (
            lacking(_NO_ROWS if row is None else NO_FRAME) if count is None else Recomputed(count)
        )

    return {
        "decomp.pooled.n": exact(gold),
        "decomp.pooled.n01_rate": share(n01, gold),
        "decomp.pooled.unexposed_recovery": share(n01, unexposed),
        "decomp.omission_rate_raw": share(n10, exposed),
        "decomp.omission_rate_adjusted": share(n10, exposed, compliant),
        "decomp.n10_any_type": exact(any_one),
        "decomp.n10_compliant": exact(compliant),
    }


def _weakest(rows: Mapping[str, Row], used: Mapping[str, Recomputed]) -> Recomputed:
    """Return the compliant omissions of the two models that use the least of what is shown."""
    if not used or any(u.value is None for u in used.values()):
        return lacking(NO_FRAME)
    compliant = {model: rows[model]["n10_compliant"] for model in used}
    if None in compliant.values():
        return lacking(NO_FRAME)
    weakest = sorted(used, key=lambda m: used[m].value)[:_N_WEAKEST]
    return Recomputed(sum(compliant[m] for m in weakest), note=f"of {' and '.join(weakest)}")


def _swap(
    used: Mapping[str, Recomputed], recalls: Mapping[str, float], labels: Mapping[str, str]
) -> Recomputed:
    """Return the neighbours by utilisation whose order by recall is the other way round."""
    if not used or any(u.value is None for u in used.values()):
        return lacking(NO_FRAME)
    by_use = sorted(used, key=lambda m: -used[m].value)
    by_recall = sorted(used, key=lambda m: -recalls[m])
    moved = [i for i, (a, b) in enumerate(zip(by_use, by_recall, strict=True)) if a != b]
    names = [labels.get(by_use[i], by_use[i]) for i in moved]
    if len(moved) == 2 and moved[1] == moved[0] + 1:
        return Recomputed(" and ".join(names))
    return Recomputed(", ".join(names) or "none", note="models at another place in the two orders")
