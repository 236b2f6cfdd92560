# What people look at: one page a study, which fetches nothing.

from copyceiling.report.files import ASSETS


rule build_report:
    """Build the study's page: tables, figures, evidence and provenance in one file."""
    input:
        tables=[table(name)["parquet"] for name in TABLES],
        figures=report_figures(),
        generation=artefact("corpus/generation"),
        questions=artefact("questions"),
        scaffolds=artefact("scaffolds"),
        exposure=artefact("exposure"),
        scores=expand(artefact("scores/{model}"), model=LABELS),
        item_rows=expand(artefact("items/{model}"), model=LABELS),
        completions=expand(
            artefact("completions/{model}"),
            model=LABELS if STUDY["sweep"]["source"] == "calls" else [],
        ),
        verdicts=of_part("audit", "audit/verdicts"),
        sample=[artefact("audit/sample")] if AUDIT_CALLED else [],
        labels=(
            expand(artefact("judged/audit/{judge}"), judge=AUDIT_JUDGES)
            if AUDIT_CALLED
            else []
        ),
        prompts=arm_artefacts("prompts"),
        references=arm_artefacts("references"),
        answers=arm_artefacts("answers"),
        grades=arm_artefacts("grades"),
        citation="CITATION.cff",
        model_table=STUDY["sweep"]["table"],
        frozen_notes=[p for p in [f"{FROZEN}/README.md"] if Path(p).exists()],
        assets=expand("scripts/copyceiling/report/assets/{name}", name=ASSETS),
        code=code("build_report"),
    output:
        html=report(
            f"{RESULTS}/report.html",
            caption="captions/report.rst",
            category="Report",
            labels={"page": "tables, figures, evidence"},
        ),
    log:
        log_file("build_report"),
    conda:
        "../envs/core.yaml"
    params:
        study=STUDY,
        readers=READERS,
    script:
        "../scripts/build_report.py"


rule report:
    """The study as a page to look at: results/<study>/report.html, works from disk."""
    input:
        f"{RESULTS}/report.html",
