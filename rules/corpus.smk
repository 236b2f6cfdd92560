rule read_corpus:
    """Read the ontology, check it against the study's policy, close its hierarchy."""
    input:
        source=SOURCES["corpus"],
        code=code("read_corpus"),
    output:
        classes=artefact("corpus/classes"),
        generation=artefact("corpus/generation"),
        issues=artefact("corpus/issues"),
    log:
        log_file("read_corpus"),
    conda:
        "../envs/core.yaml"
    params:
        settings=STUDY["corpus"],
    script:
        "../scripts/read_corpus.py"
