# From corpus to tables, one way only: corpus -> questions -> scaffolds -> completions -> scores ->
# studies -> tables. `snakemake --list` says what each rule does.

import sys
from pathlib import Path

sys.path.insert(0, str(Path(workflow.basedir, "scripts")))


workdir: workflow.basedir


report: "rules/captions/study.rst"


include: "rules/common.smk"
include: "rules/inputs.smk"
include: "rules/corpus.smk"
include: "rules/questions.smk"
include: "rules/scaffolds.smk"
include: "rules/completions.smk"
include: "rules/scores.smk"
include: "rules/studies.smk"
include: "rules/released.smk"
include: "rules/overview.smk"
include: "rules/arms.smk"
include: "rules/production.smk"
include: "rules/controls.smk"
include: "rules/wrappers.smk"
include: "rules/diagnostics.smk"
include: "rules/audit.smk"
include: "rules/paraphrase.smk"
include: "rules/stress.smk"
include: "rules/seeds.smk"
include: "rules/rescore.smk"
include: "rules/calibration.smk"
include: "rules/published.smk"
include: "rules/tables.smk"
include: "rules/report.smk"
include: "rules/checks.smk"
include: "rules/crate.smk"
include: "rules/absent.smk"


remember_targets(rule.name for rule in workflow.rules if not rule.has_wildcards())


rule all:
    """Every table and figure of the study."""
    default_target: True
    input:
        study_outputs(),
