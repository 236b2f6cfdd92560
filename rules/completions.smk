rule complete_model:
    """Replay one model's frozen completions; a live run asks for the rest. Each cell ends in a status."""
    input:
        questions=artefact("questions"),
        scaffolds=artefact("scaffolds"),
        frozen=frozen_calls,
        code=code("complete_model"),
    output:
        completions=artefact("completions/{model}"),
    log:
        log_file("complete_{model}"),
    conda:
        lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
    params:
        spec=lambda w: spec_params(SPEC[w.model]),
        study=STUDY["study"],
        sweep=STUDY["sweep"],
        seed=STUDY["seed"],
        mode=STUDY["mode"],
        live=STUDY["live"] if STUDY["mode"] == "live" else {},
    script:
        "../scripts/complete_model.py"


rule completions:
    """Complete every model of the study; `--config mode=live` asks for what is not frozen."""
    input:
        expand(artefact("completions/{model}"), model=LABELS),


AUDIT = audit_params()


rule estimate:
    """Print calls, tokens and cost of a live run of the study; sends nothing."""
    input:
        unpack(judging_inputs),
        scaffolds=artefact("scaffolds"),
        questions=artefact("questions"),
        prompts=[artefact(f"{part}/prompts") for part in ARM_PARTS],
        references=[artefact(f"{part}/references") for part in ARM_PARTS],
        exposure=artefact("exposure") if AUDIT else [],
        classes=artefact("corpus/classes") if AUDIT else [],
        frozen=[calls_file(name) for name in names_frozen()],
        code=code("estimate_sweep"),
    log:
        log_file("estimate"),
    conda:
        "../envs/live.yaml"
    params:
        specs=[spec_params(spec) for spec in MODELS],
        sweep=STUDY["sweep"],
        judging=judging_params(),
        parts={name: part_params(part) for name, part in ARM_PARTS.items()},
        audit=AUDIT,
        frozen_names=names_frozen(),
        seed=STUDY["seed"],
        live=STUDY["live"],
    script:
        "../scripts/estimate_sweep.py"
