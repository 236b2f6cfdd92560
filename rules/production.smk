if "production" in ARM_PARTS:

    rule build_production:
        """Plan the production study: prompts by arm, and references."""
        input:
            classes=artefact("corpus/classes"),
            generation=artefact("corpus/generation"),
            questions=artefact("questions"),
            preamble=STUDY["scaffold"]["preamble"],
            general=STUDY["production"]["general"] or [],
            reference_file=STUDY["production"]["references"] or [],
            node=artefact("production/node") if STUDY["production"]["node"] else [],
            code=code("build_production"),
        output:
            prompts=artefact("production/prompts"),
            references=artefact("production/references"),
        log:
            log_file("build_production"),
        conda:
            "../envs/core.yaml"
        params:
            scaffold=STUDY["scaffold"],
            production=STUDY["production"],
            relations=STUDY["judging"]["relations"],
            kinds=list(STUDY["questions"]["wording"]["relations"]),
            seed=STUDY["seed"],
        script:
            "../scripts/build_production.py"

    if STUDY["production"]["node"]:

        rule fetch_node:
            """Fetch the blocks of a served node with its telemetry, or replay the frozen ones."""
            input:
                questions=artefact("questions"),
                general=STUDY["production"]["general"] or [],
                frozen=frozen_or_nothing("production/node.parquet"),
                code=code("fetch_node"),
            output:
                blocks=artefact("production/node"),
            log:
                log_file("fetch_node"),
            conda:
                "../envs/core.yaml"
            params:
                node=STUDY["production"]["node"],
                production=STUDY["production"],
                scaffold=STUDY["scaffold"],
                seed=STUDY["seed"],
                study=STUDY["study"],
                mode=STUDY["mode"],
            script:
                "../scripts/fetch_node.py"


if STUDY["production"]:

    rule analyse_production:
        """Served against raw answers under a judge: paired contrasts and flow."""
        input:
            answers=artefact("production/answers"),
            grades=artefact("production/grades"),
            card=judges_card(),
            grade=rubric_of("production"),
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
            rules=rule_judges("production"),
        script:
            "../scripts/analyse_production.py"

    rule table6:
        """Table 6: the production study, and how its answers ended."""
        input:
            table("table6").values(),
            table("table6_flow").values(),
            table("table6_recall").values() if "production" in ARM_PARTS else [],
