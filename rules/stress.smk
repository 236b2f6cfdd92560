# What retrieval finds once questions are rewritten: where rewrites are the study's own. And what the
# wording of the questions does to retrieval, for any study.

from copyceiling.stress.settings import PROMPTS, frozen_hits_name


rule measure_contamination:
    """Retrieve by the whole prompt and by the subjects' titles alone, and compare exposure."""
    input:
        classes=artefact("corpus/classes"),
        questions=artefact("questions"),
        preamble=STUDY["scaffold"]["preamble"],
        code=code("measure_contamination"),
    output:
        contamination=artefact("studies/contamination"),
        intruders=artefact("studies/intruders"),
    log:
        log_file("measure_contamination"),
    conda:
        "../envs/core.yaml"
    params:
        scaffold=STUDY["scaffold"],
        statistics=STATISTICS,
    script:
        "../scripts/measure_contamination.py"


rule contamination:
    """Template contamination, and the classes that the wording brings in."""
    input:
        table("contamination").values(),
        table("intruders").values(),


if has_part(STUDY, "stress"):
    PARAPHRASE, STRESS = STUDY["paraphrase"], load_stress()
    TRIALS = STRESS["trials"]
    REWRITE_PARAMS = {k: STRESS[k] for k in ("boilerplate", "attempts", "gold_words")}

    if PARAPHRASE["source"] == "synonyms":

        rule rewrite_by_synonyms:
            """Rewrite questions from the corpus's synonyms and definitions, under the gate."""
            input:
                classes=artefact("corpus/classes"),
                questions=artefact("questions"),
                glossary=PARAPHRASE["glossary"] or [],
                code=code("rewrite_by_synonyms"),
            output:
                rewrites=artefact("stress/rewrites"),
                attempt_rows=artefact("stress/attempts"),
            log:
                log_file("rewrite_by_synonyms"),
            conda:
                "../envs/core.yaml"
            params:
                **REWRITE_PARAMS,
                seed=STUDY["seed"],
            script:
                "../scripts/rewrite_by_synonyms.py"

    else:

        rule rewrite_by_model:
            """Rewrite questions by a model, under the gate: from frozen calls, or live ones."""
            input:
                classes=artefact("corpus/classes"),
                questions=artefact("questions"),
                prompts=[f"config/prompts/{name}.txt" for name in PROMPTS],
                frozen=frozen_or_nothing(frozen_rewrites_name(PARAPHRASE["model"])),
                code=code("rewrite_by_model"),
            output:
                rewrites=artefact("stress/rewrites"),
                attempt_rows=artefact("stress/attempts"),
                calls=artefact("stress/calls"),
            log:
                log_file("rewrite_by_model"),
            conda:
                f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
            params:
                **REWRITE_PARAMS,
                spec=STRESS["spec"],
                judge=STRESS["judge"],
                subset=None,
                seed=STUDY["seed"],
                study=STUDY["study"],
                mode=STUDY["mode"],
                live=STUDY["live"] if STUDY["mode"] == "live" else {},
            script:
                "../scripts/rewrite_by_model.py"

    if TRIALS:

        rule try_rewriter:
            """Rewrite some questions by a further model: a set of its own, counted and no more."""
            input:
                classes=artefact("corpus/classes"),
                questions=artefact("questions"),
                prompts=[f"config/prompts/{name}.txt" for name in PROMPTS],
                frozen=frozen_trial,
                code=code("rewrite_by_model"),
            output:
                rewrites=artefact("stress/trials/{rewriter}/rewrites"),
                attempt_rows=artefact("stress/trials/{rewriter}/attempts"),
                calls=artefact("stress/trials/{rewriter}/calls"),
            log:
                log_file("try_{rewriter}"),
            wildcard_constraints:
                rewriter="|".join(re.escape(label) for label in TRIALS),
            conda:
                f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
            params:
                **REWRITE_PARAMS,
                spec=lambda w: TRIALS[w.rewriter]["spec"],
                judge=lambda w: TRIALS[w.rewriter]["spec"],
                subset=lambda w: TRIALS[w.rewriter]["subset"],
                seed=STUDY["seed"],
                study=STUDY["study"],
                mode=STUDY["mode"],
                live=STUDY["live"] if STUDY["mode"] == "live" else {},
            script:
                "../scripts/rewrite_by_model.py"

    rule rank_hits:
        """Rank the classes nearest to each question and rewrite by vector: replay, or embed."""
        input:
            classes=artefact("corpus/classes"),
            questions=artefact("questions"),
            rewrites=artefact("stress/rewrites"),
            frozen=frozen_or_nothing(frozen_hits_name(PARAPHRASE["embedder"])),
            code=code("rank_hits"),
        output:
            hits=artefact("stress/hits"),
        log:
            log_file("rank_hits"),
        conda:
            f"../envs/{'core' if STRESS['how'] == 'replay' else 'live'}.yaml"
        params:
            encoder=STRESS["encoder"],
            how=STRESS["how"],
            cache=f"{STUDY['live']['cache']}/vectors",
            study=STUDY["study"],
        script:
            "../scripts/rank_hits.py"

    rule expose_arms:
        """Say what each retrieval exposes of each question, as asked and as rewritten."""
        input:
            classes=artefact("corpus/classes"),
            questions=artefact("questions"),
            rewrites=artefact("stress/rewrites"),
            hits=artefact("stress/hits"),
            preamble=STUDY["scaffold"]["preamble"],
            code=code("expose_arms"),
        output:
            exposure=artefact("stress/exposure"),
            signals=artefact("stress/signals"),
        log:
            log_file("expose_arms"),
        conda:
            "../envs/core.yaml"
        params:
            scaffold=STUDY["scaffold"],
            encoder=STRESS["encoder"],
            seed=STUDY["seed"],
        script:
            "../scripts/expose_arms.py"

    rule analyse_stress:
        """Ceilings by retrieval under rewriting, with intervals, and the census of rewrites."""
        input:
            questions=artefact("questions"),
            rewrites=artefact("stress/rewrites"),
            attempts=artefact("stress/attempts"),
            exposure=artefact("stress/exposure"),
            signals=artefact("stress/signals"),
            trial_rewrites=expand(artefact("stress/trials/{m}/rewrites"), m=TRIALS),
            trial_attempts=expand(artefact("stress/trials/{m}/attempts"), m=TRIALS),
            code=code("analyse_stress"),
        output:
            stress=artefact("studies/stress"),
            rewriting=artefact("studies/rewriting"),
        log:
            log_file("analyse_stress"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_stress.py"

    rule hits:
        """The semantic hits of every question and rewrite."""
        input:
            artefact("stress/hits"),

    rule paraphrase:
        """Ceilings by retrieval under rewriting, and how the rewriting went."""
        input:
            table("stress").values(),
            table("rewriting").values(),
