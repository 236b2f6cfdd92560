# The wrapper ablation: does the text around a context suppress gold that the context leaves out?

if "wrappers" in ARM_PARTS:

    rule build_wrappers:
        """Draw contexts that leave gold out, and plan them under every wrapper."""
        input:
            classes=artefact("corpus/classes"),
            questions=artefact("questions"),
            texts=STUDY["wrappers"]["texts"],
            code=code("build_wrappers"),
        output:
            prompts=artefact("wrappers/prompts"),
            references=artefact("wrappers/references"),
            item_rows=artefact("wrappers/items"),
            pool=artefact("wrappers/pool"),
            wrapper_texts=artefact("wrappers/texts"),
        log:
            log_file("build_wrappers"),
        conda:
            "../envs/core.yaml"
        params:
            scaffold=STUDY["scaffold"],
            wrappers=STUDY["wrappers"],
            relations=STUDY["judging"]["relations"],
            kinds=list(STUDY["questions"]["wording"]["relations"]),
            seed=STUDY["seed"],
        script:
            "../scripts/build_wrappers.py"

    rule analyse_wrappers:
        """What came of each gold item under each wrapper, and contrasts of wrappers."""
        input:
            item_rows=artefact("wrappers/items"),
            phrases=STUDY["wrappers"]["phrases"],
            completions=[
                artefact(f"wrappers/completions/{label}")
                for label in ARM_PARTS["wrappers"].models
            ],
            code=code("analyse_wrappers"),
        output:
            outcomes=artefact("wrappers/outcomes"),
            rates=artefact("studies/wrappers"),
            contrasts=artefact("studies/wrapper_contrasts"),
            flow=artefact("studies/wrapper_flow"),
        log:
            log_file("analyse_wrappers"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_wrappers.py"

    rule wrappers:
        """The wrapper ablation: outcomes, contrasts, how answers ended, and the texts."""
        input:
            table("wrappers").values(),
            table("wrapper_contrasts").values(),
            table("wrapper_flow").values(),
            table("wrapper_texts").values(),
