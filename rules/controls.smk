if "controls" in ARM_PARTS:

    rule build_controls:
        """Plan the negative controls: prompts by arm, references, cells, block exposure."""
        input:
            classes=artefact("corpus/classes"),
            generation=artefact("corpus/generation"),
            questions=artefact("questions"),
            scaffolds=artefact("scaffolds"),
            code=code("build_controls"),
        output:
            prompts=artefact("controls/prompts"),
            references=artefact("controls/references"),
            cells=artefact("controls/cells"),
            block_exposure=artefact("controls/block_exposure"),
        log:
            log_file("build_controls"),
        conda:
            "../envs/core.yaml"
        params:
            scaffold=STUDY["scaffold"],
            controls=STUDY["controls"],
            relations=STUDY["judging"]["relations"],
            kinds=list(STUDY["questions"]["wording"]["relations"]),
            seed=STUDY["seed"],
        script:
            "../scripts/build_controls.py"

    rule analyse_controls_recall:
        """Recall, copy ceiling and gain of the controls by arm, and contrasts: no judge."""
        input:
            cells=artefact("controls/cells"),
            recall=artefact("controls/recall"),
            code=code("analyse_controls_recall"),
        output:
            study=artefact("studies/controls_recall"),
        log:
            log_file("analyse_controls_recall"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_controls_recall.py"


if STUDY["controls"]:

    rule analyse_controls:
        """Negative controls under a judge: paired contrasts, flow and block exposure."""
        input:
            answers=artefact("controls/answers"),
            grades=artefact("controls/grades"),
            block_exposure=artefact("controls/block_exposure"),
            # Released controls grade the production answers again; ours ask for their own.
            production=(
                artefact("production/answers")
                if is_released(STUDY, "controls") and STUDY["production"]
                else []
            ),
            cells=artefact("controls/cells") if "controls" in ARM_PARTS else [],
            card=judges_card(),
            grade=rubric_of("controls"),
            code=code("analyse_controls"),
        output:
            contrasts=artefact("studies/contrasts_controls"),
            flow=artefact("studies/flow_controls"),
        log:
            log_file("analyse_controls"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
            rules=rule_judges("controls"),
        script:
            "../scripts/analyse_controls.py"

    rule table7:
        """Table 7: the negative controls, with flow and block exposure."""
        input:
            table("table7").values(),
            table("table7_flow").values(),
            table("table7_recall").values() if "controls" in ARM_PARTS else [],
