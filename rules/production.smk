if STUDY["production"]:

    rule analyse_production:
        """Served against raw answers under a judge: paired contrasts and flow."""
        input:
            answers=artefact("production/answers"),
            grades=artefact("production/grades"),
            code=code("analyse_production"),
        output:
            contrasts=artefact("studies/contrasts_production"),
            flow=artefact("studies/flow_production"),
        log:
            log_file("analyse_production"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_production.py"

    rule table6:
        """Table 6: the production study, and how its answers ended."""
        input:
            table("table6").values(),
            table("table6_flow").values(),
