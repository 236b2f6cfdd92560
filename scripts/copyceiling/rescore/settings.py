"""What a study's ``rescore`` section asks for."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from copyceiling.embedding import embedder_spec
from copyceiling.errors import ConfigError
from copyceiling.rescore.cosines import threshold_of

# replay reads frozen cosines; live embeds what is not frozen; deep embeds all and compares.
How = Literal["replay", "live", "deep"]


def how(study: Mapping[str, Any]) -> How:
    """Return where a study's cosines come from."""
    if study["deep"]:
        return "deep"
    return "live" if "live" in (study["mode"], study["rescore"]["vectors"]) else "replay"


def rescore_params(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study's re-score as plain values, as rules need it.

    Returns:
        ``spec`` (the encoder's row), ``thresholds`` (in ten-thousandths, rising) and ``how``.

    Raises:
        ConfigError: Unknown encoder, or a threshold that no kept cosine can be compared with.
    """
    asked = study["rescore"]
    spec = embedder_spec(asked["embedder"], Path(asked["table"]))
    thresholds = sorted({threshold_of(t) for t in asked["thresholds"]})
    if len(thresholds) < len(asked["thresholds"]):
        raise ConfigError("rescore.thresholds: one stands twice")
    return {"spec": asdict(spec), "thresholds": thresholds, "how": how(study)}


def frozen_names(embedder: str) -> list[str]:
    """Return the frozen files of an encoder, relative to the study's frozen folder."""
    return [f"vectors/{embedder}.parquet", f"vectors/{embedder}.titles.parquet"]
