"""The documentation does what it says: every command, every example, every link, every list."""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from copyceiling import __version__, check
from copyceiling.config import load_yaml, resolve
from copyceiling.models import _COLUMNS, ModelSpec

from tests import doc_commands
from tests.conftest import ROOT
from tests.doc_commands import (
    BY_COMMAND,
    BY_PAGE,
    blocks,
    commands,
    executed_by,
    inline,
    is_name,
    is_script,
    pages,
)

PAGES = pages()


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_is_sound(page: Path) -> None:
    """Whether it is executed or not: program, target, options, settings and files exist."""
    found = [c for b in blocks(page) if not is_script(b) for c in commands(b)]
    faults = {c: said for c in [*found, *inline(page)] if (said := doc_commands.check(c))}
    assert faults == {}


def test_every_command_is_executed() -> None:
    """In blocks and in sentences; a name alone is none."""
    found = {(c, name_of(page)) for page in PAGES for b in blocks(page) for c in commands(b)}
    said = {c for page in PAGES for c in inline(page) if not is_name(c)}
    nobody = [c for c, page in found if executed_by(c, page) is None]
    assert nobody + [c for c in said if executed_by(c) is None] == []
    assert len(found) > 100 and len(said) > 40


def test_who_executes_a_page_or_a_command_names_it() -> None:
    for what, test in {**BY_PAGE, **BY_COMMAND}.items():
        text = (ROOT / test).read_text(encoding="utf-8")
        assert what in text or Path(what).name in text, what


def test_a_command_that_nothing_executes_would_be_found() -> None:
    assert executed_by("snakemake table4", "docs/copy-ceiling.md") == ".ci/run"
    assert executed_by("snakemake table5 --dry-run", "docs/copy-ceiling.md") is None


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("snakemake table44", "no such target"),
        ("snakemake score_answers", "no such target"),
        ("snakemake --configfil x", "unrecognized|ambiguous|configfil"),
        ("snakemake table4 --config 'seeed=1'", "seeed"),
        ("snakemake --configfile config/studies/none.yaml", "no such file"),
        ("copyceiling shwo table4", "invalid choice"),
        ("copyceiling check --skip-bad", "required"),
        ("make tabel4", "no such target"),
        ("python tools/none.py", "no such file"),
        ("curl example.org", "in no class"),
    ],
)
def test_a_command_that_is_not_sound_is_found(command: str, fault: str) -> None:
    said = doc_commands.check(command)
    assert said and re.search(fault, said), said


def cells(text: str) -> list[list[str]]:
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows]


def test_the_worked_example_is_what_the_check_computes() -> None:
    """docs/copy-ceiling.md: each row of its table, by the check that anyone can run."""
    text = (ROOT / "docs" / "copy-ceiling.md").read_text(encoding="utf-8")
    shown = {k: re.findall(r"[^.]+\.", v) for k, v in re.findall(r'^- (\w+): "(.*)"$', text, re.M)}
    question = re.search(r"asked \*(.+?)\*", text)
    assert question and set(shown) == {"both", "first"}
    rows = [row for row in cells(text) if row[0] in shown]
    assert len(rows) == 6
    for which, answer, recall, ceiling, gain, cell in rows:
        asked = {
            "id": "1",
            "question": question[1],
            "gold": ["Component C"],
            "context": shown[which],
            "answer": answer,
        }
        found = check.rows([asked]).systems[0].of("paper", "as_received")
        assert [found.recall, found.ceiling, found.gain] == [
            float(recall),
            float(ceiling),
            float(gain),
        ]
        assert {
            n: getattr(found, n) for n in ("n11", "n10", "n01", "n00") if getattr(found, n)
        } == {cell: 1}
        assert found.question_ceiling == 0, "the question alone gives nothing away"


def test_the_wording_that_gives_the_name_away_does() -> None:
    text = (ROOT / "docs" / "copy-ceiling.md").read_text(encoding="utf-8")
    question = re.search(r"Ask \*(.+?)\*", text)
    assert question
    row = {
        "id": "1",
        "question": question[1],
        "gold": ["Component C"],
        "context": [],
        "answer": "x",
    }
    measures = check.rows([row]).systems[0]
    assert measures.of("paper", "as_received").question_ceiling == 1
    assert measures.of("strict", "as_received").question_ceiling == 0


def test_the_smallest_study_is_one() -> None:
    text = (ROOT / "docs" / "new-study.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    study = resolve(yaml.safe_load(block), "docs/new-study.md")
    schema = load_yaml(ROOT / "config" / "schemas" / "study.schema.yaml")
    sections = {w for row in cells(text) for w in re.findall(r"`(\w+)`", row[0])} - {"Section"}
    assert sections <= set(schema["properties"]) and study["study"] == "mine"


def test_the_table_of_models_is_explained_column_by_column() -> None:
    text = (ROOT / "docs" / "your-models.md").read_text(encoding="utf-8")
    named = [w for row in cells(text) for w in re.findall(r"`(\w+)`", row[0])]
    assert tuple(named) == tuple(_COLUMNS)
    (block,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    row = dict(zip(_COLUMNS, block.rstrip("\n").split("\t"), strict=True))
    assert json.loads(row["params"]) == {"temperature": 0} and row["base_url"].startswith("http")
    assert set(ModelSpec.__dataclass_fields__) == set(_COLUMNS)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    broken = [t for t in links if not t.startswith("http") and not (page.parent / t).exists()]
    named = re.findall(r"`((?:docs|config|scripts|tools|benchmarks|data|tests)/[\w./-]+)`", text)
    missing = [n for n in named if not (ROOT / n).exists() and n != "data/<study>"]
    assert broken == [] and missing == []


def test_the_contents_list_every_page() -> None:
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", text))
    assert listed == {p.name for p in (ROOT / "docs").glob("*.md")} - {"README.md"}


def test_the_targets_meant_for_people_are_all_listed() -> None:
    """docs/regenerate.md: what may be asked for by name and is no step of its own script."""
    text = (ROOT / "docs" / "regenerate.md").read_text(encoding="utf-8")
    section = text.partition("## What can be asked for")[2].partition("\n## ")[0]
    listed = [n for row in cells(section) for n in re.findall(r"`(\w+)`", row[0])]
    scripts = {p.stem for p in (ROOT / "scripts").glob("*.py")}
    assert sorted(listed) == sorted(doc_commands.targets() - scripts)


def test_the_data_dictionary_is_in_step_with_the_schemas() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    import data_dictionary

    found = data_dictionary.PAGE.read_text(encoding="utf-8")
    assert found == data_dictionary.page(), "write it again: make dictionary"
    nowhere = [row[0] for row in cells(found) if row[0].startswith("[`") and not row[1]]
    assert nowhere == [], "no rule is found to write these"


def test_notice_and_citation_name_what_they_must() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    with open(ROOT / "data" / "sources.csv", encoding="utf-8") as file:
        sources = list(csv.DictReader(file))
    for source in sources:
        assert f"[{source['name']}]" in notice, f"{source['name']} ({source['licence']})"
        assert source["licence"].replace("-", " ").split()[0] in notice.replace("-", " ")
    citation: dict[str, Any] = load_yaml(ROOT / "CITATION.cff")
    assert citation["version"] == __version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {__version__}" in changes


def test_the_readme_comes_to_the_point_on_one_screen() -> None:
    """Two commands and where to go next, before any detail."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = lines[: next(i for i, line in enumerate(lines) if line.startswith("## "))]
    assert len(first) <= 45
    assert "make table4" in first and "make test" in first
    assert sum(line.startswith("| ") for line in first) >= 6
