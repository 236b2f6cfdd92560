"""What a study's ``paraphrase`` section asks for, where rewrites are our own."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from copyceiling.embedding import embedder_spec
from copyceiling.errors import ConfigError
from copyceiling.models import ModelSpec, load_models, select, spec_params
from copyceiling.stress.hits import How

PROMPTS = ("rewrite", "rejected", "same_answers")


def how(study: Mapping[str, Any]) -> How:
    """Return where a study's semantic hits come from."""
    if study["deep"]:
        return "deep"
    return "live" if "live" in (study["mode"], study["paraphrase"]["vectors"]) else "replay"


def stress_params(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return a study's stress settings as plain values, as rules need them.

    Returns:
        ``encoder`` (the row of the table), ``how``, ``boilerplate``, ``attempts``, ``gold_words``,
        ``trials`` (label of a model that rewrites too to its ``spec`` and ``subset``); and for
        rewrites by a model ``spec`` and ``judge``.

    Raises:
        ConfigError: Unknown encoder or model, none where one is needed, or no such glossary.
    """
    asked = study["paraphrase"]
    params: dict[str, Any] = {
        "encoder": asdict(embedder_spec(asked["embedder"], Path(asked["table"]))),
        "how": how(study),
        "boilerplate": asked["boilerplate"],
        "attempts": asked["attempts"],
        "gold_words": study["questions"]["drop_gold_in_question"],
    }
    if asked["glossary"] and not Path(asked["glossary"]).is_file():
        raise ConfigError(f"paraphrase.glossary: there is no file '{asked['glossary']}'")
    if asked["source"] == "model":
        if asked["model"] is None:
            raise ConfigError("paraphrase.model: source model needs the label of a model")
        names = [asked["model"], asked["judge"] or asked["model"]]
        params["spec"], params["judge"] = map(spec_params, _models(study, names))
    trials = _models(study, list(asked["trials"]))
    params["trials"] = {
        m.model: {"spec": spec_params(m), "subset": asked["trials"][m.model]} for m in trials
    }
    return params


def _models(study: Mapping[str, Any], names: Sequence[str]) -> list[ModelSpec]:
    """Return models that can rewrite, by label; a label may stand twice."""
    table = load_models(Path(study["sweep"]["table"]))
    models = [select(table, [name], "paraphrase")[0] for name in names]
    readers = [m.model for m in models if m.is_reference]
    if readers:
        raise ConfigError(f"paraphrase: {', '.join(readers)} cannot rewrite a question")
    return models


def frozen_hits_name(embedder: str) -> str:
    """Return the frozen hits of an encoder, relative to the study's frozen folder."""
    return f"vectors/{embedder}.hits.parquet"


def frozen_rewrites_name(model: str) -> str:
    """Return the frozen calls of a rewriting model, relative to the study's frozen folder."""
    return f"rewrites/{model}.parquet"
