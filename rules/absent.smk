# Targets that this study has no material for: they say what it would take, and fail.

for target, part in TARGETS.items():
    if has_part(STUDY, part):
        continue

    rule:
        """Not part of this study: says what it would take."""
        name:
            target
        input:
            code=code("explain_absence"),
        log:
            log_file(target),
        conda:
            "../envs/core.yaml"
        params:
            target=target,
            part=part,
            study=STUDY["study"],
        script:
            "../scripts/explain_absence.py"
