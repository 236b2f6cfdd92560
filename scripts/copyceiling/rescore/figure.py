"""The figure of the re-score: gain over copy against the threshold of a hit."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl

from copyceiling.figures import STYLE, image
from copyceiling.rescore.study import matcher_name
from copyceiling.sweep import POOLED

mpl.use("Agg")
from matplotlib import pyplot as plt  # the backend is chosen first

Row = Mapping[str, Any]
# Okabe-Ito without yellow and black; readers are grey, told apart by their marks.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_GREYS = ("#404040", "#6b6b6b", "#8f8f8f", "#b0b0b0")
_MARKS = ("s", "^", "v", "D", "P", "X")
_BOUNDS = [f"gain_{by}_{end}" for by in ("naive", "domain") for end in ("low", "high")]
_COLUMNS = ["model", "group", "matcher", "threshold", "gain", *_BOUNDS]


def figure_rows(rows: Sequence[Row], policy: str) -> list[dict[str, Any]]:
    """Return what the figure draws: models by name, then reference readers.

    Args:
        rows: Rows of `RESCORE`.
        policy: The study's declared policy.
    """
    kept = [r for r in rows if r["policy"] == policy and r["model"] != POOLED]
    order = sorted({(r["group"] != "model", r["model"]) for r in kept})
    rank = {model: i for i, (_, model) in enumerate(order)}
    return [{**{k: r[k] for k in _COLUMNS}, "rank": rank[r["model"]]} for r in kept]


def draw_rescore(rows: Sequence[Row], title: str) -> dict[str, bytes]:
    """Return the figure as ``svg`` and ``png``: a line a model, bars for the interval by domain.

    Args:
        rows: Rows of `figure_rows`.
        title: Above the figure.
    """
    thresholds = sorted({r["threshold"] for r in rows if r["threshold"] is not None})
    models = sorted({(r["rank"], r["model"], r["group"]) for r in rows})
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.0, 4.0))
        for rank, model, group in models:
            mine = [r for r in rows if r["model"] == model and r["gain"] is not None]
            first = sum(g == "model" for _, _, g in models)
            _draw_model(axes, mine, thresholds, _look(rank, group, first), rank / len(models))
        axes.axhline(0.0, color="black", lw=0.8, ls="--")
        names = [matcher_name(t).replace("@", "\n") for t in thresholds]
        axes.set_xticks(range(1 + len(names)), ["paper's\nmatcher", *names])
        axes.set_ylabel("gain over copy\n(scaffold recall minus copy ceiling)")
        axes.set_title(title, fontsize=9, loc="left")
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        figure.tight_layout()
        images = {kind: image(figure, kind) for kind in ("svg", "png")}
        plt.close(figure)
    return images


def _look(rank: int, group: str, n_models: int) -> dict[str, Any]:
    if group == "model":
        return {"color": _COLOURS[rank % len(_COLOURS)], "marker": "o"}
    at = rank - n_models
    return {"color": _GREYS[at % len(_GREYS)], "marker": _MARKS[at % len(_MARKS)]}


def _draw_model(
    axes: Any, rows: Sequence[Row], thresholds: Sequence[int], look: Mapping[str, Any], at: float
) -> None:
    """Draw one model: the paper's matcher apart at the left, thresholds joined by a line.

    ``at`` in [0, 1) shifts it sideways, so that bars do not cover one another.
    """
    place = {threshold: i for i, threshold in enumerate([None, *thresholds])}
    shift = 0.3 * (at - 0.4)
    joined = sorted((place[r["threshold"]] + shift, r["gain"]) for r in rows if r["threshold"])
    axes.plot([x for x, _ in joined], [y for _, y in joined], color=look["color"], lw=1.0)
    for i, row in enumerate(sorted(rows, key=lambda r: place[r["threshold"]])):
        x = place[row["threshold"]] + shift
        low, high = row["gain_domain_low"], row["gain_domain_high"]
        if low is not None and high is not None:
            axes.plot([x, x], [low, high], color=look["color"], lw=1.2)
        label = row["model"] if i == 0 else None
        axes.plot(x, row["gain"], ls="none", ms=4.5, label=label, **look)
