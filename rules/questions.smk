rule build_questions:
    """Draw the questions and their gold answers, or load a released question file."""
    input:
        classes=artefact("corpus/classes"),
        released=release_file(STUDY["questions"]["file"]),
        code=code("build_questions"),
    output:
        questions=artefact("questions"),
    params:
        settings=STUDY["questions"],
        seed=STUDY["seed"],
    log:
        log_file("build_questions"),
    conda:
        "../envs/core.yaml"
    script:
        "../scripts/build_questions.py"
