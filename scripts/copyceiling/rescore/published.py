"""Ceilings of a re-score beside the published ones, whichever encoder is at hand.

Source: paper section 6. Levels are the encoder's; what can be compared is whether they move alike.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.published.expected import Published
from copyceiling.published.rescore import CELLS, EMBEDDER, THRESHOLDS
from copyceiling.rescore.cosines import threshold_of

Row = Mapping[str, Any]


def published_rows(
    ceilings: Sequence[Row], published: Sequence[Published], embedder: str
) -> list[dict[str, Any]]:
    """Return the rows of `RESCORE_PUBLISHED`, one a matcher.

    Args:
        ceilings: Rows of `RESCORE_CEILING`.
        published: The published values.
        embedder: Label of the encoder of the ceilings.
    """
    values = {p.key: p.value for p in published}
    names = {threshold_of(float(name)): name for name in THRESHOLDS}
    return [_row(row, values, names.get(row["threshold"]), embedder) for row in ceilings]


def _row(ours: Row, values: Mapping[str, Any], name: str | None, embedder: str) -> dict[str, Any]:
    lexical = ours["threshold"] is None
    ceiling = values.get("ceiling.macro" if lexical else f"rescore.ceiling@{name}")
    exposed = values.get("ceiling.exposed_items") if lexical else _exposed(values, name)
    return {
        "matcher": ours["matcher"],
        "threshold": ours["threshold"],
        "embedder": None if lexical else embedder,
        "ceiling": ours["ceiling"],
        "n_exposed": ours["n_exposed"],
        "published_embedder": None if lexical or ceiling is None else EMBEDDER,
        "published_ceiling": ceiling,
        "published_exposed": exposed,
        "difference": None if ceiling is None else ours["ceiling"] - ceiling,
    }


def _exposed(values: Mapping[str, Any], name: str | None) -> int | None:
    """Return the published count of exposed items: n11 + n10 of any model, the same for each.

    None where it is not published, or models disagree.
    """
    models = {
        key.removeprefix("rescore.").removesuffix(f"@{name}.n11")
        for key in values
        if key.endswith(f"@{name}.n11") and not key.startswith("rescore.pooled@")
    }
    found = {
        sum(values[f"rescore.{model}@{name}.{cell}"] for cell in CELLS[:2]) for model in models
    }
    return found.pop() if len(found) == 1 else None
