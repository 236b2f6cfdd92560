# The study's checked configuration, and the functions that the rules share.

import re
from copyceiling.commands import remember, remember_targets, study_options
from copyceiling.config import load_yaml, merge, origin, resolve
from copyceiling.errors import CopyCeilingError
from copyceiling.models import load_models, select, spec_params
from copyceiling.tables import LAYOUTS, notes_of, tables_of
from copyceiling.tables.parts import TARGETS, has_part
from copyceiling.workflow import check_writable, code_files, is_released, source_files

DEFAULT_STUDY = Path(workflow.basedir, "config/studies/go.yaml")


def load_config():
    """Return study, models and input files, or stop with the faults before the DAG exists."""
    files, settings = workflow.overwrite_configfiles, workflow.config_settings
    given = [Path(f) for f in files] or [DEFAULT_STUDY]
    if workflow.is_main_process:  # a job's own process is given all of it another way
        remember(study_options(files, settings.config_args, Path(workflow.basedir)))
    try:
        for file in given:  # refuses what Snakemake's own loader lets pass
            load_yaml(file)
        base = {} if "study" in config else load_yaml(DEFAULT_STUDY)
        where = ", ".join(map(str, given))
        study = resolve(merge(base, config), where, settings.config)
        table = load_models(Path(study["sweep"]["table"]))
        place = origin(["sweep", "models"], where, settings.config)
        models = select(table, study["sweep"]["models"], f"{place}: sweep.models")
        check_writable(Path(study["results"]))
        return study, models, source_files(study)
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


STUDY, MODELS, SOURCES = load_config()
RESULTS = STUDY["results"]
FROZEN = STUDY["frozen"]
LABELS = [spec.model for spec in MODELS]
TABLES = tables_of(STUDY)
READERS = [spec.model for spec in MODELS if spec.is_reference]
RENDERINGS = ["parquet", "csv", "md", "tex", "html"]


wildcard_constraints:
    model="|".join(re.escape(label) for label in LABELS),
    table="|".join(TABLES),


def artefact(name):
    """Return the path of an artefact of this study."""
    return f"{RESULTS}/{name}.parquet"


def table(name):
    """Return the paths of a table: the artefact and its renderings."""
    return {kind: f"{RESULTS}/tables/{name}.{kind}" for kind in RENDERINGS}


def log_file(name):
    """Return the path of a rule's log."""
    return f"{RESULTS}/logs/{name}.log"


def code(script):
    """Return a script and every module of ours that it rests on, found in its imports."""
    return code_files(Path(workflow.basedir), script)


def study_outputs():
    """Return every table and figure of the study."""
    tables = [p for name in TABLES for p in table(name).values()]
    figures = ["figure3", *(["rescore"] if has_part(STUDY, "rescored_answers") else [])]
    figures += ["seeds"] if has_part(STUDY, "seeds") else []
    return [*tables, *(p for name in figures for p in figure(name).values())]


def figure(name):
    """Return the paths of a figure: its data and its drawings."""
    return {
        kind: f"{RESULTS}/figures/{name}.{kind}" for kind in ("parquet", "svg", "png")
    }


def reported(paths, kind, category, caption, **labels):
    """Return a rule's outputs with one form marked for `snakemake --report`."""
    mark = report(
        paths[kind],
        caption=f"captions/{caption}.rst",
        category=category,
        labels=labels,
    )
    return {**paths, kind: mark}


SPEC = {spec.model: spec for spec in MODELS}


def frozen_calls(wildcards):
    """Return the frozen calls of a model, which it is not asked again; readers have none.

    Where there are none the script says so, and what to do, better than a missing input would.
    """
    if SPEC[wildcards.model].is_reference:
        return []
    return frozen_or_nothing(f"calls/{wildcards.model}.parquet")


def frozen_or_nothing(name):
    """Return a frozen file and the sums, or nothing where it was never frozen."""
    files = [f"{FROZEN}/{name}", f"{FROZEN}/SHA256SUMS"]
    return files if Path(files[0]).exists() else []


def of_part(part, *names):
    """Return artefacts of a part of the study, none where the study lacks the part."""
    return [artefact(name) for name in names] if has_part(STUDY, part) else []
