# What stays exposed once questions are rewritten without their subject's words.

if has_part(STUDY, "released_rewrites"):

    rule analyse_rewrites:
        """Mean ceilings under rewriting, and what semantic retrieval recovers, with intervals."""
        input:
            rewrites=artefact("paraphrase/rewrites"),
            questions=artefact("questions"),
            code=code("analyse_rewrites"),
        output:
            paraphrase=artefact("studies/paraphrase"),
        log:
            log_file("analyse_rewrites"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_rewrites.py"

    rule paraphrase:
        """The table of ceilings under rewriting."""
        input:
            table("paraphrase").values(),
