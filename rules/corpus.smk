from copyceiling.corpus.files import source_file


rule read_corpus:
    """Read the ontology, check it against the study's policy, close its hierarchy."""
    input:
        source=source_file(STUDY["corpus"]),
        code=code("read_corpus"),
    output:
        classes=artefact("corpus/classes"),
        generation=artefact("corpus/generation"),
        issues=artefact("corpus/issues"),
    params:
        settings=STUDY["corpus"],
    log:
        log_file("read_corpus"),
    conda:
        "../envs/core.yaml"
    script:
        "../scripts/read_corpus.py"
