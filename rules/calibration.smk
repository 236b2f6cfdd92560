# Judges of this study, and their calibration on answers whose right verdict is known.


def study_judges():
    """Return the study's judges by label, or stop with the fault before the DAG exists."""
    try:
        models = load_models(Path(STUDY["sweep"]["table"]))
        found = select(models, STUDY["judging"]["judges"], "judging.judges")
        return {spec.model: spec for spec in found}
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


if STUDY["judging"]:

    JUDGING = STUDY["judging"]
    JUDGES = study_judges()

    def frozen_verdicts(wildcards):
        """Return the frozen calls that a judge's replay reads; rules and live runs read none."""
        calls = f"{FROZEN}/judged/calibration/calls/{wildcards.judge}.parquet"
        replayed = (
            STUDY["mode"] == "replay" and not JUDGES[wildcards.judge].is_reference
        )
        return (
            [calls, f"{FROZEN}/SHA256SUMS"] if replayed and Path(calls).exists() else []
        )

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
        """Replay one judge's verdicts on the calibration items, or ask it live."""
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
        """Calibration cards of the judges; `--config mode=live` asks them."""
        input:
            table("calibration").values(),
            table("calibration_confusion").values(),
