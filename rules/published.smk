if has_part(STUDY, "published"):

    rule compare_published:
        """Compare every published value with what the rows at hand give."""
        input:
            published=STUDY["release"]["published"],
            known="config/known_differences.yaml",
            questions=artefact("questions"),
            exposure=artefact("exposure"),
            scores=expand(artefact("scores/{model}"), model=LABELS),
            item_rows=expand(artefact("items/{model}"), model=LABELS),
            sweep=artefact("studies/sweep"),
            decomposition=artefact("studies/decomposition"),
            exposure_check=of_part("released_scores", "studies/exposure_check"),
            production_answers=of_part("production", "production/answers"),
            contrasts=[
                *of_part("production", "studies/contrasts_production"),
                *of_part("controls", "studies/contrasts_controls"),
            ],
            flow=[
                *of_part("production", "studies/flow_production"),
                *of_part("controls", "studies/flow_controls"),
            ],
            diagnostics=artefact("studies/diagnostics"),
            verdicts=of_part("audit", "audit/verdicts"),
            audit_confusion=of_part("audit", "studies/audit_confusion"),
            audit_rates=of_part("audit", "studies/audit"),
            audit_corrected=of_part("audit", "studies/audit_corrected"),
            audit_frame=of_part("audit", "studies/audit_frame"),
            audit_mechanisms=of_part("audit", "studies/audit_mechanisms"),
            rewrites=of_part("released_rewrites", "paraphrase/rewrites"),
            paraphrase=of_part("released_rewrites", "studies/paraphrase"),
            rescore_ceiling=of_part("rescore", "studies/rescore_ceiling"),
            code=code("compare_published"),
        output:
            comparison=artefact("studies/comparison"),
        log:
            log_file("compare_published"),
        conda:
            "../envs/core.yaml"
        params:
            models=LABELS,
            labels=STUDY["release"]["labels"],
            embedder=STUDY["rescore"]["embedder"] if STUDY["rescore"] else None,
        script:
            "../scripts/compare_published.py"

    rule paper:
        """Every published value with ours and a verdict; fails if one differs unexplained."""
        input:
            comparison=artefact("studies/comparison"),
            report=table("published").values(),
            code=code("check_published"),
        log:
            log_file("paper"),
        conda:
            "../envs/core.yaml"
        script:
            "../scripts/check_published.py"

    rule prose:
        """The numbers that the paper's text quotes, by section, with ours."""
        input:
            table("prose").values(),
