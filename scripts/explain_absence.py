"""Says why a study has no such table, and what it would take.

Settings: target, part (what the study lacks), study.
Inputs: none.
Outputs: none; the rule fails.
"""

from typing import Any

from copyceiling.errors import ConfigError
from copyceiling.jobs import run
from copyceiling.tables.parts import what_it_takes


def main(*, target: str, part: str, study: str, made: Any) -> None:
    """Run the step; see the header."""
    raise ConfigError(f"study '{study}' has no {target}; {what_it_takes(part)}")


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
