# What the rules of a study's parts take as inputs and settings: functions only.

from copyceiling.arms.settings import called_parts, is_called, part_params
from copyceiling.audit.settings import audit_judges, audited_models, shows_matcher
from copyceiling.rescore.settings import frozen_names, rescore_params
from copyceiling.stress.settings import frozen_rewrites_name, stress_params


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


def frozen_trial(wildcards):
    """Return the frozen calls of a model that rewrites too; maybe none."""
    return frozen_or_nothing(frozen_rewrites_name(wildcards.rewriter))


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
    """Return the frozen calls of a judge's calibration; rules have none."""
    return judge_frozen(JUDGES[wildcards.judge], "calibration")


def judge_frozen(spec, part):
    """Return the frozen calls of a judge in a part; rules have none, and maybe it has none yet."""
    name = f"judged/{part}/calls/{spec.model}.parquet"
    return [] if spec.is_reference else frozen_or_nothing(name)


def load_arm_parts():
    """Return the parts that ask models themselves, or stop with the fault before the DAG exists."""
    try:
        return called_parts(STUDY)
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


def any_label(labels):
    """Return the pattern of a wildcard that is one of these labels."""
    return "|".join(re.escape(label) for label in sorted(set(labels)))


def arm_completions(wildcards):
    """Return the answers of every model of a part."""
    models = ARM_PARTS[wildcards.part].models
    return [artefact(f"{wildcards.part}/completions/{label}") for label in models]


def arm_judgements(wildcards):
    """Return the verdicts of every judge of a part."""
    judges = ARM_PARTS[wildcards.part].judges
    return [artefact(f"judged/{wildcards.part}/{label}") for label in judges]


def frozen_arm_calls(wildcards):
    """Return the frozen calls of a model that answers in a part; maybe none."""
    spec = ARM_PARTS[wildcards.part].models[wildcards.answerer]
    name = f"{wildcards.part}/calls/{wildcards.answerer}.parquet"
    return [] if spec.is_reference else frozen_or_nothing(name)


def frozen_arm_verdicts(wildcards):
    """Return the frozen calls of a judge that grades a part's answers; maybe none."""
    return judge_frozen(
        ARM_PARTS[wildcards.part].judges[wildcards.grader], wildcards.part
    )


def load_audit():
    """Return the audit's models and judges, or stop with the fault before the DAG exists."""
    try:
        return audited_models(STUDY), audit_judges(STUDY)
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


def frozen_audit_verdicts(wildcards):
    """Return the frozen calls of an auditing judge; maybe none."""
    return judge_frozen(AUDIT_JUDGES[wildcards.auditor], "audit")


def judges_card():
    """Return the calibration card of the study's judges; nothing where it calibrates none."""
    return artefact("studies/calibration") if has_part(STUDY, "judging") else []


def rubric_of(part):
    """Return the rubric that a part's own grades are made under; none where they are released."""
    return STUDY["judging"]["rubrics"]["grade"] if part in ARM_PARTS else []


def rule_judges(part):
    """Return the labels of a part's judges that are rules, no models."""
    judges = ARM_PARTS[part].judges.values() if part in ARM_PARTS else ()
    return [spec.model for spec in judges if spec.is_reference]


ARM_PARTS = load_arm_parts()


def label_files():
    """Return the label files that people filled in, by name; maybe none."""
    return [str(path) for path in sorted(Path(FROZEN, "audit/labels").glob("*.csv"))]


def audit_params():
    """Return what an estimate needs of the audit, None where it asks no judges itself."""
    if not is_called(STUDY, "audit"):
        return None
    models, judges = load_audit()
    return {
        "section": STUDY["audit"],
        "answering": [spec_params(SPEC[label]) for label in models],
        "judging": [spec_params(spec) for spec in judges.values()],
        "relations": STUDY["judging"]["relations"],
    }


def judging_params():
    """Return what an estimate needs of the study's judges, None where it calibrates none."""
    if not STUDY["judging"]:
        return None
    kept = ("forms", "repeats", "subset", "answer_cap")
    judges = [spec_params(spec) for spec in study_judges().values()]
    return {**{name: STUDY["judging"][name] for name in kept}, "judges": judges}


def judging_inputs(wildcards):
    """Return what an estimate reads of the study's judges: rubrics and calibration items."""
    if not STUDY["judging"]:
        return dict.fromkeys(("calibration_items", "relation", "grade", "span"), [])
    items = artefact("calibration/items")
    return {**STUDY["judging"]["rubrics"], "calibration_items": items}


def names_frozen():
    """Return part and label, by a slash, of every model and judge whose calls are frozen."""
    named = [("sweep", label) for label in LABELS]
    if STUDY["judging"]:
        named += [("judged/calibration", label) for label in study_judges()]
    if is_called(STUDY, "audit"):
        named += [("judged/audit", label) for label in load_audit()[1]]
    for name, part in ARM_PARTS.items():
        named += [(name, label) for label in part.models]
        named += [(f"judged/{name}", label) for label in part.judges]
    names = [f"{part}/{label}" for part, label in named]
    return [name for name in names if Path(calls_file(name)).exists()]


def calls_file(name):
    """Return the frozen calls of a part and label, see `names_frozen`."""
    part, _, label = name.rpartition("/")
    folder = FROZEN if part == "sweep" else f"{FROZEN}/{part}"
    return f"{folder}/calls/{label}.parquet"


def report_figures():
    """Return the artefacts of the study's figures."""
    return [
        p
        for p in study_outputs()
        if p.startswith(f"{RESULTS}/figures/") and p.endswith(".parquet")
    ]


def arm_artefacts(kind):
    """Return the artefacts of one kind of every part that asks models itself."""
    return [artefact(name) for part in ARM_PARTS for name in arm_names(part, kind)]


def arm_names(part, kind):
    """Return the names of a part's artefacts of one kind."""
    found = ARM_PARTS[part]
    return {
        "prompts": [f"{part}/prompts"],
        "references": [f"{part}/references"],
        "answers": [f"{part}/completions/{label}" for label in found.models],
        "grades": [f"judged/{part}/{label}" for label in found.judges],
    }[kind]
