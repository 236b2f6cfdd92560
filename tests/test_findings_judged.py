"""The findings pages quote what the diagnostics say: every row of their tables is recomputed."""

import re
from pathlib import Path
from typing import Any

import pytest
from copyceiling.config import ROOT, load_study
from copyceiling.corpus.read import read_corpus
from copyceiling.diagnostics import credit_rows, retrieval_rows
from copyceiling.judged_diagnostics import judged_rows
from copyceiling.questions import load_questions
from copyceiling.requests import build_messages
from copyceiling.scaffold import ScaffoldEngine
from copyceiling.scoring import Gold, exposure_rows
from copyceiling.sweep import Settings
from copyceiling.tables.diagnostics import diagnostics, diagnostics_rows

from tests.judged_rows import released

ARCHIVE = "narrativegoldmine-pages-2026-08-07.tar.xz"

PAGES = (
    "production",
    "controls",
    "production-truncation",
    "judge-window",
    "donor-reuse",
    "template-contamination",
    "boundary-blind-credit",
)
_ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| (\d+ of \d+) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def quoted() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Name and row to what the pages quote of it."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for page in PAGES:
        text = (ROOT / "docs" / "findings" / f"{page}.md").read_text(encoding="utf-8")
        for name, what, value, counts in _ROW.findall(text):
            found.setdefault((name, what), set()).add((value, counts))
    return found


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[dict[str, Any]]:
    """The diagnostics of the paper's study."""
    study = load_study(ROOT / "config" / "studies" / "paper.yaml")
    corpus, _ = read_corpus({**study["corpus"], "path": str(shared / "corpus" / ARCHIVE)})
    engine = ScaffoldEngine(corpus.classes)
    scaffolds, exposure = [], []
    for q in load_questions(shared / "release" / "questions.jsonl"):
        shown = engine.scaffold(q.retrieval_text)
        scaffolds.append({"seeds": [{"slug": s.slug, "score": s.score} for s in shown.seeds]})
        exposure += exposure_rows(Gold.of(q), build_messages("", shown.block, q.prompt))
    answers, grades, _ = released(shared)
    judged = judged_rows(answers, grades, Settings(study["seed"], 10_000, 0.95))
    return [*retrieval_rows(scaffolds, exposure), *credit_rows(exposure), *judged]


def test_pages_quote_rows_as_the_table_prints_them(
    quoted: dict[tuple[str, str], set[tuple[str, str]]], rows: list[dict[str, Any]]
) -> None:
    table = diagnostics(diagnostics_rows(rows, ""), "Paper", "", 0.95)
    printed = {}
    for panel in table.panels:
        for row in panel.rows:
            _, value, _, bounds, *_ = (column.cell(row) for column in panel.columns)
            shown = (f"{value} {bounds}".strip(), f"{row['n']} of {row['of']}")
            printed[row["name"], row["what"]] = {shown}
    assert len(quoted) >= 30
    assert {key: printed.get(key) for key in quoted} == quoted
