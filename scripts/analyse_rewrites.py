"""Computes what stays exposed under rewritten questions, and what semantic retrieval recovers.

Settings: statistics.
Inputs: rewrites, questions (for their domains).
Outputs: paraphrase.
"""

from pathlib import Path
from typing import Any

from copyceiling.artefacts.audit_schemas import PARAPHRASE
from copyceiling.artefacts.judged_schemas import REWRITES
from copyceiling.artefacts.store import rows, write
from copyceiling.jobs import run
from copyceiling.rewrites import paraphrase_rows
from copyceiling.rows.questions import read_questions
from copyceiling.sweep import Settings


def main(*, rewrites: Path, questions: Path, paraphrase: Path, statistics: Any, made: Any) -> None:
    """Run the step; see the header."""
    domains = {q.id: q.domain for q in read_questions(questions)}
    found = paraphrase_rows(rows(rewrites, REWRITES), domains, Settings(**statistics))
    write(paraphrase, found, PARAPHRASE, made)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
