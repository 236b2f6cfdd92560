"""The metadata document of a crate: what it holds, who made it, and what ran on what.

Nothing is dated but the crate, by the date of the software's version: artefacts record no time, so
that the same inputs give the same bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from copyceiling.crate.actions import (
    FORMAL,
    formal_parameters,
    job_actions,
    run_actions,
    step_id,
    steps,
)
from copyceiling.crate.contents import (
    FOLDERS,
    STUDY,
    SUMS,
    WORKFLOW,
    Contents,
    frozen_folder,
    results_folder,
)
from copyceiling.crate.entities import dataset_entity, file_entity, ref, refs, tool_entity
from copyceiling.crate.history import Job
from copyceiling.crate.people import Citation, Entity, licence_entity

DESCRIPTOR = "ro-crate-metadata.json"
_CRATE = "https://w3id.org/ro/crate/1.1"
_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/ro/wfrun/provenance/0.5": "Provenance Run Crate",
    _WORKFLOW_CRATE: "Workflow RO-Crate",
}
_BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
_SNAKEMAKE: Entity = {
    "@id": "https://w3id.org/workflowhub/workflow-ro-crate#snakemake",
    "@type": "ComputerLanguage",
    "name": "Snakemake",
    "identifier": {"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
    "url": {"@id": "https://snakemake.readthedocs.io"},
}
# The terms that RO-Crate 1.1 lacks, as the profiles define them.
_TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}


def metadata(
    study: Mapping[str, Any],
    generation: Mapping[str, Any],
    jobs: Sequence[Job],
    contents: Contents,
    citation: Citation,
) -> dict[str, Any]:
    """Return the metadata document of a study's crate.

    Args:
        study: The study, as resolved.
        generation: The row of the corpus's generation.
        jobs: The jobs that made the study, along the chain.
        contents: What the crate holds.
        citation: Who made the software, and when.
    """
    licence = licence_entity(generation["licence"])
    corpus = _corpus(generation, licence)
    formal = formal_parameters(study, contents)
    actions, parameters = job_actions(jobs, contents, corpus)
    runs = run_actions(jobs, actions, formal, corpus)
    tools = [tool_entity(*pair) for pair in sorted({p for j in jobs for p in j.tools.items()})]
    files = _files(study, contents, citation, licence, {j.script: j.code_version for j in jobs})
    _point_back(files, formal)
    workflow = _workflow(jobs, contents, citation, tools, formal)
    folders = [dataset_entity(contents, name, text) for name, text in FOLDERS.items()]
    root = _root(study, generation, citation, licence, [*files, workflow, *folders])
    root["mentions"] = refs([*runs, *actions])
    graph = [
        *(_descriptor(), root, workflow, *steps(jobs), *formal, *runs, *actions, *parameters),
        *(corpus, *files, *folders, *tools, _SNAKEMAKE, *_profiles()),
        *(*citation.authors, citation.licence, licence),
    ]
    unique = {entity["@id"]: _compact(entity) for entity in graph}
    return {"@context": [f"{_CRATE}/context", _TERMS], "@graph": list(unique.values())}


def _compact(entity: Entity) -> Entity:
    """Return an entity in the form that RO-Crate asks for: no list of none or one."""
    held = {k: v for k, v in entity.items() if v != []}
    return {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in held.items()}


def _descriptor() -> Entity:
    return {
        "@id": DESCRIPTOR,
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": refs([_CRATE, _WORKFLOW_CRATE]),
    }


def _root(
    study: Mapping[str, Any],
    generation: Mapping[str, Any],
    citation: Citation,
    licence: Entity,
    parts: Sequence[Entity],
) -> Entity:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": f"{citation.title}, study '{study['study']}': {study['title']}",
        "description": (
            f"Copy ceiling of grounded models on the corpus {generation['name']}, "
            f"{generation['version']}: inputs, artefacts, tables, figures, and the workflow that "
            f"made them. To run it again, unpack it: snakemake --configfile {STUDY}. The "
            "identifier of an artefact is the sha256 of its logical table, which moves with any "
            "value and not with the writer; its sha256 is that of the file."
        ),
        "datePublished": citation.released,
        "license": refs([citation.licence, licence]),
        "author": refs(citation.authors),
        "publisher": ref(citation.authors[0]),
        "conformsTo": refs(_PROFILES),
        "mainEntity": {"@id": WORKFLOW},
        "hasPart": refs(parts),
    }


def _corpus(generation: Mapping[str, Any], licence: Entity) -> Entity:
    return {
        "@id": "#corpus",
        "@type": "CreativeWork",
        "name": f"{generation['name']}, {generation['version']}",
        "description": f"{generation['n_classes']} classes. Source: {generation['source']}.",
        "version": str(generation["version"]),
        "identifier": f"sha256:{generation['sha256']}",
        "license": ref(licence),
    }


def _files(
    study: Mapping[str, Any],
    contents: Contents,
    citation: Citation,
    corpus_licence: Entity,
    scripts: Mapping[str, str],
) -> list[Entity]:
    """Return the entities of all files but the workflow and those that a folder stands for."""
    derived = (frozen_folder(study), results_folder(study))
    found = []
    for name in contents.files:
        if name in scripts:
            kind = {"@type": ["File", "SoftwareSourceCode"], "version": scripts[name]}
            found.append(file_entity(contents, name, citation.licence, kind))
        elif name != WORKFLOW and not name.startswith(tuple(FOLDERS)):
            # What derives from the corpus keeps the corpus's licence.
            licence = corpus_licence if name.startswith(derived) else citation.licence
            more = {"about": {"@id": "./"}} if name == "README.md" else {}
            found.append(file_entity(contents, name, licence, more))
    listed = {
        "@id": SUMS,
        "@type": "File",
        "name": SUMS,
        "description": "Checksums of all files but the metadata: sha256sum --check SHA256SUMS",
        "encodingFormat": "text/plain",
        "license": ref(citation.licence),
    }
    return [*found, listed]


def _point_back(files: Sequence[Entity], formal: Sequence[Entity]) -> None:
    """Give each file that is an example of a formal parameter a reference to it."""
    of = {example["@id"]: end["@id"] for end in formal for example in end["workExample"]}
    for entity in files:
        if entity["@id"] in of:
            entity["exampleOfWork"] = ref(of[entity["@id"]])


def _workflow(
    jobs: Sequence[Job],
    contents: Contents,
    citation: Citation,
    tools: Sequence[Entity],
    formal: Sequence[Entity],
) -> Entity:
    there = [end["@id"] for end in formal]
    more = {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "conformsTo": {"@id": _BIOSCHEMAS},
        "name": citation.title,
        "version": citation.version,
        "author": refs(citation.authors),
        "programmingLanguage": ref(_SNAKEMAKE),
        "softwareRequirements": refs(tools),
        "hasPart": refs(job.script for job in jobs),
        "step": refs(step_id(job) for job in jobs),
        "input": refs(name for name in FORMAL if name in there and "input" in name),
        "output": refs(name for name in FORMAL if name in there and "output" in name),
    }
    return file_entity(contents, WORKFLOW, citation.licence, more)


def _profiles() -> list[Entity]:
    return [
        {"@id": address, "@type": "CreativeWork", "name": name, "version": address.split("/")[-1]}
        for address, name in _PROFILES.items()
    ]
