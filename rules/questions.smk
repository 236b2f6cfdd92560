rule build_questions:
    """Draw the questions and their gold answers, or load a released question file."""
    input:
        classes=artefact("corpus/classes"),
        released=SOURCES["questions"],
        code=code("build_questions"),
    output:
        questions=artefact("questions"),
    log:
        log_file("build_questions"),
    conda:
        "../envs/core.yaml"
    params:
        settings=STUDY["questions"],
        seed=STUDY["seed"],
    script:
        "../scripts/build_questions.py"
