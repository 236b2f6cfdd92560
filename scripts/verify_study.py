"""Recomputes the study from its frozen inputs and compares it with the claim.

Settings: study (the whole configuration).
Inputs: manifest.
Outputs: none; the report goes to the terminal, and any difference fails the rule.
"""

from pathlib import Path
from typing import Any

from copyceiling.errors import ArtefactError
from copyceiling.jobs import run
from copyceiling.verify import verify


def main(*, manifest: Path, study: Any, made: Any) -> None:
    """Run the step; see the header."""
    lines, same = verify(study, manifest.resolve().parent)
    print("\n".join(lines), flush=True)
    if not same:
        raise ArtefactError(f"study '{study['study']}' is not as {manifest} claims")


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
