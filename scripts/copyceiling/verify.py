"""Recomputes a study from its frozen inputs and compares it with the claim.

The recomputation is a nested Snakemake run of the same rules into a scratch results folder; it
takes no lock and touches nothing else. Source: DESIGN section 3.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from copyceiling.errors import ArtefactError
from copyceiling.manifest import (
    CLAIM,
    Verdict,
    claim_study,
    compare,
    first_difference,
    frozen_files,
    read_claim,
)

_COUNTED = re.compile(r"\[\d+/\d+\] ")  # the line of a job, see copyceiling.terminal
_PREAMBLE = "Using workflow specific profile"
_TOLD = 6000  # characters of a failed run's output that are shown


def recompute(study: Mapping[str, Any], root: Path, results: Path, targets: Sequence[str]) -> None:
    """Build a study into a folder of its own, in replay; its jobs are counted on stderr.

    Raises:
        ArtefactError: The nested run failed; what it said, with rule and log, is in the message.
    """
    results.mkdir(parents=True, exist_ok=True)
    config = results / "study.yaml"
    changed = {**study, "results": str(results), "mode": "replay"}
    config.write_text(yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(root / "Snakefile")),
        *("--configfile", str(config), "--nolock", "--cores", "all"),
        *targets,
    ]
    said: list[str] = []
    # Tables go to stdout when they are built; here nobody reads them.
    options: dict[str, Any] = {"cwd": root, "text": True, "errors": "replace"}
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options
    ) as run:
        for line in run.stderr or ():
            if _COUNTED.match(line):
                print(line, end="", file=sys.stderr, flush=True)
            else:
                said.append(line)
    if run.returncode:
        told = "".join(line for line in said if not line.startswith(_PREAMBLE)).strip()
        raise ArtefactError(
            f"study '{study['study']}' does not recompute. The run of its rules said:\n\n"
            f"{told[-_TOLD:] or 'nothing'}\n\nSee it again: snakemake --configfile {config}"
        )


def verify(
    study: Mapping[str, Any], root: Path, claim: Path | None = None
) -> tuple[list[str], bool]:
    """Return the lines of the report, and whether everything is as claimed.

    Args:
        study: The study, as resolved.
        root: The repository.
        claim: The claim, None for the repository's own.

    Frozen inputs are compared first, by the sha256 of their bytes; where one differs nothing is
    recomputed, for the recomputation would only repeat the difference.

    Raises:
        ArtefactError: Nothing was ever claimed for the study, or it does not recompute.
    """
    name = study["study"]
    claimed = read_claim(claim or root / CLAIM)["studies"].get(name)
    if claimed is None:
        raise ArtefactError(
            f"{CLAIM} claims nothing for study '{name}'. Build it, then: copyceiling accept"
        )
    frozen, _ = compare(
        {**claimed, "artefacts": {}},
        {"frozen": frozen_files(root / study["frozen"]), "artefacts": {}},
    )
    first = first_difference(frozen)
    if first is not None:
        lines = _report(frozen)
        lines.append(f"\nFrozen input {first.name} {_what(first)}. Restore it, for example:")
        lines.append(f"  git checkout -- {study['frozen']}/{first.name}")
        return lines, False
    scratch = Path(tempfile.mkdtemp(prefix="copyceiling-verify-"))
    recompute(study, root, scratch, ["all"])
    _, artefacts = compare(claimed, claim_study(study, scratch))
    lines = _report([*frozen, *artefacts])
    first = first_difference(artefacts)
    if first is None:
        shutil.rmtree(scratch, ignore_errors=True)
        lines.append(f"\nStudy '{name}': all {len(artefacts)} artefacts and renderings as claimed.")
        return lines, True
    path = first.name if "." in Path(first.name).name else f"{first.name}.parquet"
    lines.append(f"\nStudy '{name}': first along the chain, {first.name} {_what(first)}.")
    lines.append(f"See how: copyceiling diff {study['results']}/{path} {scratch}/{path}")
    return lines, False


def _what(verdict: Verdict) -> str:
    return {
        "differs": "differs from the claim",
        "missing": "is claimed but was not found",
        "unclaimed": "is not claimed",
    }[verdict.word]


def _report(verdicts: Sequence[Verdict]) -> list[str]:
    width = max((len(v.name) for v in verdicts), default=0)
    lines = [f"{'artefact':<{width}}  {'claimed':<14}{'recomputed':<14}verdict"]
    for v in verdicts:
        claimed, found = ((side or "-")[:12] for side in (v.claimed, v.found))
        lines.append(f"{v.name:<{width}}  {claimed:<14}{found:<14}{v.word}")
    return lines
