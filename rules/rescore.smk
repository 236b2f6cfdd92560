# The semantic re-score: only where the study has a section `rescore`. Vectors are no input of a
# replay; the best cosines they give are frozen.


if STUDY["rescore"]:
    RESCORE = load_rescore()
    ANSWERED = LABELS if STUDY["sweep"]["source"] == "calls" else []

    rule measure_cosines:
        """Replay the best cosine of each text with each gold title, or embed."""
        input:
            questions=artefact("questions"),
            scaffolds=artefact("scaffolds"),
            classes=artefact("corpus/classes"),
            confusion=artefact("studies/confusion"),
            completions=expand(artefact("completions/{model}"), model=ANSWERED),
            # Released rows that contradict the contexts stop here, before anything is embedded.
            checked=of_part("released_scores", "studies/exposure_check"),
            frozen=frozen_cosines,
            code=code("measure_cosines"),
        output:
            cosines=artefact("rescore/cosines"),
            titles=artefact("rescore/titles"),
        log:
            log_file("measure_cosines"),
        conda:
            f"../envs/{'core' if RESCORE['how'] == 'replay' else 'live'}.yaml"
        params:
            spec=RESCORE["spec"],
            how=RESCORE["how"],
            cache=f"{STUDY['live']['cache']}/vectors",
            study=STUDY["study"],
            released=[] if ANSWERED else LABELS,
        script:
            "../scripts/measure_cosines.py"

    rule rescore_answers:
        """Set each item's cosines beside what the paper's matcher finds."""
        input:
            questions=artefact("questions"),
            scaffolds=artefact("scaffolds"),
            exposure=artefact("exposure"),
            cosines=artefact("rescore/cosines"),
            titles=artefact("rescore/titles"),
            confusion=artefact("studies/confusion"),
            classes=artefact("corpus/classes"),
            completions=expand(artefact("completions/{model}"), model=ANSWERED),
            matched=expand(artefact("items/{model}"), model=ANSWERED),
            code=code("rescore_answers"),
        output:
            shown=artefact("rescore/exposure"),
            answered=artefact("rescore/items"),
            neighbours=artefact("rescore/neighbours"),
        log:
            log_file("rescore_answers"),
        conda:
            "../envs/core.yaml"
        script:
            "../scripts/rescore_answers.py"

    rule analyse_rescore:
        """Recall, ceiling and gain at each threshold, beside the paper's matcher."""
        input:
            questions=artefact("questions"),
            shown=artefact("rescore/exposure"),
            answered=artefact("rescore/items"),
            near=artefact("rescore/neighbours"),
            scores=expand(artefact("scores/{model}"), model=ANSWERED),
            code=code("analyse_rescore"),
        output:
            rescore=artefact("studies/rescore"),
            ceiling=artefact("studies/rescore_ceiling"),
            neighbours=artefact("studies/neighbours"),
        log:
            log_file("analyse_rescore"),
        conda:
            "../envs/core.yaml"
        params:
            thresholds=RESCORE["thresholds"],
            readers=READERS,
            statistics=STATISTICS,
        script:
            "../scripts/analyse_rescore.py"

    rule draw_rescore:
        """Draw gain over copy against the threshold of a hit."""
        input:
            rescore=artefact("studies/rescore"),
            code=code("draw_rescore"),
        output:
            **reported(
                figure("rescore"), "svg", "Figures", "rescore", figure="Re-score"
            ),
        log:
            log_file("draw_rescore"),
        conda:
            "../envs/core.yaml"
        params:
            title=STUDY["title"],
            policy=STUDY["statistics"]["missing"],
            level=STUDY["statistics"]["level"],
        script:
            "../scripts/draw_rescore.py"

    if has_part(STUDY, "rescore_published"):

        rule compare_rescore:
            """Set the ceilings of the re-score beside the published ones."""
            input:
                ceiling=artefact("studies/rescore_ceiling"),
                published=STUDY["release"]["published"],
                code=code("compare_rescore"),
            output:
                beside=artefact("studies/rescore_published"),
            log:
                log_file("compare_rescore"),
            conda:
                "../envs/core.yaml"
            params:
                embedder=STUDY["rescore"]["embedder"],
            script:
                "../scripts/compare_rescore.py"

    rule rescore:
        """The semantic re-score: its tables and, where there are answers, its figure."""
        input:
            table("rescore_ceiling").values(),
            table("neighbours").values(),
            table("rescore_published").values() if "rescore_published" in TABLES else [],
            table("rescore").values() if ANSWERED else [],
            figure("rescore").values() if ANSWERED else [],
