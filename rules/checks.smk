rule verify:
    """Recompute the study from its frozen inputs and compare it with MANIFEST.json."""
    input:
        manifest="MANIFEST.json",
        code=code("verify_study"),
    params:
        study=STUDY,
    log:
        log_file("verify"),
    conda:
        "../envs/core.yaml"
    script:
        "../scripts/verify_study.py"
