"""Every recomputed value of a study by the key of the published one, from the study's artefacts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import (
    AUDIT_CONFUSION,
    AUDIT_CORRECTED,
    AUDIT_FRAME,
    AUDIT_MECHANISMS,
    AUDIT_RATES,
    EXPOSURE_CHECK,
    PARAPHRASE,
)
from copyceiling.artefacts.judged_schemas import ANSWERS, REWRITES, VERDICTS
from copyceiling.artefacts.paired_schemas import CONTRASTS, DIAGNOSTICS, FLOW
from copyceiling.artefacts.rescore_schemas import RESCORE_CEILING
from copyceiling.artefacts.schema import Schema
from copyceiling.artefacts.schemas import EXPOSURE, ITEMS, SCORES
from copyceiling.artefacts.store import rows
from copyceiling.artefacts.study_schemas import DECOMPOSITION, SWEEP
from copyceiling.published.audit import audit_values
from copyceiling.published.audit_rows import AuditRows
from copyceiling.published.decomposition import decomposition_values
from copyceiling.published.judged import judged_values
from copyceiling.published.paraphrase import paraphrase_values
from copyceiling.published.recomputed import Recomputed
from copyceiling.published.rescore import rescore_values, rescored_values
from copyceiling.published.suppression import suppression_values
from copyceiling.published.sweep import (
    ceiling_values,
    corpus_values,
    paper_only_values,
    question_values,
    sweep_values,
)
from copyceiling.rows.questions import read_questions

# Artefact, as the rule names it, to its schema; a study has those of its parts.
_SCHEMAS: dict[str, Schema] = {
    "exposure": EXPOSURE,
    "scores": SCORES,
    "item_rows": ITEMS,
    "sweep": SWEEP,
    "decomposition": DECOMPOSITION,
    "exposure_check": EXPOSURE_CHECK,
    "production_answers": ANSWERS,
    "contrasts": CONTRASTS,
    "flow": FLOW,
    "diagnostics": DIAGNOSTICS,
    "verdicts": VERDICTS,
    "audit_confusion": AUDIT_CONFUSION,
    "audit_rates": AUDIT_RATES,
    "audit_corrected": AUDIT_CORRECTED,
    "audit_frame": AUDIT_FRAME,
    "audit_mechanisms": AUDIT_MECHANISMS,
    "rewrites": REWRITES,
    "paraphrase": PARAPHRASE,
    "rescore_ceiling": RESCORE_CEILING,
}


def recompute(
    artefacts: Mapping[str, Path | Sequence[Path]],
    models: Sequence[str],
    labels: Mapping[str, str],
    embedder: str | None,
) -> dict[str, Recomputed]:
    """Return our value, or what it lacks, by the key of every value that we have a rule for.

    Args:
        artefacts: ``questions`` and the names of `_SCHEMAS` to artefacts, several or none.
        models: Labels of the swept models.
        labels: Model label to the published one, where they differ.
        embedder: Label of the encoder of our re-score, None where the study has none.
    """
    read = {name: _read(artefacts[name], schema) for name, schema in _SCHEMAS.items()}
    audit = AuditRows(
        verdicts=read["verdicts"],
        counts=read["audit_confusion"],
        rates=read["audit_rates"],
        corrected=read["audit_corrected"],
        frame=read["audit_frame"],
        mechanisms=read["audit_mechanisms"],
        decomposition=read["decomposition"],
        exposure=read["exposure"],
        items=read["item_rows"],
        models=models,
        labels=labels,
    )
    questions = artefacts["questions"]
    assert isinstance(questions, Path)
    rescored = rescored_values(read["rescore_ceiling"], embedder)
    return {
        **corpus_values(read["production_answers"]),
        **question_values(read_questions(questions)),
        **ceiling_values(read["sweep"], read["decomposition"]),
        **sweep_values(models, read["scores"], read["sweep"], labels),
        **decomposition_values(
            models, read["decomposition"], read["sweep"], read["audit_frame"], labels
        ),
        **rescore_values(models, read["scores"], read["exposure_check"], labels, rescored),
        **paraphrase_values(read["rewrites"], read["paraphrase"]),
        **audit_values(audit),
        **suppression_values(audit, read["scores"]),
        **judged_values(read["contrasts"], read["flow"], read["diagnostics"]),
        **paper_only_values(),
    }


def _read(paths: Path | Sequence[Path], schema: Schema) -> list[dict[str, Any]]:
    """Return the rows of an artefact, or of several of one schema one after another."""
    given = [paths] if isinstance(paths, Path) else paths
    return [row for path in given for row in rows(path, schema)]
