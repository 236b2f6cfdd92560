rule freeze_scaffolds:
    """Freeze the context block of each question and what the model is shown."""
    input:
        classes=artefact("corpus/classes"),
        questions=artefact("questions"),
        preamble=STUDY["scaffold"]["preamble"],
        code=code("freeze_scaffolds"),
    output:
        scaffolds=artefact("scaffolds"),
    log:
        log_file("freeze_scaffolds"),
    conda:
        "../envs/core.yaml"
    params:
        settings=STUDY["scaffold"],
    script:
        "../scripts/freeze_scaffolds.py"


rule measure_exposure:
    """Say of each gold item whether the shown text, or the question alone, exposes it."""
    input:
        questions=artefact("questions"),
        scaffolds=artefact("scaffolds"),
        code=code("measure_exposure"),
    output:
        exposure=artefact("exposure"),
    log:
        log_file("measure_exposure"),
    conda:
        "../envs/core.yaml"
    script:
        "../scripts/measure_exposure.py"
