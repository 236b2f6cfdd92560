rule build_crate:
    """Pack inputs, artefacts, tables, figures and workflow of the study as one RO-Crate."""
    input:
        outputs=study_outputs(),
        citation="CITATION.cff",
        code=code("build_crate"),
    output:
        crate=f"{RESULTS}/crate.zip",
    log:
        log_file("build_crate"),
    conda:
        "../envs/core.yaml"
    params:
        study=STUDY,
    script:
        "../scripts/build_crate.py"


rule crate:
    """The study as one RO-Crate, a zip: inputs, results, workflow, licences, provenance."""
    input:
        f"{RESULTS}/crate.zip",
