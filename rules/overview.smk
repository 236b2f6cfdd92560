rule measure_pipeline:
    """Time the stages of a grounded request, from the question to the model's input."""
    input:
        classes=artefact("corpus/classes"),
        questions=artefact("questions"),
        scaffolds=artefact("scaffolds"),
        frozen=calls_on_record() if STUDY["sweep"]["source"] == "calls" else [],
        answers=artefact("production/answers") if STUDY["production"] else [],
        code=code("measure_pipeline"),
    output:
        pipeline=artefact("studies/pipeline"),
    log:
        log_file("measure_pipeline"),
    conda:
        "../envs/core.yaml"
    # All cores, so that no other job runs beside the clock.
    threads: workflow.cores or 1
    params:
        settings=STUDY["scaffold"],
        models=models_called(),
        source=STUDY["sweep"]["source"],
        called=is_called(STUDY, "production"),
    script:
        "../scripts/measure_pipeline.py"


rule table1:
    """Table 1: the stages of a grounded request, with their latency here."""
    input:
        table("table1").values(),


rule resolve_terms:
    """Look up the terms of extracted assertions among the names of the corpus's classes."""
    input:
        classes=artefact("corpus/classes"),
        assertions=SOURCES["assertions"],
        code=code("resolve_terms"),
    output:
        term_items=artefact("terms/items"),
        terms=artefact("studies/terms"),
    log:
        log_file("resolve_terms"),
    conda:
        "../envs/core.yaml"
    params:
        garbled=STUDY["terms"]["garbled"],
        statistics=STATISTICS,
    script:
        "../scripts/resolve_terms.py"


rule table8:
    """Table 8: how many terms of extracted assertions name a class of the corpus."""
    input:
        table("table8").values(),


# Studies of a part to the part of the configuration that a study must have for them.
PART_STUDIES = {
    "contrasts_production": "production",
    "contrasts_controls": "controls",
    "audit": "audit",
    "audit_confusion": "audit",
    "audit_corrected": "audit",
    "paraphrase": "released_rewrites",
    "stress": "stress",
    "rescore": "rescore",
    "rescore_ceiling": "rescore",
}


rule summarise_study:
    """Gather what the study observed on each of the questions one may ask of it."""
    input:
        parts=studies_to_summarise(),
        code=code("summarise_study"),
    output:
        overview=artefact("studies/overview"),
    log:
        log_file("summarise_study"),
    conda:
        "../envs/core.yaml"
    params:
        policy=STUDY["statistics"]["missing"],
        level=STUDY["statistics"]["level"],
    script:
        "../scripts/summarise_study.py"


rule table2:
    """Table 2: the questions, what was observed on each, and what stays open."""
    input:
        table("table2").values(),
