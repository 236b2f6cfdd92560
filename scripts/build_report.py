"""Builds a study's report: one page with tables, figures, evidence and provenance.

Settings: study (its whole configuration), readers (labels of the reference readers).
Inputs: tables and figures (what the page shows); generation, questions, scaffolds, exposure;
scores, item_rows and completions of the sweep; verdicts, sample and labels of the audit; prompts,
references, answers and grades of the other judged studies (each maybe none); citation;
model_table (how models are called); frozen_notes (how frozen calls were made, maybe none); assets.
Outputs: html.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from copyceiling.artefacts.store import write_text
from copyceiling.jobs import run
from copyceiling.report.gather import Sources, gather
from copyceiling.report.page import page


def main(
    *,
    tables: Sequence[Path],
    figures: Sequence[Path],
    generation: Path,
    questions: Path,
    scaffolds: Path,
    exposure: Path,
    scores: Sequence[Path],
    item_rows: Sequence[Path],
    completions: Sequence[Path],
    verdicts: Sequence[Path],
    sample: Sequence[Path],
    labels: Sequence[Path],
    prompts: Sequence[Path],
    references: Sequence[Path],
    answers: Sequence[Path],
    grades: Sequence[Path],
    citation: Path,
    model_table: Path,
    frozen_notes: Sequence[Path],
    assets: Sequence[Path],
    html: Path,
    study: Mapping[str, Any],
    readers: Sequence[str],
    made: Any,
) -> None:
    """Run the step; see the header."""
    sources = Sources(
        html.parent,
        tables,
        figures,
        generation,
        questions,
        scaffolds,
        exposure,
        scores,
        item_rows,
        completions,
        verdicts,
        sample,
        labels,
        prompts,
        references,
        answers,
        grades,
        citation,
        model_table,
        frozen_notes,
    )
    software = {"copyceiling": made["code_version"], **made["tools"]}
    material = gather(sources, study, readers, software)
    text = page(material, {path.name: path.read_text(encoding="utf-8") for path in assets})
    write_text(html, text)
    print(f"{html}: {len(text.encode()) / 1e6:.1f} MB. Open it in a browser.", flush=True)


if __name__ == "__main__":
    run(snakemake, main)  # type: ignore[name-defined]  # noqa: F821
