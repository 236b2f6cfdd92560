"""Commands that messages give: to be run as they stand, on the study that this run was given.

The study's options come from the command line of the run and reach the processes of its jobs in
the environment. They are words of messages alone: no result rests on them.
"""

import os
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

OPTIONS = "COPYCEILING_OPTIONS"
TARGETS = "COPYCEILING_TARGETS"
_SUMS = "SHA256SUMS"


def study_options(files: Sequence[Path], overrides: Sequence[str], root: Path) -> str:
    """Return the options that name a study again, as a shell takes them; "" for the default.

    Args:
        files: Study files, of ``--configfile``.
        overrides: ``key=value``, of ``--config``.
        root: The repository; files in it are named from there.
    """
    words: list[str] = []
    if files:
        words += ["--configfile", *(_within(Path(file), root) for file in files)]
    if overrides:
        words += ["--config", *overrides]
    return " ".join(map(shlex.quote, words))


def _within(path: Path, root: Path) -> str:
    found = path.absolute()
    return (found.relative_to(root) if found.is_relative_to(root) else path).as_posix()


def remember(options: str) -> None:
    """Let the commands of this process, and of those that it starts, name the study so."""
    os.environ[OPTIONS] = options


def remember_targets(names: Iterable[str]) -> None:
    """Keep what this run can be asked for by name, for the message where a name is unknown."""
    os.environ[TARGETS] = " ".join(names)


def known_targets() -> list[str]:
    """Return what a run can be asked for by name; none outside of one."""
    return os.environ.get(TARGETS, "").split()


def snakemake(*targets: str, options: str | None = None) -> str:
    """Return the command that builds these targets of the study.

    Args:
        targets: Rules or files; none builds everything.
        options: Of `study_options`; None for those of this run.
    """
    named = os.environ.get(OPTIONS, "") if options is None else options
    words = ["snakemake", *map(shlex.quote, targets), named]
    return " ".join(word for word in words if word)


def made_again(path: Path) -> str:
    """Return the lines that lead from a damaged file to a good one.

    Only in a run of the workflow is it known that the file is a result, which may be removed.
    """
    name = shlex.quote(path.as_posix())
    if OPTIONS not in os.environ:
        return "Build it again, or restore it from version control if it is frozen data."
    if _is_frozen(path):
        return f"Restore it:\n  git checkout -- {name}"
    built = snakemake(path.as_posix())
    return f"Build it again, then go on:\n  rm {name}\n  {built}"


def _is_frozen(path: Path) -> bool:
    """Return whether a file lies where frozen inputs do: below their sums, in no workflow's root.

    An unpacked crate has sums of its own, beside the Snakefile, over results as well.
    """
    above = list(path.absolute().parents)[:5]
    return any((f / _SUMS).is_file() and not (f / "Snakefile").is_file() for f in above)
