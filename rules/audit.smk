# The semantic audit of the matcher, and what can be said of it without a judge.

if STUDY["audit"]:

    rule analyse_audit:
        """Rates of the audited units in three readings, and the rate of the whole frame."""
        input:
            verdicts=artefact("audit/verdicts"),
            scores=expand(artefact("scores/{model}"), model=LABELS),
            item_rows=expand(artefact("items/{model}"), model=LABELS),
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            classes=artefact("corpus/classes"),
            code=code("analyse_audit"),
        output:
            rates=artefact("studies/audit"),
            confusion=artefact("studies/audit_confusion"),
            corrected=artefact("studies/audit_corrected"),
            frame_rows=artefact("studies/audit_frame"),
            mechanisms=artefact("studies/audit_mechanisms"),
        log:
            log_file("analyse_audit"),
        conda:
            "../envs/core.yaml"
        params:
            census=STUDY["audit"]["census"],
            frame=STUDY["audit"]["frame"],
            statistics=STATISTICS,
        script:
            "../scripts/analyse_audit.py"

    rule table3:
        """Table 3: verdicts, rates, corrected rate, frame, and traits that mislead the matcher."""
        input:
            table("table3").values(),
            table("audit_rates").values(),
            table("audit_corrected").values(),
            table("audit_frame").values(),
            table("audit_mechanisms").values(),
            table("mechanisms").values() if "mechanisms" in TABLES else [],


if STUDY["sweep"]["source"] == "calls":

    rule census_mechanisms:
        """Count how the matcher comes to credit each gold item of each answer, or not to."""
        input:
            questions=artefact("questions"),
            classes=artefact("corpus/classes"),
            exposure=artefact("exposure"),
            item_rows=expand(artefact("items/{model}"), model=LABELS),
            completions=expand(artefact("completions/{model}"), model=LABELS),
            code=code("census_mechanisms"),
        output:
            mechanisms=artefact("studies/mechanisms"),
            run_together=artefact("studies/run_together"),
        log:
            log_file("census_mechanisms"),
        conda:
            "../envs/core.yaml"
        params:
            readers=READERS,
        script:
            "../scripts/census_mechanisms.py"

else:

    STATED = [model for model in LABELS if stated_counts(model)]

    rule check_exposure:
        """Compare released counts of exposed items with ours, for every model and question."""
        input:
            exposure=artefact("exposure"),
            files=[stated_counts(model) for model in STATED],
            code=code("check_exposure"),
        output:
            exposure_check=artefact("studies/exposure_check"),
        log:
            log_file("check_exposure"),
        conda:
            "../envs/core.yaml"
        params:
            models=STATED,
        script:
            "../scripts/check_exposure.py"
