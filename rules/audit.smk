# The semantic audit of the matcher, and what can be said of it without a judge.

AUDIT_CALLED = is_called(STUDY, "audit")
AUDITED, AUDIT_JUDGES = load_audit() if AUDIT_CALLED else (LABELS, {})
RULE_JUDGES = [label for label, spec in AUDIT_JUDGES.items() if spec.is_reference]

if AUDIT_CALLED:

    RELATIONAL = STUDY["judging"]["rubrics"]

    wildcard_constraints:
        auditor=any_label(AUDIT_JUDGES),

    rule sample_audit:
        """Draw the units of the audit, and write apart what judges and people are shown."""
        input:
            questions=artefact("questions"),
            classes=artefact("corpus/classes"),
            exposure=artefact("exposure"),
            item_rows=expand(artefact("items/{model}"), model=AUDITED),
            scores=expand(artefact("scores/{model}"), model=AUDITED),
            completions=expand(artefact("completions/{model}"), model=AUDITED),
            code=code("sample_audit"),
        output:
            sample=artefact("audit/sample"),
            shown=artefact("audit/units"),
        log:
            log_file("sample_audit"),
        conda:
            "../envs/core.yaml"
        params:
            quotas=STUDY["audit"]["quotas"],
            units=STUDY["audit"]["units"],
            raw_hits=STUDY["audit"]["raw_hits"],
            sheet=STUDY["audit"]["sheet"],
            relations=STUDY["judging"]["relations"],
            seed=STUDY["seed"],
        script:
            "../scripts/sample_audit.py"

    rule judge_audit:
        """Replay one judge's labels of the audited units; a live run asks for the rest."""
        input:
            relation=RELATIONAL["relation"],
            span=RELATIONAL["span"],
            units=artefact("audit/units"),
            hints=(
                artefact("audit/sample")
                if shows_matcher(STUDY["audit"]["forms"])
                else []
            ),
            frozen=frozen_audit_verdicts,
            code=code("judge_audit"),
        output:
            judgements=artefact("judged/audit/{auditor}"),
            calls=artefact("judged/audit_calls/{auditor}"),
        log:
            log_file("judge_audit_{auditor}"),
        conda:
            lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
        params:
            spec=lambda w: spec_params(AUDIT_JUDGES[w.auditor]),
            study=STUDY["study"],
            forms=STUDY["audit"]["forms"],
            answer_cap=STUDY["judging"]["answer_cap"],
            seed=STUDY["seed"],
            mode=STUDY["mode"],
            live=STUDY["live"] if STUDY["mode"] == "live" else {},
        script:
            "../scripts/judge_audit.py"

    rule collect_audit:
        """Put the audit's verdicts together: every unit, judge and form."""
        input:
            sample=artefact("audit/sample"),
            judgements=expand(artefact("judged/audit/{auditor}"), auditor=AUDIT_JUDGES),
            code=code("collect_audit"),
        output:
            verdicts=artefact("audit/verdicts"),
        log:
            log_file("collect_audit"),
        conda:
            "../envs/core.yaml"
        script:
            "../scripts/collect_audit.py"

    rule read_labels:
        """Read people's labels of the audit's sheet, where there are any."""
        input:
            units=artefact("audit/units"),
            labels=label_files(),
            code=code("read_labels"),
        output:
            label_rows=artefact("audit/labels"),
        log:
            log_file("read_labels"),
        conda:
            "../envs/core.yaml"
        script:
            "../scripts/read_labels.py"

    rule compare_judges:
        """How the judging went, and people's labels against judges', or how many are awaited."""
        input:
            sample=artefact("audit/sample"),
            units=artefact("audit/units"),
            verdicts=artefact("audit/verdicts"),
            judgements=expand(artefact("judged/audit/{auditor}"), auditor=AUDIT_JUDGES),
            labels=artefact("audit/labels"),
            frame=artefact("studies/audit_frame"),
            card=of_part("judging", "studies/calibration"),
            code=code("compare_judges"),
        output:
            judging=artefact("studies/audit_judging"),
            human=artefact("studies/audit_human"),
        log:
            log_file("compare_judges"),
        conda:
            "../envs/core.yaml"
        params:
            judges=list(AUDIT_JUDGES),
            rules=RULE_JUDGES,
            level=STATISTICS["level"],
        script:
            "../scripts/compare_judges.py"


if STUDY["audit"]:

    rule analyse_audit:
        """Rates of the audited units in three readings, and the rate of the whole frame."""
        input:
            verdicts=artefact("audit/verdicts"),
            card=of_part("judging", "studies/calibration"),
            scores=expand(artefact("scores/{model}"), model=AUDITED),
            item_rows=expand(artefact("items/{model}"), model=AUDITED),
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
            # Of our own answers all n01 are audited; so the frame is checked against that.
            census="n01" if AUDIT_CALLED else STUDY["audit"]["census"],
            frame=STUDY["audit"]["frame"],
            judges=list(AUDIT_JUDGES),
            rules=RULE_JUDGES,
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
            table("audit_judging").values() if AUDIT_CALLED else [],
            table("audit_human").values() if AUDIT_CALLED else [],


if STUDY["sweep"]["source"] == "calls":

    rule analyse_omitted:
        """Recovery of gold that the scaffold does not show, with the scaffold and without."""
        input:
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            item_rows=expand(artefact("items/{model}"), model=LABELS),
            verdicts=of_part("audit", "audit/verdicts"),
            card=of_part("judging", "studies/calibration"),
            code=code("analyse_omitted"),
        output:
            omitted=artefact("studies/omitted"),
            hits=artefact("studies/omitted_hits"),
        log:
            log_file("analyse_omitted"),
        conda:
            "../envs/core.yaml"
        params:
            readers=READERS,
            judges=list(AUDIT_JUDGES),
            rules=RULE_JUDGES,
            statistics=STATISTICS,
        script:
            "../scripts/analyse_omitted.py"

    rule omitted:
        """Omitted targets: bare against grounded recovery, and what a judge says of the hits."""
        input:
            table("omitted").values(),
            table("omitted_hits").values(),

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
