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
        """Read a model's released score rows and check them against the recomputed exposure."""
        input:
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            raw=lambda w: SOURCES[w.model, "raw"],
            scaffold=lambda w: SOURCES[w.model, "scaffold"],
            code=code("import_scores"),
        output:
            scores=artefact("scores/{model}"),
        log:
            log_file("import_{model}"),
        conda:
            "../envs/core.yaml"
        params:
            model=lambda w: w.model,
        script:
            "../scripts/import_scores.py"
