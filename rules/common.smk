# The study's checked configuration, and the functions that the rules share.

import re
from copyceiling.config import load_yaml, resolve
from copyceiling.errors import CopyCeilingError
from copyceiling.models import load_models, select, spec_params
from copyceiling.release import find_release
from copyceiling.workflow import code_files

DEFAULT_STUDY = Path(workflow.basedir, "config/studies/go.yaml")


def load_config():
    """Return the study and its models, or stop with every fault before the DAG exists."""
    given = [Path(f) for f in workflow.overwrite_configfiles] or [DEFAULT_STUDY]
    try:
        for file in given:  # refuses what Snakemake's own loader lets pass
            load_yaml(file)
        merged = config if "study" in config else {**load_yaml(DEFAULT_STUDY)}
        snakemake.utils.update_config(merged, config)
        study = resolve(merged, ", ".join(map(str, given)))
        models = load_models(Path(study["sweep"]["table"]))
        return study, select(models, study["sweep"]["models"], f"{given[-1]}: sweep.models")
    except CopyCeilingError as error:
        sys.exit(f"\nConfiguration: {error}\n")


STUDY, MODELS = load_config()
RESULTS = STUDY["results"]
FROZEN = STUDY["frozen"]
LABELS = [spec.model for spec in MODELS]
READERS = [spec.model for spec in MODELS if spec.is_reference]
RENDERINGS = ["parquet", "csv", "md", "tex"]


wildcard_constraints:
    model="|".join(re.escape(label) for label in LABELS),


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


def release_file(name):
    """Return a file of the release, or nothing where the study names none."""
    return str(find_release(STUDY["release"]["path"], name)) if name else []


def release_scores(model, arm):
    """Return a model's released score file."""
    label = STUDY["release"]["labels"].get(model, model)
    path = STUDY["release"]["path"]
    return str(find_release(path, "sweep", f"scores-{label}-{arm}.jsonl"))


def study_outputs():
    """Return every table and figure of the study."""
    tables = [p for n in ("table4", "table5", "confusion") for p in table(n).values()]
    return [*tables, *figure("figure3").values()]


def figure(name):
    """Return the paths of a figure: its data and its drawings."""
    return {kind: f"{RESULTS}/figures/{name}.{kind}" for kind in ("parquet", "svg", "png")}
