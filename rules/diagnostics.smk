rule diagnose_study:
    """What the contexts share and exposure rests on; of judged answers, what cut them."""
    input:
        scaffolds=artefact("scaffolds"),
        exposure=artefact("exposure"),
        production_answers=judged_part("production", "answers"),
        production_grades=judged_part("production", "grades"),
        controls_answers=judged_part("controls", "answers"),
        controls_grades=judged_part("controls", "grades"),
        card=judges_card() if STUDY["production"] or STUDY["controls"] else [],
        grade=rubric_of("production") or rubric_of("controls"),
        code=code("diagnose_study"),
    output:
        diagnostics=artefact("studies/diagnostics"),
    log:
        log_file("diagnose_study"),
    conda:
        "../envs/core.yaml"
    params:
        statistics=STATISTICS,
        rules=[*rule_judges("production"), *rule_judges("controls")],
    script:
        "../scripts/diagnose_study.py"


rule diagnostics:
    """The diagnostics as a table; docs/findings says how to read them."""
    input:
        table("diagnostics").values(),
