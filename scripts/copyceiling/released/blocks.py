"""The released summary of how much of the gold proxy the rerun's blocks expose, an arm a row.

Source: STUDIES section 4. With the rerun's rows at hand every figure is recomputed from them.
"""

import statistics
from collections.abc import Sequence
from typing import Any

from copyceiling.released.fields import COUNT, SECONDS, SHARE, Format, choice, nested
from copyceiling.released.judged import CONTROL_ARMS
from copyceiling.released.reading import Paths, Reader, Record
from copyceiling.released.rerun import COHORT, Rerun

_SUMMARY = {
    "n": COUNT,
    "mean_exposure_fraction": SHARE,
    "median": SHARE,
    "min": SHARE,
    "max": SHARE,
    "n_zero_exposure": COUNT,
    "n_full_exposure": COUNT,
    "mean_injected_est_tokens": SECONDS,
}
SUMMARY = Format({"arm": choice(*CONTROL_ARMS), **_SUMMARY}, key=("arm",))
_NESTED = Format({"rows": COUNT, "per_arm": nested(dict.fromkeys(CONTROL_ARMS, nested(_SUMMARY)))})


def block_rows(reader: Reader, paths: Paths, rerun: Rerun) -> list[dict[str, Any]]:
    """Return the released summary of block exposure as rows of `BLOCK_EXPOSURE`.

    With rows at hand every figure is recomputed, and a difference is a fault.
    """
    form = SUMMARY if not paths or paths[0].suffix == ".tsv" else _NESTED
    found = reader.first(paths, form)
    if found and form is _NESTED:
        where, arms = found[0].where, found[0]["per_arm"]
        if found[0]["rows"] != sum(arm["n"] for arm in arms.values()):
            reader.fault(where, "rows", f"{found[0]['rows']}, not the sum of n over arms")
        rows = [Record(where, {"arm": arm, **arms[arm]}) for arm in sorted(arms)]
    else:
        rows = list(found)
    for row in rows:
        _check_summary(reader, row)
        _compare_summary(reader, row, [r for r in rerun.records if r["arm"] == row["arm"]])
    return [_block_row(row) for row in rows]


def _check_summary(reader: Reader, row: Record) -> None:
    low, mid, high, n = row["min"], row["median"], row["max"], row["n"]
    if not low <= mid <= high or not low <= row["mean_exposure_fraction"] <= high:
        reader.fault(row.where, "median", f"{low} .. {high} does not hold median and mean")
    if (row["n_zero_exposure"] > 0) != (low == 0.0):
        reader.fault(row.where, "n_zero_exposure", f"{row['n_zero_exposure']}, the least is {low}")
    if (row["n_full_exposure"] > 0) != (high == 1.0):
        reader.fault(row.where, "n_full_exposure", f"{row['n_full_exposure']}, the most is {high}")
    if row["n_zero_exposure"] + row["n_full_exposure"] > n:
        reader.fault(row.where, "n", f"{n} blocks, fewer than expose none or all")


def _compare_summary(reader: Reader, row: Record, blocks: Sequence[Record]) -> None:
    if not blocks:
        return
    shares = [block["exposure"]["exposure_fraction"] for block in blocks]
    expected = {
        "n": len(shares),
        "mean_exposure_fraction": statistics.fmean(shares),
        "median": statistics.median(shares),
        "min": min(shares),
        "max": max(shares),
        "n_zero_exposure": sum(share == 0.0 for share in shares),
        "n_full_exposure": sum(share == 1.0 for share in shares),
        "mean_injected_est_tokens": statistics.fmean(
            [block["injected_block_est_tokens"] for block in blocks]
        ),
    }
    for name, value in expected.items():
        slack = 0.051 if name == "mean_injected_est_tokens" else 5.1e-5
        if abs(row[name] - value) > slack:
            reader.fault(row.where, name, f"{row[name]} of arm {row['arm']}, its rows give {value}")


def _block_row(row: Record) -> dict[str, Any]:
    return {
        "cohort": COHORT,
        "arm": row["arm"],
        "n": row["n"],
        "mean": float(row["mean_exposure_fraction"]),
        "median": float(row["median"]),
        "min": float(row["min"]),
        "max": float(row["max"]),
        "n_zero": row["n_zero_exposure"],
        "n_full": row["n_full_exposure"],
        "tokens": float(row["mean_injected_est_tokens"]),
    }
