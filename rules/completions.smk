SPEC = {spec.model: spec for spec in MODELS}


def frozen_calls(wildcards):
    """Return the frozen calls that a model's replay reads; readers and live runs read none.

    Where there are none the script says so, and what to do, better than a missing input would.
    """
    files = [f"{FROZEN}/calls/{wildcards.model}.parquet", f"{FROZEN}/SHA256SUMS"]
    replayed = STUDY["mode"] == "replay" and not SPEC[wildcards.model].is_reference
    return files if replayed and Path(files[0]).exists() else []


rule complete_model:
    """Replay one model's frozen completions, or ask it live; every planned cell ends in a status."""
    input:
        questions=artefact("questions"),
        scaffolds=artefact("scaffolds"),
        frozen=frozen_calls,
        code=code("complete_model"),
    output:
        completions=artefact("completions/{model}"),
    params:
        spec=lambda w: spec_params(SPEC[w.model]),
        study=STUDY["study"],
        sweep=STUDY["sweep"],
        seed=STUDY["seed"],
        mode=STUDY["mode"],
        live=STUDY["live"] if STUDY["mode"] == "live" else {},
    log:
        log_file("complete_{model}"),
    conda:
        lambda w: f"../envs/{'live' if STUDY['mode'] == 'live' else 'core'}.yaml"
    script:
        "../scripts/complete_model.py"


rule completions:
    """Complete every model of the study; `--config mode=live` asks models."""
    input:
        expand(artefact("completions/{model}"), model=LABELS),
