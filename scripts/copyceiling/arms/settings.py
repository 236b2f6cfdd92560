"""Which parts of a study ask models themselves, and which models answer and judge in each.

A part does so where its section of the configuration says ``source: calls``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copyceiling.errors import ConfigError, listing
from copyceiling.judging.asking import check_judge
from copyceiling.models import (
    JUDGES,
    READERS,
    ModelSpec,
    load_models,
    select,
    spec_of,
    spec_params,
)

# Parts that plan prompts by arm, see `arm_schemas`.
PARTS = ("production", "controls", "wrappers")
CALLS = "calls"


@dataclass(frozen=True)
class Part:
    """A part that asks models itself; labels to models, in the order of the tables.

    Attributes:
        models: Models that answer.
        judges: Models and rules that judge.
    """

    models: Mapping[str, ModelSpec]
    judges: Mapping[str, ModelSpec]


def is_called(study: Mapping[str, Any], part: str) -> bool:
    """Return whether a study has a part whose answers are calls of its own."""
    section = study.get(part)
    return section is not None and section.get("source", CALLS) == CALLS


def called_parts(study: Mapping[str, Any], root: Path = Path()) -> dict[str, Part]:
    """Return the parts of a study that ask models themselves.

    Args:
        study: Its complete configuration.
        root: Folder that the model table's path is relative to.

    Raises:
        ConfigError: A label is unknown, a judge is asked to answer or a reader to judge, a
            judge's temperature is not 0, or the study calibrates no judges; lists all.
    """
    names = [part for part in PARTS if is_called(study, part)]
    if not names:
        return {}
    if study["judging"] is None:
        raise ConfigError(
            f"section(s) {', '.join(names)} have answers judged, but the study has no section "
            "'judging': a judge needs a rubric and a calibration card. "
            "config/defaults.yaml says what it holds"
        )
    table = load_models(root / study["sweep"]["table"])
    return {
        part: Part(
            _chosen(table, study[part]["models"], f"{part}.models", READERS),
            _chosen(table, study[part].get("judges") or [], f"{part}.judges", JUDGES),
        )
        for part in names
    }


def _chosen(
    table: Mapping[str, ModelSpec], names: Sequence[str], where: str, rules: Sequence[str]
) -> dict[str, ModelSpec]:
    found = select(table, names, where)
    wrong = [s.model for s in found if s.is_reference and s.target not in rules]
    if wrong:
        raise ConfigError(
            f"{where}: a reader judges nothing and a judge answers nothing, so these cannot "
            f"stand here:\n{listing(wrong)}\nOf the reference models: {', '.join(rules)}"
        )
    if rules is JUDGES:
        for spec in found:
            check_judge(spec)
    return {spec.model: spec for spec in found}


def models_of(study: Mapping[str, Any], part: str) -> list[str]:
    """Return the labels of the models that answer in a part, none where it asks none itself."""
    return list(study[part]["models"]) if is_called(study, part) else []


def command(part: str) -> str:
    """Return what asks a part's models and judges for what was never frozen."""
    target = {"production": "table6", "controls": "table7", "audit": "table3"}.get(part, part)
    return f"snakemake {target} --config mode=live"


def part_params(part: Part) -> dict[str, Any]:
    """Return a part as plain values, as a rule's parameters need it."""
    return {
        "models": [spec_params(spec) for spec in part.models.values()],
        "judges": [spec_params(spec) for spec in part.judges.values()],
    }


def part_of(params: Mapping[str, Any]) -> Part:
    """Return the part that `part_params` wrote down."""
    models, judges = (map(spec_of, params[name]) for name in ("models", "judges"))
    return Part({s.model: s for s in models}, {s.model: s for s in judges})
