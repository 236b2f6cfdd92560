if STUDY["controls"]:

    rule analyse_controls:
        """Negative controls under a judge: paired contrasts, flow and block exposure."""
        input:
            answers=artefact("controls/answers"),
            grades=artefact("controls/grades"),
            block_exposure=artefact("controls/block_exposure"),
            production=artefact("production/answers") if STUDY["production"] else [],
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
        script:
            "../scripts/analyse_controls.py"

    rule table7:
        """Table 7: the negative controls, with flow and block exposure."""
        input:
            table("table7").values(),
            table("table7_flow").values(),
