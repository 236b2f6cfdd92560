rule verify:
    """Recompute the study from its frozen inputs and compare it with MANIFEST.json."""
    input:
        manifest="MANIFEST.json",
        code=code("verify_study"),
    log:
        log_file("verify"),
    conda:
        "../envs/core.yaml"
    params:
        study=STUDY,
    script:
        "../scripts/verify_study.py"
