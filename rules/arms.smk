# From the planned prompts of a judged study to graded answers, one way for every part that asks
# models itself (`source: calls`). The part's own rules plan prompts and references.

if ARM_PARTS:

    wildcard_constraints:
        part="|".join(ARM_PARTS),
        answerer=any_label(label for p in ARM_PARTS.values() for label in p.models),
        grader=any_label(label for p in ARM_PARTS.values() for label in p.judges),

    rule complete_arms:
        """Replay one model's frozen answers in every arm of a part; a live run asks for the rest."""
        input:
            prompts=artefact("{part}/prompts"),
            frozen=frozen_arm_calls,
            code=code("complete_arms"),
        output:
            completions=artefact("{part}/completions/{answerer}"),
        log:
            log_file("complete_arms_{part}_{answerer}"),
        conda:
            lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
        params:
            spec=lambda w: spec_params(ARM_PARTS[w.part].models[w.answerer]),
            study=STUDY["study"],
            part=lambda w: w.part,
            mode=STUDY["mode"],
            live=STUDY["live"] if STUDY["mode"] == "live" else {},
        script:
            "../scripts/complete_arms.py"

    rule judge_arms:
        """Replay one judge's grades of a part's answers; a live run asks for the rest."""
        input:
            grade=STUDY["judging"]["rubrics"]["grade"],
            span=STUDY["judging"]["rubrics"]["span"],
            references=artefact("{part}/references"),
            completions=arm_completions,
            frozen=frozen_arm_verdicts,
            code=code("judge_arms"),
        output:
            judgements=artefact("judged/{part}/{grader}"),
            calls=artefact("judged/{part}_calls/{grader}"),
        log:
            log_file("judge_arms_{part}_{grader}"),
        conda:
            lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
        params:
            spec=lambda w: spec_params(ARM_PARTS[w.part].judges[w.grader]),
            study=STUDY["study"],
            part=lambda w: w.part,
            answer_cap=STUDY["judging"]["answer_cap"],
            seed=STUDY["seed"],
            mode=STUDY["mode"],
            live=STUDY["live"] if STUDY["mode"] == "live" else {},
        script:
            "../scripts/judge_arms.py"

    rule collect_arms:
        """Put a part together: how answers ended, their grades, the gold that they name."""
        input:
            prompts=artefact("{part}/prompts"),
            references=artefact("{part}/references"),
            completions=arm_completions,
            judgements=arm_judgements,
            code=code("collect_arms"),
        output:
            answers=artefact("{part}/answers"),
            grades=artefact("{part}/grades"),
            recall=artefact("{part}/recall"),
        log:
            log_file("collect_arms_{part}"),
        conda:
            "../envs/core.yaml"
        params:
            judges=lambda w: list(ARM_PARTS[w.part].judges),
        script:
            "../scripts/collect_arms.py"

    rule analyse_recall:
        """Recall of gold titles by arm of a part, without a judge."""
        input:
            recall=artefact("{part}/recall"),
            code=code("analyse_recall"),
        output:
            study=artefact("studies/recall_{part}"),
        log:
            log_file("analyse_recall_{part}"),
        conda:
            "../envs/core.yaml"
        params:
            statistics=STATISTICS,
        script:
            "../scripts/analyse_recall.py"
