# What the rules of a study's parts take as inputs and settings: functions only.

from copyceiling.rescore.settings import frozen_names, rescore_params
from copyceiling.stress.settings import stress_params


def models_called():
    """Return the models of the sweep that are called, without reference readers."""
    return [spec.model for spec in MODELS if not spec.is_reference]


def calls_on_record():
    """Return the frozen calls that latencies are looked up in, with their sums; maybe none."""
    files = [f"{FROZEN}/calls/{model}.parquet" for model in models_called()]
    there = [file for file in files if Path(file).exists()]
    return [*there, f"{FROZEN}/SHA256SUMS"] if there else []


def studies_to_summarise():
    """Return the artefacts that the overview reads: those that this study has."""
    parts = [name for name, part in PART_STUDIES.items() if has_part(STUDY, part)]
    if STUDY["terms"]["assertions"]:
        parts.append("terms")
    return [
        artefact(f"studies/{name}")
        for name in ("sweep", "decomposition", "confusion", *parts)
    ]


def judged_part(part, name):
    """Return an artefact of a judged part, an empty list where the study lacks the part."""
    return artefact(f"{part}/{name}") if STUDY[part] else []


def stated_counts(model):
    """Return the released file that states how many items each question exposes, if any."""
    kinds = [SOURCES["sweep"][model, "scaffold", k] for k in ("scores", "results")]
    return next((files[0] for files in kinds if files), None)


def load_stress():
    """Return the stress settings, or stop with their faults before the DAG exists."""
    try:
        return stress_params(STUDY)
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


def frozen_or_nothing(name):
    """Return a frozen file and the sums, or nothing where it was never frozen."""
    files = [f"{FROZEN}/{name}", f"{FROZEN}/SHA256SUMS"]
    return files if Path(files[0]).exists() else []


def load_rescore():
    """Return the re-score's settings, or stop with their faults before the DAG exists."""
    try:
        return rescore_params(STUDY)
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


def frozen_cosines(wildcards):
    """Return the frozen cosines and their sums; nothing where none were ever frozen."""
    names = [*frozen_names(RESCORE["spec"]["name"]), "SHA256SUMS"]
    files = [f"{FROZEN}/{name}" for name in names]
    return files if all(Path(file).exists() for file in files) else []


def study_judges():
    """Return the study's judges by label, or stop with the fault before the DAG exists."""
    try:
        models = load_models(Path(STUDY["sweep"]["table"]))
        found = select(models, STUDY["judging"]["judges"], "judging.judges")
        return {spec.model: spec for spec in found}
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


def frozen_verdicts(wildcards):
    """Return the frozen calls that a judge's replay reads; rules and live runs read none."""
    calls = f"{FROZEN}/judged/calibration/calls/{wildcards.judge}.parquet"
    replayed = STUDY["mode"] == "replay" and not JUDGES[wildcards.judge].is_reference
    return [calls, f"{FROZEN}/SHA256SUMS"] if replayed and Path(calls).exists() else []
