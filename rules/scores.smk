if STUDY["sweep"]["source"] == "calls":

    rule score_answers:
        """Count, for each answer, which gold items are exposed and which are recovered."""
        input:
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            completions=artefact("completions/{model}"),
            code=code("score_answers"),
        output:
            scores=artefact("scores/{model}"),
            item_rows=artefact("items/{model}"),
        log:
            log_file("score_{model}"),
        conda:
            "../envs/core.yaml"
        script:
            "../scripts/score_answers.py"

else:

    rule import_scores:
        """Read a model's released rows and check them against exposure and answers."""
        input:
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            raw_results=lambda w: SOURCES["sweep"][w.model, "raw", "results"],
            raw_scores=lambda w: SOURCES["sweep"][w.model, "raw", "scores"],
            scaffold_results=lambda w: SOURCES["sweep"][w.model, "scaffold", "results"],
            scaffold_scores=lambda w: SOURCES["sweep"][w.model, "scaffold", "scores"],
            code=code("import_scores"),
        output:
            scores=artefact("scores/{model}"),
            item_rows=artefact("items/{model}"),
        log:
            log_file("import_{model}"),
        conda:
            "../envs/core.yaml"
        params:
            model=lambda w: w.model,
        script:
            "../scripts/import_scores.py"
