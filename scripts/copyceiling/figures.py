"""Draws figures with matplotlib, the same bytes for the same data and library version."""

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt  # the backend is chosen first

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "copyceiling",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_MODEL, _READER, _MODEL_NAIVE = "#0072B2", "#6b6b6b", "#56B4E9"  # Okabe-Ito, legible in grey


def figure3_rows(rows: Sequence[Mapping[str, Any]], policy: str) -> list[dict[str, Any]]:
    """Return what Figure 3 draws: models by gain from the top, then reference readers."""
    kept = [r for r in rows if (r["matcher"], r["policy"]) == ("paper", policy)]
    kept.sort(
        key=lambda r: (r["group"] != "model", r["gain"] is None, -(r["gain"] or 0), r["model"])
    )
    names = ("model", "group", "gain")
    bounds = [f"gain_{kind}_{end}" for kind in ("naive", "domain") for end in ("low", "high")]
    return [{**{k: r[k] for k in (*names, *bounds)}, "rank": i} for i, r in enumerate(kept)]


def draw_figure3(rows: Sequence[Mapping[str, Any]], title: str) -> dict[str, bytes]:
    """Return Figure 3, a forest plot of gain over copy, as ``svg`` and ``png``.

    The thin bar is the interval by domain (the primary one), the thick bar the naive one. Rows
    whose gain is missing are named without a mark.
    """
    ordered = sorted(rows, key=lambda r: r["rank"])
    with mpl.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.0, 1.2 + 0.32 * max(len(ordered), 1)))
        for y, row in enumerate(ordered):
            colour = _MODEL if row["group"] == "model" else _READER
            for kind, width in (("domain", 1.2), ("naive", 3.6)):
                low, high = row[f"gain_{kind}_low"], row[f"gain_{kind}_high"]
                if low is not None and high is not None:
                    shade = colour if kind == "domain" or row["group"] != "model" else _MODEL_NAIVE
                    axes.plot([low, high], [y, y], color=shade, lw=width, solid_capstyle="butt")
            if row["gain"] is not None:
                axes.plot(row["gain"], y, "o" if row["group"] == "model" else "s", color=colour)
        axes.axvline(0.0, color="black", lw=0.8, ls="--")
        axes.set_yticks(range(len(ordered)), [_label(r) for r in ordered])
        axes.invert_yaxis()
        axes.set_xlabel(
            "gain over copy (scaffold recall minus copy ceiling)\n"
            "thick bar: questions resampled, thin bar: whole domains"
        )
        axes.set_title(title, fontsize=9, loc="left")
        figure.tight_layout()
        images = {kind: image(figure, kind) for kind in ("svg", "png")}
        plt.close(figure)
    return images


def _label(row: Mapping[str, Any]) -> str:
    return str(row["model"]) + ("" if row["gain"] is not None else " (undefined)")


def image(figure: Any, kind: str) -> bytes:
    """Return a figure as ``svg`` or ``png``, without date or version."""
    buffer = io.BytesIO()
    metadata = {"Date": None, "Creator": "copyceiling"} if kind == "svg" else {"Software": None}
    figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
    return buffer.getvalue()
