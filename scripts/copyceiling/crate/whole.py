"""Whether everything that led to a study's results is at hand, so that a crate of it is whole."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from copyceiling.commands import snakemake
from copyceiling.crate.history import Job
from copyceiling.errors import ArtefactError, listing
from copyceiling.manifest import read_claim


def claimed_names(claim: Path, study: str) -> dict[str, str]:
    """Return the names of a study's artefacts by content hash, as the manifest claims them."""
    if not claim.is_file():
        return {}
    claimed = read_claim(claim)["studies"].get(study, {})
    return {e["content_hash"]: name for name, e in claimed.get("artefacts", {}).items()}


def check_whole(jobs: Sequence[Job], results: Path, names: Mapping[str, str]) -> None:
    """Refuse jobs that read what is not there, or of whose outputs one is not there.

    Snakemake does not miss a file that nothing asks for again: while a table is there and newer,
    what it was made from may be gone.

    Args:
        jobs: The jobs that led to the study's results.
        results: The study's results folder.
        names: Content hash to name of an artefact, as far as known.

    Raises:
        ArtefactError: Names each such file, who read or made it, and the command that makes it.
    """
    frozen = any(k.startswith("frozen") for job in jobs for k, _ in job.unknown)
    restored = "\nRestore frozen inputs first: git checkout -- data" if frozen else ""
    lacking = {**_unread(jobs, results, names), **_unmade(jobs, results, names)}
    if lacking:
        rules = sorted({rule for _, rule in lacking.values()})
        raise ArtefactError(
            "the study is not whole, so no crate was made of it. What is missing, or is no longer "
            f"what it was:\n{listing([f'{name}: {why}' for name, (why, _) in lacking.items()])}\n"
            f"Build it again:\n  {snakemake('crate', '--forcerun', *rules)}{restored}"
        )


def _unread(
    jobs: Sequence[Job], results: Path, names: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return inputs that are nowhere: name to what read it, and the rule that reads it."""
    found = {}
    for job in jobs:
        for keyword, digest in job.unknown:
            made = job.outputs[0].relative_to(results).as_posix()
            known = names.get(digest)
            name = f"{known}.parquet" if known else f"input '{keyword}' of {made}"
            why = f"read by {job.rule}" + (f" for {made}" if known else "")
            found[name] = (why, job.rule)
    return found


def _unmade(
    jobs: Sequence[Job], results: Path, names: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Return outputs that are nowhere though other jobs of the same rule have as many as it makes.

    What a rule of one job made, and nobody read, is not missed.
    """
    full: dict[str, int] = {}
    for job in jobs:
        full[job.rule] = max(len(job.outputs), full.get(job.rule, 0))
    gone = [name for name in names.values() if not (results / f"{name}.parquet").is_file()]
    found = {}
    for job in jobs:
        if len(job.outputs) < full[job.rule]:
            stem = job.outputs[0].stem
            beside = job.outputs[0].relative_to(results).as_posix()
            known = [f"{name}.parquet" for name in gone if Path(name).name == stem]
            for name in known or [f"an output beside {beside}"]:
                found[name] = (f"made by {job.rule}", job.rule)
    return found
