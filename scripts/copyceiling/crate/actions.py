"""What ran: the study as one run of the workflow, its steps, and the job of each."""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.crate.contents import STUDY, WORKFLOW, Contents, frozen_folder, results_folder
from copyceiling.crate.entities import parameter_entities, ref, refs, tool_entity
from copyceiling.crate.history import Job
from copyceiling.crate.people import Entity

_DONE = "http://schema.org/CompletedActionStatus"
_STUDY, _ENGINE_RUN = "#study", "#run"
# What the workflow takes and gives: id to name.
FORMAL = {
    "#input-study": "The study's configuration",
    "#input-frozen": "Frozen inputs",
    "#output-tables": "Tables",
}


def formal_parameters(study: Mapping[str, Any], contents: Contents) -> list[Entity]:
    """Return what the workflow takes and gives, each with the files that it was in this run."""
    files = {
        "#input-study": [STUDY],
        "#input-frozen": contents.below(frozen_folder(study)),
        "#output-tables": contents.below(f"{results_folder(study)}tables/"),
    }
    return [
        {"@id": name, "@type": "FormalParameter", "name": text, "additionalType": "File",
         "workExample": refs(files[name])}
        for name, text in FORMAL.items()
        if files[name]
    ]  # fmt: skip


def step_id(job: Job) -> str:
    """Return the id of the step that a job is a run of."""
    return f"#step-{job.rule}"


def steps(jobs: Sequence[Job]) -> list[Entity]:
    """Return a step a rule, in order of the chain."""
    scripts = {step_id(job): (job.rule, job.script) for job in jobs}
    return [
        {"@id": name, "@type": "HowToStep", "name": rule, "position": str(i),
         "workExample": ref(script)}
        for i, (name, (rule, script)) in enumerate(scripts.items(), start=1)
    ]  # fmt: skip


def job_actions(
    jobs: Sequence[Job], contents: Contents, corpus: Entity
) -> tuple[list[Entity], list[Entity]]:
    """Return the action of each job, and the parameters that they ran with."""
    parameters: dict[str, Entity] = {}
    actions = []
    for job in jobs:
        own = parameter_entities(job.params)
        parameters.update((p["@id"], p) for p in own)
        inputs: list[Entity | str] = [contents.name_of[path] for path in job.inputs]
        if job.rule == "read_corpus":
            inputs.append(corpus)
        made = [name for path in job.outputs for name in contents.renderings(path)]
        actions.append(
            {
                "@id": f"#job-{contents.name_of[job.outputs[0]]}",
                "@type": "CreateAction",
                "name": f"{job.rule}: {made[0]}",
                "description": f"A run of the rule {job.rule}.",
                "instrument": ref(job.script),
                "object": refs([*inputs, *own]),
                "result": refs(made),
                "actionStatus": _DONE,
            }
        )
    return actions, list(parameters.values())


def run_actions(
    jobs: Sequence[Job],
    actions: Sequence[Entity],
    formal: Sequence[Entity],
    corpus: Entity,
) -> list[Entity]:
    """Return the run of the workflow, that of its engine, and the engine's control of each job."""
    examples = {end["@id"]: end["workExample"] for end in formal}
    inputs = [*examples.get("#input-study", []), *examples.get("#input-frozen", [])]
    controls = [
        {
            "@id": f"#control-{action['@id'].removeprefix('#job-')}",
            "@type": "ControlAction",
            "name": f"Control of {action['name']}",
            "instrument": ref(step_id(job)),
            "object": ref(action),
            "actionStatus": _DONE,
        }
        for job, action in zip(jobs, actions, strict=True)
    ]
    engine = max(version for job in jobs for name, version in job.tools.items()
                 if name == "snakemake")  # fmt: skip
    study = {
        "@id": _STUDY,
        "@type": "CreateAction",
        "name": "The study",
        "description": "From corpus and frozen inputs to tables and figures.",
        "instrument": {"@id": WORKFLOW},
        "object": [*inputs, ref(corpus)],
        "result": examples.get("#output-tables", []),
        "actionStatus": _DONE,
    }
    organised = {
        "@id": _ENGINE_RUN,
        "@type": "OrganizeAction",
        "name": "Run of the engine",
        "instrument": ref(tool_entity("snakemake", engine)),
        "object": refs(controls),
        "result": ref(study),
        "actionStatus": _DONE,
    }
    return [study, organised, *controls]
