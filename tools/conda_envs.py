"""Writes ``envs/*.yaml``, the conda environments that rules declare, at the lock files' versions.

Run by ``make envs``. Conda gives the interpreter and pip the locked packages, so both ways of
running use the same versions; a test fails when they differ.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVS = {"core": "requirements.lock", "live": "requirements-test.lock"}


def text(lock: str) -> str:
    """Return the environment file that installs a lock file."""
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    pins = [line.split(" ")[0] for line in lines]
    return "\n".join(
        [
            f"# Written from {lock} by `make envs`.",
            "channels:",
            "  - conda-forge",
            "dependencies:",
            "  - python=3.11",
            "  - pip",
            "  - pip:",
            "      - --no-deps",
            *[f"      - {pin}" for pin in pins],
            "",
        ]
    )


def main() -> None:
    """Write every environment file."""
    for name, lock in ENVS.items():
        (ROOT / "envs" / f"{name}.yaml").write_text(text(lock), encoding="utf-8")


if __name__ == "__main__":
    main()
