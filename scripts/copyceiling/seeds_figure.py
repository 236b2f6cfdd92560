"""Draws exposure over question seeds, one dot a seed."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl

from copyceiling.figures import STYLE, image
from copyceiling.seeds import AS_IS
from copyceiling.tables.seeds import seeds_rows

mpl.use("Agg")
from matplotlib import pyplot as plt  # the backend is chosen first

_OTHER, _OWN, _BAR = "#56B4E9", "#D55E00", "#6b6b6b"
Row = Mapping[str, Any]


def figure_rows(runs: Sequence[Row], summary: Sequence[Row], own: int) -> list[dict[str, Any]]:
    """Return what the figure draws (`FIGURE_SEEDS`), in the order of the table.

    Args:
        runs: Rows of `SEED_RUNS`.
        summary: Rows of `SEEDS_STUDY`.
        own: The study's own seed.
    """
    ordered = [
        r for r in seeds_rows(summary, "") if (r["measure"], r["matcher"]) == ("ceiling", "paper")
    ]
    out = []
    for rank, s in enumerate(ordered):
        for r in runs:
            if (r["axis"], r["setting"], r["matcher"]) == (s["axis"], s["setting"], "paper"):
                out.append(
                    {
                        "rank": rank,
                        **{k: r[k] for k in ("axis", "setting", "seed", "ceiling", "alone")},
                        "own": r["seed"] == own,
                        "ceiling_low": s["study_domain_low"],
                        "ceiling_high": s["study_domain_high"],
                    }
                )
    return out


def draw_seeds(rows: Sequence[Row], title: str) -> dict[str, bytes]:
    """Return the figure as ``svg`` and ``png``: the ceiling, and the question alone beside it.

    A dot a seed, the study's own in another colour; the bar is its interval by domain.
    """
    labels = {r["rank"]: _label(r) for r in rows}
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(
            ncols=2,
            sharey=True,
            figsize=(8.0, 1.4 + 0.3 * max(len(labels), 1)),
            width_ratios=(3, 2),
        )
        for r in sorted(rows, key=lambda r: (r["own"], r["rank"])):
            colour, size = (_OWN, 22) if r["own"] else (_OTHER, 12)
            for place, name in zip(axes, ("ceiling", "alone"), strict=True):
                if r[name] is not None:
                    place.scatter(r[name], r["rank"], s=size, color=colour, zorder=2 + r["own"])
            if r["own"] and r["ceiling_low"] is not None:
                bounds, at = [r["ceiling_low"], r["ceiling_high"]], [r["rank"]] * 2
                axes[0].plot(bounds, at, color=_BAR, lw=1.2, zorder=1)
        axes[0].set_yticks(list(labels), list(labels.values()))
        axes[0].invert_yaxis()
        axes[0].set_xlabel("copy ceiling\nbar: own seed's interval, whole domains resampled")
        axes[1].set_xlabel("question alone")
        figure.suptitle(title, fontsize=9, x=0.01, ha="left")
        figure.tight_layout()
        images = {kind: image(figure, kind) for kind in ("svg", "png")}
        plt.close(figure)
    return images


def _label(row: Row) -> str:
    key = str(row["axis"]).partition(".")[2]
    return AS_IS if row["axis"] == AS_IS else f"{key} = {row['setting']}"
