STATISTICS = {
    "seed": STUDY["seed"],
    "resamples": STUDY["statistics"]["resamples"],
    "level": STUDY["statistics"]["level"],
}


rule analyse_sweep:
    """Uplift, copy ceiling, signed gain and the exposure decomposition, with intervals."""
    input:
        scores=expand(artefact("scores/{model}"), model=LABELS),
        code=code("analyse_sweep"),
    output:
        sweep=artefact("studies/sweep"),
        decomposition=artefact("studies/decomposition"),
    log:
        log_file("analyse_sweep"),
    conda:
        "../envs/core.yaml"
    params:
        readers=READERS,
        statistics=STATISTICS,
    script:
        "../scripts/analyse_sweep.py"


rule census_confusion:
    """For how many titles of the corpus does another title, or an antonym, earn credit?"""
    input:
        classes=artefact("corpus/classes"),
        code=code("census_confusion"),
    output:
        confusion=artefact("studies/confusion"),
    log:
        log_file("census_confusion"),
    conda:
        "../envs/core.yaml"
    params:
        seed=STUDY["seed"],
        sample=1500,
    script:
        "../scripts/census_confusion.py"
