"""What a study's ``audit`` section asks for, where the answers are our own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from copyceiling.errors import ConfigError
from copyceiling.judging.asking import check_judge
from copyceiling.judging.forms import FORMS
from copyceiling.models import JUDGES, ModelSpec, load_models, select

# What asks judges for verdicts that were never frozen.
LIVE = "snakemake table3 --config mode=live"
HEADLINE = "ours"  # the form that tables read from


def audited_models(study: Mapping[str, Any]) -> list[str]:
    """Return the labels of the models whose answers are audited, in the order of the sweep.

    Raises:
        ConfigError: The sweep has released scores only, or does not have a named model.
    """
    swept, named = study["sweep"]["models"], study["audit"]["models"]
    if study["sweep"]["source"] != "calls":
        raise ConfigError(
            "audit.source: calls needs answers, and sweep.source is "
            f"'{study['sweep']['source']}'. Set it to calls, or audit.source to release."
        )
    unknown = [name for name in named or () if name not in swept]
    if unknown:
        raise ConfigError(
            f"audit.models: {', '.join(unknown)} not swept, and only answers of the sweep can be "
            f"audited. sweep.models has: {', '.join(swept)}. Name some of these under "
            "audit.models, or null for all that are no readers; or leave the audit out: "
            "--config audit=null"
        )
    if named:
        return [name for name in swept if name in named]
    table = load_models(Path(study["sweep"]["table"]))
    return [m.model for m in select(table, swept, "sweep.models") if not m.is_reference]


def audit_judges(study: Mapping[str, Any]) -> dict[str, ModelSpec]:
    """Return the audit's judges by label, in order.

    Raises:
        ConfigError: Unknown, a reader, or one that would not judge the same way twice; no section
            ``judging``; or no headline form.
    """
    asked = study["audit"]
    if study["judging"] is None:
        raise ConfigError(
            "audit.judges: the study has no section 'judging', and a judge needs a rubric and a "
            "calibration card. config/defaults.yaml says what it holds"
        )
    table = load_models(Path(study["sweep"]["table"]))
    judges = {m.model: m for m in select(table, asked["judges"], "audit.judges")}
    readers = [m.model for m in judges.values() if m.is_reference and m.target not in JUDGES]
    if readers:
        raise ConfigError(f"audit.judges: {', '.join(readers)} give answers and judge none")
    for judge in judges.values():
        check_judge(judge)
    if HEADLINE not in asked["forms"]:
        raise ConfigError(
            f"audit.forms: {', '.join(asked['forms'])} are for comparison; add '{HEADLINE}', which "
            "the tables read from"
        )
    return judges


def shows_matcher(forms: list[str]) -> bool:
    """Return whether any of these forms shows a judge what the matcher credits."""
    return any(FORMS[name].matcher_hint for name in forms)
