# Judges of this study, and their calibration on answers whose right verdict is known.


if STUDY["judging"]:

    JUDGING = STUDY["judging"]
    JUDGES = study_judges()

    wildcard_constraints:
        judge="|".join(re.escape(label) for label in JUDGES),

    rule build_calibration:
        """Make answers from the graph whose right verdict is known."""
        input:
            classes=artefact("corpus/classes"),
            questions=artefact("questions"),
            code=code("build_calibration"),
        output:
            answers=artefact("calibration/items"),
        log:
            log_file("build_calibration"),
        conda:
            "../envs/core.yaml"
        params:
            relations=JUDGING["relations"],
            kinds=list(STUDY["questions"]["wording"]["relations"]),
            per_construct=JUDGING["items"],
            seed=STUDY["seed"],
        script:
            "../scripts/build_calibration.py"

    rule judge_calibration:
        """Replay one judge's verdicts on the calibration items; a live run asks for the rest."""
        input:
            **JUDGING["rubrics"],
            answers=artefact("calibration/items"),
            frozen=frozen_verdicts,
            code=code("judge_calibration"),
        output:
            judgements=artefact("judged/calibration/{judge}"),
            calls=artefact("judged/calibration_calls/{judge}"),
        log:
            log_file("judge_calibration_{judge}"),
        conda:
            lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
        params:
            spec=lambda w: spec_params(JUDGES[w.judge]),
            relations=JUDGING["relations"],
            kinds=list(STUDY["questions"]["wording"]["relations"]),
            study=STUDY["study"],
            forms=JUDGING["forms"],
            answer_cap=JUDGING["answer_cap"],
            repeats=JUDGING["repeats"],
            subset=lambda w: JUDGING["subset"].get(w.judge),
            seed=STUDY["seed"],
            mode=STUDY["mode"],
            live=STUDY["live"] if STUDY["mode"] == "live" else {},
        script:
            "../scripts/judge_calibration.py"

    rule analyse_calibration:
        """The calibration card of every judge, against the declared floors."""
        input:
            answers=artefact("calibration/items"),
            judgements=expand(artefact("judged/calibration/{judge}"), judge=JUDGES),
            code=code("analyse_calibration"),
        output:
            card=artefact("studies/calibration"),
            confusion=artefact("studies/calibration_confusion"),
        log:
            log_file("analyse_calibration"),
        conda:
            "../envs/core.yaml"
        params:
            rules=[label for label, spec in JUDGES.items() if spec.is_reference],
            floors=JUDGING["floors"],
            statistics=STATISTICS,
        script:
            "../scripts/analyse_calibration.py"

    rule calibration:
        """Calibration cards of the judges; `--config mode=live` asks for what is not frozen."""
        input:
            table("calibration").values(),
            table("calibration_confusion").values(),
