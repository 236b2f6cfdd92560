# How far exposure moves over question seeds, thresholds, budgets and snapshots; no model.

if has_part(STUDY, "seeds"):

    rule vary_seeds:
        """Measure exposure over question seeds, eligibility thresholds and block budgets."""
        input:
            classes=artefact("corpus/classes"),
            preamble=STUDY["scaffold"]["preamble"],
            snapshots=[snapshot["path"] for snapshot in STUDY["seeds"]["snapshots"]],
            code=code("vary_seeds"),
        output:
            runs=artefact("seeds/runs"),
            seeds=artefact("studies/seeds"),
        log:
            log_file("vary_seeds"),
        conda:
            "../envs/core.yaml"
        params:
            varied=STUDY["seeds"],
            corpus=STUDY["corpus"],
            questions=STUDY["questions"],
            scaffold=STUDY["scaffold"],
            statistics=STATISTICS,
        script:
            "../scripts/vary_seeds.py"

    rule draw_seeds:
        """Draw exposure over question seeds, one dot a seed."""
        input:
            runs=artefact("seeds/runs"),
            seeds=artefact("studies/seeds"),
            code=code("draw_seeds"),
        output:
            **reported(figure("seeds"), "svg", "Figures", "seeds", figure="Seeds"),
        log:
            log_file("draw_seeds"),
        conda:
            "../envs/core.yaml"
        params:
            title=STUDY["title"],
            level=STUDY["statistics"]["level"],
            seed=STUDY["seed"],
        script:
            "../scripts/draw_seeds.py"

    rule seeds:
        """Exposure over question seeds, thresholds and budgets: table and figure."""
        input:
            table("seeds").values(),
            figure("seeds").values(),
