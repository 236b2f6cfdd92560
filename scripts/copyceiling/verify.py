"""Recomputes a study from its frozen inputs and compares it with the claim.

The recomputation is a nested Snakemake run of the same rules into a scratch results folder; it
takes no lock and touches nothing else. Source: DESIGN section 3.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any

import yaml

from copyceiling.embedding.cache import TOLD
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

_COUNTED = re.compile(r"\[(\d+)/(\d+)\] (.+)")  # the line of a job, see copyceiling.terminal
_STOPS = (signal.SIGTERM, signal.SIGHUP)
_TO_END_S = 10.0  # how long a run that is stopped may take to end by itself
_PREAMBLE = "Using workflow specific profile"
_TOLD = 6000  # characters of a failed run's output that are shown


def recompute(study: Mapping[str, Any], root: Path, results: Path, targets: Sequence[str]) -> None:
    """Build a study into a folder of its own, in replay; its jobs are counted on stderr.

    A run that is stopped, by Ctrl-C or a TERM, takes the nested one with it.

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
    _say(f"Study '{study['study']}' is built anew, which takes as long as a first build of it.")
    # Tables go to stdout when they are built; here nobody reads them. A session of its own, so
    # that it can be ended with the jobs that it started.
    options: dict[str, Any] = {"cwd": root, "text": True, "errors": "replace"}
    options |= {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with _raised_stops(), subprocess.Popen(command, start_new_session=True, **options) as run:
        try:
            said = _follow(run)
        except BaseException:
            _end(run)
            raise
    if run.returncode:
        told = "".join(line for line in said if not line.startswith(_PREAMBLE)).strip()
        raise ArtefactError(
            f"study '{study['study']}' does not recompute. The run of its rules said:\n\n"
            f"{told[-_TOLD:] or 'nothing'}\n\nSee it again: snakemake --configfile {config}"
        )


def _follow(run: "subprocess.Popen[str]") -> list[str]:
    """Tell how far a nested run is; return what else it says, line by line."""
    said: list[str] = []
    began = time.monotonic()
    for line in run.stderr or ():
        job = _COUNTED.match(line)
        if line.startswith(f"{TOLD} "):
            _say(f"    {line.rstrip()}")
        elif job is None:
            said.append(line)
        else:
            _say(f"  {job[1]} of {job[2]}, {time.monotonic() - began:.0f} s: {job[3]}")
    return said


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _end(run: "subprocess.Popen[str]") -> None:
    """End a nested run with the jobs that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(run.pid, number)
        with suppress(subprocess.TimeoutExpired):
            run.wait(_TO_END_S)
            return


@contextmanager
def _raised_stops() -> Iterator[None]:
    """Raise a TERM or HUP as `SystemExit`: else it ends Python on the spot, with nothing tidied."""

    def stop(number: int, _: FrameType | None) -> None:
        sys.exit(128 + number)

    caught = [n for n in _STOPS if signal.getsignal(n) is not signal.SIG_IGN]  # as under nohup
    if threading.current_thread() is not threading.main_thread():
        caught = []
    before = {number: signal.signal(number, stop) for number in caught}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _scratch() -> Iterator[Path]:
    """Return a folder that is removed when the work is stopped, and kept when it fails."""
    with _raised_stops():
        folder = Path(tempfile.mkdtemp(prefix="copyceiling-verify-"))
        try:
            yield folder
        except (KeyboardInterrupt, SystemExit):
            shutil.rmtree(folder, ignore_errors=True)
            raise


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
    with _scratch() as scratch:
        recompute(study, root, scratch, ["all"])
        _, artefacts = compare(claimed, claim_study(study, scratch))
        lines = _report([*frozen, *artefacts])
        first = first_difference(artefacts)
        if first is None:
            shutil.rmtree(scratch, ignore_errors=True)
            count = len(artefacts)
            lines.append(f"\nStudy '{name}': all {count} artefacts and renderings as claimed.")
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
